"""Markdown in a terminal, and which part of one that is still being written is settled. Loads Rich."""

from __future__ import annotations

import functools
import io
from collections.abc import Sequence
from itertools import pairwise

from markdown_it import MarkdownIt
from rich.box import MARKDOWN
from rich.console import Console, ConsoleOptions
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text


def split_blocks(text: str) -> list[str]:
    """The blocks of a text that is still being written; all but the last are whole.

    What a line is shows only at its end, so an unfinished one belongs to the last block.
    """
    lines = text.splitlines(keepends=True)
    whole = len(lines) - (not text.endswith("\n"))
    tokens = _parser().parse("".join(lines[:whole]))
    starts = [token.map[0] for token in tokens if token.map and not token.level and token.nesting >= 0]
    return ["".join(lines[start:end]) for start, end in pairwise([0, *starts[1:], len(lines)])]


def laid_out(text: str, console: Console, options: ConsoleOptions) -> list[Text]:
    """The lines that Markdown takes, none blank at its ends; HTML as it was written, links spelt out."""
    page = Markdown("", hyperlinks=False)
    page.parsed = _parser().parse(text)
    lines = [
        Text.assemble(*((segment.text, segment.style or "") for segment in line))
        for line in console.render_lines(page, options, pad=False)
    ]
    for line in lines:
        line.rstrip()
    filled = [index for index, line in enumerate(lines) if line.plain]
    return lines[filled[0] : filled[-1] + 1] if filled else []


def wrapped_table(lines: Sequence[Sequence[str]], width: int) -> list[str]:
    """A pipe table in `width` columns, from its cells: header, rule and rows."""
    header, marks, *rows = lines
    table = Table(box=MARKDOWN)
    for name, mark in zip(header, marks, strict=True):
        table.add_column(name, justify="right" if mark.endswith(":") else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    out = io.StringIO()
    Console(file=out, width=width, markup=False, emoji=False, highlight=False, color_system=None).print(table)
    return [line for line in out.getvalue().split("\n") if line.strip()]


@functools.cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable(["strikethrough", "table"])
