"""Finds the sections of docs/ that answer a question, and says nothing where the pages do not."""

import math
import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from functools import cache
from itertools import islice
from operator import mul
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from .kept_index import kept_index
from .leads import lead
from .pages import PLAINLY, POINTS, POSSIBLE, Section, Subject, sections, sections_of
from .search_index import SearchIndex, Signals, Strangeness, Word
from .search_tables import NONE
from .stop_words import STOP_WORDS

MOST_OF_IT = 0.6
"""Share of a question, by weight of its words, that a section must speak of to answer it."""
A_PART_OF_IT, EVIDENCE = 0.3, 5.0
"""A smaller share suffices where the words that the section is about weigh so much together."""

WEIGHTS = Signals(
    text=0.36, share=1.87, asked=0.58, alike=-0.21, named=2.37, row=-1.15, likeness=0.56, other_subject=-1.80
)
"""What each signal counts for the logit of a section: `python -m tests.evaluation.fit_pages` fits them."""
STRANGENESS = Strangeness(
    always=2.40, unknown=1.65, besides=1.36, brief=1.53, of_a_subject=-2.28,
    asked=1.21, alike=0.18, likeness=0.53,
)  # fmt: skip
"""The same for the logit of there being none."""
OF_ITS_PAGE, OF_ITSELF, RARELY = 1.0, 0.3, 0.01
"""What counts that the rest of a message speaks of a section's page, and of the section; the least chance."""
_SPOKEN_OF = 0.1
"""Chance of pages that may be meant by a word for what the rest speaks of."""


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
    computed: str
    """What of the data itself is to be said with it; empty for most."""
    example: str = ""
    """What of a network on a target is to be shown with it; empty for most."""
    score: float
    lead: str = ""
    """With what the answer begins: yes or no, or the row of a list that the question names."""
    is_row: bool = False
    """Of the glossary."""
    chance: float = 1.0
    """That it is the section that answers, among all there are."""
    alike: float = 0.0
    """Words that the nearest question that it answers shares with this one, of those of both, squared."""

    @property
    def place(self) -> str:
        """Where a reader finds it."""
        return f"docs/{self.page}" + (f", {self.section}" if self.section else "")


def search_pages(
    question: str, limit: int = 3, *, meant: Collection[Subject] = (), within: str = ""
) -> tuple[Passage, ...]:
    """Sections that speak of what a question asks, the best first; none where the pages do not.

    Args:
        meant: what it is known to ask after; the nearest section then answers, however little it speaks of.
        within: the message that the question is a part of, or goes on from: its pages are likelier.
    """
    index = _index()
    words = index.words(question)
    signals, strangeness = index.signals(question, meant)
    logits, strange = _logits(signals, strangeness), frozenset[int]()
    if within:
        shares = _shares(index, _chances(_logits(*index.signals(within, meant))))
        logits = {number: logit + shares[number].logit for number, logit in logits.items()}
        if POINTS.search(question):
            strange = frozenset(
                n for n in signals if shares[n].of_page < _SPOKEN_OF and _is_of_field(index, n)
            )
    chances = _chances(logits)
    best = sorted(signals.keys() - strange, key=lambda number: (chances[number], number), reverse=True)
    aptly = (n for n in best if (meant or _answers(words, n)) and not _is_said_again(index.sections[n]))
    answers = [*islice(aptly, limit)]
    if not meant and answers and chances[answers[0]] < POSSIBLE:
        return ()
    return tuple(
        _passage(
            index.sections[number], _share(words, number), chances[number], signals[number].alike, question
        )
        for number in answers
    )


def _logits(signals: Mapping[int, Signals], strangeness: Strangeness) -> dict[int, float]:
    logits = {number: sum(map(mul, WEIGHTS, found)) for number, found in signals.items()}
    return {**logits, NONE: sum(map(mul, STRANGENESS, strangeness))}


class _Share(NamedTuple):
    """How likely the rest of a message speaks of a page and of a section of it."""

    of_page: float
    itself: float

    @property
    def logit(self) -> float:
        return OF_ITS_PAGE * math.log(self.of_page + RARELY) + OF_ITSELF * math.log(self.itself + RARELY)


def _is_of_field(index: SearchIndex, number: int) -> bool:
    """Whether `it` can mean something said before, not the program."""
    return Subject.PRODUCT not in index.sections[number].subjects


def _shares(index: SearchIndex, chances: Mapping[int, float]) -> dict[int, _Share]:
    of_page = defaultdict[str, float](float)
    for number, chance in chances.items():
        of_page[index.sections[number].page if number != NONE else ""] += chance
    pages = {NONE: "", **{at: one.page for at, one in enumerate(index.sections)}}
    return {at: _Share(of_page[page], chances.get(at, 0.0)) for at, page in pages.items()}


def _chances(logits: Mapping[int, float]) -> dict[int, float]:
    """Each section's chance to be the one that answers, by conditional logit."""
    highest = max(logits.values())
    odds = {number: math.exp(logit - highest) for number, logit in logits.items()}
    total = sum(odds.values())
    return {number: one / total for number, one in odds.items()}


def _weight(words: list[Word], section: int) -> float:
    return sum(word.weight_in(section) for word in words)


def _share(words: list[Word], section: int) -> float:
    return _weight(words, section) / (sum(word.weight for word in words) or 1.0)


def _answers(words: list[Word], section: int) -> bool:
    evidence = sum(word.weight for word in words if section in word.topic_of)
    share = _share(words, section)
    return share >= MOST_OF_IT or (share >= A_PART_OF_IT and evidence >= EVIDENCE)


def _passage(section: Section, share: float, chance: float, alike: float, question: str) -> Passage:
    return Passage(
        page=section.page, title=section.title, section=section.heading, summary=section.summary,
        text=section.text, sources=section.sources, computed=section.computed, example=section.example,
        is_row=section.is_row,
        score=round(share, 3), chance=round(chance, 3), alike=round(alike, 3), lead=lead(question, section),
    )  # fmt: skip


def _is_said_again(section: Section) -> bool:
    """Whether it only says in plain words what another one says, for whoever asks for these."""
    return section.heading.endswith(PLAINLY) and not section.questions


def in_plain_words(passage: Passage, question: str) -> Passage:
    """The section of its page that says the same in plain words; itself where there is none."""
    named = passage.section.removesuffix(PLAINLY) or passage.title
    best, most = None, (0, 0)
    for one in sections() if passage.is_row else sections_of(passage.page):
        heading = _headwords(one.heading.removesuffix(PLAINLY))
        asked, other = (len(heading & _headwords(text)) for text in (question, named))
        if one.heading.endswith(PLAINLY) and (asked, other) > most:
            best, most = one, (asked, other)
    if best is None:
        return passage
    said = {"section": best.heading, "summary": best.summary, "text": best.text, "lead": "", "computed": ""}
    said["example"] = best.example
    return passage.model_copy(update={**said, "page": best.page, "title": best.title, "is_row": False})


def _headwords(text: str) -> set[str]:
    return {*re.findall(r"[a-z]{3,}", text.casefold())} - STOP_WORDS


@cache
def _index() -> SearchIndex:
    return kept_index()
