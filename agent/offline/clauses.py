"""The parts of a question that asks for several things."""

from __future__ import annotations

import re

_WH = r"(?:how|what|which|does|do|is|are|can|will|would|where|whether|why|when)"
_BETWEEN = re.compile(rf"[?;:]|,(?= )|\.(?= )|\band (?={_WH}\b)", re.IGNORECASE)
_SEVERAL = re.compile(
    rf"\b(?:two|three|four|five|several|some|\d) (?:\w+ )?(?:things|questions|lines|numbers|"
    rf"figures|answers|points|facts)\b|"
    rf"\?.+\?|[,;] ?(?:and )?{_WH}\b.*\b(?:and|,) ?{_WH}\b|\band (?:also )?{_WH}\b|[,;].*(?:, | and )",
    re.IGNORECASE | re.DOTALL,
)
_FEWEST, _MOST = 1, 16
"""Words of a clause that can be a wish."""


def clauses_of(question: str) -> list[str]:
    """None where it asks for one thing."""
    if not _SEVERAL.search(question):
        return []
    parts = [part.strip() for part in _BETWEEN.split(question)]
    return [part for part in parts if _FEWEST <= len(part.split()) <= _MOST]
