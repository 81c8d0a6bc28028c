"""Results as documents: text, JSON, and the whole analysis of one model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .envelope import envelope
from .text import as_text

if TYPE_CHECKING:
    from .analysis import AnalysisReport, analyze_model

__all__ = ["AnalysisReport", "analyze_model", "as_text", "envelope"]


def __getattr__(name: str) -> Any:
    if name not in ("AnalysisReport", "analyze_model"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import analysis

    return getattr(analysis, name)
