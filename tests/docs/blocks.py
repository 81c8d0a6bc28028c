"""The code blocks of a Markdown page, and the steps that a reader would take with them."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

NOT_RUN = re.compile(r"<!-- not run: (?P<reason>\S.*) -->")
_TITLE = re.compile(r'\btitle="([^"]+)"')


@dataclass(frozen=True)
class Block:
    """`line` is where its first line of code stands in the page, from 0."""

    page: Path
    line: int
    language: str
    title: str
    text: str
    not_run: str = ""
    """Why nothing runs it; empty where it is run."""

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line + 1}"


class Step(NamedTuple):
    """One command or one statement, with the output that the page shows: `shown` of its lines from `line` on."""

    source: str
    line: int
    shown: tuple[str, ...]


def blocks(page: Path) -> Iterator[Block]:
    """Every block of code, in the order of the page.

    Raises:
        ValueError: a block that is indented, or names no language: nobody would know whether to run it.
    """
    before = ""
    for token in MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8")):
        if token.type == "code_block" and token.map:
            raise ValueError(f"{page.name}:{token.map[0] + 1}: fence this block and name its language")
        if token.type == "fence" and token.map:
            language, _, rest = token.info.partition(" ")
            if not language:
                raise ValueError(f"{page.name}:{token.map[0] + 1}: name the language of this block")
            title, reason = _TITLE.search(rest), NOT_RUN.search(before)
            yield Block(
                page, token.map[0] + 1, language, title[1] if title else "", token.content, reason["reason"] if reason else "",
            )  # fmt: skip
        before = token.content if token.type == "html_block" else ""


def shell_steps(block: Block) -> list[Step]:
    """Lines that begin with `$ `, each with what stands below it."""
    steps: list[Step] = []
    lines = block.text.splitlines()
    at = 0
    while at < len(lines):
        if not lines[at].startswith("$ "):
            raise ValueError(f"{block}: line {at + 1} is neither a command nor an output of one")
        source = lines[at][2:]
        while source.endswith("\\"):
            at += 1
            source = source[:-1] + lines[at].strip()
        at = first = at + 1
        while at < len(lines) and not lines[at].startswith("$ "):
            at += 1
        shown = lines[first:at]
        while shown and not shown[-1].strip():
            shown.pop()
        steps.append(Step(source, block.line + first, tuple(shown)))
    return steps


def python_steps(block: Block) -> list[Step]:
    """Statements behind `>>>`, each with what stands below it; without any, the block is one statement."""
    examples = doctest.DocTestParser().get_examples(block.text)
    if not examples:
        return [Step(block.text, block.line, ())]
    return [
        Step(example.source, block.line + example.lineno + example.source.count("\n"), tuple(example.want.splitlines()))
        for example in examples
    ]  # fmt: skip


def inline_commands(page: Path) -> list[str]:
    """What stands behind `edgewright` in code within sentences and tables."""
    return [
        token.content.removeprefix("edgewright ")
        for token in _inline(page)
        if token.type == "code_inline" and token.content.startswith("edgewright ")
    ]


def links(page: Path) -> list[str]:
    """Where links and pictures lead."""
    hrefs = [token.attrs.get("href") or token.attrs.get("src") for token in _inline(page)]
    return [str(href) for href in hrefs if href]


def headings(page: Path) -> set[str]:
    """Anchors of the headings, as code hosts and the site make them."""
    found = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).strip().replace(" ", "-") for title in found}


def _inline(page: Path) -> list[Token]:
    tokens = MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8"))
    return [child for token in tokens for child in token.children or ()]
