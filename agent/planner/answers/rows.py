"""A row of a comparison: what has been called for it, its figures and its verdict."""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from ....tools.core.records import dataclass
from ..bench import NOT_KNOWN, Call, Record, call_of
from ..choice import of_a_supply
from ..query import LIMITS, Query, Role
from . import energies, judging, packs
from .columns import CHECK, CHIP, ESTIMATE, LIFE, MODEL, Column
from .phrases import batch_of, joined, price, said

_WORST = ("PASS", "MARGINAL", "UNKNOWN", "FAIL")
ADDED_UP = frozenset(("at_once_per_second", "price_usd", "power_mw"))
_OF_A_RUN = frozenset((ESTIMATE, LIFE))
_OF_A_BATCH = frozenset(("energy_uj",))


@dataclass(frozen=True)
class Row:
    """One of what is compared, what has been called for it, or why it could not be."""

    name: str
    query: Query
    records: Mapping[str, Record]
    error: str = ""
    copies: int = 1
    """How many of the target work side by side, each on inputs of its own."""

    def number(self, column: Column) -> float | None:
        number = self._number(column)
        return number * self.copies if number is not None and self._adds_up(column) else number

    def _adds_up(self, column: Column) -> bool:
        return self.copies > 1 and not column.ratio and column.path in ADDED_UP

    def ends(self, column: Column) -> tuple[float, float] | None:
        """The interval of the field, of all copies; None where it is not known."""
        record = self.records.get(column.function)
        found = record.ends(column.path) if record else None
        many = self.copies if self._adds_up(column) else 1 / self._inputs(column)
        return None if found is None else (found[0] * many, found[1] * many)

    def whole(self, column: Column) -> str:
        """The field as part of an expression, of all copies; empty where it was not called for."""
        record = self.records.get(column.function)
        field = f"{record.id}.{column.path}" if record else ""
        if record and self._inputs(column) > 1:
            return f"({field}/{record.id}.deployment.batch)"
        return f"({self.copies}*{field})" if field and self._adds_up(column) else field

    def _own_price(self) -> float | None:
        """What the user says that this one costs them."""
        own = (slot for slot in self.query.slots if slot.role is Role.OWN_PRICE_USD and slot.of)
        return next((slot.number for slot in own), None)

    @property
    def runs(self) -> bool:
        """Whether nothing but a figure stands against it: there are kernels for every operator."""
        return all(one["name"] != "operators" for one in self.checks("FAIL"))

    def _number(self, column: Column) -> float | None:
        if column.function in _OF_A_RUN and not self.runs:
            return None
        if column.path == "price_usd" and (own := self._own_price()) is not None:
            return own
        record = self.records.get(column.function)
        if "{chip}" in column.ratio:
            price, rate = self._price(), record.number(column.path) if record else None
            return rate / price if rate and price else None
        number = record.number(column.path) if record else None
        return number / self._inputs(column) if number else number

    def _inputs(self, column: Column) -> int:
        """How many a figure is of, which is told of one."""
        record = self.records.get(column.function)
        return batch_of(record) if record and column.path in _OF_A_BATCH else 1

    def _price(self) -> float | None:
        chip = self.records.get(CHIP)
        return chip.number("price_usd") if chip else None

    def cell(self, column: Column) -> str:
        record = self.records.get(column.function)
        if column.path == "price_usd" and self._own_price() is not None:
            return said(self.query, Role.OWN_PRICE_USD)
        if column.function in _OF_A_RUN and not self.runs:
            return "does not run"
        if record is not None and column.path == "battery.life_days":
            return energies.lasts(record)
        if record is None or not record.knows(column.path):
            if record is None or not self.bound(column):
                return NOT_KNOWN
            least = column.ratio.format(here=f"{record.id}.{_LEAST}") or f"{record.id}.{_LEAST}"
            unit = f"|{column.unit.rstrip('~')}" if column.ratio else ""
            return f"at least {{{{{least}{unit}}}}}, computing alone"
        if column.ratio:
            return self._ratio(column, record)
        if self._adds_up(column):
            return f"{{{{{self.copies}*{record.id}.{column.path}|{column.unit}}}}}"
        if column.path == "price_usd":
            return price(record)
        if self._inputs(column) > 1:
            return f"{{{{{self.whole(column)}|{column.unit}}}}}"
        of = f" of {record.ref(column.of)}" if column.of and record.knows(column.of) else ""
        return record.ref(column.path, column.unit) + of

    def bound(self, column: Column) -> float | None:
        """How good it is at best, where what it takes asleep is not known: of a life, of a mean power."""
        path = {"battery.life_days": "battery.most_days", "average_power_mw": _LEAST}.get(column.path)
        record = self.records.get(column.function)
        if not path or not record or not self.runs or record.knows(column.path):
            return None
        return record.number(path)

    def _ratio(self, column: Column, record: Record) -> str:
        if "{chip}" in column.ratio and self._price() is None:
            return NOT_KNOWN
        chip = self.records[CHIP].id if CHIP in self.records else ""
        here, batch = f"{record.id}.{column.path}", batch_of(record)
        return f"{{{{{column.ratio.format(here=here, chip=chip, batch=batch)}|{column.unit or 'count'}}}}}"

    @property
    def verdict(self) -> str:
        check = self.records.get(CHECK)
        if not check or not check.result:
            return "UNKNOWN"
        return max((one["verdict"] for one in self.checks()), key=_WORST.index, default=str(check["verdict"]))

    def checks(self, *verdicts: str) -> list[Mapping[str, Any]]:
        """The checks that count, of these verdicts or of any; a life that is wanted is one of them."""
        check, demanded = self.records.get(CHECK), tuple(role for role in LIMITS if self.query.has(role))
        rows = judging.counted((check["checks"] or ()) if check else (), demanded)
        rows += self._of_life() if LIFE in self.records else []
        rows = [self._of_supply(one) if one["name"] == "power" else one for one in rows]
        return [one for one in rows if not verdicts or one["verdict"] in verdicts]

    def _of_supply(self, check: Mapping[str, Any]) -> Mapping[str, Any]:
        """The check of the power, at every moment where it is what a supply gives."""
        record = self.records.get(ESTIMATE)
        if record is None or not of_a_supply(self.query):
            return check
        word, text = judging.supplied(self.query, record)
        return {**check, "verdict": word, "demand": record.number("power_mw"), "statement": text}

    def _of_life(self) -> list[Mapping[str, Any]]:
        wanted, path = (self.query.number(Role.LIFE_MS) or 0.0) / _DAY_MS, "battery.life_days"
        record, most = self.records[LIFE], self.records[LIFE].number("battery.most_days")
        low, high = record.ends(path) or (0.0, most if most is not None else math.inf)
        word = "PASS" if low >= wanted else "FAIL" if high < wanted else "UNKNOWN"
        life = {"name": "life", "verdict": word, "demand": wanted, "bound": record.number(path)}
        return [{**life, "statement": ""}] if wanted else []

    @property
    def likely(self) -> str:
        """Whether it meets the limits, in a word: of what is not sure, on which side the estimate lies."""
        if self.verdict in _SURE:
            return _SURE[self.verdict]
        doubtful = [one for one in self.checks("UNKNOWN") if one["name"] != "operators"]
        known = [one for one in doubtful if one["demand"] is not None and one["bound"]]
        if not known or len(known) < len(doubtful):
            return "not sure"
        share = max(one["demand"] / one["bound"] for one in known)
        return "probably" if share <= _CLEARLY else "not sure" if share <= 1 / _CLEARLY else "probably not"

    @property
    def meets(self) -> str:
        """How likely, and what of it is not sure."""
        names = joined(dict.fromkeys(str(one["name"]) for one in self.checks(self.verdict)))
        return (
            f"{self.likely} ({names})" if names and self.verdict in ("MARGINAL", "UNKNOWN") else self.likely
        )

    @property
    def margin(self) -> str:
        """How many times the rate that is asked it does; empty where none is asked or it is not known."""
        rate, record = self.query.number(Role.RATE_HZ) or 0.0, self.records.get(ESTIMATE)
        path = "at_once_per_second"
        asked = rate >= judging.LEAST_HZ and any(one["name"] == "rate" for one in self.checks())
        if not asked or record is None or not self.runs or not record.knows(path):
            return ""
        return f"{{{{{self.copies}*{record.id}.{path}/{rate:.6f}fps|x}}}}"


