"""How an answer hangs together: its sentences, their parts, and the cells of its tables."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import pairwise

from ...hardware_db.user_files import Directories
from ...tools.core.records import dataclass
from ..names import Name, find_names

_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*#)|(?<=[^|\n])\n(?=\|)")
_SENTENCE = re.compile(
    r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\bapprox\.)(?<!\bca\.)[\"')*_]*\s+|\n+", re.I
)
_PART = re.compile(
    r"[,;:]\s|\s(?:[–—-]{1,2}|→|->)\s|\s?\(|\)|\|"
    r"|\s(?:and|but|while|whereas|against|versus|vs\.?|or|than|instead of)\s"
)
_CHUNK = 8_000
"""Characters that are searched for names at once."""
_RULE = re.compile(r"[\s|:-]+")


@dataclass(frozen=True)
class Cell:
    start: int
    end: int
    row: tuple[int, int]
    """The first cell of its row."""
    column: tuple[int, int]
    """The heading of its column."""


@dataclass(frozen=True)
class Passages:
    """`figures` are where the references of the text were filled in, in order."""

    text: str
    figures: Sequence[tuple[int, int]] = ()
    _parts: dict[int, list[int]] = field(default_factory=dict, repr=False)

    @cached_property
    def _paragraphs(self) -> list[int]:
        return _edges(self.text, _PARAGRAPH)

    @cached_property
    def _sentences(self) -> list[int]:
        return sorted({*_edges(self.text, _SENTENCE), *self._paragraphs})

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        return tuple(_cells(self.text))

    def paragraph(self, at: int) -> tuple[int, int]:
        return _around(self._paragraphs, at)

    def sentence(self, at: int) -> tuple[int, int]:
        return _around(self._sentences, at)

    def cell(self, at: int) -> Cell | None:
        found = bisect.bisect_right(self.cells, at, key=lambda cell: cell.start) - 1
        return self.cells[found] if found >= 0 and at < self.cells[found].end else None

    def part(self, at: int) -> tuple[int, int]:
        """The part of the sentence that holds what stands at `at`: it ends where, behind a figure, a comma, a
        bracket or a word such as `and` begins another."""
        start, end = self.sentence(at)
        if start not in self._parts:
            self._parts[start] = list(self._part_edges(start, end))
        return _around(self._parts[start], at)

    def _part_edges(self, start: int, end: int) -> Iterator[int]:
        yield start
        first = bisect.bisect_left(self.figures, (start, start))
        inside = iter([*self.figures[first : bisect.bisect_left(self.figures, (end, end))], (end, end)])
        figure = next(inside)
        filled = False
        for stop in _PART.finditer(self.text, start, end):
            while figure[1] <= stop.start() and figure[0] < end:
                filled, figure = True, next(inside)
            if filled and not figure[0] < stop.end():
                yield stop.start()
                filled = False
        yield end


def pieces(text: str) -> Iterator[tuple[int, int]]:
    """Stretches that end with a line or a word."""
    start = 0
    while start < len(text):
        stop = min(len(text), start + _CHUNK)
        if stop < len(text):
            cut = max(text.rfind(blank, start + _CHUNK // 2, stop) for blank in "\n ")
            stop = cut + 1 if cut > 0 else stop
        yield start, stop
        start = stop


def names_in(text: str, own: Directories | None = None) -> Iterator[Name]:
    """The names of a text of any length."""
    for start, stop in pieces(text):
        for name in find_names(text[start:stop], own):
            yield replace(name, start=name.start + start, end=name.end + start) if start else name


def _edges(text: str, pattern: re.Pattern[str]) -> list[int]:
    return [0, *(match.end() for match in pattern.finditer(text)), len(text)]


def _around(edges: Sequence[int], at: int) -> tuple[int, int]:
    found = bisect.bisect_right(edges, at)
    return edges[max(0, found - 1)], edges[min(found, len(edges) - 1)]


def _cells(text: str) -> list[Cell]:
    """Of pipe tables: each cell below a heading."""
    found: list[Cell] = []
    heads: list[tuple[int, int]] = []
    at = 0
    for line in text.split("\n"):
        if not line.lstrip().startswith("|"):
            heads = []
        elif not _RULE.fullmatch(line):
            bars = [at + match.start() for match in re.finditer(r"\|", line)]
            bars += [at + len(line)] if line.rstrip()[-1] != "|" else []
            cells = [(a + 1, b) for a, b in pairwise(bars)]
            if heads:
                found += [
                    Cell(*cell, row=cells[0], column=heads[min(n, len(heads) - 1)])
                    for n, cell in enumerate(cells)
                ]
            else:
                heads = cells
        at += len(line) + 1
    return found
