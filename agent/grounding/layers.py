"""Which layers a text names: by number, by place, by operator, or several at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .families import Family
from .figures import Figure
from .known_names import EVERY, Mention
from .operators import OPERATOR

_TENSOR = re.compile(r"\b[Tt]ens(?:or|eur)[a-z]*[ #]*$")
_SOME_LAYER = re.compile(
    r"(?<!\w)(?!first layer|second layer|third layer)"
    r"(?:each|every|all|both|others?|remaining|first|second|third|last|final|next|two|three|four)"
    r"(?: (?!layer)[\w-]+){0,3} (?:layers?|convolutions?|operators?|ops?|kernels?|poolings?)(?!\w)"
    r"(?! #?\d{1,3}(?![\d,.]))",
    re.IGNORECASE,
)
_NTH = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NTH_LAYER = re.compile(
    rf"(?:(?<!\w)(?:the|its|their|whose|very|that)|(?<=\w)['’]s) (?:very )?"
    rf"(?P<nth>{'|'.join(_NTH)}) (?:layer|operator|op)(?!\w)",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"[\s(|,:;*_`)]*(?:(?:an?|the|is|at|very|first|second|third|last|final|only|initial|layers?|op|no\.|"
    r"index|#|of [\w.-]+) ?)*[\s(|,:;*_`#]*"
)
_CLOSE = 20


def layers_in(text: str, figures: Sequence[Figure]) -> Iterator[Mention]:
    for figure in figures:
        if figure.family is Family.INDEX and not _TENSOR.search(
            text[max(0, figure.start - 12) : figure.start]
        ):
            yield Mention(figure.start, figure.end, "layer", str(int(figure.value)))
    for match in _NTH_LAYER.finditer(text):
        yield Mention(match.start(), match.end(), "layer", str(_NTH.index(match["nth"].casefold())))
    for match in _SOME_LAYER.finditer(text):
        yield Mention(match.start(), match.end(), "layer", EVERY)


def without_operators(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """The operator of a layer whose number stands beside it says no more than the number."""
    numbers = [m for m in mentions if m.kind == "layer" and m.value.isdigit()]
    return [
        m
        for m in mentions
        if not m.value.startswith(OPERATOR)
        or not any(
            _BESIDE.fullmatch(text[n.end : m.start] if n.end <= m.start else text[m.end : n.start])
            for n in numbers
            if -_CLOSE < n.start - m.end < _CLOSE or -_CLOSE < m.start - n.end < _CLOSE
        )
    ]
