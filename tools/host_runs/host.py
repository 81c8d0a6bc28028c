"""A model run on this machine, never to be taken for a board."""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import os
import platform
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...hardware_db import resolve_runtime
from ...hardware_db.errors import EdgewrightError, InputError, UsageError, install_line
from ..core.deployment import deployment
from ..core.isolated import FailedError, run_isolated
from ..core.sanitize import clean_text
from ..core.settings import Settings
from ..cost_model.comparing import by_cost_model
from ..cost_model.study import study
from ..graph import ModelGraph
from ..model_formats.source import parse_model
from ..model_formats.writer.save import save_tflite
from ..traces.comparing import Origin, compared
from ..traces.explained.distrust import doubts_of_times
from ..traces.formats import chrome
from ..traces.measured import Timing, timing_of
from ..traces.measured_profile import MeasuredProfile
from ..traces.run_times import RunTimes, run_times
from ..traces.trace_file import read_lines

SECONDS = 240
MEASURE_SECONDS = 20.0
MEMORY_BYTES = 16 << 30
WARM_UP = 5
MOST_RUNS = 10_000
TARGET = "host-x86-64"
_WORKER = Path(__file__).with_name("worker.py")
_X86 = ("x86_64", "amd64")


class _Library(NamedTuple):
    package: str
    install: str
    formats: tuple[str, ...]
    per_operator: bool


_LIBRARIES = {
    "litert-xnnpack": _Library("ai-edge-litert", install_line("profile"), ("tflite",), False),
    "onnxruntime": _Library("onnxruntime", install_line("profile"), ("onnx",), True),
    "tflm-reference": _Library("tflite-micro", "pip install --pre tflite-micro", ("tflite",), False),
}
"""Runtime → the package that runs it here; the first for a format is the usual one."""


def profiled(
    path: str | os.PathLike[str],
    runtime: str | None,
    *,
    repeat: int,
    threads: int,
    settings: Settings | None = None,
) -> MeasuredProfile:
    if not 1 <= repeat <= MOST_RUNS:
        raise UsageError(f"{repeat} runs cannot be measured.", hint=f"Give 1 to {MOST_RUNS:,}.")
    settings = Settings.from_environment() if settings is None else settings
    graph = parse_model(path, settings=settings)
    name = _runtime_for(graph, runtime, settings)
    library = _LIBRARIES[name]
    version = _version(library)
    place = by_cost_model(deployment(TARGET, name, threads=threads, settings=settings))
    with _file_of(graph, path) as (file, folder):
        spread, times = _run(file, folder, name, repeat, threads)
        timing, known, missing = _operators(graph, folder, library, version)
    written = ("its weights are random: the architecture was named, no file",)
    origin = Origin(
        source=f"{library.package} {version} on this machine",
        machine=_machine(),
        whole_ms=times,
        middle=statistics.median,
        run_times=spread,
        assumptions=(*known, *(written if graph.format == "architecture" else ())),
        warnings=(*missing, *_doubts(times, spread.governor), *_not_a_board()),
    )
    return compared(study(graph, place), timing, origin)


def times_on_host(path: Path, *, repeat: int, settings: Settings) -> RunTimes:
    """Of runs of a file with its usual runtime and one thread, after some to warm up.

    Raises:
        UsageError: no runtime for it is installed.
        InputError: it does not run here.
    """
    name = _runtime_for(parse_model(path, settings=settings), None, settings)
    _version(_LIBRARIES[name])
    with tempfile.TemporaryDirectory(prefix="edgewright-host-") as folder:
        return _run(path.resolve(), Path(folder), name, repeat, 1)[0]


def _runtime_for(graph: ModelGraph, runtime: str | None, settings: Settings) -> str:
    form = "tflite" if graph.format == "architecture" else graph.format
    able = [name for name, library in _LIBRARIES.items() if form in library.formats]
    if not able:
        raise UsageError(f"No runtime here runs a {form} model.", hint="Give a .tflite or .onnx file.")
    if runtime is None:
        return able[0]
    name = resolve_runtime(runtime, settings.hardware_directories).id
    if name not in able:
        raise UsageError(
            f"{name} cannot run this {form} model on this machine.", hint=f"Say one of: {', '.join(able)}."
        )
    return name


