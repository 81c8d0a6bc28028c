"""Power traces of any length: read piece by piece, averaged in groups once there are more than are kept."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np

from ...core.files import regular_file
from ...core.records import replace
from ..recording import Floats, Recording
from . import power

_PIECE_BYTES = 16 << 20
_MOST_KEPT = 2_000_000


def read(path: str | os.PathLike[str]) -> Recording | None:
    """None for what is no power trace as CSV.

    Raises:
        InputError: a row that is none, or time that goes back, with its line.
    """
    with regular_file(path).open("rb") as file:
        layout = power.layout_of(file.read(power.HEAD_BYTES))
        if layout is None:
            return None
        file.seek(0)
        kept = _Kept(len(layout.columns))
        line, last, scale = layout.first, -np.inf, layout.columns["time"].scale
        for piece in pieces(file, layout.first):
            table = power.table_of(piece, 0, layout, line)
            if not len(table):
                continue
            power.in_order(np.concatenate(([last], table[:, layout.time])), line, scale)
            kept.add(table)
            line, last = line + piece.count(b"\n"), float(table[-1, layout.time])
    found = power.recorded(kept.table(), layout, line - layout.first)
    note = (
        f"{kept.each} readings each are averaged, as the trace has {line - layout.first:,}: shorter peaks "
        "are lower than they were"
    )
    return replace(found, notes=(*found.notes, note)) if kept.each > 1 else found


def pieces(file: BinaryIO, header_lines: int) -> Iterator[bytes]:
    """Whole lines, about as many bytes at once; without the lines of the header."""
    for _ in range(header_lines):
        file.readline()
    while piece := file.read(_PIECE_BYTES):
        yield piece + file.readline()


class _Kept:
    """Readings, of which groups of `each` are averaged; pins are those of a group's first."""

    def __init__(self, measured: int) -> None:
        self.each = 1
        self._measured = measured
        self._parts: list[Floats] = []
        self._rest: Floats | None = None
        self._rows = 0

    def add(self, table: Floats) -> None:
        whole = table if self._rest is None else np.concatenate((self._rest, table))
        even = len(whole) // self.each * self.each
        self._rest = whole[even:]
        self._parts.append(self._averaged(whole[:even], self.each))
        self._rows += len(self._parts[-1])
        while self._rows > 2 * _MOST_KEPT:
            self._halve()

    def _halve(self) -> None:
        whole = np.concatenate(self._parts)
        even = len(whole) // 2 * 2
        self._parts = [self._averaged(whole[:even], 2), whole[even:]]
        self._rows = sum(map(len, self._parts))
        self.each *= 2

    def _averaged(self, table: Floats, each: int) -> Floats:
        if each == 1 or not len(table):
            return table[: len(table)]
        groups = table.reshape(-1, each, table.shape[1])
        found: Floats = groups[:, 0].copy()
        found[:, : self._measured] = groups[:, :, : self._measured].mean(axis=1)
        return found

    def table(self) -> Floats:
        rest = [] if self._rest is None or not len(self._rest) else [self._rest]
        return np.concatenate((*self._parts, *rest))
