"""How far a long computation is: a bar on stderr, where that is a terminal, after a second."""

from __future__ import annotations

import sys
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
