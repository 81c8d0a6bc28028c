"""How likely an answer is beside the question, and the line that then says how the question was taken."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from ..patterns import compiled
from ..stop_words import STOP_WORDS
from ..thesaurus import senses, stems
from .answers.pages import NEAREST
from .answers.passages import search
from .answers.still_open import told_by
from .classifier import Floats, classifier
from .query import Query, Role, Slot
from .said_in import without_units
from .want import Want
from .wants import ALONE
from .words import meaning, patterns, without_excluded


class Signals(NamedTuple):
    """What speaks for an answer beside the question, each from 0 up."""

    unsure: float = 0.0
    """Of a first question: chance that the likeliest of its wants is none."""
    untold: float = 0.0
    """Of a later one: chances together of wants that the answer does not tell."""
    strange: float = 0.0
    """Words that the answer does not speak of, up to three; of a first question those that ask for more."""


WEIGHTS = Signals(2.25, 2.37, 0.42)
BIAS = -2.95
"""Of the logit: `python -m tests.evaluation.fit_doubt` fits them on turns that strangers graded."""
DOUBTFUL = 0.16
"""Chance from which on the answer says how the question was taken."""
_WORD = compiled(r"(?<![a-z])[a-z]{3,20}(?![a-z])")
_ACCOUNTED, _TELLING = 0.25, 0.5
"""Logit that a word adds to what is told, from which on that accounts for it; and to another."""
_MOST_STRANGE, _MOST_UNTOLD = 3, 2.0
_POSSIBLE = 0.15
"""Chance from which on another reading is answered too."""
_MOST_WORDS, _MOST_WANTS = 3, 2
_TELLS_NOTHING = {
    "run", "runs", "running", "ran", "says", "made", "makes", "does", "put", "putting", "turn", "pass",
    "till", "okay", "alright", "great", "thx", "hmm",
}  # fmt: skip
"""Words that speak for a want and that nobody would look for in an answer."""
_OF_READING = ("I took ", "I did not take into account: ")
_PAGE = compiled(r"^From docs/[\w/.-]+, (.+)\.$", re.MULTILINE)
OF_AN_ANSWER = " (an answer named it)"
"""Behind a network or target that no question named."""
_FAILED = "I cannot tell"
_OF_TALK = ALONE | {Want.SAME, Want.ASK_BACK}


def signals(query: Query, answer: str, *, follows: bool) -> Signals:
    """Of an answer to a first question, or to one that follows others."""
    told, strange = told_by(query.wants), unspoken(query, answer)
    if follows:
        untold = sum(chance for want, chance in query.likely if want not in told | _OF_TALK)
        return Signals(0.0, min(untold, _MOST_UNTOLD), min(len(strange), _MOST_STRANGE))
    sure = max((chance for want, chance in query.likely if want in query.wants), default=0.0)
    page = search(query.question, 1, sure) if _PAGE.search(answer) else ()
    sure = page[0].chance if page and f"From {page[0].place}." in answer else sure
    return Signals(1 - sure, 0.0, min(len(_missed(strange, told)), _MOST_STRANGE))


def chance_of(found: Signals) -> float:
    """That an answer with such signals is wrong or beside the question."""
    return 1 / (1 + math.exp(-BIAS - sum(w * f for w, f in zip(WEIGHTS, found, strict=True))))


def with_reading(query: Query, text: str, answer: str, otherwise: str = "") -> str:
    """The answer with how its question was taken as the second line, in one with what was left out.

    Args:
        otherwise: a line on what else may be meant, which stands behind it.
    """
    if text.startswith(NEAREST):
        return text
    first, *rest = text.split("\n")
    page = None if "{{" in text else _PAGE.search(text)
    said = [f"I took this as a question on *{page[1]}*." if page else f"I took this as {taken(query)}."]
    said += [line for line in rest if line.startswith(_OF_READING) and line not in said]
    words = ", ".join(f"*{word}*" for word in missed(query, answer))
    said += [f"I may have missed {words}."] if words else []
    rest = [line for line in rest if not line.startswith(_OF_READING)]
    return "\n".join([first, " ".join(said), *filter(None, [otherwise]), *rest])


def missed(query: Query, answer: str) -> list[str]:
    """Words that the answer may be beside, the most telling first."""
    words = _missed(unspoken(query, answer), told_by(query.wants))
    words = [word for word in words if word not in _TELLS_NOTHING]
    return list(dict.fromkeys([*unheld(query.question, answer), *words]))[:_MOST_WORDS]


def unheld(question: str, answer: str) -> list[str]:
    """What a plain word asks, such as *how many users* or *why*, of which the answer holds nothing."""
    if answer.startswith(_FAILED):
        return []
    held, found = patterns("held_by"), patterns("asked_of")
    asked = {name: words[0] for name, each in found.items() if (words := each.search(question))}
    return [words.strip().casefold() for name, words in asked.items() if not held[name].search(answer)]


def others(query: Query) -> Iterator[Want]:
    """What may be wanted beside what is told, the likeliest first."""
    told = told_by(query.wants) | _OF_TALK
    yield from (want for want, chance in query.likely if chance >= _POSSIBLE and want not in told)


def taken(query: Query) -> str:
    """What is wanted of what, and where that came from."""
    wanted = dict.fromkeys([*(want for want, _ in query.likely if want in query.wants), *query.wants])
    wants = " and ".join([*filter(None, map(meaning, wanted))][:_MOST_WANTS]) or "the same again"
    return ": ".join(filter(None, (wants, _named_things(query, origin=True))))


def _named_things(query: Query, *, origin: bool = False) -> str:
    """The network on the target; with what earlier turns brought in, and which."""
    named = [tuple(_names(query, role)) for role in (Role.MODEL, Role.TARGET)]
    origins = {from_where for pairs in named for _, from_where in pairs}
    apart, shared = origin and len(origins) > 1, origin and len(origins) == 1
    words = [" and ".join(name + where * apart for name, where in pairs) for pairs in named if pairs]
    return " on ".join(words) + (origins.pop() if shared else "")


def _names(query: Query, role: Role) -> Iterator[tuple[str, str]]:
    for value, slot in {slot.value: slot for slot in query.slots if slot.role is role}.items():
        yield str(value).rpartition("/")[2], _origin(query, slot)


def _origin(query: Query, slot: Slot) -> str:
    """Who brought in what this question does not name; empty where it was there from the beginning."""
    asked = (query, *reversed(query.established))
    found = next((at for at, one in enumerate(asked) if _is_named_in(one, slot)), None)
    if found is not None:
        return ("", " (from the question before)", " (from an earlier question)")[min(found, 2)]
    pinned = any(slot.value == first.value and first.inherited for first in asked[-1].slots)
    return "" if pinned else OF_AN_ANSWER


def _is_named_in(query: Query, slot: Slot) -> bool:
    said = [one.text.casefold() for one in query.slots if (one.role, one.value) == (slot.role, slot.value)]
    return any(text and text in query.question.casefold() for text in said)


def unspoken(query: Query, answer: str) -> list[str]:
    """Words beside names and figures that the answer does not speak of."""
    text = without_excluded(without_units(query.question.casefold()))
    said = [slot.text for slot in query.slots if slot.text and not slot.inherited]
    said += [name.text for name in query.unknown]
    said += [figure.text for figure in query.figures]
    for each in sorted(set(said), key=len, reverse=True):
        text = text.replace(each.casefold(), " § ")
    heard = frozenset(stems(f"{answer} {' '.join(map(meaning, query.wants))}"))
    words = [word for word in dict.fromkeys(_WORD.findall(text)) if word not in STOP_WORDS]
    return [word for word in words if not heard.issuperset(stems(word))]


def _missed(words: Iterable[str], told: Collection[Want]) -> list[str]:
    """Those that speak for a want that is not told and for none that is, the most telling first."""
    found = {word: _speaks_for(word, told) for word in words}
    missed = [word for word, (here, other) in found.items() if here < _ACCOUNTED and other >= _TELLING]
    return sorted(missed, key=lambda word: -found[word][1])


def _speaks_for(word: str, told: Collection[Want]) -> tuple[float, float]:
    """The logit that a word adds to the likeliest of what is told, and of what is not."""
    wants = classifier("wants")
    features = [(word, 0.6), (f"?{word}", 0.3)]
    features += [(f"%{sense}", 0.4) for sense in sorted({sense for _, sense in senses([word])})]
    logits: Floats = np.sum([weight * wants.logits(feature) for feature, weight in features], axis=0)
    of_told = np.array([label in told for label in wants.labels])
    here, other = logits[of_told], logits[~of_told]
    return float(here.max(initial=0.0)), float(other.max(initial=0.0))
