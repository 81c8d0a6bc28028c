"""Units on the workers of a Dask cluster; what a lost worker was at, another takes up.

The job goes to each worker once, those that join later included. A part that is done counts once, whoever
else began it.
"""

from __future__ import annotations

import contextlib
import functools
import socket
import threading
from asyncio import CancelledError
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError as FutureCancelledError

from distributed import Client, Future, Worker, WorkerPlugin, as_completed, get_worker
from distributed.comm.addressing import parse_address, parse_host_port
from distributed.scheduler import KilledWorker

from ...hardware_db.errors import EdgewrightError, UsageError
from .evaluate import evaluate
from .job import Job, Workplace, taken_up
from .workers import bundles

WAIT_S = 10
"""For the scheduler, and for its first worker."""
RESUME = "Go on with --resume."


def on_cluster(work: Workplace, units: Sequence[int], scheduler: str) -> Iterator[tuple[int, bytes]]:
    """Yields (unit, part as bytes) as they get done.

    Raises:
        UsageError: nobody answers at the address.
        EdgewrightError: the cluster has no workers, lost them all, or one cannot take part.
    """
    with _client(scheduler) as client:
        try:
            client.wait_for_workers(1, timeout=WAIT_S)
            client.register_plugin(Post(work.job))
        except TimeoutError as error:
            raise EdgewrightError(
                f"The cluster at {scheduler} has no workers.", hint=f"Start some: dask worker {scheduler}"
            ) from error
        except ImportError as error:
            raise EdgewrightError(
                f"A worker of the cluster cannot import {error.name or 'edgewright'}.",
                hint="Install edgewright, of the same version, wherever a worker runs.",
            ) from error
        job_sha256, workers = work.job.sha256, len(client.scheduler_info()["workers"])
        futures = {
            client.submit(evaluated, job_sha256, bundle, pure=False): bundle
            for bundle in bundles(work, units, workers)
        }
        try:
            yield from _done(client, futures)
        finally:
            with contextlib.suppress(Exception):
                client.cancel(list(futures))
                client.unregister_worker_plugin(_name(job_sha256))


def _client(scheduler: str) -> Client:
    try:
        _knock(scheduler)
        return Client(scheduler, timeout=WAIT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"No Dask scheduler answers at {scheduler!r}.",
            hint="Start one with `dask scheduler` and give the address it prints, such as tcp://127.0.0.1:8786.",
        ) from error


def _knock(scheduler: str) -> None:
    """Sooner and quieter than a client finds out that nobody listens."""
    scheme, place = parse_address(scheduler)
    if scheme in ("tcp", "tls"):
        socket.create_connection(parse_host_port(place), timeout=WAIT_S).close()


def _done(client: Client, futures: dict[Future[list[bytes]], list[int]]) -> Iterator[tuple[int, bytes]]:
    try:
        for future in as_completed(list(futures), loop=client.loop):
            yield from zip(futures.pop(future), future.result(), strict=True)
    except KilledWorker as error:
        raise EdgewrightError(
            "Workers of the cluster died one after the other at the same part, perhaps for want of memory.",
            hint=RESUME,
        ) from error
    except (CancelledError, FutureCancelledError, OSError) as error:
        raise EdgewrightError("The cluster went away before the sweep was done.", hint=RESUME) from error


class Post(WorkerPlugin):
    """Brings a job to a worker, and takes it away in the end."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.name = _name(job.sha256)

    def setup(self, worker: Worker) -> None:
        worker.extensions[self.name] = _Desk(self.job)

    def teardown(self, worker: Worker) -> None:
        worker.extensions.pop(self.name, None)


class _Desk:
    """A job on a worker, with what was made ready for it at its first part."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._lock = threading.Lock()

    def evaluated(self, number: int) -> bytes:
        """One part at a time, however many threads the worker has: they would share the processor anyway."""
        with self._lock:
            return evaluate(self._work.units[number], self._work).as_bytes()

    @functools.cached_property
    def _work(self) -> Workplace:
        return taken_up(self._job)


def evaluated(job_sha256: str, numbers: Sequence[int]) -> list[bytes]:
    """Runs on a worker."""
    desk: _Desk = get_worker().extensions[_name(job_sha256)]
    return [desk.evaluated(number) for number in numbers]


def _name(job_sha256: str) -> str:
    return f"edgewright-{job_sha256[:16]}"
