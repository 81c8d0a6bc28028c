"""What a name says, word by word, in whatever order: `4060 Ti 16GB`, `XIAO S3 Sense`, `YOLO11 medium`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from typing import NamedTuple

_TOKEN = re.compile(
    r"(?=[a-z])(?:(?P<module>(?:wroom|devkit[cm])-?[12]u?(?![a-z0-9]))|n\d{1,2}r\d{1,2}(?=v?(?![a-z0-9]))"
    r"|(?:esp|stm)\d+"
    r"|(?P<sign>v(?=\d)|x(?=\d[_.]\d)|(?<=\.\d)x(?![a-z])|(?<=\.\d\d)x(?![a-z]))"
    r"|(?<![a-z])[a-z]\d+|[a-z][a-uw-z]*(?:v(?!\d)[a-uw-z]*)*)"
    r"|(?=\d)(?:(?P<memory>\d{1,4})[ ]?g(?:i?b|igs?)?(?![a-z0-9]|[ ]?(?:/|per\b))"
    r"|(?P<billions>\d{1,4}(?:\.\d+)?)[ ]?b(?![a-z0-9])"
    r"|(?<![v\d])(?P<whole>\d)[_.](?P<part>\d)(?!\d)|\d+(?:\.\d+)?)"
    r"|(?<=\w)\+",
    re.IGNORECASE | re.ASCII,
)
_MAKERS = frozenset(
    re.findall(
        r"\w+",
        """
        amd apple arduino geforce gtx imac intel mac macbook nvidia radeon raspberry rtx rx tesla
        """,
    )
)
"""Words that a name may have or not; who says one means nothing of another maker."""
_GENERIC = frozenset(
    re.findall(
        r"\w+",
        """
        a an my the your board boards card chip chipset computer core cpu desktop dev developer
        development devkit edition founders generation gpu microcontroller model module pc processor soc
        v vendor version with adafruit arm asus espressif facebook google instinct meta microsoft nordic
        seeed sparkfun st
        """,
    )
)
"""What all such things are."""
_JOINING = frozenset(("and", "at", "by", "for", "from", "in", "of", "on", "or", "than", "to", "vs"))
_OPTIONAL = _MAKERS | _GENERIC | _JOINING
_NUMBERED = re.compile(r"\d")
_NUMBER = re.compile(r"\d+", re.ASCII)
_LETTER = re.compile("[a-z]")


class Token(NamedTuple):
    word: str
    start: int
    end: int


class Meaning(NamedTuple):
    """What a name may stand for."""

    ids: tuple[str, ...]
    """Those that explain every word of it with the fewest words more; none where nothing does."""
    more: int
    """How many words more their names have."""
    sole: bool = False
    """Whether one thing alone has all the words."""


NOTHING = Meaning((), 0)


class TokenNames:
    """Names as the words that they are made of."""

    def __init__(
        self,
        names: Mapping[str, str],
        alike: Mapping[str, str] | None = None,
        makers: Mapping[str, str] | None = None,
    ) -> None:
        """
        Args:
            names: each name as it is written → the id that goes by it.
            alike: words → the word that means the same.
            makers: id → who makes it.
        """
        self._alike, self._makers_named = dict(alike or {}), makers or {}
        self._written, self._ids = tuple(names), tuple(names.values())
        lower = [name.lower() for name in names]
        self._lines = "\n".join(lower)
        self._starts = list(accumulate((len(name) + 1 for name in lower), initial=0))
        self._told: dict[int, tuple[str, ...]] = {}
        self._places: dict[str, list[int]] = {}

    def _with(self, word: str) -> Sequence[int]:
        """Places of the names that have the word; no other name is taken apart for it."""
        if word not in self._places:
            spelt = [word, *(other for other, same in self._alike.items() if same == word)]
            spelt += ["+"] if word == "plus" else []
            near = {place for each in spelt for place in self._near(each)} if word not in _OPTIONAL else ()
            self._places[word] = [place for place in sorted(near) if word in self._telling(place)]
        return self._places[word]

    def _near(self, word: str) -> Iterator[int]:
        """Places of the names that may have a word: it or the number that it begins with stands there."""
        number, lines = _NUMBER.match(word), self._lines
        begins = number[0] if number else word
        at = lines.find(begins)
        while at >= 0:
            before, after = lines[max(at - 1, 0) : at], lines[at + len(word) : at + len(word) + 1]
            if not (word.isalpha() and (_LETTER.match(before) or (_LETTER.match(after) and after != "v"))):
                yield bisect_right(self._starts, at) - 1
            at = lines.find(begins, at + 1)

    def _telling(self, place: int) -> tuple[str, ...]:
        """The words of a name that tell one thing from another."""
        if place not in self._told:
            self._told[place] = tuple([word for word in self._all(place) if word not in _OPTIONAL])
        return self._told[place]

    def _all(self, place: int) -> list[str]:
        return [self._alike.get(word, word) for _, word in _words(self._written[place])]

    @cached_property
    def _names(self) -> list[tuple[tuple[str, ...], str]]:
        """All of them, for what is asked of all."""
        return [(self._telling(place), identifier) for place, identifier in enumerate(self._ids)]

    @cached_property
    def _makers(self) -> Mapping[str, set[str]]:
        """Who makes each, by its names or as it is known."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for place, identifier in enumerate(self._ids):
            found[identifier].update(_MAKERS.intersection(self._all(place)))
        for identifier, maker in self._makers_named.items():
            found[identifier].update(_MAKERS.intersection(maker.casefold().split()))
        return found

    def words(self, name: str) -> list[str]:
        """The words that tell one thing from another."""
        return [token.word for token in self.tokens(name) if token.word not in _OPTIONAL]

    def tokens(self, text: str) -> list[Token]:
        return [
            Token(self._alike.get(word, word), match.start(), match.end()) for match, word in _words(text)
        ]

    def knows(self, word: str) -> bool:
        """Whether a name has the word."""
        return bool(self._with(word))

    def meaning(self, words: Iterable[str]) -> Meaning:
        """Of these words, in any order; those that a name may have or not are passed over."""
        every = tuple(words)
        said = Counter(word for word in every if word not in _OPTIONAL)
        makers = _MAKERS.intersection(every)
        if not said:
            return NOTHING
        rarest = min(said, key=lambda word: len(self._with(word)))
        found: list[tuple[int, str]] = []
        for place in self._with(rarest):
            identifier, has = self._ids[place], Counter(self._telling(place))
            if makers and not makers <= self._makers[identifier]:
                continue
            if all(has[word] >= count for word, count in said.items()):
                found.append((has.total() - said.total(), identifier))
        fewest = min((more for more, _ in found), default=0)
        ids = tuple(dict.fromkeys(identifier for more, identifier in found if more == fewest))
        return Meaning(ids, fewest, len({identifier for _, identifier in found}) == 1)

    def nearest(self, words: Iterable[str], count: int) -> tuple[str, ...]:
        """Ids of the names that have the most of these words and the fewest others, best first."""
        said = Counter(words)
        scored: dict[str, float] = {}
        for has, identifier in self._names:
            shared = 0 if said.keys().isdisjoint(has) else (Counter(has) & said).total()
            score = shared / (Counter(has) | said).total() if shared else 0.0
            scored[identifier] = max(score, scored.get(identifier, 0.0))
        best = sorted(scored, key=lambda identifier: (-scored[identifier], identifier))
        return tuple(identifier for identifier in best[:count] if scored[identifier])

    def has_pair(self, first: str, second: str) -> bool:
        """Whether a name has the two words one after the other."""
        return any(
            (first, second) in pairwise(dict.fromkeys(self._telling(place)))
            for place in {*self._with(first)}.intersection(self._with(second))
        )

    def begin_with(self, word: str, identifiers: Sequence[str]) -> bool:
        """Whether each of these has a name that begins with the word."""
        return set(identifiers) <= {
            self._ids[place] for place in self._with(word) if self._telling(place)[0] == word
        }

    def words_of(self, identifier: str) -> set[str]:
        places = (place for place, other in enumerate(self._ids) if other == identifier)
        return {word for place in places for word in self._telling(place)}


def _words(text: str) -> Iterator[tuple[re.Match[str], str]]:
    for match in _TOKEN.finditer(text):
        match match.lastgroup:
            case None:
                yield match, "plus" if match[0] == "+" else match[0].lower()
            case "memory":
                yield match, f"{match['memory']}gb"
            case "billions":
                yield match, f"{match['billions']}b"
            case "part":
                yield match, f"{match['whole']}.{match['part']}"


def joins(word: str) -> bool:
    """Whether it stands between two things, not within the name of one."""
    return word in _JOINING


def is_number(word: str) -> bool:
    return _NUMBERED.search(word) is not None
