"""Of several that all do, the least: the cheapest board, the fewest threads, the widest type."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ....hardware_db.hosts import is_hosted
from ..query import Query, Role
from ..want import Want
from .columns import CHIP, COLUMNS, ESTIMATE
from .phrases import price
from .rows import Row

_WIDEST = ("float32", "float16", "bfloat16", "int16", "int8", "int4")
"""The type that loses least first."""
_WHOLE, _A_BOARD, _MUCH_THE_SAME = ("board", "system", "card"), 4.0, 1.1
"""A board costs up to so many times as much as its chip; prices closer than the last decide nothing."""


class Enough(NamedTuple):
    """The least of several that all do, why it is the least, and the figure that says so."""

    row: Row
    words: str = ""
    figure: str = ""


def least_of(query: Query, rows: Sequence[Row], varied: Role | None) -> Enough | None:
    """The cheapest board, else that of the least energy; the fewest threads; the type that loses least."""
    for measure, of_two, of_more, shown in _measures(query, rows, varied):
        numbers = [measure(row) for row in rows]
        known = [number for number in numbers if number is not None]
        if len(known) < len(rows) or len(set(known)) < 2:
            continue
        row = rows[known.index(min(known))]
        return Enough(row, of_two if len(rows) == 2 else of_more, shown(row))
    return None


_Measure = tuple[Callable[[Row], float | None], str, str, Callable[[Row], str]]


def _measures(query: Query, rows: Sequence[Row], varied: Role | None) -> Iterator[_Measure]:
    """What of it is least where nothing else is demanded, the first that tells them apart."""

    def nothing(_row: Row) -> str:
        return ""

    match varied:
        case Role.TARGET:
            own, cheap = own_prices(query), ("the cheaper ", "the cheapest, ")
            yield lambda row: own.get(_target(row), (None, ""))[0], *cheap, lambda row: own[_target(row)][1]
            if "price" not in query.no_goals and _prices_tell(rows):
                yield lambda row: _with_host(row, rows), *cheap, _priced
            power = COLUMNS[Want.POWER]
            yield lambda row: row.number(power), "", "", lambda row: f"{row.cell(power)} while computing"
            yield lambda row: -(row.records[ESTIMATE].number("latency_ms") or 0.0), "", "", nothing
        case Role.THREADS | Role.BATCH:
            yield lambda row: row.query.number(varied), "", "", nothing
        case Role.CLOCK_MHZ if "energy" not in query.no_goals:
            energy = COLUMNS[Want.ENERGY]
            frugal = ("the more frugal ", "the most frugal, ")
            yield lambda row: row.number(energy), *frugal, lambda row: f"{row.cell(energy)} an inference"
        case Role.DTYPE:
            width = {name: float(at) for at, name in enumerate(_WIDEST)}
            yield lambda row: width.get(row.query.text(Role.DTYPE)), "", "", nothing


def _target(row: Row) -> str:
    return row.query.text(Role.TARGET)


def _prices_tell(rows: Sequence[Row]) -> bool:
    """Whether the cheapest is so whatever its own board costs, where others are sold as whole boards."""
    priced = [(found, row) for row in rows if (found := _with_host(row, rows)) is not None]
    if len(priced) < max(len(rows), 2):
        return False
    (least, cheapest), (second, _), *_ = sorted(priced, key=lambda pair: pair[0])
    boards = [found for found, row in priced if row.records[CHIP]["price_of"] in _WHOLE]
    chip = cheapest.records[CHIP]["price_of"] == "chip"
    bare = chip and bool(boards) and min(boards) < _A_BOARD * least
    return second >= _MUCH_THE_SAME * least and not bare


def needs_a_host(row: Row) -> bool:
    return is_hosted(row.query.targets.get(_target(row)))


def _price(row: Row) -> float | None:
    number = row.records[CHIP].number("price_usd") if CHIP in row.records else None
    return None if number is None else number * row.copies


def _with_host(row: Row, rows: Sequence[Row]) -> float | None:
    """Its price; None of what computes for a board that is not in it, beside whole ones."""
    return None if needs_a_host(row) and not all(map(needs_a_host, rows)) else _price(row)


def _priced(row: Row) -> str:
    return row.cell(COLUMNS[Want.PRICE]) if row.copies > 1 else price(row.records[CHIP])


def own_prices(query: Query) -> dict[str, tuple[float, str]]:
    """Target → what it costs the user, and their words, where each has its own."""
    named = {slot.text: str(slot.value) for slot in query.slots if slot.role is Role.TARGET}
    of_each = (slot for slot in query.slots if slot.role is Role.OWN_PRICE_USD and slot.of in named)
    return {named[slot.of]: (slot.number, slot.text) for slot in of_each}
