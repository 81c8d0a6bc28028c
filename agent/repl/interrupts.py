"""Ctrl-C that is noticed where it does no harm."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Interrupts:
    """While deferred, Ctrl-C raises only where somebody waits; pressed again before that, anywhere.

    An exception in the middle of an import can leave its lock taken for good, and there are imports in the
    background and on first use all over a chat.
    """

    def __init__(self) -> None:
        self._pressed = 0
        self._wake: Callable[[], None] | None = None

    @contextmanager
    def deferred(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        self._pressed = 0
        before = signal.signal(signal.SIGINT, lambda _number, _frame: self._notice())
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    @contextmanager
    def waking(self, wake: Callable[[], None]) -> Iterator[None]:
        """Call `wake` when Ctrl-C is pressed in this block, or was already."""
        self._wake = wake
        try:
            if self._pressed:
                self._pressed = 0
                wake()
            yield
        finally:
            self._wake = None

    def _notice(self) -> None:
        if self._wake is not None:
            self._wake()
            return
        self._pressed += 1
        if self._pressed > 1:
            raise KeyboardInterrupt
