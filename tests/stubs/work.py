"""Work counted, or compared with less of the same, in place of seconds: those are the machine's."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

TWELVE = 12.0
"""How many times as long eight times as much may take where the time is linear."""
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


def times_as_long(work: Callable[[int], Callable[[], object]], much: int) -> float:
    """What `work` of `much` takes over what it takes of an eighth; the least of three tries."""
    little, all_of_it = work(much // 8), work(much)
    _seconds(little)
    return min(_ratio(little, all_of_it))


def _ratio(little: Callable[[], object], much: Callable[[], object]) -> Iterator[float]:
    for _ in range(3):
        yield (found := _seconds(much) / max(_seconds(little), _LEAST_S))
        if found <= TWELVE:
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
