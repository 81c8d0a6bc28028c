"""Work counted, or compared with less of the same, in place of seconds: those are the machine's."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

TWELVE = 12.0
"""How many times as long eight times as much may take where the time is linear."""
HALF_THE_SQUARE = 32.0
"""The same where all that counts is that it does not grow with the square, which is 64."""
_LEAST_S = 0.01
"""What takes less is no measure of anything."""


def calls_in(do: Callable[[], object]) -> int:
    """How many functions are called, of Python's and of C's, whatever error it ends with."""
    count = 0

    def called(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        with contextlib.suppress(Exception):
            do()
    finally:
        sys.setprofile(before)
    return count


def times_as_long(work: Callable[[int], Callable[[], object]], much: int, limit: float = TWELVE) -> float:
    """What `work` of `much` takes over what it takes of an eighth: the least of three tries, each of new work."""
    _seconds(work(much // 8))
    return min(_ratios(work, much, limit))


def _ratios(work: Callable[[int], Callable[[], object]], much: int, limit: float) -> Iterator[float]:
    for _ in range(3):
        yield (found := _seconds(work(much)) / max(_seconds(work(much // 8)), _LEAST_S))
        if found <= limit:
            return


def _seconds(do: Callable[[], object]) -> float:
    begun = time.process_time()
    with contextlib.suppress(Exception):
        do()
    return time.process_time() - begun


def bytes_read_by(do: Callable[[], object]) -> int:
    """Out of files, whatever error it ends with."""
    counted = Path("/proc/self/io")
    before = int(counted.read_text().split()[1])
    with contextlib.suppress(Exception):
        do()
    return int(counted.read_text().split()[1]) - before
