"""What a report is made of, before it becomes HTML or Markdown: plain text in a few shapes.

Nothing here is markup; who writes a block escapes it. Drawings alone are SVG, escaped by who drew them.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Items:
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Code:
    label: str
    text: str


@dataclass(frozen=True)
class Table:
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: frozenset[int] = frozenset()
    """Columns of figures."""
    folded: str = ""
    """What to call a table that is only shown when asked for."""


@dataclass(frozen=True)
class Drawing:
    svg: str
    caption: str
    kind: str = ""
    """Class that the style sheet knows it by."""
    in_words: str = ""
    """What it shows, for readers of a page without drawings."""


Block = Paragraph | Items | Code | Table | Drawing


@dataclass(frozen=True)
class Section:
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class KeyFigure:
    name: str
    value: str
    interval: str
    basis: str


@dataclass(frozen=True)
class Document:
    title: str
    place: str
    verdict: str
    summary: str
    figures: tuple[KeyFigure, ...]
    sections: tuple[Section, ...]
    footer: tuple[str, ...] = field(default=())
