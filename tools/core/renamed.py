"""Names that arguments had before, which warn for one release."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
Returned = TypeVar("Returned")


def takes_where(function: Callable[P, Returned]) -> Callable[P, Returned]:
    """Take `where=` for `deployment=`, with a warning."""

    @functools.wraps(function)
    def called(*args: Any, **named: Any) -> Returned:
        if "where" in named:
            warnings.warn(
                f"where= of {function.__name__} goes with the next release: say deployment=",
                DeprecationWarning,
                stacklevel=2,
            )
            named["deployment"] = named.pop("where")
        return function(*args, **named)

    return called
