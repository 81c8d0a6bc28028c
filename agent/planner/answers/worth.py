"""Whether more than the least is worth it where no limit is stated: what it costs and brings beyond it."""

from __future__ import annotations

from collections.abc import Sequence

from ..query import LIMITS, Query, Role
from ..want import Want
from ..words import spoken
from .best_of import rank
from .columns import CHIP, COLUMNS, ESTIMATE, Column
from .concluding import behind
from .least import least_of
from .phrases import ratio
from .rows import Row


def worth(query: Query, order: Sequence[Row], columns: Sequence[Column], varied: Role | None) -> str:
    """Empty where nothing of it is asked, or limits decide."""
    if "enough" not in spoken("conclusion", query.question) or query.has(*LIMITS):
        return ""
    told = (_for_the_money(order, columns), _if_time_allows(query, order, varied), behind(order, columns))
    return "; ".join(filter(None, told))


def _for_the_money(order: Sequence[Row], columns: Sequence[Column]) -> str:
    """What the dearer of two costs more, and what it brings for that."""
    column = next(
        (each for each in columns if each.function == ESTIMATE and each.path), COLUMNS[Want.LATENCY]
    )
    chips = [row.records[CHIP] for row in order if CHIP in row.records]
    if len(order) != 2 or len(chips) != 2 or order[0].copies + order[1].copies > 2:
        return ""
    (low, less), (_, more) = sorted(
        zip(order, chips, strict=True), key=lambda pair: pair[1].number("price_usd") or 0.0
    )
    dear = next(row for row in order if row is not low)
    gain = sorted(
        (low.records[column.function], dear.records[column.function]),
        key=lambda r: r.number(column.path) or 0.0,
    )
    price, times = ratio(more, less, "price_usd"), ratio(gain[1], gain[0], column.path)
    if not price or not times:
        return ""
    better = (rank(dear, column)) < rank(low, column)
    what = f"is {times} better" if better else f"is no better ({column.head} {dear.cell(column)})"
    return f"for {price} the price of {low.name}, {dear.name} {what}"


def _if_time_allows(query: Query, order: Sequence[Row], varied: Role | None) -> str:
    """Of what is to be enough for no limit that was stated: for which time the least of them is."""
    least = least_of(query, order, varied)
    estimate = least.row.records[ESTIMATE] if least else None
    if least is None or estimate is None or not estimate.knows("latency_ms.high"):
        return ""
    return f"{least.row.name} is enough where you can wait {estimate.ref('latency_ms.high')}, its upper end"


__all__ = ["worth"]
