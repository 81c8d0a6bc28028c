"""Tables of counters of any length, a row a run: read in pieces, every n-th row kept once they are many."""

from __future__ import annotations

import os

import numpy as np

from ....hardware_db.errors import InputError
from ...core.files import regular_file
from ..counters.names import in_base_units, known
from ..grid import facts_of
from ..recording import Counted, Floats, Recording
from . import counter_table, power, power_stream

_MOST_KEPT = 100_000


def read(path: str | os.PathLike[str]) -> Recording | None:
    """None for what is no table of counters, or has a row a layer.

    Raises:
        InputError: a row that is none, or a count below zero, with its line.
    """
    with regular_file(path).open("rb") as file:
        lines = file.read(power.HEAD_BYTES).decode("utf-8-sig", "replace").splitlines()
        header = counter_table.header_of(lines)
        if header is None or set(counter_table.NAMES) & set(header.columns):
            return None
        columns = {
            title: power.Column(at, 1.0)
            for at, title in enumerate(header.columns)
            if known(title) and title not in counter_table.RUNS
        }
        layout = power.Layout(header.line, header.mark, columns, [], facts_of(lines))
        file.seek(0)
        kept = _Kept()
        line = header.line
        for piece in power_stream.pieces(file, header.line):
            table = power.table_of(piece, 0, layout, line)
            below = np.flatnonzero((table < 0).any(axis=1))
            if len(below):
                raise InputError(
                    f"Line {line + int(below[0]) + 1}: a count below zero.", hint="Nothing was imported."
                )
            kept.add(table)
            line += piece.count(b"\n")
    rows = tuple(
        Counted("", in_base_units(dict(zip(columns, row, strict=True)))) for row in kept.table().tolist()
    )
    note = f"every {kept.each}th of {kept.seen:,} rows is kept, the first among them"
    return Recording(
        "counters as CSV", counters=rows, facts=layout.facts, lines=kept.seen,
        notes=(note,) if kept.each > 1 else (),
    )  # fmt: skip


class _Kept:
    """Every `each`-th row, which leaves means and percentiles what they are, up to chance."""

    def __init__(self) -> None:
        self.each = 1
        self.seen = 0
        self._parts: list[Floats] = []
        self._rows = 0

    def add(self, table: Floats) -> None:
        begin = -self.seen % self.each
        self._parts.append(table[begin :: self.each])
        self._rows += len(self._parts[-1])
        self.seen += len(table)
        while self._rows > _MOST_KEPT:
            self._parts = [np.concatenate(self._parts)[::2]]
            self._rows = len(self._parts[0])
            self.each *= 2

    def table(self) -> Floats:
        return np.concatenate(self._parts)
