"""Measured runs: traces that were logged elsewhere, and models that are run on this machine.

What is imported is compared and reported; a run on this machine can calibrate estimates for it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..core.deployment import deployment as deployment_of
from ..core.renamed import takes_where
from ..core.settings import Settings
from ..host_runs.host import profiled
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
) -> MeasuredProfile:
    """Run a model file on this machine, in a process of its own, and compare with the estimate for a host.

    Args:
        path: a .tflite or .onnx file.
        runtime: litert-xnnpack, tflm-reference or onnxruntime; None takes the one for the file's format.
        repeat: runs that are measured, after those that warm up.
        threads: cores used at once.
        settings: what of the user's environment counts; None reads it.
        calibrate: let estimates for this machine go by what was measured, until that is removed.

    Raises:
        UsageError: a runtime that is not installed or does not run such a file, or a count below one.
        InputError: a model that the runtime refuses, crashes on, or does not finish in time.

    Example:
        >>> profile = profile_on_host("kws.tflite", repeat=5)
        >>> profile.deployment.runtime, profile.runs, profile.latency_ms.basis.value
        ('litert-xnnpack', 5, 'measured')
    """
    found = profiled(path, runtime, repeat=repeat, threads=threads, settings=settings)
    return _calibrated(found, path, settings) if calibrate and found.latency_ms.value is not None else found


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
