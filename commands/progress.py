"""How far a long computation is: a bar or a clock on stderr, where that is a terminal, after a second."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar() -> Iterator[Callable[[str, int, int], None]]:
    """What to call with a word, how much is done and of how much."""
    if not sys.stderr.isatty():
        yield lambda _what, _done, _of: None
        return
    from .rich_bar import bar_on_stderr

    with bar_on_stderr() as progress:
        yield progress


AFTER_S = 1.0
_CLEAR = "\r\x1b[K"


@contextmanager
def clock(words: str) -> Iterator[None]:
    """The words and how many seconds have passed, for what cannot say how far it is."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    ticking = threading.Thread(target=_tick, args=(words, done), daemon=True)
    ticking.start()
    try:
        yield
    finally:
        done.set()
        ticking.join()


def _tick(words: str, done: threading.Event) -> None:
    begin = time.monotonic()
    if done.wait(AFTER_S):
        return
    while True:
        print(f"{_CLEAR}{words}: {time.monotonic() - begin:.0f} s", end="", file=sys.stderr, flush=True)
        if done.wait(1):
            print(_CLEAR, end="", file=sys.stderr, flush=True)
            return
