"""A document on a terminal: laid out in its columns, verdicts coloured.

Rich honours NO_COLOR and terminals without colours; every word is shown as it is, never as markup.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text as Words

from ..tools.core.document import Bar, Block, Code, Document, Drawing, Items, Paragraph, Section, Table, Text
from ..tools.core.render.cells import Cells
from ..tools.core.sanitize import clean_text

if TYPE_CHECKING:
    from rich.console import ConsoleOptions, JustifyMethod, RenderResult

_STYLES = {
    "PASS": "bold green", "MARGINAL": "bold yellow", "FAIL": "bold red", "UNKNOWN": "bold magenta",
    "unknown": "dim", "-": "dim",
}  # fmt: skip
_GAP = 2
_LONGEST_WORD = 24
"""Longer words may be cut where a column is too narrow."""
_SENTENCE, _LINES = 20, 4
"""Sentences get so many columns, or what makes so many lines of them, before other columns do."""
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_BAR = 16


def print_document(document: Document, out: TextIO, width: int | None = None) -> None:
    """Print to a terminal; `width` None is the terminal's own."""
    console = Console(file=out, width=width, highlight=False, markup=False, emoji=False)
    console.print(Screen(document), crop=False)


class Screen:
    """A document that Rich can print."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._cells = Cells(document)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        blocks = list(self._blocks(options))
        for at, block in enumerate(blocks):
            if at:
                yield ""
            yield block

    def _blocks(self, options: ConsoleOptions) -> Iterator[RenderableType]:
        verdict = self._cells.text(self._document.verdict)
        title = Words(f"{verdict}: " if verdict else "", style=_STYLES.get(verdict, "bold"))
        yield title.append(_harmless(self._cells.text(self._document.title)), style="bold")
        yield from map(self._said, self._document.summary)
        if self._document.figures:
            yield from self._table(Table(("Figure", "Value"), self._document.figures), options.max_width)
        for section in self._document.sections:
            yield from self._section(section, options)
        if self._document.notes:
            notes = self._items("Notes", self._document.notes)
            yield Padding(notes, 0, style="dim")

    def _section(self, section: Section, options: ConsoleOptions) -> Iterator[RenderableType]:
        if section.title:
            yield Words(_harmless(section.title), style="bold underline")
        for block in section.blocks:
            yield from self._block(block, options)

    def _block(self, block: Block, options: ConsoleOptions) -> Iterator[RenderableType]:
        match block:
            case Paragraph():
                yield self._said(block.text)
            case Items():
                yield self._items(block.title, block.lines)
            case Code():
                lines = [_harmless(line) for line in block.text.splitlines()]
                label = [_harmless(self._cells.text(block.label))] if block.label else []
                code = "\n".join([*label, *(line if block.whole else f"    {line}" for line in lines)])
                yield Words(code, no_wrap=True, overflow="ignore")
            case Drawing():
                if words := self._said(block.in_words):
                    yield words
            case Table():
                if block.folded:
                    yield Words(_harmless(f"{block.folded}:"))
                yield from self._table(block, options.max_width)

    def _items(self, title: str, lines: Sequence[Text]) -> RenderableType:
        grid = Grid.grid(padding=(0, 1, 0, 0))
        grid.add_column(no_wrap=True)
        grid.add_column(overflow="fold")
        for line in lines:
            grid.add_row("-", self._said(line))
        return Group(Words(_harmless(f"{title}:")), grid) if title else grid

    def _table(self, table: Table, width: int) -> Iterator[RenderableType]:
        shown, figures = self._cells.table(table.rows, len(table.header))
        header = [self._cells.text(title) for title in table.header]
        is_bar = [any(isinstance(row[at], Bar) for row in table.rows) for at in range(len(header))]
        least = [
            _BAR if is_bar[at] else _least([title, *(row[at] for row in shown)], whole=figures[at])
            for at, title in enumerate(header)
        ]
        columns = _that_fit(header, least, table.spare, width)
        grid = Grid(
            box=SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0)
        )
        natural = [
            max(len(header[at]), 1, *([_BAR] if is_bar[at] else [len(row[at]) for row in shown]))
            for at in columns
        ]
        widths = dict(zip(columns, _shrunk(natural, [least[at] for at in columns], width), strict=True))
        for at in columns:
            justify: JustifyMethod = "right" if figures[at] else "left"
            grid.add_column(Words(header[at]), justify=justify, overflow="fold", width=widths[at])
        for cells, row in zip(table.rows, shown, strict=True):
            grid.add_row(*(self._cell(cells[at], row[at]) for at in columns))
        yield grid
        left = [header[at] for at in range(len(header)) if at not in columns]
        if left:
            yield Words(f"(too narrow for: {', '.join(left)})", style="dim")

    def _cell(self, cell: Text, shown: str) -> Words:
        if isinstance(cell, Bar):
            share = self._cells.share(cell)
            return Words(shown if share is None else _bar(share), style="cyan")
        return Words(_harmless(shown), style=_STYLES.get(shown, ""))

    def _said(self, text: Text) -> Words:
        return Words(_harmless(self._cells.text(text)))


def _harmless(text: str) -> str:
    """Nothing that a terminal would obey."""
    return text if text.isprintable() else clean_text(text, longest=max(len(text), 1))


def _least(texts: Sequence[str], *, whole: bool) -> int:
    """The narrowest that a column can be: that of its longest word, or of its longest figure."""
    if whole:
        return max(map(len, texts))
    word = max((len(word) for text in texts for word in text.split()), default=1)
    sentence = min(max(map(len, texts)) // _LINES, _SENTENCE)
    return max(min(word, max(_LONGEST_WORD, len(texts[0]))), sentence)


def _that_fit(header: Sequence[str], least: Sequence[int], spare: Sequence[str], width: int) -> list[int]:
    """Columns that have room: the spare ones go first, then the last ones."""
    kept = list(range(len(header)))
    going = [header.index(title) for title in spare if title in header]
    going += [at for at in reversed(kept) if at not in going]
    while len(kept) > 1 and sum(least[at] + _GAP for at in kept) - _GAP > width:
        kept.remove(going.pop(0))
    return kept


def _shrunk(natural: Sequence[int], least: Sequence[int], width: int) -> list[int]:
    """Every column as wide as it likes, then the widest ones narrower until all fit."""
    widths = list(natural)
    while sum(widths) + _GAP * (len(widths) - 1) > width:
        spare = [(wide, at) for at, wide in enumerate(widths) if wide > least[at]]
        if not spare:
            break
        widths[max(spare)[1]] -= 1
    return widths


def _bar(share: float) -> str:
    eighths = round(share * _BAR * 8)
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
