"""Names that a misspelt word may stand for, found without comparing it to each of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from .names import distance


class NearNames:
    """Folded names, by their length and by the letters that each has."""

    def __init__(self, names: Iterable[str]) -> None:
        names = tuple(names)
        self._text = "\n".join(names)
        self._by_length: defaultdict[int, list[str]] = defaultdict(list)
        for name in names:
            self._by_length[len(name)].append(name)
        self._of_length: dict[int, list[tuple[int, str]]] = {}

    def hold(self, word: str) -> bool:
        """Whether the word stands within a name."""
        return word in self._text

    def within(self, key: str, limit: int, shortest: int) -> Iterator[tuple[int, str]]:
        """Names no shorter than `shortest`, with their edits; one edit changes two letters at most."""
        letters = _letters(key)
        for length in range(max(shortest, len(key) - limit), len(key) + limit + 1):
            for others, name in self._with_letters(length):
                if (letters ^ others).bit_count() > 2 * limit:
                    continue
                edits = distance(key, name, limit)
                if edits <= limit:
                    yield edits, name

    def _with_letters(self, length: int) -> list[tuple[int, str]]:
        """The names so long, each behind its letters; worked out when first asked for."""
        if length not in self._of_length:
            self._of_length[length] = [(_letters(name), name) for name in self._by_length.get(length, ())]
        return self._of_length[length]


def _letters(name: str) -> int:
    """A bit for each character that occurs."""
    bits = 0
    for letter in set(name):
        bits |= 1 << (ord(letter) & 127)
    return bits
