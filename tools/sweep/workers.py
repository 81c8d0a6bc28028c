"""Who evaluates the units: this process, processes of this machine, or a Dask cluster.

Each yields (unit, part as bytes) in whatever order the units get done; each unit once.
"""

from __future__ import annotations

import gc
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

from ...hardware_db.errors import EdgewrightError
from .evaluate import evaluate
from .job import Job, Workplace, taken_up

_OBJECTS_BETWEEN_COLLECTIONS = 100_000
"""Rows make many objects and hardly a cycle: looking for those at the usual rate costs a tenth."""
Done = Iterator[tuple[int, bytes]]
MOST, EACH = 8, 4
"""Most units that go to a worker at once, and how often at least each worker should be given some."""


def in_this_process(work: Workplace, units: Sequence[int]) -> Done:
    for number in units:
        yield number, evaluate(work.units[number], work).as_bytes()


def bundles(work: Workplace, units: Sequence[int], workers: int) -> list[list[int]]:
    """Units to be done by one worker: of one variant, for what follows from its graph is worked out once.

    Few enough in each that every worker gets several.
    """
    most = max(1, min(MOST, len(units) // (EACH * workers)))
    found: list[list[int]] = []
    for number in units:
        last = found[-1] if found else []
        if last and len(last) < most and work.units[last[-1]].variant == work.units[number].variant:
            last.append(number)
        else:
            found.append([number])
    return found


def in_processes(work: Workplace, units: Sequence[int], workers: int) -> Done:
    """Raises EdgewrightError where a process is killed; what was yielded stands."""
    count = min(workers, len(units))
    spawn = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(count, spawn, initializer=_begin, initargs=(work.job,))
    try:
        futures: dict[Future[list[bytes]], list[int]] = {
            pool.submit(_evaluated, bundle): bundle for bundle in bundles(work, units, count)
        }
        for future in as_completed(futures):
            yield from zip(futures.pop(future), future.result(), strict=True)
    except BrokenProcessPool as error:
        raise EdgewrightError(
            "A worker process was killed, perhaps for want of memory.",
            hint="Go on with --resume; fewer --workers take less memory.",
        ) from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class _Here:
    """What this worker process is at work on."""

    work: Workplace


def _begin(job: Job) -> None:
    """Leave Ctrl-C to the parent, and end with it, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    _Here.work = taken_up(job)
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)


def _end_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(1)


def _evaluated(numbers: Sequence[int]) -> list[bytes]:
    return [evaluate(_Here.work.units[number], _Here.work).as_bytes() for number in numbers]
