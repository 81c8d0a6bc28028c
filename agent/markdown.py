"""Markdown in a terminal, and which part of one that is still being written is settled. Loads Rich."""

from __future__ import annotations

import functools
from itertools import pairwise
from typing import TextIO

from markdown_it import MarkdownIt
from rich.console import Console, ConsoleOptions
from rich.markdown import Markdown
from rich.text import Text

from .plain_text import printable


def split_blocks(text: str) -> list[str]:
    """The blocks of a text that is still being written; all but the last are whole.

    What a line is shows only at its end, so an unfinished one belongs to the last block.
    """
    lines = text.splitlines(keepends=True)
    whole = len(lines) - (not text.endswith("\n"))
    tokens = _parser().parse("".join(lines[:whole]))
    starts = [token.map[0] for token in tokens if token.map and not token.level and token.nesting >= 0]
    return ["".join(lines[start:end]) for start, end in pairwise([0, *starts[1:], len(lines)])]


def print_markdown(text: str, out: TextIO) -> None:
    """Print an answer to a terminal, in its columns; it honours NO_COLOR and obeys nothing in the text."""
    console = Console(file=out, highlight=False, markup=False, emoji=False)
    for line in laid_out(printable(text), console, console.options):
        console.print(line)


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


@functools.cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable(["strikethrough", "table"])
