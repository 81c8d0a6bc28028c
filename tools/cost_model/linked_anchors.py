"""Measurements of a module for the boards that carry it, and the other way round not at all.

What a board behind a link took tells of its link first. It answers for that board alone; a board that nobody
measured starts from its module, to which its own link adds what it is slower.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from pathlib import Path

from ...hardware_db import load_target
from ...hardware_db.index import targets_by_id
from ...hardware_db.measurements.published import Published
from ..core.deployment import Deployment
from ..core.quantity import Basis, Quantity
from ..core.records import dataclass, replace
from ..graph import ModelGraph
from .alone import alone_of
from .anchor import Anchor, case_of, in_words, middle_of
from .linked import Linked, latency_behind_link, linked_of


@dataclass(frozen=True, eq=False)
class BehindLinks:
    """What stands behind a link among the places that are asked about."""

    linked: dict[int, Linked]
    before_ms: dict[int, float]
    """What the cost model makes of the computing."""

    def stand_in(self, at: int, place: Deployment) -> Deployment:
        """The module that a place's measurements may be of; itself where there is none."""
        return (alone_of(place) or place) if at in self.linked else place

    def figure_ms(self, at: int, respect: str, estimate_ms: float, *, of_module: bool) -> float:
        """What a measurement that differs in `respect` is compared with."""
        if at not in self.linked:
            return estimate_ms
        before_ms = self.before_ms[at]
        if respect == "board":
            return before_ms
        return self.linked[at].module_s(before_ms / 1e3) * 1e3 if of_module else estimate_ms

    def after(self, at: int, anchor: Anchor, estimate_ms: float, *, of_module: bool) -> Anchor:
        """The anchor with what the place's own link adds."""
        respect = anchor.case.differs_in if anchor.case is not None else ""
        if at not in self.linked or not (of_module or respect == "board"):
            return anchor
        linked = self.linked[at]
        latency = latency_behind_link(linked, anchor.latency_ms, of_module=of_module and respect != "board")
        note = f"{anchor.note}; {linked.sentence}"
        case = anchor.case and anchor.case.model_copy(
            update={"note": note, "differs_in": "board", "estimate_ms": estimate_ms}
        )
        return replace(anchor, latency_ms=latency, ratio=_ratio(latency, estimate_ms), note=note, case=case)


def no_slower_than_carriers(
    anchor: Anchor | None, rows: Sequence[Published], estimate: Quantity, place: Deployment
) -> Anchor | None:
    """The latency of a module, at most what a board took that carries it: its own link is no narrower.

    What was measured of the module itself stands.

    Args:
        rows: measurements of this very case on such boards.
        estimate: what the cost model alone makes of the module.
    """
    latency = estimate if anchor is None else anchor.latency_ms
    fastest = min(rows, key=lambda row: row.latency_ms, default=None)
    if anchor is not None and (anchor.case is None or not anchor.case.differs_in):
        return anchor
    if fastest is None or latency.value is None or latency.low is None or latency.high is None:
        return anchor
    if latency.high <= fastest.latency_ms:
        return anchor
    measured = middle_of([fastest.latency_ms], place, Basis.SCALED)
    if latency.value <= fastest.latency_ms:
        at_most = latency.model_copy(update={"high": fastest.latency_ms})
    else:
        at_most = measured.model_copy(update={"low": min(latency.low, measured.low or latency.low)})
    note = f"latency at most what a board took that carries this module: {in_words([fastest])}"
    before_ms = float(estimate.value) if estimate.value is not None else math.nan
    case = case_of([fastest], measured, "board", before_ms, note)
    if anchor is not None and latency.value <= fastest.latency_ms:
        return replace(anchor, latency_ms=at_most)
    return Anchor(at_most, float(at_most) / before_ms, note, case)


def behind_links(graph: ModelGraph, places: Sequence[Deployment], before_ms: dict[int, float]) -> BehindLinks:
    found = {at: linked_of(graph, places[at]) for at in before_ms}
    return BehindLinks({at: linked for at, linked in found.items() if linked is not None}, before_ms)


def is_of_another_board(target: str, place: Deployment) -> bool:
    """Whether measurements of a target tell of the link of a board that is not this place."""
    own = place.settings.hardware_directories
    return target != place.target.measured_as and is_carrier(target, own)


def is_carrier(target: str, own: tuple[Path, ...] = ()) -> bool:
    """Whether it is a board with an accelerator that is a module of its own behind a link."""
    return bool(carried_by(target, own))


@functools.cache
def carried_by(target: str, own: tuple[Path, ...] = ()) -> frozenset[str]:
    """Ids of the modules on a board that is measured for itself."""
    if target not in targets_by_id(own):
        return frozenset()
    whole = load_target(target, own)
    units = () if whole.same_silicon_as else whole.accelerators
    return frozenset(unit.module for unit in units if unit.module)


def _ratio(latency: Quantity, estimate_ms: float) -> float:
    return float(latency) / estimate_ms
