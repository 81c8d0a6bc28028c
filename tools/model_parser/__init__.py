"""Model files and named architectures as ModelGraphs."""

from .source import parse_model

__all__ = ["parse_model"]
