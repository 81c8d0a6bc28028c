"""What a word means, by the rows of the glossary, where a question asks just that."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import chain, pairwise

from .pages import Section, made_of_pages, sections
from .patterns import compiled
from .stop_words import STOP_WORDS

_ASKS = compiled(
    r"\bwhat\W*(?:s|is|are|exactly is)\b|\bexplain\b|"
    r"\bdefin(?:e|ition)\b|\bmean(?:s|ing|t)?\b|\bdifference\b|"
    r"\bvs\b|\bversus\b|\bdescribe\b|\bstands? for\b",
    re.IGNORECASE,
)
_ASKED = compiled(
    r"\b(?:explain|define|describe|what (?:exactly )?(?:is meant by|is|are|does|do)|what\W?s|meaning of|"
    r"definition of)\W+(?:to me |me )?(?:(?:the|an?|word|term|concept|idea|meaning|of|by)\W+)*",
    re.IGNORECASE,
)
"""What stands before the word whose meaning is asked for."""
_BEHIND = frozenset(
    ("mean", "in", "on", "to", "like", "as", "if", "here", "with", "please", "when", "thing", "stuff")
)
"""What may stand behind it, whatever else is named then."""
_GLUE = frozenset(
    (
        "between", "words", "word", "plain", "english", "beginner", "beginners", "dummies", "dumb",
        "intern", "boss", "student", "short", "sentence", "sentences", "two", "three", "five",
        "terms", "pm", "please", "kid", "child", "manager", "newbie", "layman", "context", "ml",
        "ai", "tinyml", "neural", "network", "networks", "tflite", "tflm", "vs", "versus", "output",
        "here", "hello", "quick", "pupil", "pupils", "class", "school", "exactly",
        "stand", "stands", "btw", "anyway", "actually", "dose", "thing", "wait",
    )
)  # fmt: skip
_MOST_OTHERS, _MOST_NAMES = 0, 3
_BEGINNING, _MOST_WORDS = 5, 3
"""Words at the beginning of a section among which what it defines stands, and of what it defines."""
_SENTENCES = compiled(
    r"[.?!;]\s+|,\s+(?=what\b)|"
    r",?\s+(?:and then|and|then)\s+(?:(?:tell|show|explain) (?:me|us)\s+)?"
    r"(?=(?:(?:on|in|at|by|for|from) )?(?:why|how|what|which|whether)\b|(?:is|are|does|do|can|would)\b)",
    re.IGNORECASE,
)
_ASKS_MORE = compiled(
    r"(?:(?:on|in|at|by|for|from) )?(?:why|how|what|which|whether|is|are|does|do|can|would)\b", re.IGNORECASE
)
_POINTING = compiled(
    r"^\W*what(?:'?s| is| are| does)\s+(?:it|that|this|those|they)(?: mean)?\b\W*$", re.IGNORECASE
)
"""What asks for the meaning of a word that stands in the sentence before."""
_MEANS = compiled(r"\bmean(?:s|t|ing)?\b|\bexplain\b|\bstands? for\b|\bdefin(?:e|ition)\b", re.IGNORECASE)
_IN_QUOTES = compiled(
    r"(?<![a-z0-9])[\"'\u2018\u201c\u201e\u00ab]([^\"'\u2018-\u201e\u00ab\u00bb]{2,40})[\"'\u2019\u201c\u201d\u00bb](?![a-z0-9])",
    re.IGNORECASE,
)
_END = compiled(r"(?<=[.!?])\s+(?=[A-Z])")
_ARTICLE = compiled(r"^the ", re.IGNORECASE)
_WORD = compiled(r"[a-z0-9]+(?::[a-z0-9]+)*")


def definitions(question: str) -> Sequence[Section]:
    """Sections that begin with what a word means: all that one question asks, or one of its sentences.

    None where no sentence asks for a meaning alone.
    """
    sentences = _SENTENCES.split(question)
    pointing = (_named_in(before)[:1] for before, one in pairwise(sentences) if _POINTING.search(one))
    asked = chain(map(_defined_by, (question, *sentences)), map(_quoted_in, sentences), pointing)
    return next(filter(None, asked), ())


def asks_for_meaning_alone(question: str) -> bool:
    """Whether the whole of it does, and no sentence of it asks for more."""
    more = (
        one for one in _SENTENCES.split(question)[1:] if _ASKS_MORE.match(one) and not _POINTING.match(one)
    )
    asked = _defined_by(question) or any(map(_quoted_in, _SENTENCES.split(question)))
    return bool(asked) and all(_defined_by(one) or _quoted_in(one) for one in more)


def definition(section: Section) -> str:
    """The sentence that says what the word means."""
    if section.is_row:
        return f"{', '.join(section.heading.split(', ')[:_MOST_NAMES]).strip('`')}: {section.text}."
    return _END.split(section.summary)[0]


def names_of(section: Section) -> Sequence[str]:
    """What it defines, in lower case."""
    heading = section.heading or _ARTICLE.sub("", section.title)
    return [name.partition(" (")[0].strip("`") for name in heading.casefold().split(", ")]


def _defined_by(sentence: str) -> Sequence[Section]:
    if not _ASKS.search(sentence):
        return ()
    said = _WORD.findall(sentence.casefold())
    words = [_singular(word) for word in said]
    named = _spans(words)
    spans = [*named]
    for begins in _ASKED.finditer(sentence):
        at = len(_WORD.findall(sentence[: begins.end()].casefold()))
        for span in spans:
            if span[0] == at and not {*words[span[1] : span[1] + 1]} - _BEHIND:
                return (named[span],)
    covered = {at for start, end in spans for at in range(start, end)}
    others = [
        word
        for at, word in enumerate(words)
        if at not in covered and not {word, said[at]} & (STOP_WORDS | _GLUE) and len(word) > 1
    ]
    return () if len(others) > _MOST_OTHERS else tuple(dict.fromkeys(named[span] for span in sorted(spans)))


def _quoted_in(sentence: str) -> Sequence[Section]:
    """What stands in quotation marks where a meaning is asked for: an answer is quoted, figures and all."""
    words = _IN_QUOTES.findall(sentence) if _MEANS.search(sentence) else ()
    return tuple(dict.fromkeys(section for one in words for section in _spans(_words(one)).values()))


def _words(text: str) -> list[str]:
    return [_singular(word) for word in _WORD.findall(text.casefold())]


def _named_in(sentence: str) -> Sequence[Section]:
    """What it names that is defined somewhere, in its order; a few words are one name, which it has to be."""
    words = _words(sentence)
    found = _spans(words)
    said = sum(end - start for start, end in found) + sum(word in STOP_WORDS for word in words)
    return [found[span] for span in sorted(found)] if len(words) > _MOST_WORDS or said == len(words) else []


def _spans(words: Sequence[str]) -> dict[tuple[int, int], Section]:
    """Where names stand among the words, the longest of those that overlap."""
    named: dict[tuple[int, int], Section] = {}
    for name, section in _names():
        for at in range(len(words) - len(name) + 1):
            if tuple(words[at : at + len(name)]) == name:
                named.setdefault((at, at + len(name)), section)
    return {one: row for one, row in named.items() if not any(_holds(other, one) for other in named)}


def _holds(other: tuple[int, int], one: tuple[int, int]) -> bool:
    return other != one and other[0] <= one[0] and one[1] <= other[1]


@cache
def _names() -> tuple[tuple[tuple[str, ...], Section], ...]:
    """Words of each name of what is defined, and the section that defines it."""
    every = sections()
    return tuple((words, every[at]) for words, at in made_of_pages(__file__, _named))


def _named() -> list[tuple[tuple[str, ...], int]]:
    """Words of each name of each row: `head, tail` has two, and so has `energy-delay product (EDP)`.

    Before them, of the headings on the field that begin with what they are about.
    """
    found = []
    for at, section in enumerate(sections()):
        if not section.is_row and section.page.startswith("concepts/"):
            begins = set(_WORD.findall(section.summary.casefold())[:_BEGINNING])
            for name in names_of(section):
                titles = _of_title(name)
                if titles and len(titles[0]) <= _MOST_WORDS and set(_WORD.findall(name)) <= begins:
                    found += [(each, at) for each in titles]
    for at, section in enumerate(sections()):
        if section.is_row:
            for name in re.split(r", | \(|\)|`", section.heading):
                if words := tuple(_singular(word) for word in _WORD.findall(name.casefold())):
                    found.append((words, at))
    return found


def _of_title(title: str) -> Sequence[tuple[str, ...]]:
    """`roofline model` goes by its first word too."""
    whole = tuple(_singular(word) for word in _WORD.findall(title))
    return (whole, whole[:-1]) if whole[-1:] == ("model",) else (whole,)


def _singular(word: str) -> str:
    word = re.sub(r"is(?=(?:e[drs]?|ing|ations?)\b)", "iz", word)
    return word.removesuffix("s") if len(word) > 3 and not word.endswith("ss") else word
