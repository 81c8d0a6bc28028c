"""The offline planner: a LangChain chat model made of rules, for answers without any language model."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .direct import DirectTalk
    from .planner import OfflinePlanner

__all__ = ["DirectTalk", "OfflinePlanner"]

_HOMES = {"DirectTalk": ".direct", "OfflinePlanner": ".planner"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name], __name__), name)
