"""One model on many deployments as rows: each figure with the ends of its interval."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from ...core.document import Column
from ...core.numbers import interval
from ...core.paths import Value
from ...core.quantity import Quantity
from ...hardware_selector.hardware_ranking import RankedDeployment
from ..results import Results
from .spec import Row, with_words

COLUMNS = (
    Column("name", "Deployment"), Column("verdict", "Verdict"), Column("latency", "Latency", "ms"),
    Column("latency_between", "Its 90 % interval"), Column("energy", "Energy", "uJ"),
    Column("energy_between", "Its 90 % interval"), Column("arena", "RAM (arena)", "bytes"),
    Column("flash", "Flash", "bytes"), Column("score", "Score"), Column("bound", "Bound"),
    Column("price", "Price", "USD"),
)  # fmt: skip
_WITH_INTERVALS = ("latency", "energy", "arena", "flash")


def names_of(parts: Sequence[tuple[str, ...]]) -> list[str]:
    """What tells each deployment from the others, in as few words as do."""
    names = [row[0] for row in parts]
    for at in range(1, len(parts[0])):
        longer = [f"{name}, {row[at]}" for name, row in zip(names, parts, strict=True)]
        if len(set(longer)) > len(set(names)):
            names = longer
    numbers: dict[str, count[int]] = {}
    return [
        name if names.count(name) == 1 else f"{name} ({next(numbers.setdefault(name, count(1)))})"
        for name in names
    ]


def _parts(view: Results) -> tuple[str, ...]:
    ref = view.performance.deployment
    return (
        ref.target, ref.runtime, f"{ref.clock_mhz:g} MHz", f"batch {ref.batch}",
        f"{ref.threads} thread{'s' if ref.threads > 1 else ''}", view.model.name,
        view.transform or "unchanged",
    )  # fmt: skip


def board_rows(views: Sequence[Results]) -> tuple[Row, ...]:
    """One row a deployment of a page, with the figures of `COLUMNS` and the ends of their intervals."""
    rows = []
    for at, (view, name) in enumerate(zip(views, names_of([_parts(view) for view in views]), strict=True)):
        price = view.place.target.price_usd
        figures = (
            view.performance.latency_ms, view.performance.energy_uj, view.memory.arena, view.memory.flash
        )  # fmt: skip
        row = {"at": at, "name": name, "verdict": view.checks.verdict.value}
        row |= {"score": view.compatibility.score, "bound": view.roofline.bound.value}
        rows.append(row | _figures(None if price is None else price.value, *figures))
    return with_words(rows, COLUMNS)


def compared_rows(ranking: Sequence[RankedDeployment]) -> tuple[Row, ...]:
    """The same of a comparison or of a ranking of hardware."""
    names = names_of([(row.target, row.runtime, f"{row.clock_mhz:g} MHz") for row in ranking])
    rows = [
        {"at": at, "name": name, "verdict": row.verdict.value, "score": row.score, "bound": row.bound}
        | _figures(row.price_usd, row.latency_ms, row.energy_uj, row.arena_bytes, row.flash_bytes)
        for at, (row, name) in enumerate(zip(ranking, names, strict=True))
    ]
    return with_words(rows, COLUMNS)


def _figures(price: float | None, *figures: Quantity) -> Row:
    row: Row = dict.fromkeys(("price", "price_low", "price_high"), price)
    for name, figure in zip(_WITH_INTERVALS, figures, strict=True):
        row |= {name: figure.value, f"{name}_low": figure.low, f"{name}_high": figure.high}
        row[f"{name}_between"] = _between(figure)
    return row


def _between(figure: Quantity) -> str | None:
    if figure.value is None:
        return None
    value = Value(figure.value, figure.unit, figure.low, figure.high, figure.basis.value)
    return interval(value) or "exact"
