"""Finds the sections of docs/ that answer a question, and says nothing where the pages do not."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from pydantic import BaseModel, ConfigDict

from .pages import Subject, sections
from .search_index import SearchIndex, Word

MOST_OF_IT = 0.6
"""Share of a question, by weight of its words, that a section must speak of to answer it."""
A_PART_OF_IT, EVIDENCE = 0.3, 5.0
"""A smaller share suffices where the words that the section is about weigh so much together."""

ASKED = 3.0
"""What it counts that a question is like those that a section is known to answer."""
NAMED = 5.0
"""What it counts that a question is of nothing but the thing that a heading names."""
OF_ANOTHER_SUBJECT = 0.6
"""What a page about the field counts where the program is asked after, and the other way round."""


class Passage(BaseModel):
    """A section of a page; `summary` answers alone, `score` is the share of the question it speaks of."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    page: str
    """Its file in docs/, such as `concepts/roofline.md`."""
    title: str
    section: str
    """Its heading; empty above the first one."""
    summary: str
    text: str
    sources: tuple[str, ...]
    """Addresses that the page cites."""
    score: float
    lead: float = 1.0
    """How many times as near it is as the next section."""

    @property
    def place(self) -> str:
        """Where a reader finds it."""
        return f"docs/{self.page}" + (f", {self.section}" if self.section else "")


def search_pages(question: str, limit: int = 3, *, meant: Collection[Subject] = ()) -> tuple[Passage, ...]:
    """Sections that speak of what a question asks, the best first; none where the pages do not.

    Args:
        meant: what it is known to ask after; the nearest section then answers, however little it speaks of.
    """
    index = _index()
    words = index.words(question)
    scores = _scores(index, words, question)
    if meant:
        scores = {
            number: score * (1.0 if index.sections[number].subjects & set(meant) else OF_ANOTHER_SUBJECT)
            for number, score in scores.items()
        }
    best = sorted(scores, key=lambda number: (scores[number], number), reverse=True)
    answers = [number for number in best if meant or _answers(words, number)]
    return tuple(
        _passage(index, words, number).model_copy(update={"lead": _lead(scores, number)})
        for number in answers[:limit]
    )


def _scores(index: SearchIndex, words: list[Word], question: str) -> dict[int, float]:
    """Relevance by words, by the questions that a section is known to answer, and by what it is called."""
    scores = {number: relevance + _weight(words, number) for number, relevance in index.having_any(words)}
    all_words = sum(word.weight for word in words) or 1.0
    for found, factor in ((index.near_asked(question), ASKED), (index.named_in(words), NAMED / all_words)):
        for number, value in found.items():
            scores[number] = scores.get(number, 0.0) + factor * value
    return scores


def _lead(scores: dict[int, float], number: int) -> float:
    other = max((score for one, score in scores.items() if one != number), default=0.0)
    return round(scores[number] / other, 3) if other else 1.0


def _weight(words: list[Word], section: int) -> float:
    return sum(word.weight_in(section) for word in words)


def _share(words: list[Word], section: int) -> float:
    return _weight(words, section) / (sum(word.weight for word in words) or 1.0)


def _answers(words: list[Word], section: int) -> bool:
    evidence = sum(word.weight for word in words if section in word.topic_of)
    share = _share(words, section)
    return share >= MOST_OF_IT or (share >= A_PART_OF_IT and evidence >= EVIDENCE)


def _passage(index: SearchIndex, words: list[Word], number: int) -> Passage:
    section = index.sections[number]
    return Passage(
        page=section.page, title=section.title, section=section.heading, summary=section.summary,
        text=section.text, sources=section.sources, score=round(_share(words, number), 3),
    )  # fmt: skip


@cache
def _index() -> SearchIndex:
    return SearchIndex(sections())
