"""A model run on this machine, never to be taken for a board."""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import os
import platform
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ...hardware_db import resolve_runtime
from ...hardware_db.errors import EdgewrightError, InputError, UsageError, install_line
from ..core.deployment import deployment
from ..core.isolated import FailedError, run_isolated, worker_folder
from ..core.sanitize import clean_text
from ..core.settings import Settings
from ..cost_model.comparing import by_cost_model
from ..graph import ModelGraph
from ..model_formats.source import parse_model
from ..model_formats.writer.save import save_tflite
from ..traces.formats import chrome
from ..traces.measured_profile import MeasuredEnergy, MeasuredProfile
from ..traces.run_times import RunTimes, ThermalState
from ..traces.trace import Trace
from ..traces.trace_file import read_lines
from .backend import WARM_UP, Backend, Runs, check_repeat, measured_by, spread_of

SECONDS = 240
MEASURE_SECONDS = 20.0
MEMORY_BYTES = 16 << 30
TARGET = "host-x86-64"
_WORKER = f"{__package__}.worker"
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
    check_repeat(repeat)
    settings = Settings.from_environment() if settings is None else settings
    graph = parse_model(path, settings=settings)
    name = _runtime_for(graph, runtime, settings)
    place = by_cost_model(deployment(TARGET, name, threads=threads, settings=settings))
    written = ("its weights are random: the architecture was named, no file",)
    with file_of_model(graph, path) as (file, folder):
        backend = HostBackend(name, file, folder, threads)
        backend.set_up()
        notes = written if graph.format == "architecture" else ()
        return measured_by(backend, graph, place, repeat=repeat, notes=notes)


class HostBackend(Backend):
    """A library on this machine, in a process of its own."""

    def __init__(self, runtime: str, file: Path, folder: Path, threads: int) -> None:
        """
        Args:
            runtime: id of one of those that run here.
            file: the model.
            folder: to work in.
        """
        self._runtime, self._file, self._folder, self._threads = runtime, file, folder, threads
        self._library = _LIBRARIES[runtime]
        self._missing: tuple[str, ...] = ()
        self._energy = MeasuredEnergy(why_not="nothing ran yet")
        self.source = self._library.package
        self.machine = machine_name()

    def set_up(self) -> None:
        """
        Raises:
            UsageError: the library is not installed.
        """
        self.source = f"{self._library.package} {_version(self._library)} on this machine"

    def run(self, warm_up: int, repeat: int) -> Runs:
        """
        Raises:
            InputError: it does not run this model.
        """
        runs, self._energy = run_here(
            self._file, self._folder, self._runtime, warm_up=warm_up, repeat=repeat, threads=self._threads
        )
        return runs

    def operators(self) -> Trace | None:
        library, version = self._library, _version(self._library)
        if not library.per_operator:
            self._missing = (f"{library.package} {version} gives no times of single operators in Python",)
            return None
        try:
            trace = chrome.read(read_lines(self._folder / "profile.json"))
        except EdgewrightError as error:
            self._missing = (f"times of operators are left out: {clean_text(str(error), 300)}",)
            return None
        if trace is None:
            self._missing = (f"{library.package} {version} gave no times of operators",)
        return trace

    def energy(self) -> MeasuredEnergy:
        return self._energy

    def notes(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return (), (*self._missing, *_not_a_board())


def times_on_host(path: Path, *, repeat: int, settings: Settings) -> RunTimes:
    """Of runs of a file with its usual runtime and one thread, after some to warm up.

    Raises:
        UsageError: no runtime for it is installed.
        InputError: it does not run here.
    """
    name = _runtime_for(parse_model(path, settings=settings), None, settings)
    _version(_LIBRARIES[name])
    with worker_folder("host") as folder:
        runs, _ = run_here(path.resolve(), Path(folder), name, warm_up=WARM_UP, repeat=repeat, threads=1)
        return spread_of(runs)


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


def is_installed(runtime: str) -> bool:
    try:
        _version(_LIBRARIES[runtime])
    except UsageError:
        return False
    return True


def _version(library: _Library) -> str:
    try:
        return importlib.metadata.version(library.package)
    except importlib.metadata.PackageNotFoundError as error:
        raise UsageError(
            f"{library.package} is not installed.", hint=f"Install it: {library.install}."
        ) from error


@contextlib.contextmanager
def file_of_model(graph: ModelGraph, path: str | os.PathLike[str]) -> Iterator[tuple[Path, Path]]:
    """The model's file, and a folder to work in that goes afterwards whatever happens."""
    with worker_folder("profile") as made:
        folder = Path(made)
        if graph.format != "architecture":
            yield Path(path).expanduser().resolve(), folder
            return
        save_tflite(graph, folder / "model.tflite")
        yield folder / "model.tflite", folder


def run_here(
    file: Path,
    folder: Path,
    runtime: str,
    *,
    warm_up: int,
    repeat: int,
    threads: int,
    variant: str = "",
    seconds: float = MEASURE_SECONDS,
    profiled: bool = True,
) -> tuple[Runs, MeasuredEnergy]:
    """
    Args:
        folder: to work in.
        variant: what of the library differs from the usual, by its own name for that.
        seconds: that it measures for at most.
        profiled: whether operators are timed too, where the library can.

    Raises:
        InputError: it does not run this model.
    """
    request = {
        "step": "time",
        "model": str(file),
        "runtime": runtime,
        "warm_up": warm_up,
        "repeat": repeat,
        "threads": threads,
        "seconds": seconds,
        "variant": variant,
        "profiled": profiled,
    }
    try:
        Path(folder, "request.json").write_text(json.dumps(request), encoding="utf-8")
        run_isolated(_WORKER, folder, seconds=SECONDS, memory_bytes=MEMORY_BYTES)
        answer = json.loads(Path(folder, "answer.json").read_text(encoding="utf-8"))
        processors = tuple(map(int, answer["processors"]))
        runs = Runs(
            times_ms=[float(ms) for ms in answer["latency_ms"]],
            first_ms=float(answer["first_ms"]),
            warm_up_runs=int(answer["warm_up_runs"]),
            load_ms=float(answer["load_ms"]),
            peak_memory_bytes=answer["peak_memory_bytes"],
            processors=processors,
            governor=_governor(processors),
            thermal=ThermalState(**answer["thermal"]),
        )
        return runs, MeasuredEnergy(**answer["energy"])
    except (FailedError, OSError, ValueError, KeyError, TypeError) as error:
        why = str(error) if isinstance(error, FailedError) else "no times came back"
        raise InputError(
            f"{runtime} does not run this model on this machine: {why}.",
            hint="Try another runtime, or look at the model with `edgewright inspect`.",
        ) from error


def _governor(processors: tuple[int, ...]) -> str:
    """What sets the clock of the first of them, where the system states it."""
    first = processors[0] if processors else 0
    with contextlib.suppress(OSError):
        stated = Path(f"/sys/devices/system/cpu/cpu{first}/cpufreq/scaling_governor").read_text(
            encoding="utf-8"
        )
        return clean_text(stated.strip(), 40)
    return ""


def machine_name() -> str:
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
