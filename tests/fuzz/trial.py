"""Cases run in a process of their own, which is watched from outside: what fails, and at what cost."""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import io
import json
import os
import resource
import runpy
import select
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from edgewright.tools.core.isolated import CrashedError, FailedError
from edgewright.tools.core.records import dataclass
from edgewright.tools.model_formats.onnx import inference
from tests.fuzz.formats import FORMATS, Case, seeds
from tests.fuzz.graphs import PLACES, wrong_with

CPU_S = 2.0
"""That one reading or one answer may take."""
MORE_BYTES = 300 << 20
"""Of memory, beyond what the process held before."""
_WALL_S = 60.0
_ADDRESSES = 6 << 30


@dataclass(frozen=True)
class Outcome:
    case: Case
    taken: bool
    """Whether it was read; else it was refused with an error of the package's own."""
    calls: int
    wrong: tuple[str, ...]


def run(cases: Sequence[Case], deadline: float | None = None) -> Iterator[Outcome]:
    """Each case once; a process that one of them kills is replaced."""
    waiting = list(cases)
    while waiting and (deadline is None or time.monotonic() < deadline):
        for outcome in _in_a_child(tuple(waiting), deadline):
            waiting.pop(0)
            yield outcome


def _in_a_child(cases: Sequence[Case], deadline: float | None) -> Iterator[Outcome]:
    """As many as it lives through; the one that ends it is the last."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(reading)
        status = 1
        try:
            _work(cases, writing, deadline)
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    done = 0
    try:
        with os.fdopen(reading, "rb", buffering=0) as answers:
            while not (late := not select.select([answers], [], [], _WALL_S)[0]) and (
                line := answers.readline()
            ):
                taken, calls, wrong = json.loads(line)
                yield Outcome(cases[done], taken, calls, tuple(wrong))
                done += 1
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        status = os.waitpid(child, 0)[1]
    if done < len(cases) and (late or status):
        why = f"not done in {_WALL_S:g} s" if late else f"ended with {os.waitstatus_to_exitcode(status)}"
        yield Outcome(cases[done], True, 0, (f"process: {why}",))


def _work(cases: Sequence[Case], answers: int, deadline: float | None) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESSES, _ADDRESSES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore")
    gc.freeze()  # what was loaded before is gone through no more, nor copied
    gc.set_threshold(10_000)
    inference.run_isolated = _forked
    with tempfile.TemporaryDirectory(prefix="edgewright-fuzz-", dir=_memory()) as folder:
        for case in cases:
            if deadline is not None and time.monotonic() > deadline:
                return
            os.write(answers, json.dumps(_tried(case, Path(folder))).encode() + b"\n")


def _forked(
    worker: Path, folder: Path, *, seconds: float, memory_bytes: int, request: bytes = b"", **_: object
) -> None:
    """As `run_isolated`, with limits, without the half second that an interpreter takes to start."""
    child = os.fork()
    if child == 0:
        status = 1
        with contextlib.suppress(Exception):
            held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (held + memory_bytes,) * 2)
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
            os.chdir(folder)
            faulthandler.disable()
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            sys.stdin = io.TextIOWrapper(io.BytesIO(request))
            runpy.run_path(str(worker), run_name="__main__")
            status = 0
        os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status < 0:
        raise CrashedError(f"it crashed (signal {-status})")
    if status:
        raise FailedError("it failed")


def _memory() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def _tried(case: Case, folder: Path) -> tuple[bool, int, list[str]]:
    kind = FORMATS[case.format]
    path = folder / f"{kind.name.replace(' ', '-').split('.')[0]}{kind.suffix}"
    path.write_bytes(case.content())
    wrong: list[str] = []
    read: list[Any] = []

    def reading() -> object:
        read.append(kind.read(path))
        return None if case.stage == "parse" else read[0]

    wrong += _costing("read", reading)
    if not read or case.stage == "parse":
        return bool(read), 1, wrong
    for name, ask in kind.ask.items():
        wrong += _costing(name, lambda ask=ask: ask(read[0], path, case.number))  # type: ignore[misc]
    return True, 1 + len(kind.ask), wrong


def warm(name: str, stage: str) -> None:
    """Asks of whole files what damaged ones are asked, on every board: what is loaded once is no case's cost."""
    many = max(len(PLACES), len(seeds(name))) if stage == "ask" else len(seeds(name))
    with tempfile.TemporaryDirectory(prefix="edgewright-fuzz-", dir=_memory()) as folder:
        for number in range(many):
            _tried(Case(name, stage, number, number % len(seeds(name)), ()), Path(folder))


def reading_of(name: str, content: bytes) -> Callable[[], object]:
    """Reads a file of that format with that content, wherever it is called."""

    def read() -> object:
        kind = FORMATS[name]
        with tempfile.TemporaryDirectory(dir=_memory()) as folder:
            path = Path(folder, f"{kind.name.replace(' ', '-').split('.')[0]}{kind.suffix}")
            path.write_bytes(content)
            kind.read(path)

    return read


def in_a_process(answer: Callable[[], object], cpu_s: float, more_bytes: int) -> list[str]:
    """What is wrong with an answer, its cost among it, where it may take the process with it."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_AS, (_ADDRESSES, _ADDRESSES))
        resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
        os.write(writing, json.dumps(_costing("read", answer, cpu_s, more_bytes)).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as told:
        said = told.read()
    os.waitpid(child, 0)
    return [str(each) for each in json.loads(said)] if said else ["it took the process with it"]


def _costing(name: str, answer: Any, cpu_s: float = CPU_S, more_bytes: int = MORE_BYTES) -> list[str]:
    """What is wrong, with what it costs among it."""
    before, held = time.process_time(), _most_held()
    found = [f"{name}: {told}"[:300] for told in wrong_with(answer)]
    took, more = time.process_time() - before, _most_held() - held
    if took > cpu_s:
        found.append(f"{name}: slow, {took:.1f} s")
    if more > more_bytes:
        found.append(f"{name}: big, {more >> 20} MiB")
        with contextlib.suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5")
    return found


def _most_held() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
