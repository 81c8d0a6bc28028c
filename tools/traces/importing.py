"""A trace from elsewhere, against the estimate for where it was taken."""

from __future__ import annotations

import os
from pathlib import Path

from ...hardware_db.runtime_schema import Planner
from ..core.deployment import Deployment
from ..core.quantity import Basis
from ..core.sanitize import clean_text
from ..cost_model.comparing import by_cost_model
from ..cost_model.study import study
from ..placement.model_source import ModelSource, as_graph
from .clock import scale_of
from .comparing import Origin, compared
from .formats import read_trace
from .measured import timing_of
from .measured_profile import MeasuredProfile
from .trace import Trace

_SAME_CLOCK = 0.01


def imported(
    path: str | os.PathLike[str], model: ModelSource, deployment: Deployment | str, unit: str | None
) -> MeasuredProfile:
    trace = read_trace(path)
    graph, place = as_graph(model, deployment)
    place = by_cost_model(place)
    scale = scale_of(trace, place, unit)
    timing = timing_of(trace, graph, scale.ms)
    origin = Origin(
        source=trace.format,
        trace=clean_text(Path(path).name),
        basis=trace.basis,
        averaged_runs=trace.averaged_runs if trace.basis is Basis.MEASURED else 0,
        counts_cycles=scale.counts_cycles,
        written_by=trace.written_by,
        assumptions=(*scale.assumptions, *trace.notes),
        warnings=(*scale.warnings, *_other_runtime(trace, place), *_other_clock(trace, place)),
    )
    return compared(study(graph, place), timing, origin)


def _other_clock(trace: Trace, place: Deployment) -> tuple[str, ...]:
    if trace.clock_mhz is None or abs(trace.clock_mhz - place.clock_mhz) < _SAME_CLOCK * place.clock_mhz:
        return ()
    text = f"the trace was made at {trace.clock_mhz:g} MHz, the estimate is for {place.clock_mhz:g} MHz"
    return (f"{text}: name the clock of the trace",)


def _other_runtime(trace: Trace, place: Deployment) -> tuple[str, ...]:
    """Compiled models and accelerators may run within a runtime that another id stands for."""
    runtime = place.runtime
    if runtime.id.startswith(trace.written_by) or runtime.planner is Planner.COMPILED or place.accelerator:
        return ()
    return (f"the trace is of {trace.written_by}, the estimate for {runtime.id}: name the runtime that ran",)
