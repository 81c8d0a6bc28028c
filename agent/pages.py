"""The pages of docs/ as sections: heading, what people call it and ask of it, first paragraph, sources."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from ..hardware_db.kept import Made, kept, stamp
from ..tools.core.records import dataclass
from .patterns import compiled

DOCS = Path(__file__).resolve().parents[1] / "docs"
KEPT = DOCS / "__pycache__"
"""What is made of the pages."""
NO_ANSWERS = ("README.md", "design.md", "hardware.md", "migration.md", "source-documents.md", "validation.md")
"""Lists, tables that are generated, and how it is built: the commands answer these."""
PLAINLY = "in plain words"
"""How the heading of a section ends that is written for whoever knows nothing of the field."""
POINTS = compiled(r"\b(?:it|its|that|this|these|they|them|then)\b", re.IGNORECASE)
"""Words of a question that mean what was said before it."""
POSSIBLE = 0.05
"""Chance of a section from which on it is told, as the nearest there is."""
_ALIASES = compiled(r"<!-- also: (.+?) -->", re.DOTALL)
_ASKED = compiled(r"<!-- asked: (.+?) -->", re.DOTALL)
_MESSAGES = compiled(r"<!-- messages: (.+?) -->", re.DOTALL)
_POLAR = compiled(r"<!-- (yes|no): (.+?) -->", re.DOTALL)
_COMPUTED = compiled(r"<!-- computed: (\w+) -->")
_EXAMPLE = compiled(r"<!-- example: (\w+) -->")
_COMMENT = compiled(r"<!--.*?-->", re.DOTALL)
_CODE = compiled(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
_HEADING = compiled(r"(#{1,3}) (.+)")
_LINK = compiled(r"\[([^\]]+)\]\(([^)\s]+)\)")
_WORD_ROW = compiled(r"^\| (.+?) \| (.+?) \|$", re.MULTILINE)
_NO_PARAGRAPH = ("|", "- ", "1. ", ">", "#")
_OF_BOTH = (
    "glossary.md", "concepts/choosing.md", "concepts/estimates.md", "concepts/kernel-libraries.md",
    "concepts/trust.md",
)  # fmt: skip


class Subject(StrEnum):
    """What a page is about: the field, or this program."""

    CONCEPT = "concept"
    PRODUCT = "product"


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it up to the next one; `heading` is empty above the first."""

    page: str
    title: str
    heading: str
    text: str
    aliases: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    """What people ask that it answers, in their words."""
    sources: tuple[str, ...] = ()
    """Addresses that the page cites."""
    computed: str = ""
    """What of the data itself is to be said with it."""
    example: str = ""
    """What of a network on a target is to be shown with it."""
    is_row: bool = False
    """Of the glossary."""
    messages: tuple[str, ...] = ()
    """What stands in messages of programs that it explains; `…` for what differs from one to the next."""

    polar: tuple[tuple[str, str], ...] = ()
    """`Yes` or `No`, and a question that it answers so."""

    @property
    def subjects(self) -> frozenset[Subject]:
        if self.page in _OF_BOTH:
            return frozenset(Subject)
        is_concept = self.page.startswith("concepts/")
        return frozenset({Subject.CONCEPT if is_concept else Subject.PRODUCT})

    @property
    def place(self) -> str:
        """Where a reader finds it."""
        return f"docs/{self.page}" + (f", {self.heading}" if self.heading else "")

    @property
    def prose(self) -> str:
        """The text without its blocks of code."""
        return _CODE.sub("", self.text) if "```" in self.text else self.text

    @property
    def summary(self) -> str:
        """The first paragraph, on one line and without links."""
        for block in re.split(r"\n\s*\n", self.prose):
            if block.strip() and not block.startswith(_NO_PARAGRAPH):
                return _LINK.sub(r"\1", " ".join(block.split()))
        return ""


@cache
def sections() -> tuple[Section, ...]:
    """All sections that may answer a question, page by page."""
    return tuple(Section(*fields) for fields in made_of_pages(__file__, _fields))


def _fields() -> list[tuple[Any, ...]]:
    return [tuple(vars(section).values()) for file in page_files() for section in _sections(file)]


def made_of_pages(module: str, make: Callable[[], Made]) -> Made:
    """What a module makes of them, of plain values alone, kept until they change or it does."""
    file = Path(module)
    return kept(KEPT / f"{file.stem}.kept", pages_as_they_are() + stamp([file]), make)


@cache
def pages_as_they_are() -> str:
    """A key of them, and of what makes sections of them."""
    return stamp((*page_files(), Path(__file__)))


def page_files() -> list[Path]:
    """All pages that may answer a question."""
    files = [file for folder in ("", "concepts", "how-to") for file in sorted((DOCS / folder).glob("*.md"))]
    return [file for file in files if file.name not in NO_ANSWERS]


def sections_of(page: str) -> tuple[Section, ...]:
    """Those of one page."""
    return tuple(section for section in sections() if section.page == page)


def _sections(file: Path) -> Iterator[Section]:
    page, title = file.relative_to(DOCS).as_posix(), ""
    content, _, cited = file.read_text(encoding="utf-8").partition("\nSources: ")
    sources = tuple(dict.fromkeys(to for _, to in _LINK.findall(cited) if to.startswith("http")))
    for level, heading, below in _parts(content):
        title = heading if level == 1 else title
        aliases, questions, messages = (
            tuple(" ".join(one.split()) for found in hidden.findall(below) for one in found.split(";"))
            for hidden in (_ALIASES, _ASKED, _MESSAGES)
        )
        polar = tuple(
            (word.capitalize(), " ".join(one.split()))
            for word, found in _POLAR.findall(below)
            for one in found.split(";")
        )
        questions = (*(question for _, question in polar), *questions)
        text = _COMMENT.sub("", below).strip()
        if "| word | meaning |" in text:
            yield from _words(page, title, text)
        elif text:
            computed, example = (next(iter(hidden.findall(below)), "") for hidden in (_COMPUTED, _EXAMPLE))
            yield Section(
                page, title, "" if level == 1 else heading, text, aliases, questions, sources, computed,
                example, messages=messages, polar=polar,
            )  # fmt: skip


def _words(page: str, title: str, table: str) -> Iterator[Section]:
    """Each row of a glossary for itself."""
    for word, meaning in _WORD_ROW.findall(table):
        if word not in ("word", "---"):
            yield Section(page, title, word, meaning, questions=(f"what is {word}",), is_row=True)


def _parts(text: str) -> Iterator[tuple[int, str, str]]:
    """Level, heading and what stands below it; a `#` in a block of code is none."""
    level, heading, below, in_code = 0, "", list[str](), False
    for line in text.splitlines():
        in_code ^= line.startswith("```")
        if not in_code and (found := _HEADING.fullmatch(line)):
            yield level, heading, "\n".join(below)
            level, heading, below = len(found[1]), found[2].strip(), []
        else:
            below.append(line)
    yield level, heading, "\n".join(below)
