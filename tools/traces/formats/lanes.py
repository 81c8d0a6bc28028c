"""What a track of a trace is for, by its name."""

from __future__ import annotations

import re
from functools import lru_cache

from ..recording import Doing

_WHOLE = re.compile(r"overview|nss programs?\b|dispatch|process|frame|\bsession\b|model_run", re.IGNORECASE)
_TRANSFER = re.compile(r"dma|memcpy|memset|copy|\bload|\bstore|transfer|h2d|d2h", re.IGNORECASE)
_HOST = re.compile(r"\bhost\b|\bhal\b|\bcpu\b|python|main ?thread|nss cfg", re.IGNORECASE)


@lru_cache(maxsize=4096)
def doing_of(lane: str, name: str = "") -> Doing:
    """By the name of the track first, by that of the event second; what says nothing computes."""
    if _WHOLE.search(lane):
        return Doing.WHOLE
    if _TRANSFER.search(lane):
        return Doing.TRANSFER
    if _HOST.search(lane):
        return Doing.HOST
    return Doing.TRANSFER if re.match(r"memcpy|memset|dma", name, re.IGNORECASE) else Doing.COMPUTE
