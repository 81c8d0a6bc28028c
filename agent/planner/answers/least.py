"""Of several that all meet the limits, the least: the cheapest board, the fewest threads, the widest type."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ..query import Query, Role
from ..want import Want
from .columns import CHIP, COLUMNS, ESTIMATE
from .phrases import price
from .rows import Row

_WIDEST = ("float32", "float16", "bfloat16", "int16", "int8", "int4")
"""The type that loses least first."""


@dataclass(frozen=True)
class Enough:
    """The least of several that all do, why it is the least, and the figure that says so."""

    row: Row
    words: str
    figure: str = ""


def least_of(query: Query, rows: Sequence[Row], varied: Role | None) -> Enough | None:
    """The cheapest board, else that of the least energy; the fewest threads; the type that loses least."""
    match varied:
        case Role.TARGET:
            return _cheapest(query, rows) or _modest(rows)
        case Role.THREADS | Role.BATCH:
            return Enough(min(rows, key=lambda row: row.query.number(varied) or 0.0), "")
        case Role.CLOCK_MHZ:
            return _frugal(query, rows)
        case Role.DTYPE:
            typed = [row for row in rows if row.query.text(Role.DTYPE) in _WIDEST]
            return Enough(min(typed, key=_width), "") if len(typed) == len(rows) else None
    return None


def _width(row: Row) -> int:
    return _WIDEST.index(row.query.text(Role.DTYPE))


def _cheapest(query: Query, rows: Sequence[Row]) -> Enough | None:
    own = own_prices(query)
    if own and all(row.query.text(Role.TARGET) in own for row in rows):
        return _by(rows, lambda row: own[row.query.text(Role.TARGET)][0], "the cheaper ", "the cheapest, ", {
            row.name: own[row.query.text(Role.TARGET)][1] for row in rows
        })  # fmt: skip
    if "price" in query.no_goals:
        return None
    hosts = [_price(row) for row in rows if not needs_a_host(row)]
    host = min((price for price in hosts if price is not None), default=0.0)
    figures = {row.name: _priced(row) for row in rows}

    if _bare_chip_beside_a_board(rows):
        return None

    def whole(row: Row) -> float | None:
        own = _price(row)
        return own if own is None else own + (host if needs_a_host(row) else 0.0)

    prices = sorted(found for row in rows if (found := whole(row)) is not None)
    if len(prices) == len(rows) > 1 and prices[1] < _MUCH_THE_SAME * prices[0]:
        return None
    return _by(rows, whole, "the cheaper ", "the cheapest, ", figures)


_MUCH_THE_SAME = 1.1
"""Prices of a distributor that lie closer decide nothing."""


def _bare_chip_beside_a_board(rows: Sequence[Row]) -> bool:
    """Whether the cheapest is a chip, hardly cheaper than a whole board: its own board costs more too."""
    known = [(found, row.records[CHIP]["price_of"]) for row in rows if (found := _price(row)) is not None]
    if len(known) < len(rows):
        return False
    least, sold_as = min(known)
    boards = [found for found, of in known if of in _WHOLE]
    return sold_as == "chip" and bool(boards) and min(boards) < _A_BOARD * least


_WHOLE, _A_BOARD = ("board", "system", "card"), 4.0
"""A board is known to cost up to so many times as much as its chip."""


def needs_a_host(row: Row) -> bool:
    """Whether a target computes for a board beside it, and runs no program of its own."""
    found = row.query.targets.get(row.query.text(Role.TARGET))
    kinds = [core.partition(" x ")[2] for core in found.cores] if found else []
    return bool(kinds) and all(kind in _ENGINES for kind in kinds)


_ENGINES = ("edge-tpu", "hailo-nn")


def _priced(row: Row) -> str:
    column = COLUMNS[Want.PRICE]
    return row.cell(column) if row.copies > 1 else price(row.records[CHIP]) if CHIP in row.records else ""


def _price(row: Row) -> float | None:
    chip = row.records.get(CHIP)
    number = chip.number("price_usd") if chip else None
    return None if number is None else number * row.copies


def _modest(rows: Sequence[Row]) -> Enough | None:
    """Where not every price is known: what draws least, else the slowest of those that do."""
    powers = {row.name: f"{row.records[ESTIMATE].ref('power_mw')} while computing" for row in rows}
    drawn = _by(rows, lambda row: row.number(COLUMNS[Want.POWER]), "", "", powers)
    return drawn or Enough(max(rows, key=lambda row: row.records[ESTIMATE].number("latency_ms") or 0.0), "")


def _frugal(query: Query, rows: Sequence[Row]) -> Enough | None:
    if "energy" in query.no_goals:
        return None
    figures = {row.name: f"{row.records[ESTIMATE].ref('energy_uj')} an inference" for row in rows}
    return _by(
        rows, lambda row: row.records[ESTIMATE].number("energy_uj"), "the more frugal ", "the most frugal, ",
        figures,
    )  # fmt: skip


def _by(
    rows: Sequence[Row],
    figure: Callable[[Row], float | None],
    of_two: str,
    of_more: str,
    figures: Mapping[str, str],
) -> Enough | None:
    numbers = [figure(row) for row in rows]
    if any(number is None for number in numbers) or len(set(numbers)) < 2:
        return None
    row = min(rows, key=lambda row: figure(row) or 0.0)
    return Enough(row, of_two if len(rows) == 2 else of_more, figures.get(row.name, ""))


def own_prices(query: Query) -> dict[str, tuple[float, str]]:
    """Target → what it costs the user, and their words, where each has its own."""
    named = {slot.text: str(slot.value) for slot in query.slots if slot.role is Role.TARGET}
    return {
        named[slot.of]: (slot.number, slot.text)
        for slot in query.slots
        if slot.role is Role.OWN_PRICE_USD and slot.of in named
    }


__all__ = ["Enough", "least_of", "needs_a_host", "own_prices"]
