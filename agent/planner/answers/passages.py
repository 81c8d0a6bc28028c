"""Sections of docs/ as answers: which may answer, and what is quoted of one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from types import ModuleType
from typing import TYPE_CHECKING

from ...pages import Section, Subject
from .own_data import COMPUTED
from .phrases import lines

if TYPE_CHECKING:
    from ...library import Passage

SURE, POSSIBLE = 0.2, 0.05
"""Chances of a section from which on it is said as the answer, and as the nearest there is.

By `python -m tests.evaluation.fit_pages` 141 of 150 questions reach the first; 9 in 10 of these are answered.
"""
APT = 0.5
"""The same where the question was taken for another one, of a model that it does not name."""
_LONGEST, _SHORTEST = 100, 15
"""Words of a page that are quoted at most, what is computed for it included, and at least."""
_MOST_LINES = 24
"""Of a block of code, a list or a table."""
_SENTENCES = re.compile(r"(?<=[.!?]) (?=[A-Z`\"(\d])")
_PROSE = re.compile(r"(?![|>#]|- |\d+\. |```)")
_LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")


def search(
    words: str, limit: int, least: float = 0.0, meant: Sequence[Subject] = tuple(Subject)
) -> Sequence[Passage]:
    """Sections whose chance to answer is `least` or more."""
    found: Sequence[Passage] = _library().search_pages(words, limit=limit, meant=meant)
    return found if found and found[0].chance >= least else ()


def _library() -> ModuleType:
    from ... import library

    return library


def quoted(passage: Passage | Section) -> str:
    """What is computed for it, its first paragraph with what that introduces, and where it stands."""
    computed = COMPUTED[passage.computed]() if passage.computed else ""
    longest = _LONGEST - len(computed.split())
    if passage.is_row:
        heading = passage.heading if isinstance(passage, Section) else passage.section
        return lines(f"{heading}: {_without_links(passage.text)}.", f"From {passage.place}.")
    text = _opening(passage.text, longest) if longest > _SHORTEST else ""
    begins = "" if isinstance(passage, Section) else passage.lead
    text = text if text.startswith(("Yes", "No,", "No:", "No ")) else f"{begins} {text}".strip()
    return lines(computed, text, f"From {passage.place}.")


def code_of(passage: Passage, language: str = "") -> str:
    """The first block of code in it, of a language where one is named, with its fences; empty without one."""
    return next((block for block in _blocks(passage.text) if block.startswith(f"```{language}")), "")


def shortened(passage: Passage, words: int) -> str:
    """Its first sentences, up to so many words, and where they stand."""
    kept = _whole_sentences(passage.summary.strip() or passage.text, words)
    kept = f"{passage.lead} {kept}".strip() if kept else ""
    return f"{kept} (from {passage.place})" if kept and not kept.endswith(":") else ""


def _opening(text: str, longest: int) -> str:
    """Whole sentences of its first paragraph, and the code, list or table that its colon announces."""
    blocks = list(_blocks(text))
    first = next((at for at, block in enumerate(blocks) if _PROSE.match(block)), None)
    if first is None:
        return _cut(_without_links(blocks[0])) if blocks else ""
    whole = " ".join(_without_links(blocks[first]).split())
    kept = _whole_sentences(whole, longest) or whole
    announced = kept.endswith(":") and first + 1 < len(blocks)
    return f"{kept}\n{_cut(_without_links(blocks[first + 1]))}" if announced else kept


def _blocks(text: str) -> Iterator[str]:
    """Paragraphs, lists, tables and blocks of code, each whole."""
    block: list[str] = []
    in_code = False
    for line in text.splitlines():
        fence = line.startswith("```")
        if block and not in_code and (fence or not line.strip()):
            yield "\n".join(block)
            block = []
        if in_code or line.strip():
            block.append(line)
        in_code ^= fence
        if fence and not in_code:
            yield "\n".join(block)
            block = []
    if block:
        yield "\n".join(block)


def _whole_sentences(text: str, words: int) -> str:
    """The first sentences, as many as so many words hold; empty where the first alone is longer."""
    sentences = _SENTENCES.split(text)
    lengths = accumulate(len(each.split()) for each in sentences)
    return " ".join(each for each, total in zip(sentences, lengths, strict=True) if total <= words)


def _cut(block: str) -> str:
    """Whole lines, the fence of a block of code closed."""
    rows = block.split("\n")
    if len(rows) <= _MOST_LINES:
        return block
    return "\n".join([*rows[: _MOST_LINES - 1], "…", *(["```"] if block.startswith("```") else [])])


def _without_links(text: str) -> str:
    return text if text.startswith("```") else _LINK.sub(r"\1", text)
