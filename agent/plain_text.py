"""Text as the user reads it: nothing that a terminal obeys."""

from __future__ import annotations

import json
import unicodedata

_KEPT = "\n\t\N{ZERO WIDTH JOINER}"


def printable(text: str) -> str:
    """`text` without what a terminal would obey: escapes and other control and format characters."""
    if text.isprintable():
        return text
    return "".join(c for c in text if c.isprintable() or c in _KEPT or unicodedata.category(c) == "Zs")


def reason_in(text: str) -> str:
    """Why a call failed, out of what the model was told."""
    try:
        error = json.loads(text)["error"]
        return printable(f"{error['message']} {error.get('hint', '')}".strip())
    except (ValueError, LookupError, TypeError):
        return printable(text)
