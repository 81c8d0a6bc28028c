"""Tables of operators of any length: read in pieces, every n-th run kept once they are many."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from ....hardware_db.errors import InputError
from ...core.files import regular_file
from ..recording import Recording
from ..trace import Event, Trace
from . import power_stream, table

_HEAD_BYTES = 1 << 19
"""In which operators have to begin anew."""
_MOST_KEPT = 200_000
"""Events."""


def read(path: str | os.PathLike[str]) -> Recording | None:
    """None for what is no table of operators, or does not repeat, so that a part would stand for the whole.

    Raises:
        InputError: a time that is none, with its line.
    """
    with regular_file(path).open("rb") as file:
        head = file.read(_HEAD_BYTES).decode("utf-8-sig", "replace").splitlines()
        header = table.header_of(head)
        if header is None:
            return None
        first = list(_events(head[header.line : -1], header.columns, header.line))
        names = [event.tag for event in first]
        if header.columns.layer is None and not (names := names[: _period(names)]):
            return None
        file.seek(0)
        kept, line = _Kept(() if header.columns.layer is not None else tuple(names)), header.line
        for piece in power_stream.pieces(file, header.line):
            lines = piece.decode("utf-8", "replace").splitlines()
            for event in _events(lines, header.columns, line):
                kept.add(event)
            line += len(lines)
    runs = kept.runs()
    notes = tuple(kept.notes())
    trace = Trace("CSV table", header.columns.unit, runs, fuses=True, notes=notes)
    return Recording(trace.format, trace.unit, trace=trace, notes=notes, lines=line - header.line)


def _events(lines: Sequence[str], columns: table.Columns, first: int) -> Iterator[Event]:
    for at, line in enumerate(lines, first + 1):
        event = table.event_of(table.cells_of(line, columns.delimiter), columns, at)
        if event is not None:
            yield event


def _period(names: Sequence[str]) -> int:
    """After how many events they begin anew; 0 where they do not repeat."""
    borders = [0] * len(names)
    length = 0
    for at in range(1, len(names)):
        while length and names[at] != names[length]:
            length = borders[length - 1]
        length += names[at] == names[length]
        borders[at] = length
    period = len(names) - (borders[-1] if borders else 0)
    return period if 2 * period <= len(names) else 0


class _Kept:
    """Every `each`-th run, which leaves means and percentiles what they are, up to chance."""

    def __init__(self, names: Sequence[str]) -> None:
        """
        Args:
            names: of the operators of a run in their order; empty where their indices tell where one begins.
        """
        self.each = 1
        self.seen = 0
        self._broken = 0
        self._in_step = True
        self._names = names
        self._runs: list[tuple[Event, ...]] = []
        self._run: list[Event] = []
        self._events = 0

    def add(self, event: Event) -> None:
        if self._names:
            self._by_name(event)
        else:
            self._by_index(event)

    def _by_index(self, event: Event) -> None:
        last = self._run[-1].layer if self._run else None
        if last is not None and event.layer is not None and event.layer <= last:
            self._end()
        self._run.append(event)

    def _by_name(self, event: Event) -> None:
        """A run in which an event is lost is left out, and the next begins with its first operator."""
        if event.tag != self._names[len(self._run)]:
            self._broken += self._in_step
            self._in_step = False
            self._run = []
        if self._run or event.tag == self._names[0]:
            self._run.append(event)
        if len(self._run) == len(self._names):
            self._in_step = True
            self._end()

    def _end(self) -> None:
        if self.seen % self.each == 0:
            self._runs.append(tuple(self._run))
            self._events += len(self._run)
        self.seen += 1
        self._run = []
        if len(self._runs) > 1 and self._events > _MOST_KEPT:
            self._runs = self._runs[::2]
            self._events = sum(map(len, self._runs))
            self.each *= 2

    def runs(self) -> tuple[tuple[Event, ...], ...]:
        """Without the last, where it was cut off.

        Raises:
            InputError: one run alone has more events than are kept.
        """
        if self._run and (not self._runs or len(self._run) == len(self._runs[-1])):
            self._end()
        if self._events > _MOST_KEPT:
            raise InputError(
                f"A run has more than {_MOST_KEPT:,} events.", hint="No network has so many: cut the file."
            )
        return tuple(self._runs)

    def notes(self) -> Iterator[str]:
        if self.each > 1:
            yield f"one run in {self.each} is kept of {self.seen:,}, the first among them"
        if self._broken:
            yield f"{self._broken:,} run{'s' if self._broken > 1 else ''} with events that are lost: left out"
