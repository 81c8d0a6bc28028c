"""What is known about hardware: targets, runtimes, and how people call them."""

from .loader import load_runtime, load_target, runtime_ids, target_ids
from .mentions import Mention, find_runtime_names, find_target_names
from .resolver import resolve_runtime, resolve_target, suggest_runtime, suggest_target
from .schema import (
    Accelerator,
    Claim,
    Core,
    Fallback,
    Leaf,
    MemoryKind,
    OpSupport,
    Planner,
    PowerMode,
    Rate,
    Region,
    Runtime,
    Source,
    Target,
    TargetClass,
)
from .user_files import use_directories

__all__ = [
    "Accelerator",
    "Claim",
    "Core",
    "Fallback",
    "Leaf",
    "MemoryKind",
    "Mention",
    "OpSupport",
    "Planner",
    "PowerMode",
    "Rate",
    "Region",
    "Runtime",
    "Source",
    "Target",
    "TargetClass",
    "find_runtime_names",
    "find_target_names",
    "load_runtime",
    "load_target",
    "resolve_runtime",
    "resolve_target",
    "runtime_ids",
    "suggest_runtime",
    "suggest_target",
    "target_ids",
    "use_directories",
]
