"""What a question shows of its intent: its words with names and figures masked, and what it names at all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..grounding.families import Family
from ..grounding.figures import find_figures
from ..grounding.spoken_figures import in_digits
from .intents import intents_in
from .word_classes import classes_of

_WORD = re.compile(r"[a-zµ_]+(?:'[a-z]+)?|[?!.;:]")
_STOPS = frozenset("?!.;:")
_LONG, _GRAM = 5, 4
_FIGURES = {
    Family.TIME: "fig_time", Family.RATE: "fig_rate", Family.FREQUENCY: "fig_clock",
    Family.BYTES: "fig_bytes",
    Family.ENERGY: "fig_energy", Family.POWER: "fig_power", Family.MONEY: "fig_price",
    Family.OTHER_MONEY: "fig_price", Family.CHARGE: "fig_charge", Family.CURRENT: "fig_current",
    Family.RATIO: "fig_ratio",
}  # fmt: skip


@dataclass(frozen=True)
class Names:
    """The words of a question that name things, and what is named beside it."""

    models: Sequence[str] = ()
    targets: Sequence[str] = ()
    runtimes: Sequence[str] = ()
    pinned_model: bool = False
    pinned_target: bool = False
    in_conversation: bool = False


def features_of(question: str, names: Names) -> list[str]:
    """Each feature once: words, pairs of words, parts of long words, what is named, and what rules say."""
    words = masked(question, names)
    asking = [f"?{feature}" for feature in _of_words(_asking(words)) if feature[0] != "~"]
    spoken = [word for word in words if word == "?" or word not in _STOPS]
    found = [
        *_of_words(spoken),
        *asking,
        *_of_names(names, words),
        *(f"rule {name}" for name in intents_in(question)),
    ]
    return list(dict.fromkeys(found))


def masked(question: str, names: Names) -> list[str]:
    """The words in lower case, a stand-in for every name and figure."""
    text = question
    for stand_in, spelt in (
        ("a_model", names.models),
        ("a_target", names.targets),
        ("a_runtime", names.runtimes),
    ):
        text = _without(text, spelt, f" {stand_in} ")
    text = in_digits(text)
    for figure in reversed(find_figures(text)):
        stand_in = _FIGURES.get(figure.family, "fig_other") if figure.family else "fig_bare"
        text = f"{text[: figure.start]} {stand_in} {text[figure.end :]}"
    return _WORD.findall(text.casefold())


def _asking(words: Sequence[str]) -> list[str]:
    """The words of the sentences that end with a question mark; of the last one where none does."""
    sentences: list[list[str]] = [[]]
    for word in words:
        sentences[-1].append(word)
        if word in _STOPS:
            sentences.append([])
    spoken = [sentence for sentence in sentences if len(sentence) > 1]
    return [word for s in spoken if s[-1] == "?" for word in s] or (spoken[-1] if spoken else [])


def _without(text: str, spelt: Iterable[str], stand_in: str) -> str:
    for name in sorted(filter(None, spelt), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", stand_in, text, flags=re.IGNORECASE)
    return text


def _of_words(words: Sequence[str]) -> Iterator[str]:
    yield from words
    yield from (f"{one} {other}" for one, other in pairwise(["^", *words, "$"]))
    classes = {word: classes_of(word) for word in words}
    yield from (f"class {name}" for each in classes.values() for name in each)
    for one, other in pairwise(words):
        yield from (f"{a} + {b}" for a in classes[one] for b in classes[other])
    for word in words:
        if len(word) >= _LONG and "_" not in word:
            edged = f"<{word}>"
            yield from (f"~{edged[i : i + _GRAM]}" for i in range(len(edged) - _GRAM + 1))


def _of_names(names: Names, words: Sequence[str]) -> Iterator[str]:
    yield f"models {min(len(names.models), 2)}"
    yield f"targets {min(len(names.targets), 3)}"
    yield f"runtimes {min(len(names.runtimes), 2)}"
    yield f"model {'named' if names.models else 'pinned' if names.pinned_model else 'open'}"
    yield f"target {'named' if names.targets else 'pinned' if names.pinned_target else 'open'}"
    yield f"conversation {names.in_conversation}"
    yield f"length {min(len(words) // 6, 6)}"
