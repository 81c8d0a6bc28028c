"""A document as Markdown, and as the plain text that a pipe gets: the same without Markdown's escapes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from pydantic import BaseModel

from ..document import Block, Code, Document, Drawing, Items, Paragraph, Section, Table, Text, describe
from ..sanitize import harmless
from .cells import Cells
from .table import pipe_table

_SPECIAL = re.compile(r"([\\`*_\[\]<>#!~&@])")


def as_text(result: BaseModel) -> str:
    """A result as plain text."""
    return plain(describe(result))


def plain(document: Document) -> str:
    """Words as they are, tables with bars, no headings marked up."""
    return _Page(document, escape=_one_line).text()


def markdown(document: Document, *, level: int = 1) -> str:
    """Every word escaped, so that nothing out of a model file becomes markup."""
    return _Page(document, escape=escaped, level=level).text()


def escaped(text: str) -> str:
    """Text that Markdown shows as it is, on one line; a table escapes its own bars."""
    return _SPECIAL.sub(r"\\\1", _one_line(text))


class _Page:
    def __init__(self, document: Document, escape: Callable[[str], str], level: int = 0) -> None:
        """`level` 0 marks no headings up."""
        self._document = document
        self._cells = Cells(document)
        self._escape = escape
        self._level = level

    def text(self) -> str:
        return "\n\n".join(filter(None, self._parts()))

    def _parts(self) -> Iterator[str]:
        verdict = self._said(self._document.verdict)
        title = self._said(self._document.title)
        yield self._heading(f"{verdict}: {title}" if verdict else title)
        yield from map(self._said, self._document.summary)
        if self._document.figures:
            yield self._table(Table(("Figure", "Value"), self._document.figures))
        for section in self._document.sections:
            yield from self._section(section)
        if self._document.notes:
            if self._level:
                yield self._heading("Notes", 1)
            yield self._listed("" if self._level else "Notes", self._document.notes)
        yield "\n".join(f"- {self._said(line)}" for line in self._document.footer)

    def _heading(self, title: str, below: int = 0) -> str:
        return f"{'#' * (self._level + below)} {title}" if self._level else title

    def _section(self, section: Section) -> Iterator[str]:
        if section.title:
            yield self._heading(self._escape(section.title), 1)
        yield from map(self._block, section.blocks)

    def _block(self, block: Block) -> str:
        match block:
            case Paragraph():
                return self._said(block.text)
            case Items():
                return self._listed(block.title, block.lines)
            case Code():
                indent = "" if block.whole and not self._level else "    "
                lines = "\n".join(f"{indent}{harmless(line)}".rstrip() for line in block.text.splitlines())
                label = self._said(block.label)
                return f"{label}\n\n{lines}" if label else lines
            case Drawing():
                return self._said(block.in_words)
            case Table():
                return self._table(block)

    def _table(self, table: Table) -> str:
        rows, figures = self._cells.table(table.rows, len(table.header))
        written = pipe_table(
            [self._said(title) for title in table.header],
            ([self._escape(cell) for cell in row] for row in rows), figures,
        )  # fmt: skip
        return f"{self._escape(table.folded)}:\n\n{written}" if table.folded else written

    def _listed(self, title: str, lines: Sequence[Text]) -> str:
        items = "\n".join(f"- {self._said(line)}" for line in lines)
        return f"{self._escape(title)}:\n{self._gap}{items}" if title else items

    @property
    def _gap(self) -> str:
        """Markdown wants a blank line before a list."""
        return "\n" if self._level else ""

    def _said(self, text: Text) -> str:
        return self._escape(self._cells.text(text))


def _one_line(text: str) -> str:
    return harmless(" ".join(text.split()) if "\n" in text or "\t" in text else text)
