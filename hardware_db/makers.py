"""Who makes targets, by the names that people give them: in full, the first word, initials written alone."""

from __future__ import annotations

import re
from functools import cache

from .index import read_index

_CAPITALS = re.compile(r"[A-Z]+(?=[A-Z][a-z])")
_ANYONE = "any"


def maker_named(words: str) -> str:
    """`nvidia` is NVIDIA, `Nordic` Nordic Semiconductor, `ST` STMicroelectronics; empty for none.

    Initials count as capitals alone, as `as` and `ad` are words.
    """
    return _in_words().get(words.casefold()) or _initials().get(words) or ""


def makers() -> tuple[str, ...]:
    return tuple(sorted({target.vendor for target in read_index().targets} - {_ANYONE}))


@cache
def _in_words() -> dict[str, str]:
    first = {maker.partition(" ")[0].casefold(): maker for maker in makers()}
    return first | {maker.casefold(): maker for maker in makers()}


@cache
def _initials() -> dict[str, str]:
    """TI of two words; ST of STMicroelectronics: the capitals that it begins with, less the last."""
    found: dict[str, str] = {}
    for maker in makers():
        words = maker.split()
        leading = _CAPITALS.match(maker)
        short = "".join(word[0] for word in words) if len(words) > 1 else leading[0] if leading else ""
        if len(short) > 1:
            found[short] = maker
    return found