_DAY_MS, _LEAST = 8.64e7, "compute_power_mw"
_SURE = {"PASS": "yes", "MARGINAL": "probably", "FAIL": "no"}
_CLEARLY = 0.75
"""Of the limit: an estimate below it leaves room for most of its error."""


def row_of(name: str, query: Query, columns: Sequence[Column], *also: str) -> Generator[Call, Record, Row]:
    """What is named, or so many of it: each of them then has its share of a rate.

    Args:
        also: functions to call beside those that the columns show.
    """
    copies = int(query.number(Role.CARDS) or 1)
    if copies > 1 and (rate := query.number(Role.RATE_HZ)):
        query = query.put(Role.RATE_HZ, rate / copies, text=said(query, Role.RATE_HZ))
    shown = [column.function for column in columns]
    deployed = [ESTIMATE, CHECK] if set(shown) != {MODEL} else []
    priced = [CHIP] if any("{chip}" in column.ratio for column in columns) else []
    records: dict[str, Record] = {}
    error = ""
    for function in dict.fromkeys([*deployed[:1], *shown, *priced, *deployed[1:], *also]):
        record = yield call_of(function, packs.sized(query)[0] if function == LIFE else query)
        if record.result is None:
            error = error or record.error
        else:
            records[function] = record
    runs = ESTIMATE in records or not deployed
    return Row(name, query, records, "" if runs else error, copies)
