"""The bar that shows how far a long computation is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

_AFTER_S = 1.0


@contextmanager
def bar_on_stderr() -> Iterator[Callable[[str, int, int], None]]:
    """What to call with a word, how much is done and of how much; the bar appears after a second."""
    begin = time.monotonic()
    columns = BarColumn(), MofNCompleteColumn(), "{task.description}", TimeRemainingColumn(), "Ctrl-C ends it"
    shown = Progress(*columns, console=Console(stderr=True), transient=True)
    task = shown.add_task("")

    def progress(what: str, done: int, of: int) -> None:
        shown.update(task, description=what, completed=done, total=of)
        if time.monotonic() - begin > _AFTER_S:
            shown.start()

    try:
        yield progress
    finally:
        shown.stop()
