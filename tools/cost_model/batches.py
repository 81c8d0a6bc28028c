"""No batch takes longer than as many smaller ones, one after the other."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from ..core.deployment import Deployment
from ..core.quantity import Basis, Quantity
from ..core.records import replace
from .anchor import Anchor, Modelled

Anchors = Mapping[int, Anchor]


def in_smaller_batches(
    places: Sequence[Deployment],
    modelled: Modelled,
    found: Anchors,
    anchored: Callable[[Sequence[int], Sequence[Deployment]], Anchors],
) -> dict[int, Anchor]:
    """Row → what its half, quarter … as often would take, where that is shorter and was measured or near.

    Args:
        found: row → what was measured there or near.
        anchored: the same of other places, for the rows that they stand for.
    """
    asked = [
        (at, place.batch >> halvings)
        for at, place in enumerate(places)
        if place.batch > 1 and place.accelerator is not None and not _is_case(found.get(at))
        for halvings in range(1, place.batch.bit_length())
    ]
    if not asked:
        return {}
    rows = [at for at, _ in asked]
    smaller = anchored(rows, [places[at].at(batch=batch) for at, batch in asked])
    shorter: dict[int, Anchor] = {}
    for number, (at, batch) in enumerate(asked):
        one, best = smaller.get(number), shorter.get(at, found.get(at))
        limit_ms = float(best.latency_ms) if best is not None else float(modelled.latency_ms[at])
        times = math.ceil(places[at].batch / batch)
        if one is not None and times * float(one.latency_ms) < limit_ms:
            shorter[at] = _as_often(one, times, batch, modelled, at)
    return shorter


def _is_case(anchor: Anchor | None) -> bool:
    return anchor is not None and (anchor.case is None or not anchor.case.differs_in)


def _as_often(one: Anchor, times: int, batch: int, modelled: Modelled, at: int) -> Anchor:
    """With the interval that the batch itself has by the model: nobody ran it so."""
    factor, alone_ms = float(modelled.interval_factor[at]), float(modelled.latency_ms[at])
    latency = Quantity.within_factor(times * float(one.latency_ms), factor, "ms", Basis.SCALED)
    note = f"{one.note}; taken as {times} batches of {batch}, which one of all takes no longer than"
    case = one.case and one.case.model_copy(update={"differs_in": "batch", "estimate_ms": alone_ms})
    return replace(one, latency_ms=latency, ratio=float(latency) / alone_ms, note=note, case=case)
