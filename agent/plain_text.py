"""Text as the user reads it: nothing that a terminal obeys, and a mark behind what no tool said."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise

_KEPT = "\n\t\N{ZERO WIDTH JOINER}"
MARK = " ⚠ not from a tool"


def printable(text: str) -> str:
    """`text` without what a terminal would obey: escapes and other control and format characters."""
    if text.isprintable():
        return text
    return "".join(c for c in text if c.isprintable() or c in _KEPT or unicodedata.category(c) == "Zs")


def marked_text(text: str, ungrounded: Sequence[str], spans: Sequence[tuple[int, int]] = ()) -> str:
    """`text` with our mark behind each of these parts: where `spans` says, else wherever they stand."""
    if spans:
        return _marked_at(text, spans)
    parts = sorted({part for part in ungrounded if part}, key=len, reverse=True)
    if not parts:
        return text
    either = "|".join(re.escape(part) for part in parts)
    return re.sub(rf"(?<![\w.])(?:{either})(?!\w|[.,]\d)", lambda found: found[0] + MARK, text)


def _marked_at(text: str, spans: Sequence[tuple[int, int]]) -> str:
    ends = [0, *sorted({stop for _, stop in spans}), len(text)]
    return MARK.join(text[start:stop] for start, stop in pairwise(ends))


def reason_in(text: str) -> str:
    """Why a call failed, out of what the model was told."""
    try:
        told = json.loads(text)["error"]
        return printable(f"{told['message']} {told.get('hint', '')}".strip())
    except (ValueError, LookupError, TypeError):
        return printable(text)
