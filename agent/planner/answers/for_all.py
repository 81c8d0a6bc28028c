"""One board for several networks: what runs each of them within the limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from .phrases import joined, lines, table

_SHOWN = 4
_LOOKED_AT = 400
"""Deployments of each network."""


def models_of(query: Query) -> list[str]:
    """Networks of which each has to run; none where one is to be chosen."""
    return [] if query.one_of else list(dict.fromkeys(query.all(Role.MODEL)))


def for_all(
    query: Query, filters: dict[str, Any], *, price: bool, not_met: Callable[[Query, Record], str]
) -> Answering:
    """The boards that pass with every one of them, the cheapest first or else by the slowest network.

    Args:
        filters: arguments of `recommend_hardware`.
        not_met: what is said of a network that nothing runs.
    """
    models = models_of(query)
    records: list[Record] = []
    passing: list[dict[str, int]] = []
    for model in models:
        one = query.put(Role.MODEL, model).without([Role.TARGET_CLASS])
        record = needed((yield call_of("recommend_hardware", one, **(filters | {"top": _LOOKED_AT}))))
        records.append(record)
        passing.append(_rows(record))
        if not passing[-1]:
            return not_met(one, record)
    common = [target for target in passing[0] if all(target in rows for rows in passing)]
    if not common:
        return f"No board that I know of runs all of {joined(models)} within that."
    order = sorted(common, key=lambda target: _rank(records, passing, target, price=price))
    head = ["board", "price", *models]
    cells = [
        [
            target,
            records[0].ref(f"ranking[#{passing[0][target]}].price_usd"),
            *(
                r.ref(f"ranking[#{rows[target]}].latency_ms")
                for r, rows in zip(records, passing, strict=True)
            ),
        ]
        for target in order[:_SHOWN]
    ]
    first = f"ranking[#{passing[0][order[0]]}]"
    cost = f", {records[0].ref(first + '.price_usd')}" if records[0].knows(first + ".price_usd") else ""
    by = "price" if price else "the slowest, those with a price before others"
    return lines(
        f"{records[0].ref(first + '.name')}{cost}: it runs {joined(models)}, each at the time in the table.",
        table(head, cells),
        f"{len(order)} boards run all of them; these come first by {by}.",
    )


def _rows(record: Record) -> dict[str, int]:
    """Target → its best row that passes."""
    found: dict[str, int] = {}
    for index, row in enumerate(record["ranking"]):
        if row["verdict"] in ("PASS", "MARGINAL"):
            found.setdefault(row["target"], index)
    return found


def _rank(
    records: Sequence[Record], passing: Sequence[dict[str, int]], target: str, *, price: bool
) -> tuple[bool, float]:
    cost = records[0].number(f"ranking[#{passing[0][target]}].price_usd")
    if price:
        return cost is None, cost or 0.0
    slowest = max(
        record.number(f"ranking[#{rows[target]}].latency_ms") or 0.0
        for record, rows in zip(records, passing, strict=True)
    )
    return cost is None, slowest


__all__ = ["for_all", "models_of"]
