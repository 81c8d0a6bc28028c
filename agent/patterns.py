"""Regular expressions, compiled once and kept beside the modules as Python keeps its bytecode.

A question is read by seven hundred of them; compiling them anew was a fifth of what it cost.
"""

from __future__ import annotations

import atexit
import re
import sys
from array import array
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from ..hardware_db.kept import keep, kept_in

_sre = import_module("_sre")
_Key: TypeAlias = tuple[str, int]
_Parts: TypeAlias = tuple[int, int, dict[str, int], bytes]
"""Flags, number of groups, their names and the code: what the standard library makes a pattern of."""


class Patterns:
    """Those in `file`, and others, which are put there when the process ends."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._own: dict[_Key, re.Pattern[str]] = {}

    def compiled(self, words: str, flags: int = 0) -> re.Pattern[str]:
        """As `re.compile`, for what stands in the program or its data: what a user wrote is not kept."""
        key = words, int(flags)
        if parts := self._kept.get(key):
            return _made(words, parts)
        if not (self._own or sys.dont_write_bytecode):
            atexit.register(self.keep)
        return self._own.setdefault(key, re.compile(words, flags))

    @cached_property
    def _kept(self) -> Mapping[_Key, _Parts]:
        """Nothing where nothing was kept, or by another Python, or where it is damaged."""
        return next(iter(kept_in(self.file, str(_sre.MAGIC))), {})

    def keep(self) -> None:
        own = {key: parts for key in self._own if (parts := _parts_of(*key))}
        keep(self.file, str(_sre.MAGIC), {**self._kept, **own})


def _made(words: str, parts: _Parts) -> re.Pattern[str]:
    flags, groups, numbers, code = parts
    names: list[str | None] = [None] * (groups + 1)
    for name, number in numbers.items():
        names[number] = name
    codes = memoryview(code).cast("I").tolist()
    made: re.Pattern[str] = _sre.compile(words, flags, codes, groups, numbers, tuple(names))
    return made


def _parts_of(words: str, flags: int) -> _Parts | None:
    """None where what is made of them is not what `re` makes, or where a later Python makes it otherwise."""
    with suppress(ImportError, AttributeError, TypeError, ValueError):
        parser, compiler = import_module("re._parser"), import_module("re._compiler")
        parsed: Any = parser.parse(words, flags)
        state, code = parsed.state, array("I", compiler._code(parsed, flags))
        parts = flags | state.flags, state.groups - 1, dict(state.groupdict), code.tobytes()
        return parts if _made(words, parts) == re.compile(words, flags) else None
    return None


PATTERNS = Patterns(Path(__file__).parent / "__pycache__" / f"patterns.{sys.implementation.cache_tag}")
compiled = PATTERNS.compiled
