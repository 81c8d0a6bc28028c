"""Measured runs: traces that were logged elsewhere, and models that are run on this machine.

What is imported is compared and reported; a run on this machine can calibrate estimates for it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..core.deployment import deployment as deployment_of
from ..core.renamed import takes_where
from ..core.settings import Settings
from ..cost_model.comparing import by_cost_model
from ..host_runs.backend import Backend, check_repeat, measured_by
from ..host_runs.board import WAIT_S, BoardBackend, at_board_clock
from ..host_runs.ceilings import attained, measure_ceilings
from ..host_runs.host import profiled
from ..host_runs.serial_port import BAUD, SerialPort
from ..model_formats.origins import file_of
from ..model_formats.source import parse_model
from ..model_formats.writer.tflite import write_tflite
from ..placement.model_source import as_graph
from ..traces.importing import imported
from ..traces.measured_profile import MeasuredProfile
from .calibrating import calibrate_target

if TYPE_CHECKING:
    from ..core.deployment import Deployment
    from ..placement.model_source import ModelSource


@takes_where
def import_profile(
    path: str | os.PathLike[str], model: ModelSource, deployment: Deployment | str, *, unit: str | None = None
) -> MeasuredProfile:
    """Read a trace with times of operators, and compare it layer by layer with the estimate.

    Args:
        path: what TFLM's MicroProfiler, benchmark_model, onnxruntime, Vela or X-CUBE-AI wrote, with whatever
            stands before and after it, or a CSV with an operator and a time to a row.
        model: the model that was running: a graph, a path or the name of an architecture.
        deployment: where it ran, or a target's name for its usual runtime; cycles become time by its clock.
        unit: what the trace counts in where it does not say: cycles, s, ms, us, ns or a timer's rate (1MHz).

    Raises:
        InputError: a file that holds no such trace, or the trace of another model.
        UsageError: a unit that there is not.

    Example:
        >>> board = deployment("stm32h743zi", "tflm-cmsis-nn")
        >>> rows = [f"{op.kind},1.2" for op in parse_model("kws.tflite").ops]
        >>> _ = Path("trace.csv").write_text("\\n".join(["op,ms", *rows]))
        >>> profile = import_profile("trace.csv", "kws.tflite", board)
        >>> f"{profile.latency_ms:.1f}", profile.inside_interval
        ('15.6 ms', True)
    """
    return imported(path, model, deployment, unit)


def profile_on_host(
    path: str | os.PathLike[str],
    runtime: str | None = None,
    *,
    repeat: int = 100,
    threads: int = 1,
    settings: Settings | None = None,
    calibrate: bool = False,
    ceilings: bool = False,
) -> MeasuredProfile:
    """Run a model file on this machine, in a process of its own, and compare with the estimate for a host.

    Args:
        path: a .tflite or .onnx file.
        runtime: litert-xnnpack, tflm-reference or onnxruntime; None takes the one for the file's format.
        repeat: runs that are measured, after those that warm up.
        threads: cores used at once.
        settings: what of the user's environment counts; None reads it.
        calibrate: let estimates for this machine go by what was measured, until that is removed.
        ceilings: measure this machine's bandwidth and peaks too, and tell what the model reaches of them.

    Raises:
        UsageError: a runtime that is not installed or does not run such a file, or a count below one.
        InputError: a model that the runtime refuses, crashes on, or does not finish in time.

    Example:
        >>> profile = profile_on_host("kws.tflite", repeat=5)
        >>> profile.deployment.runtime, profile.runs, profile.latency_ms.basis.value
        ('litert-xnnpack', 5, 'measured')
    """
    found = profiled(path, runtime, repeat=repeat, threads=threads, settings=settings)
    if ceilings:
        reached = attained(found, parse_model(path, settings=settings), measure_ceilings(threads))
        found = found.model_copy(update={"attained": reached})
    return _calibrated(found, path, settings) if calibrate and found.latency_ms.value is not None else found


def profile_on_board(
    model: ModelSource,
    deployment: Deployment | str,
    port: str | os.PathLike[str],
    *,
    repeat: int = 100,
    baud: int = BAUD,
    wait_s: float = WAIT_S,
) -> MeasuredProfile:
    """Let a board run its model and time it, and compare with the estimate, layer by layer.

    The firmware is that of `firmware_code(…, instrument=True)`: over a serial line it says which model it
    holds, times each operator, and compares its outputs with those that were computed beforehand.

    Args:
        model: the model that was flashed.
        deployment: the board; without a clock that of its firmware is taken.
        port: /dev/ttyACM0 and the like.
        repeat: runs that are measured, after some to warm up.
        baud: rate of the line; over USB it does not matter.
        wait_s: longest time without a line, which one run takes.

    Raises:
        UsageError: a port that cannot be opened, or a count below one.
        InputError: no such firmware answers, it holds another model, restarts, fails, or falls silent.

    Example:
        >>> profile_on_board("kws.tflite", "stm32h743zi", "/dev/no-such-port")
        Traceback (most recent call last):
        edgewright.hardware_db.errors.UsageError: /dev/no-such-port cannot be opened: No such file...
    """
    check_repeat(repeat)
    graph, place = as_graph(model, deployment)
    named = graph.format == "architecture"
    content = write_tflite(graph) if named else bytes(model) if isinstance(model, bytes) else file_of(graph)
    with SerialPort(os.fspath(port), baud) as line:
        backend = BoardBackend(line, graph, content, wait_s=wait_s)
        backend.set_up()
        place = by_cost_model(at_board_clock(place, backend.clock_mhz()))
        return measured_by(backend, graph, place, repeat=repeat)


def profile_with(
    backend: Backend, model: ModelSource, deployment: Deployment | str, *, repeat: int = 100
) -> MeasuredProfile:
    """Measure with a backend of your own: a debugger's link, a farm of boards, another runtime.

    Args:
        backend: what runs the model, and what it knows beside its times.
        model: the model that it runs.
        deployment: what it runs it on.
        repeat: runs that are measured, after some to warm up.

    Example:
        >>> class Debugger(Backend):
        ...     def run(self, warm_up: int, repeat: int) -> Runs:
        ...         return Runs(times_ms=[25.0] * repeat, first_ms=31.0, warm_up_runs=warm_up)
        >>> found = profile_with(Debugger(), "kws.tflite", "stm32h743zi")
        >>> found.runs, found.latency_ms.value
        (100, 25.0)
    """
    check_repeat(repeat)
    graph, place = as_graph(model, deployment)
    backend.set_up()
    return measured_by(backend, graph, by_cost_model(place), repeat=repeat)


def _calibrated(
    found: MeasuredProfile, path: str | os.PathLike[str], settings: Settings | None
) -> MeasuredProfile:
    at = found.deployment
    place = deployment_of(at.target, at.runtime, threads=at.threads, settings=settings)
    learned = calibrate_target(
        model=path, deployment=place, latency_ms=float(found.latency_ms), settings=settings
    )
    if not learned.file:
        return found.model_copy(update={"warnings": (*found.warnings, f"not kept: {learned.rows[0].reason}")})
    note = f"estimates for {at.target} go by it from now on ({learned.file}); --no-calibrate leaves them"
    return found.model_copy(update={"assumptions": (*found.assumptions, note)})
