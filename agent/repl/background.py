"""An iterator that another thread consumes, so that whoever waits for it can stop waiting."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator
from queue import SimpleQueue
from typing import Generic, TypeVar

T = TypeVar("T")


class _End:
    """No more items; the exception, if one ended them."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error


class Background(Generic[T]):
    """Yields what `items` yields and raises what it raises; the thread dies with the process."""

    def __init__(self, items: Iterator[T]) -> None:
        self._items = items
        self._passed: SimpleQueue[T | _End] = SimpleQueue()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._consume, name="turn", daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[T]:
        while not isinstance(item := self._passed.get(), _End):
            yield item
        if item.error is not None:
            raise item.error

    def stop(self, seconds: float) -> bool:
        """Have no more items made; whether that came to an end within the time."""
        self._stopped.set()
        self._thread.join(seconds)
        return not self.running

    @property
    def running(self) -> bool:
        return self._thread.is_alive()

    def _consume(self) -> None:
        error: BaseException | None = None
        try:
            for item in self._items:
                self._passed.put(item)
                if self._stopped.is_set():
                    break
            if isinstance(self._items, Generator):
                self._items.close()
        except BaseException as raised:
            error = raised
        self._passed.put(_End(error))