def _version(library: _Library) -> str:
    try:
        return importlib.metadata.version(library.package)
    except importlib.metadata.PackageNotFoundError as error:
        raise UsageError(
            f"{library.package} is not installed.", hint=f"Install it: {library.install}."
        ) from error


@contextlib.contextmanager
def _file_of(graph: ModelGraph, path: str | os.PathLike[str]) -> Iterator[tuple[Path, Path]]:
    """The model's file, and a folder to work in that goes afterwards whatever happens."""
    with tempfile.TemporaryDirectory(prefix="edgewright-profile-") as made:
        folder = Path(made)
        if graph.format != "architecture":
            yield Path(path).expanduser().resolve(), folder
            return
        save_tflite(graph, folder / "model.tflite")
        yield folder / "model.tflite", folder


def _run(file: Path, folder: Path, runtime: str, repeat: int, threads: int) -> tuple[RunTimes, list[float]]:
    request = {
        "model": str(file),
        "runtime": runtime,
        "warm_up": WARM_UP,
        "repeat": repeat,
        "threads": threads,
        "seconds": MEASURE_SECONDS,
    }
    try:
        Path(folder, "request.json").write_text(json.dumps(request), encoding="utf-8")
        run_isolated(_WORKER, folder, seconds=SECONDS, memory_bytes=MEMORY_BYTES)
        answer = json.loads(Path(folder, "answer.json").read_text(encoding="utf-8"))
        times = [float(ms) for ms in answer["latency_ms"]]
        found = run_times(
            times, float(answer["first_ms"]), int(answer["warm_up_runs"]), float(answer["load_ms"])
        )
        processors = tuple(map(int, answer["processors"]))
        more = {"peak_memory_bytes": answer["peak_memory_bytes"], "processors": processors}
        return found.model_copy(update=more | {"governor": _governor(processors)}), times
    except (FailedError, OSError, ValueError, KeyError, TypeError) as error:
        why = str(error) if isinstance(error, FailedError) else "no times came back"
        raise InputError(
            f"{runtime} does not run this model on this machine: {why}.",
            hint="Try another runtime, or look at the model with `edgewright inspect`.",
        ) from error


def _operators(
    graph: ModelGraph, folder: Path, library: _Library, version: str
) -> tuple[Timing, tuple[str, ...], tuple[str, ...]]:
    """Times of operators, assumptions and warnings."""
    nothing = Timing((), {}, (), 0)
    if not library.per_operator:
        return nothing, (), (f"{library.package} {version} gives no times of single operators in Python",)
    try:
        trace = chrome.read(read_lines(folder / "profile.json"))
        if trace is None:
            return nothing, (), (f"{library.package} {version} gave no times of operators",)
        return timing_of(trace, graph, 1e-3, is_its=True), trace.notes, ()
    except EdgewrightError as error:
        return nothing, (), (f"times of operators are left out: {clean_text(str(error), 300)}",)


def _doubts(times: list[float], governor: str) -> tuple[str, ...]:
    """Why the spread of the runs is not that of the model alone."""
    found = [f"{each.name}: {each.why}; {each.remedy}" for each in doubts_of_times(np.asarray(times))]
    if governor not in ("", "performance"):
        found.append(f"the clock's governor is {governor}: performance holds it steady")
    return tuple(found)


def _governor(processors: tuple[int, ...]) -> str:
    """What sets the clock of the first of them, where the system states it."""
    first = processors[0] if processors else 0
    with contextlib.suppress(OSError):
        stated = Path(f"/sys/devices/system/cpu/cpu{first}/cpufreq/scaling_governor").read_text(
            encoding="utf-8"
        )
        return clean_text(stated.strip(), 40)
    return ""


def _machine() -> str:
    name = platform.processor() or platform.machine()
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
        name = next((line.partition(":")[2] for line in lines if line.startswith("model name")), name)
    return clean_text(f"{name.strip()}, {os.cpu_count() or 'unknown'} processors, {platform.system()}")


def _not_a_board() -> tuple[str, ...]:
    text = "measured on this machine, which says nothing of a board: import a trace that was logged there"
    if platform.machine().casefold() in _X86:
        return (text,)
    machine = clean_text(platform.machine(), 20)
    return (text, f"this machine is {machine}: the estimate is that of an x86-64 host")
