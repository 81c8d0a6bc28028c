"""How far a long computation is, on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_AFTER_S = 1.0
_EVERY_S = 0.1
_WIDTH = 30


@contextmanager
def bar() -> Iterator[Callable[[str, int, int], None]]:
    """What to call with a word, how much is done and of how much; shown on a terminal, after a second."""
    begin = shown = time.monotonic()
    drawn = False

    def progress(what: str, done: int, of: int) -> None:
        nonlocal shown, drawn
        now = time.monotonic()
        if not sys.stderr.isatty() or now - begin < _AFTER_S or now - shown < _EVERY_S:
            return
        shown, drawn = now, True
        filled = _WIDTH * done // max(of, 1)
        sys.stderr.write(f"\r[{'#' * filled:<{_WIDTH}}] {done:,} of {of:,} {what}; Ctrl-C ends it ")
        sys.stderr.flush()

    try:
        yield progress
    finally:
        if drawn:
            sys.stderr.write("\r" + " " * 79 + "\r")
            sys.stderr.flush()
