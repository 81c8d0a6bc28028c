"""Computing for several clients: in threads, so many at a time and so long each."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from ...hardware_db.errors import EdgewrightError

Made = TypeVar("Made")

AT_ONCE = 4
_WAITS_S, _LONGEST_S = 10.0, 60.0


class BusyError(EdgewrightError):
    """All places are taken."""


class LateError(EdgewrightError):
    """It took too long; it goes on in its place until it is done."""


class Work:
    """
    Args:
        at_once: how much is computed at a time.
        waits_s: how long a request waits for its place.
        longest_s: how long it may take then.
    """

    def __init__(
        self, at_once: int = AT_ONCE, *, waits_s: float = _WAITS_S, longest_s: float = _LONGEST_S
    ) -> None:
        self._places = asyncio.Semaphore(at_once)
        self._waits_s, self._longest_s = waits_s, longest_s

    async def done(self, function: Callable[[], Made]) -> Made:
        """What `function` returns or raises.

        Raises:
            BusyError: no place became free.
            LateError: it was not done in time.
        """
        try:
            await asyncio.wait_for(self._places.acquire(), self._waits_s)
        except TimeoutError:
            raise BusyError("The server is busy.", hint="Ask again in some seconds.") from None
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Made] = loop.create_future()

        def settle(how: Callable[[Any], None], value: Any) -> None:
            self._places.release()
            if not future.done():
                how(value)

        def compute() -> None:
            try:
                end = (future.set_result, function())
            except Exception as error:  # raised again where it is waited for
                end = (future.set_exception, error)  # type: ignore[assignment]
            with contextlib.suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(settle, *end)

        threading.Thread(target=compute, daemon=True).start()
        try:
            return await asyncio.wait_for(future, self._longest_s)
        except TimeoutError:
            hint = "Ask for less at once, or run the command."
            raise LateError(f"Not done within {self._longest_s:g} s.", hint=hint) from None
