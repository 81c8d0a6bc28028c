"""What was measured goes first: latencies of this very model here, or near enough to scale from."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from statistics import median

import numpy as np
import numpy.typing as npt

from ...hardware_db import Runtime, load_target
from ...hardware_db.coefficients.offsets import Likeness, load_offsets
from ...hardware_db.derived import accelerator_peak_ops_per_s
from ...hardware_db.errors import EdgewrightError
from ...hardware_db.index import targets_by_id
from ...hardware_db.measurements.published import Published, published
from ..core.deployment import Deployment, deployment
from ..core.quantity import Basis, Quantity
from ..core.records import dataclass
from ..core.releases import is_numbered, nearest_release
from ..graph import ModelGraph
from .anchor import Anchor, case_of, in_words, middle_of, sort_of_place
from .deployment_path import deployment_path
from .hierarchy import NO_FPU, SAME_KERNELS, processor_of
from .kernels import release_taken
from .lanes import SHARED_ISAS
from .linked_anchors import behind_links, carried_by, is_of_another_board, no_slower_than_carriers
from .own_measured import Alone, by_own_measurements
from .signature import signature

Floats = npt.NDArray[np.float64]
Estimates = Callable[[Sequence[Deployment]], Floats]
"""Latencies in ms by the cost model alone; NaN where unknown."""
RESPECTS = ("release", "clock", "threads", "batch", "board")
"""In which a measurement may differ from the case, the least first."""
_ON_ANOTHER = frozenset({"clock", "batch", "board"})
"""What a measurement on another board may differ in."""
ALIKE = 1.1
"""How many times apart peaks of one chip may lie on two boards that are taken for each other."""
NARROWEST = frozenset({"int4", "uint4", "float4"})
"""Types that not every source gives, so that peaks are not compared in them."""
NEAR = 8.0
"""How many times apart peaks of accelerators may lie for one measurement to tell of the other."""


@dataclass(frozen=True, eq=False)
class Modelled:
    """What the cost model alone says of every place."""

    latency_ms: Floats
    """NaN where it is unknown."""
    interval_factor: Floats
    before_link_ms: Mapping[int, float] = field(default_factory=dict)
    """Row → the latency before what a link to the host adds, of places that have one."""


def anchors(
    graph: ModelGraph, places: Sequence[Deployment], modelled: Modelled, estimates: Estimates
) -> dict[int, Anchor]:
    """Row → what was measured of the model there, or near there; rows without are left out.

    Args:
        estimates: latencies of other places by the cost model alone, which measurements are scaled from.
    """
    estimate_ms = modelled.latency_ms
    found: dict[int, Anchor] = {}
    rows = published(signature(graph)) if any(p.settings.measured_first for p in places) else ()
    dtype = SAME_KERNELS.get(graph.dtype.value, graph.dtype.value)
    rows = tuple(row for row in rows if row.dtype == dtype)
    near: list[tuple[int, str, list[Published]]] = []
    before_ms = {at: ms for at, ms in modelled.before_link_ms.items() if not math.isnan(estimate_ms[at])}
    links = behind_links(graph, places, before_ms if rows else {})
    asked = list(places)
    for at, place in enumerate(places):
        if place.settings.carried is not None:
            if place.settings.carried.target == place.target.id:
                found[at] = _carried(place, float(estimate_ms[at]))
        elif rows and place.settings.measured_first:
            akin, respect = _nearest(rows, place)
            if respect in ("", "board") and not (akin and not respect):
                asked[at] = links.stand_in(at, place)
                akin, respect = _nearest(rows, asked[at])
            here = _of_one_release(akin, place.release)
            if here and not respect:
                older = [*(row for row in akin if row not in here), *_other_builds(rows, asked[at])]
                found[at] = _of_case(here, older, asked[at], float(estimate_ms[at]), asked[at] is place)
            elif here:
                near.append((at, respect, here))
    told = {
        at: links.figure_ms(at, respect, float(estimate_ms[at]), of_module=asked[at] is not places[at])
        for at, respect, _ in near
    }
    found |= _scaled(near, asked, modelled, told, estimates)
    for at in links.linked.keys() & found.keys():
        of_module = asked[at] is not places[at]
        found[at] = links.after(at, found[at], float(estimate_ms[at]), of_module=of_module)
    for at, linked in links.linked.items():
        asks = linked.alone is None and places[at].settings.measured_first
        carriers = _on_carriers(rows, places[at]) if asks else []
        factor = float(modelled.interval_factor[at])
        unaided = Quantity.within_factor(float(estimate_ms[at]), factor, "ms", Basis.FITTED)
        anchor = no_slower_than_carriers(found.get(at), carriers, unaided, places[at])
        if anchor is not None:
            found[at] = anchor
    for at, place in enumerate(places):
        if place.settings.carried is None and place.settings.calibrations:
            alone = Alone(float(estimate_ms[at]), float(modelled.interval_factor[at]))
            own = by_own_measurements(graph, place, alone, found.get(at))
            if own is not None:
                found[at] = own
    return found


def _nearest(rows: Sequence[Published], place: Deployment) -> tuple[list[Published], str]:
    """The measurements that differ least, and in what; empty for this very case."""
    processor = processor_of(place)[1]
    shared = processor in SHARED_ISAS
    akin = [
        row
        for row in rows
        if row.runtime == place.runtime.id
        and row.processor == processor
        and not is_of_another_board(row.target, place)
        and (not shared or row.target == place.target.measured_as)
    ]
    if akin:
        taken = release_taken(deployment_path(place, akin[0].dtype))
        akin = [row for row in akin if _of_one_series(row.release, taken)]
    by_respect: dict[str, list[Published]] = {}
    for row in akin:
        differs = [respect for respect, test in _TESTS.items() if test(row, place)]
        if (len(differs) <= 1 or _ON_ANOTHER.issuperset(differs)) and _is_near(row, place):
            by_respect.setdefault(differs[-1] if differs else "", []).append(row)
    for respect in ("", *RESPECTS):
        if respect in by_respect:
            found = by_respect[respect]
            alike = _same_silicon(found, place) or found if respect == "board" else found
            return list(alike), respect
    return [], ""


def _on_carriers(rows: Sequence[Published], place: Deployment) -> list[Published]:
    """This very case on boards that carry this module."""
    alike = [test for respect, test in _TESTS.items() if respect != "board"]
    return [
        row
        for row in rows
        if row.runtime == place.runtime.id
        and place.target.id in carried_by(row.target, place.settings.hardware_directories)
        and not any(test(row, place) for test in alike)
    ]


def _other_builds(rows: Sequence[Published], place: Deployment) -> list[Published]:
    """This very case by other builds than the estimate stands for; none where a build is named."""
    if place.release:
        return []
    taken = release_taken(deployment_path(place, rows[0].dtype))
    return [
        row
        for row in rows
        if (row.runtime, row.target) == (place.runtime.id, place.target.measured_as)
        and row.processor == processor_of(place)[1]
        and not any(test(row, place) for test in _TESTS.values())
        and not _of_one_series(row.release, taken)
        and NO_FPU not in row.release
    ]


def _of_one_release(rows: list[Published], asked: str) -> list[Published]:
    """Of the release that is asked for or the nearest to it; where none is, of the newest that was measured.

    All of them where most name none.
    """
    numbered = [row for row in rows if is_numbered(row.release)]
    if 2 * len(numbered) < len(rows) or not numbered:
        return rows
    taken = nearest_release(asked, {row.release for row in numbered})
    return [row for row in numbered if row.release == taken]


def _is_near(row: Published, place: Deployment) -> bool:
    """Whether it is near enough to scale from: on an accelerator of a like peak."""
    if place.accelerator is None or row.target == place.target.measured_as:
        return True
    return _apart(row, place) <= NEAR


def _apart(row: Published, place: Deployment) -> float:
    own = place.settings.hardware_directories
    return peaks_apart(row.target, place.target.measured_as, processor_of(place)[1], own)


def peaks_apart(one: str, other: str, processor: str, own: tuple[Path, ...] = ()) -> float:
    """How many times the lesser peak of two targets the greater is; 1 where one is not known."""
    here, there = (_peaks(target, own).get(processor) for target in (one, other))
    return max(here, there) / min(here, there) if here and there else 1.0


@functools.cache
def _peaks(target: str, own: tuple[Path, ...]) -> dict[str, float]:
    """Best peak of each family of accelerator on a target, in operations a second."""
    if target not in targets_by_id(own):
        return {}
    found: dict[str, float] = {}
    for unit in load_target(target, own).accelerators:
        dtypes = {*unit.peak, *unit.macs_per_cycle} - NARROWEST
        rates = [accelerator_peak_ops_per_s(unit, dtype) or 0.0 for dtype in dtypes]
        found[unit.family or unit.kind] = max(rates, default=0.0)
    return found


def _same_silicon(rows: Sequence[Published], place: Deployment) -> list[Published]:
    """Those of boards with this very accelerator: cards of one chip are nearer than cards of one maker."""
    if place.accelerator is None:
        return []
    own, name = place.settings.hardware_directories, place.accelerator.name
    near = [row for row in rows if row.target != place.target.measured_as and _apart(row, place) < ALIKE]
    known = {row.target for row in near} & targets_by_id(own).keys()
    alike = {board for board in known if name in {a.name for a in load_target(board, own).accelerators}}
    return [row for row in rows if row.target in alike]


def _of_one_series(release: str, taken: str) -> bool:
    """Whether a release is no other way to build the library than the one that estimates stand for."""
    return not release or not taken or release == taken or (is_numbered(release) and is_numbered(taken))


def _other_clock(row: Published, place: Deployment) -> bool:
    """A source without a clock means the usual one, which is the highest."""
    usual = place.accelerator.clock_max_mhz if place.accelerator else place.core.clock_max_mhz
    measured = row.clock_mhz or (usual.value if usual is not None else place.clock_mhz)
    return not math.isclose(measured, place.clock_mhz, rel_tol=0.01)


def _other_release(row: Published, place: Deployment) -> bool:
    """Only where one is named: else the newest measured is this very case."""
    return bool(place.release) and row.release != place.release


def _other_threads(row: Published, place: Deployment) -> bool:
    return bool(row.threads) and row.threads != place.threads


_TESTS: dict[str, Callable[[Published, Deployment], bool]] = {
    "release": _other_release,
    "clock": _other_clock,
    "threads": _other_threads,
    "batch": lambda row, place: row.batch != place.batch,
    "board": lambda row, place: row.target != place.target.measured_as,
}


def _of_case(
    rows: Sequence[Published],
    older: Sequence[Published],
    place: Deployment,
    estimate_ms: float,
    is_here: bool,
) -> Anchor:
    """The interval holds what other builds took: which one it will be is not said."""
    latency = middle_of([row.latency_ms for row in rows], place, Basis.PUBLISHED)
    builds = [row.latency_ms for row in older if not _of_one_series(row.release, rows[0].release)]
    if latency.low is not None and latency.high is not None:
        ends = {"low": min([latency.low, *builds]), "high": max([latency.high, *builds])}
        latency = latency.model_copy(update=ends)
    count = "a published measurement" if len(rows) == 1 else f"{len(rows)} published measurements"
    where = "here" if is_here else "on the module alone"
    note = f"latency starts from {count} of this very model {where}: {in_words(rows)}"
    if older:
        note += f"; with other releases {in_words(older)}"
    return Anchor(latency, float(latency) / estimate_ms, note, case_of(rows, latency, "", estimate_ms, note))


def _scaled(
    near: Sequence[tuple[int, str, list[Published]]],
    places: Sequence[Deployment],
    modelled: Modelled,
    told_ms: Mapping[int, float],
    estimates: Estimates,
) -> dict[int, Anchor]:
    """From measurements that differ in one respect: their share of measured over estimated carries over."""
    theirs: dict[Published, Deployment] = {}
    for at, _, rows in near:
        for row in rows:
            if row not in theirs and (there := _place_of(row, places[at])) is not None:
                theirs[row] = there
    if not theirs:
        return {}
    figures = dict(zip(theirs, estimates(list(theirs.values())).tolist(), strict=True))
    found = {}
    for at, respect, rows in near:
        alone_ms, factor = told_ms[at], float(modelled.interval_factor[at])
        chips = [row for row in _same_silicon(rows, places[at]) if row.batch == places[at].batch]
        of_board = dict.fromkeys(chips, alone_ms)  # a card of the chip is this one
        estimated = {row: of_board.get(row, figures.get(row, math.nan)) for row in rows}
        logs = {row: math.log(row.latency_ms / ms) for row, ms in estimated.items() if ms > 0}
        if respect == "batch":
            logs = next_batches(logs, places[at].batch)
        if logs and alone_ms > 0:
            found[at] = _scaled_one(logs, respect, places[at], alone_ms, factor)
    return found


def next_batches(logs: dict[Published, float], batch: int) -> dict[Published, float]:
    """Those of the nearest batch below and of the nearest above."""
    measured = {row.batch for row in logs}
    sides = [b for b in measured if b < batch], [b for b in measured if b > batch]
    kept = {pick(side) for pick, side in zip((max, min), sides, strict=True) if side}
    return {row: log for row, log in logs.items() if row.batch in kept}


def _scaled_one(
    logs: dict[Published, float], respect: str, place: Deployment, estimate_ms: float, factor: float
) -> Anchor:
    """Never less sure than without."""
    likeness = likeness_of(sort_of_place(place), respect)
    if respect == "board":
        batches = likeness_of(sort_of_place(place), "batch")
        kept = {
            row: likeness.kept(_apart(row, place), 1.0) * batches.kept(row.batch, place.batch) for row in logs
        }
        by_board: dict[str, float] = {}
        for row, much in kept.items():
            by_board[row.target] = max(much, by_board.get(row.target, 0.0))
        share, leaves = likeness.of_several(by_board.values())
        ratio = math.exp(share * _middle([(log, kept[row]) for row, log in logs.items()]))
    else:
        kept = {row: likeness.kept(row.batch, place.batch) for row in logs}
        share, leaves = likeness.share * max(kept.values()), likeness.interval_factor
        ratio = math.exp(likeness.share * median(kept[row] * log for row, log in logs.items()))
    most = max(kept.values())
    factor = min(factor, leaves**most * factor ** (1 - most))
    latency = Quantity.within_factor(estimate_ms * ratio, factor, "ms", Basis.SCALED)
    rows = list(logs)
    where = f"with another {respect}" if respect != "board" else "on another board with this processor"
    note = (
        f"latency scaled from what was measured of this very model {where} ({in_words(rows)}), "
        f"of whose deviation from the estimate {share:.0%} carries over"
    )
    measured = [row.latency_ms for row in rows]
    spread = Quantity(
        value=median(measured), low=min(measured), high=max(measured), unit="ms", basis=Basis.PUBLISHED
    )
    return Anchor(latency, ratio, note, case_of(rows, spread, respect, estimate_ms, note))


def _middle(weighed: Sequence[tuple[float, float]]) -> float:
    """The value that half of the weights lie on either side of."""
    values, weights = np.array(sorted(weighed)).T
    reached = np.cumsum(weights) - weights / 2
    return float(np.interp(weights.sum() / 2, reached, values))


def likeness_of(sort: str, respect: str) -> Likeness:
    """What carries over; where no pairs tell, the least that does in any other respect.

    Over the clock all of it: a board takes its cycles at any.
    """
    known = load_offsets().near.get(sort, {})
    if respect in known:
        return known[respect]
    least = min((each.share for each in known.values()), default=0.0)
    return Likeness(
        share=1.0 if respect == "clock" else least,
        interval_factor=max((each.interval_factor for each in known.values()), default=2.0),
        pairs=0,
    )


def _place_of(row: Published, like: Deployment) -> Deployment | None:
    """Where a measurement was taken; None for what the database no longer has."""
    try:
        return deployment(
            row.target, _as_measured(row, like), clock_mhz=row.clock_mhz or None, batch=row.batch,
            threads=row.threads or 1, settings=like.settings.model_copy(update={"measured_first": False}),
        )  # fmt: skip
    except EdgewrightError:
        return None


def _as_measured(row: Published, like: Deployment) -> Runtime | str:
    return f"{like.runtime.id}@{row.release}" if like.release and row.release else like.runtime


def _carried(place: Deployment, estimate_ms: float) -> Anchor:
    carried = place.settings.carried
    assert carried is not None
    ratio = math.exp(carried.log_ratio)
    if math.isnan(estimate_ms):
        return Anchor(Quantity.unknown("ms"), math.nan, carried.note)
    latency = Quantity.within_factor(estimate_ms * ratio, carried.interval_factor, "ms", carried.basis)
    return Anchor(latency, ratio, carried.note)
