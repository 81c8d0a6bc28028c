"""The offline planner: answers without a language model, from the same tools and with the same references."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .planner import Planner

__all__ = ["Planner"]


def __getattr__(name: str) -> Any:
    if name != "Planner":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(".planner", __name__).Planner
