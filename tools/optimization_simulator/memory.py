"""Other plans of the same model's memory: the arithmetic stays, what is alive together changes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...hardware_db import Planner
from ...hardware_db.errors import EdgewrightError, UsageError
from ..core.deployment import Deployment
from ..core.quantity import Quantity
from ..core.records import dataclass
from ..cost_model.energy import energy
from ..cost_model.study import Study, study
from ..graph import ModelGraph
from ..graph.shapes.change import with_batch
from ..memory_planner.bands import Bands, split, split_blocks
from ..memory_planner.order.best_order import search as best_order
from ..memory_planner.order.order_report import OrderReport
from ..memory_planner.replanning import Change, concatenating_in_place, in_bands, overwriting, replanned
from ..verdicts.changes import Figures
from .figures import figures_of, option
from .optimization_report import Option

_EXACT = "none: the same arithmetic"
_BAND_COUNTS = (2, 4, 8)
_BY_OFFSETS = "needs an offline memory plan in the model's metadata"
_BY_KERNELS = "needs a runtime that plans so"


@dataclass(frozen=True)
class _Banded:
    bands: Bands
    arena_bytes: int
    macs: int
    seconds: float


def memory_options(graph: ModelGraph, deployment: Deployment) -> tuple[Option, ...]:
    """In-place operators, concatenation in place, and the first block in 2, 4 and 8 bands."""
    case = study(graph, deployment)
    planned = _with_batch(graph, deployment)
    before = figures_of(case)
    if before.arena_bytes is None:
        return ()
    return (
        _overlaid(
            "in-place", "elementwise operators write over their input", overwriting, case, planned, before
        ),
        _overlaid(
            "concat-in-place", "what is concatenated is written where it ends up",
            concatenating_in_place, case, planned, before,
        ),
        *_in_bands(case, planned, before),
    )  # fmt: skip


def order_options(graph: ModelGraph, deployment: Deployment, time_limit_s: float) -> tuple[Option, ...]:
    """The best order of the operators found in the time, and the best packing of it."""
    before = figures_of(study(graph, deployment))
    try:
        found = best_order(graph, deployment, time_limit_s, None)
    except EdgewrightError as error:
        return (option("reorder", before, None, error.message, effort="minutes", accuracy_risk=_EXACT),)
    by_order, by_packing = found.saved_by_order_bytes, found.saved_by_packing_bytes
    return (
        _rearranged("reorder", by_order, before, found),
        _rearranged("pack", by_order + by_packing if by_packing > 0 else 0, before, found),
    )


def _rearranged(name: str, saved: int, before: Figures, found: OrderReport) -> Option:
    if saved <= 0 or before.arena_bytes is None:
        why = "no better one was found" if found.before else "; ".join(found.warnings)
        return option(name, before, None, why, effort="minutes", accuracy_risk=_EXACT)
    after = before.model_copy(update={"arena_bytes": before.arena_bytes - saved})
    return option(name, before, after, found.advice, effort="minutes", accuracy_risk=_EXACT)


def _with_batch(graph: ModelGraph, deployment: Deployment) -> ModelGraph:
    if deployment.batch == 1:
        return graph
    return with_batch(graph, deployment.batch)


def _overlaid(
    name: str, about: str, change: Change, case: Study, graph: ModelGraph, before: Figures
) -> Option:
    asked = _BY_OFFSETS if case.deployment.runtime.planner is Planner.TFLM_GREEDY else _BY_KERNELS
    try:
        arena = replanned(graph, case.deployment, change).total
    except EdgewrightError as error:
        return option(name, before, None, error.message, effort="minutes", accuracy_risk=_EXACT)
    after = before.model_copy(update={"arena_bytes": arena})
    text = f"{about}; {asked}"
    if arena >= (before.arena_bytes or 0):
        return option(name, before, None, f"{about}: the arena gets no smaller",
                      effort="minutes", accuracy_risk=_EXACT)  # fmt: skip
    return option(name, before, after, text, effort="minutes", accuracy_risk=_EXACT)


def _in_bands(case: Study, graph: ModelGraph, before: Figures) -> Iterator[Option]:
    """The best block for each number of bands, as far as more bands need less."""
    least = before.arena_bytes or 0
    for count in _BAND_COUNTS:
        try:
            best = _best_split(case, graph, count, least)
        except UsageError as error:
            yield _no_bands(count, before, error.message)
            continue
        if best is None:
            yield _no_bands(count, before, f"the arena gets no smaller than {least} bytes")
            continue
        least = best.arena_bytes
        yield option(
            f"bands-{count}", before, _figures_in_bands(case, before, best), _in_words(best, before),
            effort="redesign", accuracy_risk=_EXACT,
        )  # fmt: skip


def _best_split(case: Study, graph: ModelGraph, count: int, below: int) -> _Banded | None:
    """The block that leaves the smallest arena; none where it stays at `below` bytes.

    Blocks are tried from the least that is alive behind them and at their ends, which no split lowers.

    Raises:
        UsageError: no block can be split, or no plan can be made.
    """
    best, kept = None, case.plan.arena_persistent_bytes or 0
    floors = sorted((_floor(case, graph, ops) + kept, ops) for ops in split_blocks(graph.main))
    for floor, ops in floors:
        if floor >= below:
            break
        bands = split(graph.main, ops, count)
        found = None if bands is None else _in_so_many(case, graph, bands)
        if found is not None and found.arena_bytes < below:
            best, below = found, found.arena_bytes
    return best


def _floor(case: Study, graph: ModelGraph, ops: int) -> int:
    main = graph.main
    ends = sum(main.tensors[t].bytes or 0 for t in (*main.inputs, main.ops[ops - 1].outputs[0]))
    if case.deployment.runtime.planner is Planner.IN_PLACE:
        ends = 0
    return max([ends, *(layer.live_bytes for layer in case.plan.timeline[ops:])])


def _no_bands(count: int, before: Figures, why: str) -> Option:
    return option(f"bands-{count}", before, None, why, effort="redesign", accuracy_risk=_EXACT)


def _in_words(best: _Banded, before: Figures) -> str:
    more = 100 * (best.macs / before.macs - 1) if before.macs else 0.0
    return (
        f"operators 0 to {best.bands.ops - 1} computed in {best.bands.count} horizontal bands, "
        f"{more:.3g} % more MACs; needs a runtime with patch-based inference, or kernels of your own"
    )


def _in_so_many(case: Study, graph: ModelGraph, bands: Bands) -> _Banded:
    """
    Raises:
        UsageError: no plan can be made.
    """
    arena = in_bands(graph, case.deployment, bands)
    times, repeated = case.times, np.array(bands.repeated(graph.main))
    block = slice(0, bands.ops)
    launches = np.nan_to_num(times.overhead_s[block])
    work = np.maximum(times.total_s[block] - launches, 0.0)
    seconds = float(times.total_s[bands.ops :].sum() + (work * repeated + launches * bands.count).sum())
    macs = np.where(case.table.counted, case.table.macs, 0).astype(np.float64)
    macs[block] *= repeated
    return _Banded(bands, arena.total, round(float(macs.sum())), seconds)


def _figures_in_bands(case: Study, before: Figures, best: _Banded) -> Figures:
    latency = Quantity.unknown("ms")
    if before.latency_ms.value is not None and np.isfinite(best.seconds):
        latency = Quantity.within_factor(
            best.seconds * 1e3, case.times.interval_factor, "ms", before.latency_ms.basis
        )
    return before.model_copy(
        update={
            "latency_ms": latency,
            "energy_uj": energy(case.power.milliwatts, latency),
            "arena_bytes": best.arena_bytes,
            "macs": best.macs,
        }
    )
