"""Model files and named architectures as ModelGraphs."""

from .redaction import redact_names
from .source import parse_model

__all__ = ["parse_model", "redact_names"]
