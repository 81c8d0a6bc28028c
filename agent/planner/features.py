"""What a question shows of what it wants: its words with names and figures masked, and how many it names."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..names import Kind, Name
from ..quantities import Family, Figure

BUCKETS = 1 << 13
_WORD = re.compile(r"[a-zµ_]+(?:'[a-z]+)?|[?!.;:]")
_STOPS = frozenset("?!.;:")
_LONG, _GRAM = 5, 4
_MOST_WORDS = 300
_STAND_INS = {
    Kind.TARGET: "a_target", Kind.MODEL: "a_model", Kind.FILE: "a_model", Kind.TASK: "a_model",
    Kind.RUNTIME: "a_runtime", Kind.TRACE: "a_trace", Kind.DTYPE: "a_type", Kind.BATTERY: "a_battery",
}  # fmt: skip
_FIGURES = {
    Family.TIME: "fig_time", Family.RATE: "fig_rate", Family.CLOCK: "fig_clock", Family.BYTES: "fig_bytes",
    Family.ENERGY: "fig_energy", Family.POWER: "fig_power", Family.MONEY: "fig_price",
    Family.CHARGE: "fig_charge", Family.CURRENT: "fig_current", Family.VOLTAGE: "fig_charge",
    Family.PERCENT: "fig_ratio", Family.FACTOR: "fig_ratio", Family.SIDE: "fig_side",
}  # fmt: skip


def features_of(
    question: str, names: Sequence[Name], figures: Sequence[Figure], *, pinned: frozenset[str], follows: bool
) -> dict[int, float]:
    """Bucket → how much the feature counts.

    Args:
        pinned: `model` and `target`, where the conversation has one.
        follows: whether something was asked before.
    """
    found: dict[int, float] = {}
    for feature, weight in _named_features(question, names, figures, pinned, follows):
        found.setdefault(zlib.crc32(feature.encode()) % BUCKETS, weight)
    return found


def _named_features(
    question: str, names: Sequence[Name], figures: Sequence[Figure], pinned: frozenset[str], follows: bool
) -> Iterator[tuple[str, float]]:
    words = masked(question, names, figures)
    spoken = [word for word in words if word == "?" or word not in _STOPS]
    yield from _of_words(spoken, "", 0.6)
    yield from _of_words(_asking(words), "?", 0.3)
    for kind in ("a_target", "a_model", "a_runtime", "a_type", "a_battery"):
        yield f"{kind} {min(words.count(kind), 3)}", 0.6
    for kind in ("model", "target"):
        state = "named" if f"a_{kind}" in words else "pinned" if kind in pinned else "open"
        yield f"{kind} {state}", 0.6
    yield f"follows {follows}", 0.6
    yield f"length {min(len(words) // 6, 6)}", 0.6


def masked(question: str, names: Sequence[Name], figures: Sequence[Figure]) -> list[str]:
    """The words in lower case, a stand-in for every name and figure."""
    spans = [(n.start, n.end, _STAND_INS[n.kind]) for n in names]
    spans += [(f.start, f.end, _FIGURES.get(f.family, "fig_bare")) for f in figures]
    text, last = "", 0
    for start, end, stand_in in sorted(spans):
        text += f"{question[last:start]} {stand_in} "
        last = max(last, end)
    return _WORD.findall((text + question[last:]).casefold())[:_MOST_WORDS]


def _asking(words: Sequence[str]) -> list[str]:
    """The words of the sentences that end with a question mark; of the last one where none does."""
    sentences: list[list[str]] = [[]]
    for word in words:
        sentences[-1].append(word)
        if word in _STOPS:
            sentences.append([])
    spoken = [sentence for sentence in sentences if len(sentence) > 1]
    return [word for s in spoken if s[-1] == "?" for word in s] or (spoken[-1] if spoken else [])


def _of_words(words: Sequence[str], prefix: str, weight: float) -> Iterator[tuple[str, float]]:
    yield from ((prefix + word, weight) for word in words)
    yield from ((f"{prefix}{one} {other}", weight) for one, other in pairwise(["^", *words, "$"]))
    if prefix:
        return
    for word in words:
        if len(word) >= _LONG and "_" not in word:
            edged = f"<{word}>"
            yield from ((f"~{edged[i : i + _GRAM]}", 0.25) for i in range(len(edged) - _GRAM + 1))
