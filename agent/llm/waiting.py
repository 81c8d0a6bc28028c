"""A wait for an endpoint that grows long says what is waited for, on stderr."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .endpoint_errors import Endpoint

FIRST_S, THEN_S = 5.0, 30.0
"""Of silence before the first line, and between two of them."""
_LOOKS = 5


@contextmanager
def saying_what_is_waited_for(endpoint: Endpoint) -> Iterator[Callable[[], None]]:
    """What to call whenever something is heard of the endpoint.

    Lines go to stderr after 5 s of silence and every 30 s from then on.
    """
    silence = _Silence(endpoint)
    silence.start()
    try:
        yield silence.heard
    finally:
        silence.ended.set()


class _Silence(threading.Thread):
    def __init__(self, endpoint: Endpoint) -> None:
        super().__init__(name="silence", daemon=True)
        self.ended = threading.Event()
        self._endpoint = endpoint
        self._heard_s = time.monotonic()

    def heard(self) -> None:
        self._heard_s = time.monotonic()

    def run(self) -> None:
        since, patience = self._heard_s, FIRST_S
        while not self.ended.wait(FIRST_S / _LOOKS):
            if self._heard_s != since:
                since, patience = self._heard_s, FIRST_S
            if (silent_s := time.monotonic() - since) >= patience:
                self._say(silent_s)
                patience = silent_s + THEN_S

    def _say(self, silent_s: float) -> None:
        waited = f"waiting for {self._endpoint.shown_url} ({self._endpoint.model}) for {silent_s:.0f} s"
        clear = "\r\x1b[K" if sys.stderr.isatty() else ""
        print(f"{clear}edgewright: {waited}; Ctrl-C ends it", file=sys.stderr, flush=True)
