"""A row of a comparison: what has been called for it, its figures and its verdict."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass

from ..bench import NOT_KNOWN, Call, Record, call_of
from ..query import Query
from . import energies
from .columns import CHECK, CHIP, ESTIMATE, LIFE, Column
from .phrases import price


@dataclass(frozen=True)
class Row:
    """One of what is compared, what has been called for it, or why it could not be."""

    name: str
    query: Query
    records: Mapping[str, Record]
    error: str = ""

    def number(self, column: Column) -> float | None:
        record = self.records.get(column.function)
        if "{chip}" in column.ratio:
            price, rate = self._price(), record.number(column.path) if record else None
            return rate / price if rate and price else None
        return record.number(column.path) if record else None

    def _price(self) -> float | None:
        chip = self.records.get(CHIP)
        return chip.number("price_usd") if chip else None

    def cell(self, column: Column, *, main: bool = False) -> str:
        record = self.records.get(column.function)
        if record is None or not record.knows(column.path):
            return NOT_KNOWN
        if column.function == LIFE:
            return energies.life(record, column.path)
        if column.ratio:
            return self._ratio(column, record)
        if column.function == CHIP:
            return price(record)
        return record.ref(column.path, column.unit if main or column.path != "energy_uj" else "")

    def _ratio(self, column: Column, record: Record) -> str:
        if "{chip}" in column.ratio and self._price() is None:
            return NOT_KNOWN
        chip = self.records[CHIP].id if CHIP in self.records else ""
        return f"{{{{{column.ratio.format(here=f'{record.id}.{column.path}', chip=chip)}|count}}}}"

    @property
    def verdict(self) -> str:
        check = self.records.get(CHECK)
        return str(check["verdict"]) if check and check.result else "UNKNOWN"


def row_of(name: str, query: Query, columns: Sequence[Column]) -> Generator[Call, Record, Row]:
    priced = [CHIP] if any("{chip}" in column.ratio for column in columns) else []
    functions = dict.fromkeys([ESTIMATE, *(column.function for column in columns), *priced, CHECK])
    records: dict[str, Record] = {}
    error = ""
    for function in functions:
        asked = energies.sized(query)[0] if function == LIFE else query
        record = yield call_of(function, asked)
        if record.result is None:
            error = error or record.error
        else:
            records[function] = record
    return Row(name, query, records, "" if ESTIMATE in records else error)
