"""Results as documents: text, JSON, and the whole analysis of one model."""

from .analysis import AnalysisReport, analyze_model
from .envelope import envelope
from .text import as_text

__all__ = ["AnalysisReport", "analyze_model", "as_text", "envelope"]
