"""A trace from elsewhere, against the estimate for where it was taken."""

from __future__ import annotations

import os
from pathlib import Path
from statistics import median

from ...hardware_db.runtime_schema import Planner
from ..core.deployment import Deployment
from ..core.quantity import Basis
from ..core.sanitize import clean_text
from ..cost_model.comparing import by_cost_model
from ..cost_model.study import Study, study
from ..placement.model_source import ModelSource, as_graph
from .clock import scale_of
from .comparing import Origin, compared
from .formats import no_operators, read_recording
from .measured import Timing, timing_of
from .measured_profile import MeasuredProfile
from .recording import Recording
from .run_times import run_times
from .trace import Trace
from .whole_runs import layers_of, runs_of

_SAME_CLOCK = 0.01
_WHOLE = "the file has runs of the whole model: of single layers it says nothing"


def imported(
    path: str | os.PathLike[str], model: ModelSource, deployment: Deployment | str, unit: str | None
) -> MeasuredProfile:
    found = read_recording(path)
    trace = layers_of(found)
    graph, place = as_graph(model, deployment)
    place = by_cost_model(place)
    name = clean_text(Path(path).name)
    if trace is None:
        return _of_whole_runs(found, study(graph, place), name)
    scale = scale_of(trace, place, unit)
    timing = timing_of(trace, graph, scale.ms)
    origin = Origin(
        source=trace.format,
        trace=name,
        basis=trace.basis,
        averaged_runs=trace.averaged_runs if trace.basis is Basis.MEASURED else 0,
        counts_cycles=scale.counts_cycles,
        written_by=trace.written_by,
        assumptions=(*scale.assumptions, *trace.notes),
        warnings=(
            *scale.warnings, *found.warnings, *_other_runtime(trace, place),
            *_other_clock(trace.clock_mhz, place),
        ),
    )  # fmt: skip
    return compared(study(graph, place), timing, origin)


def _of_whole_runs(found: Recording, case: Study, name: str) -> MeasuredProfile:
    """
    Raises:
        InputError: neither operators nor runs with a time each.
    """
    runs = runs_of(found, case.deployment.clock_mhz)
    if runs is None:
        raise no_operators(found)
    first, *others = runs.times_ms
    counted = others or [first]
    origin = Origin(
        source=found.format, trace=name, basis=found.basis, whole_ms=counted, middle=median,
        run_times=run_times(counted, first), written_by=found.written_by,
        assumptions=(_WHOLE, *found.notes),
        warnings=(*found.warnings, *_other_clock(runs.clock_mhz, case.deployment)),
    )  # fmt: skip
    return compared(case, Timing((), {}, (), 0), origin)


def _other_clock(clock_mhz: float | None, place: Deployment) -> tuple[str, ...]:
    if clock_mhz is None or abs(clock_mhz - place.clock_mhz) < _SAME_CLOCK * place.clock_mhz:
        return ()
    text = f"the trace was made at {clock_mhz:.4g} MHz, the estimate is for {place.clock_mhz:g} MHz"
    return (f"{text}: name the clock of the trace",)


def _other_runtime(trace: Trace, place: Deployment) -> tuple[str, ...]:
    """Compiled models and accelerators may run within a runtime that another id stands for."""
    runtime = place.runtime
    if runtime.id.startswith(trace.written_by) or runtime.planner is Planner.COMPILED or place.accelerator:
        return ()
    return (f"the trace is of {trace.written_by}, the estimate for {runtime.id}: name the runtime that ran",)
