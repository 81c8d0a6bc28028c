"""Measured layers beside their estimates, ranked by what the estimate misses."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import NamedTuple

from ..core.quantity import Basis, Quantity
from ..core.sanitize import clean_text
from ..cost_model.study import Study
from ..graph.costs.table import layer_table
from .causes import causes_of
from .layer_facts import Surroundings, facts_of, hypotheses_of
from .level import Level, judged, level_of
from .measured import Timing, summed_up
from .measured_profile import LayerResidual, MeasuredLayer, MeasuredProfile, UnmatchedEvent
from .run_times import RunTimes
from .twins import twins_of
from .whole_facts import Whole, whole_facts, whole_hypotheses, would_fit

_EXPLAINED = 5
"""Layers whose facts are reported: those that stand out, and the worst in any case."""


class Origin(NamedTuple):
    """Where the measured times come from."""

    source: str
    trace: str = ""
    machine: str = ""
    basis: Basis = Basis.MEASURED
    averaged_runs: int = 1
    """Of how many runs each time is the mean already; 0 where nothing was run."""
    counts_cycles: bool = False
    written_by: str = ""
    whole_ms: Sequence[float] = ()
    """Times of whole runs, where they were taken apart from those of the layers."""
    middle: Callable[[Sequence[float]], float] = fmean
    run_times: RunTimes | None = None
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def compared(case: Study, timing: Timing, origin: Origin) -> MeasuredProfile:
    totals = origin.whole_ms or [run.total_ms for run in timing.runs]
    measured = summed_up(totals, "ms", origin.basis, origin.middle)
    assert measured.value is not None
    plain = [_layer(op.index, case, timing) for op in case.graph.ops]
    level = level_of(plain, twins_of(case.graph))
    layers = _with_work(case, _judged(case, plain, level, measured.value))
    timed = [layer.measured_ms for layer in layers if layer.measured_ms is not None]
    inside = sum(timed) if timed else None
    residuals = _residuals(case, layers, measured.value, origin.averaged_runs)
    estimated = case.latency_ms
    whole = Whole(
        case,
        measured,
        estimated,
        level,
        residuals,
        origin.counts_cycles,
        origin.written_by,
        origin.averaged_runs > 0,
    )
    return MeasuredProfile(
        deployment=case.deployment.ref,
        source=origin.source,
        trace=origin.trace,
        model=case.graph.name,
        sha256=case.graph.sha256,
        runs=max(len(totals), origin.averaged_runs),
        latency_ms=measured,
        estimated_ms=estimated,
        inside_interval=whole.inside,
        ratio=measured.value / estimated.value if estimated.value else None,
        level_ratio=None if level is None else level.factor,
        spread_ratio=None if level is None else level.spread,
        layers=tuple(layers),
        residuals=residuals,
        at_level_ms=whole.without_odd_ms if any(layer.stands_out for layer in residuals) else None,
        would_fit=would_fit(whole),
        facts=whole_facts(whole),
        hypotheses=whole_hypotheses(whole),
        causes=causes_of(case, layers) if whole.was_run else (),
        layers_ms=inside,
        outside_ms=None if inside is None else _rounded(measured.value - inside, measured.value),
        unmatched_events=_unmatched(timing),
        unmatched_layers=timing.unmatched_layers,
        run_times=origin.run_times,
        machine=origin.machine,
        assumptions=tuple(dict.fromkeys((*case.assumptions, *origin.assumptions))),
        warnings=tuple(dict.fromkeys((*origin.warnings, *_of_runs(timing), *case.warnings))),
    )


def _rounded(outside: float, whole: float) -> float:
    """Without what sums of floating point leave over."""
    return outside if abs(outside) > 1e-9 * whole else 0.0


def _layer(index: int, case: Study, timing: Timing) -> MeasuredLayer:
    covers = timing.covers.get(index, ())
    seconds = [float(case.times.total_s[at]) for at in (index, *covers)]
    estimated = None if any(map(math.isnan, seconds)) else sum(seconds) * 1e3
    found = timing.of(index)
    spread = summed_up(found, "ms", Basis.MEASURED) if found else Quantity.unknown("ms")
    return MeasuredLayer(
        index=index,
        op=case.graph.ops[index].label,
        measured_ms=spread.value,
        low_ms=spread.low if len(found) > 1 else None,
        high_ms=spread.high if len(found) > 1 else None,
        runs=len(found),
        covers=covers,
        estimated_ms=estimated,
        ratio=spread.value / estimated if spread.value is not None and estimated else None,
    )


def _judged(
    case: Study, layers: Sequence[MeasuredLayer], level: Level | None, total_ms: float
) -> list[MeasuredLayer]:
    around = Surroundings(case, dict(enumerate(layers)), twins_of(case.graph))
    return [judged(x, level, total_ms, list(around.timed_twins(x).values())) for x in layers]


def _with_work(case: Study, layers: Sequence[MeasuredLayer]) -> list[MeasuredLayer]:
    """Share of the time, and what the layer computes and moves."""
    table = layer_table(case.graph)
    moved = table.weight_bytes + table.input_bytes + table.output_bytes
    whole = sum(layer.measured_ms or 0.0 for layer in layers)
    found = []
    for layer in layers:
        own = [layer.index, *layer.covers]
        macs, size = int(table.macs[own].sum()), int(moved[own].sum())
        share = None if layer.measured_ms is None or not whole else layer.measured_ms / whole
        work = {"share": share, "macs": macs, "moved_bytes": size}
        found.append(
            layer.model_copy(update={**work, "arithmetic_intensity": 2 * macs / size if size else None})
        )
    return found


def _residuals(
    case: Study, layers: Sequence[MeasuredLayer], total_ms: float, averaged_runs: int
) -> tuple[LayerResidual, ...]:
    around = Surroundings(case, dict(enumerate(layers)), twins_of(case.graph), averaged_runs)
    ranked = sorted(
        (layer for layer in layers if layer.excess_ms is not None),
        key=lambda layer: (not layer.stands_out, -abs(layer.excess_ms or 0.0)),
    )
    return tuple(
        _residual(layer, around, total_ms, explained=at == 0 or (layer.stands_out and at < _EXPLAINED))
        for at, layer in enumerate(ranked)
    )


def _residual(
    layer: MeasuredLayer, around: Surroundings, total_ms: float, *, explained: bool
) -> LayerResidual:
    excess = layer.excess_ms or 0.0
    twins_ms = around.twins_ms(layer) if explained else None
    return LayerResidual(
        index=layer.index,
        op=layer.op,
        measured_ms=layer.measured_ms or 0.0,
        estimated_ms=layer.estimated_ms or 0.0,
        ratio=layer.ratio or 0.0,
        residual_ratio=layer.residual_ratio,
        excess_ms=excess,
        excess_share=excess / total_ms if total_ms else 0.0,
        stands_out=layer.stands_out,
        runs_logged=layer.runs if around.averaged_runs == 1 else 0,
        twins=tuple(around.timed_twins(layer)) if explained else (),
        twins_ms=twins_ms,
        twins_ratio=layer.measured_ms / twins_ms if twins_ms and layer.measured_ms else None,
        facts=facts_of(layer, around) if explained else (),
        hypotheses=hypotheses_of(layer, around)
        if explained and layer.stands_out and around.averaged_runs
        else (),
    )


def _unmatched(timing: Timing) -> tuple[UnmatchedEvent, ...]:
    times: dict[str, list[float]] = {}
    for run in timing.runs:
        for tag, values in run.extra_ms.items():
            times.setdefault(tag, []).extend(values)
    runs = max(1, len(timing.runs))
    found = [
        UnmatchedEvent(tag_untrusted=clean_text(tag) or "unnamed", times=len(v), measured_ms=sum(v) / runs)
        for tag, v in times.items()
    ]
    return tuple(sorted(found, key=lambda event: -event.measured_ms))


def _of_runs(timing: Timing) -> tuple[str, ...]:
    if not timing.broken_off:
        return ()
    many = timing.broken_off > 1
    return (
        f"{timing.broken_off} run{'s' if many else ''} of which the trace holds only a part "
        f"{'are' if many else 'is'} left out",
    )
