"""An iterator that another thread consumes, so that whoever waits for it can stop waiting."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from .interrupts import Interrupts

T = TypeVar("T")
_TURN_S = 0.2


class _End:
    """No more items; the exception, if one ended them."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error


class Background(Generic[T]):
    """Yields what `items` yields and raises what it raises; the thread dies with the process."""

    def __init__(self, items: Iterator[T], interrupts: Interrupts) -> None:
        self._items = items
        self._interrupts = interrupts
        self._passed: SimpleQueue[T | _End] = SimpleQueue()
        self._left = threading.Event()
        self._thread = threading.Thread(target=self._consume, name="turn", daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[T]:
        """Raises KeyboardInterrupt between two items where Ctrl-C was pressed."""
        with self._interrupts.waking(lambda: self._passed.put(_End(KeyboardInterrupt()))):
            while not isinstance(item := self._next(), _End):
                yield item
        if item.error is not None:
            raise item.error

    def leave(self, seconds: float) -> bool:
        """Discard what else comes; whether the items came to an end within the time.

        They are not closed: whoever makes them may be in the middle of one.
        """
        self._left.set()
        self._thread.join(seconds)
        return not self.running

    @property
    def running(self) -> bool:
        return self._thread.is_alive()

    def _next(self) -> T | _End:
        """Waits in short turns: a signal that comes just before a wait is only noticed after it."""
        while True:
            with contextlib.suppress(Empty):
                return self._passed.get(timeout=_TURN_S)

    def _consume(self) -> None:
        error: BaseException | None = None
        try:
            for item in self._items:
                if not self._left.is_set():
                    self._passed.put(item)
        except BaseException as raised:
            error = raised
        self._passed.put(_End(error))
