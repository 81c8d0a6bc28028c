"""What is known about hardware: targets, runtimes, and how people call them."""

from .loader import load_runtime, load_target, runtime_ids, target_ids
from .resolver import resolve_runtime, resolve_target
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

__all__ = [
    "Accelerator",
    "Claim",
    "Core",
    "Fallback",
    "Leaf",
    "MemoryKind",
    "OpSupport",
    "Planner",
    "PowerMode",
    "Rate",
    "Region",
    "Runtime",
    "Source",
    "Target",
    "TargetClass",
    "load_runtime",
    "load_target",
    "resolve_runtime",
    "resolve_target",
    "runtime_ids",
    "target_ids",
]
