"""What is known about hardware: targets, runtimes, and how people call them. Loaded on first use."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .index import read_index
    from .loader import load_runtime, load_target, runtime_ids, target_ids
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

_HOMES = {
    "Accelerator": ".schema",
    "Claim": ".schema",
    "Core": ".schema",
    "Fallback": ".schema",
    "Leaf": ".schema",
    "MemoryKind": ".schema",
    "OpSupport": ".schema",
    "Planner": ".schema",
    "PowerMode": ".schema",
    "Rate": ".schema",
    "Region": ".schema",
    "Runtime": ".schema",
    "Source": ".schema",
    "Target": ".schema",
    "TargetClass": ".schema",
    "load_runtime": ".loader",
    "load_target": ".loader",
    "read_index": ".index",
    "resolve_runtime": ".resolver",
    "resolve_target": ".resolver",
    "runtime_ids": ".loader",
    "suggest_runtime": ".resolver",
    "suggest_target": ".resolver",
    "target_ids": ".loader",
    "use_directories": ".user_files",
}

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
    "read_index",
    "resolve_runtime",
    "resolve_target",
    "runtime_ids",
    "suggest_runtime",
    "suggest_target",
    "target_ids",
    "use_directories",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name], __name__), name)
