"""Markdown: how it looks in a terminal, and which part of one that is still being written is settled."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.text import Text

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def split_blocks(text: str) -> list[str]:
    """The blocks of a text that is still being written; all but the last are whole.

    One ends at a blank line before a line that is not indented, for that may belong to the list above it,
    and never inside a fence.
    """
    blocks = [""]
    fence = ""
    blank = False
    for line in text.splitlines(keepends=True):
        if fence:
            fence = "" if _closes(line, fence) else fence
        elif line.strip():
            if blank and not line[0].isspace() and blocks[-1].strip():
                blocks.append("")
            opening = _FENCE.match(line)
            fence = opening[1] if opening else ""
        blank = not line.strip()
        blocks[-1] += line
    return blocks


def laid_out(text: str, console: Console, options: ConsoleOptions) -> list[Text]:
    """The lines that Markdown takes, none blank at its ends; HTML as it was written, links spelt out."""
    from markdown_it import MarkdownIt
    from rich.markdown import Markdown
    from rich.text import Text

    page = Markdown("", hyperlinks=False)
    page.parsed = MarkdownIt("commonmark", {"html": False}).enable(["strikethrough", "table"]).parse(text)
    lines = [
        Text.assemble(*((segment.text, segment.style or "") for segment in line))
        for line in console.render_lines(page, options, pad=False)
    ]
    for line in lines:
        line.rstrip()
    filled = [index for index, line in enumerate(lines) if line.plain]
    return lines[filled[0] : filled[-1] + 1] if filled else []


def _closes(line: str, fence: str) -> bool:
    match = _FENCE.match(line)
    return match is not None and match[1].startswith(fence) and not line.strip().strip(fence[0])
