"""Who evaluates the units: this process, processes of this machine, or a Dask cluster.

Each yields (unit, part as bytes) in whatever order the units get done; each unit once.
"""

from __future__ import annotations

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

Done = Iterator[tuple[int, bytes]]


def in_this_process(work: Workplace, units: Sequence[int]) -> Done:
    for number in units:
        yield number, evaluate(work.units[number], work).as_bytes()


def in_processes(job: Job, units: Sequence[int], workers: int) -> Done:
    """Raises EdgewrightError where a process is killed; what was yielded stands."""
    pool = ProcessPoolExecutor(
        min(workers, len(units)), multiprocessing.get_context("spawn"), initializer=_begin, initargs=(job,)
    )
    try:
        futures: dict[Future[bytes], int] = {pool.submit(_evaluated, number): number for number in units}
        for future in as_completed(futures):
            yield futures.pop(future), future.result()
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


def _end_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(1)


def _evaluated(number: int) -> bytes:
    return evaluate(_Here.work.units[number], _Here.work).as_bytes()
