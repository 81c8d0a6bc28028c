"""From which batch on a larger one hardly pays."""

from __future__ import annotations

from collections.abc import Sequence

from ..query import Role
from ..want import Want
from .columns import ESTIMATE
from .rows import Row

_RATE, _PAYS = "inferences_per_second", 1.1
_ASKED = frozenset((Want.COST_OF_BATCH, Want.BOUND_CHANGE))


def plateau(wants: Sequence[Want], rows: Sequence[Row]) -> str:
    """The first of several batches that no larger one beats by a tenth; empty where that is not asked."""
    if not _ASKED & set(wants) or len({row.query.number(Role.BATCH) for row in rows}) < len(rows):
        return ""
    known = [row for row in rows if ESTIMATE in row.records and row.records[ESTIMATE].number(_RATE)]
    order = sorted(known, key=lambda row: row.query.number(Role.BATCH) or 1.0)
    rates = [row.records[ESTIMATE].number(_RATE) or 0.0 for row in order]
    at = next((i for i, rate in enumerate(rates) if max(rates[i:]) < _PAYS * rate), len(rates) - 1)
    asks = Want.BOUND_CHANGE in wants
    if len(order) < 2 or not (asks or (len(order) > 2 and at < len(order) - 1)):
        return ""
    last, first = order[-1], order[at]
    if at == len(order) - 1:
        return f"It still pays at {last.name}"
    one, other = (row.records[ESTIMATE].id for row in (last, first))
    times = f"{{{{{one}.{_RATE}/{other}.{_RATE}|x}}}} its images a second"
    longer = f"{{{{{one}.latency_ms/{other}.latency_ms|x}}}} the time of a batch"
    return f"Beyond {first.name} it hardly pays: {last.name} brings {times}, at {longer}"
