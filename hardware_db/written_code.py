"""Code that a program writes while it loads, kept compiled as Python keeps its bytecode.

The methods of dataclasses, the constructors of named tuples and the annotations in quotes of libraries: the
compiler took an eighth of a question for what was the same each time.
"""

from __future__ import annotations

import atexit
import collections
import dataclasses
import sys
import typing
from collections.abc import Mapping
from functools import cached_property
from itertools import islice
from pathlib import Path
from types import CodeType
from typing import Any, TypeAlias

from .kept import keep, kept_in

_Key: TypeAlias = tuple[str, str]
"""What is written, and whether it is an expression: `eval` or `exec`."""


class WrittenCode:
    """What is in `file`, and other code, which is put there when the process ends."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._own: dict[_Key, CodeType] = {}

    def compiled(self, text: str, mode: str) -> CodeType:
        """As `compile`, for what the program and its libraries write: what a user wrote is not kept.

        Raises:
            SyntaxError: as `compile`.
        """
        key = text, mode
        if (code := self._kept.get(key) or self._own.get(key)) is not None:
            return code
        made: CodeType = compile(text, "<string>", mode, dont_inherit=True)
        if not (self._own or sys.dont_write_bytecode or len(self._kept) >= _MOST):
            atexit.register(self.keep)
        return self._own.setdefault(key, made)

    @cached_property
    def _kept(self) -> Mapping[_Key, CodeType]:
        return next(iter(kept_in(self.file, _MADE_FOR)), {})

    def keep(self) -> None:
        keep(self.file, _MADE_FOR, dict(islice({**self._kept, **self._own}.items(), _MOST)))


_MOST = 4000
"""So many are kept: a library with thousands of classes shall not cost a question that needs none of them."""
_MADE_FOR = f"optimize {sys.flags.optimize}"
CODE = WrittenCode(Path(__file__).parent / "__pycache__" / f"written.{sys.implementation.cache_tag}")


def for_libraries() -> None:
    """Have the modules of the standard library that write code take it from there, in this process."""
    vars(dataclasses)["exec"] = _exec
    vars(collections)["eval"] = _eval
    vars(typing)["compile"] = _compile


def _exec(source: Any, *where: Any) -> None:
    code = CODE.compiled(source, "exec") if isinstance(source, str) else source
    exec(code, *where)  # noqa: S102 - of dataclasses


def _eval(source: Any, *where: Any) -> Any:
    code = CODE.compiled(source, "eval") if isinstance(source, str) else source
    return eval(code, *where)  # noqa: S307 - of named tuples


def _compile(source: Any, filename: Any, mode: str, *given: Any, **named: Any) -> Any:
    if filename != "<string>" or given or named or not isinstance(source, str):
        return compile(source, filename, mode, *given, **named)
    return CODE.compiled(source, mode)
