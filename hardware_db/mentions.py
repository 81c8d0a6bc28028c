"""Targets and runtimes that a sentence speaks of."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from .index import Names, read_index
from .names import folded
from .near_names import NearNames
from .resolver import part_lookup
from .user_files import Directories, directories

_CHUNK = re.compile(r"\S+")
_WORD = re.compile(r"[A-Za-z0-9+@]+")
_FILE = re.compile(
    r"[\"'`(\[]*[^\s]*\.(tflite|lite|onnx|pt|pth|pt2|keras|h5|pb|ya?ml|json|csv|txt|md|py|html|bin|npz)[\"'`)\],.;:?!]*",
    re.IGNORECASE,
)
_VARIANT = re.compile(r"\d{1,3}gb?|pcie|nvl|nano|nx|mini|lite|super|zero")
_FORMATS = frozenset({"onnx", "tflite"})
"""Names that in a sentence mean a model's file format."""
_COMMON_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        a an and any are as at be but by can do does fit for has have how if in is it its kb mb mhz ms my no
        same then gap hale ensemble pulp instinct
        not of off on or our out per run so than that the to up us use was we what when why will with you
        """,
    )
)
_LONGEST_NAME = 7
_LONG = 7
_BEFORE_NUMBERS = frozenset(["the", "a", "an", "my", "our", "on", "and", "or", "vs", "against"])
_AFTER_NUMBERS = frozenset(
    ["dk", "board", "chip", "mcu", "module", "and", "vs", "against", "instead", "then"]
)
_LONG_NUMBER = 4
_LETTERS = re.compile(r"^[a-z]+(?=\d+$)")
_SHORTEST_PLURAL = 4
_VERY_LONG = 9


class Mention(NamedTuple):
    """A stretch of text and what it stands for.

    An id; several ids where it names a family; or, not `exact`, the nearest ids where it is misspelt.
    """

    text: str
    meaning: str | tuple[str, ...]
    exact: bool


class _Word(NamedTuple):
    start: int
    end: int
    key: str
    chunk: int
    """Start of the stretch without blanks that it stands in."""


def find_target_names(text: str, own: Directories | None = None) -> list[Mention]:
    """Targets and families of targets mentioned in a sentence, in its order; never inside a file's name.

    Args:
        own: directories of the user's own hardware; None reads the environment.
    """
    return list(_found_of("target", text, directories() if own is None else own))


def find_runtime_names(text: str, own: Directories | None = None) -> list[Mention]:
    """Runtimes and families of runtimes mentioned in a sentence, in its order; `own` as above."""
    return list(_found_of("runtime", text, directories() if own is None else own))


@functools.lru_cache(maxsize=128)
def _found_of(kind: str, text: str, where: tuple[Path, ...]) -> tuple[Mention, ...]:
    """Kept: what is asked is read more than once, and again with every turn after it."""
    index = read_index(where)
    return tuple(_found(text, index.target_names if kind == "target" else index.runtime_names))


def _found(text: str, names: Names) -> list[Mention]:
    """Names first, then misspelt names in what is left, then families in what is left of that."""
    tokens = list(_words(text))
    taken: list[tuple[int, Mention]] = []
    free = [True] * len(tokens)
    for meaning_of in (_name, _misspelt, _family, _number):
        for first, last in _spans(len(tokens)):
            if not all(free[first:last]):
                continue
            meaning = meaning_of(tokens[first:last], names)
            if meaning is None or (meaning_of is _number and not _stands_alone(tokens, first)):
                continue
            variant = isinstance(meaning, str) and _names_a_variant(text, tokens, last)
            stop = last + 1 if variant else last
            free[first:stop] = [False] * (stop - first)
            start, end = tokens[first].start, tokens[stop - 1].end
            exact = not variant and meaning_of is not _misspelt
            stands_for = (meaning,) if variant and isinstance(meaning, str) else meaning
            taken.append((start, Mention(text[start:end], stands_for, exact)))
    return [mention for _, mention in sorted(taken)]


def _words(text: str) -> Iterator[_Word]:
    for chunk in _CHUNK.finditer(text):
        if _FILE.fullmatch(chunk.group()):
            continue
        for match in _WORD.finditer(chunk.group()):
            start = chunk.start() + match.start()
            yield _Word(start, start + len(match.group()), folded(match.group()), chunk.start())


def _spans(count: int) -> Iterator[tuple[int, int]]:
    """Runs of neighbouring words, the longest first, then from left to right."""
    for size in range(min(_LONGEST_NAME, count), 0, -1):
        for first in range(count - size + 1):
            yield first, first + size


def _name(tokens: list[_Word], names: Names) -> str | None:
    """Id of a name; an order code is one unbroken stretch."""
    key = _key(tokens)
    for spelt in (key, _singular(key)):
        if spelt in names.exact:
            return None if spelt in _FORMATS else names.exact[spelt]
    return part_lookup(key, names) if tokens[0].chunk == tokens[-1].chunk else None


def _singular(key: str) -> str:
    """Two Picos are of one kind."""
    return key[:-1] if len(key) > _SHORTEST_PLURAL and key.endswith("s") else key


def _family(tokens: list[_Word], names: Names) -> tuple[str, ...] | None:
    key = _key(tokens)
    return None if key in _COMMON_WORDS else names.families.get(key) or names.families.get(_singular(key))


def _number(tokens: list[_Word], names: Names) -> tuple[str, ...] | None:
    """The 5340: the number of a chip alone, where one chip has it."""
    key = _key(tokens)
    if len(tokens) > 1 or not key.isdigit() or len(key) < _LONG_NUMBER:
        return None
    found = {
        names.exact[known]
        for known in names.exact
        if _LETTERS.sub("", known) == key and known[0] not in "0123456789"
    }
    return tuple(found) if len(found) == 1 else None


def _stands_alone(tokens: list[_Word], at: int) -> bool:
    """After an article or the like, and no unit after it: the 5340, not 2000 mAh."""
    before = tokens[at - 1].key if at else ""
    after = tokens[at + 1].key if at + 1 < len(tokens) else ""
    return before in _BEFORE_NUMBERS and (not after or after in _COMMON_WORDS | _AFTER_NUMBERS)


def _misspelt(tokens: list[_Word], names: Names) -> tuple[str, ...] | None:
    """Ids whose name is within one or two edits of a long stretch that looks like a name."""
    key = _key(tokens)
    if len(key) < _LONG or key in names.families or any(token.key in _COMMON_WORDS for token in tokens):
        return None
    limit = 2 if len(key) >= _VERY_LONG else 1
    spelt = _near_names(names)
    if _looks_like_a_name(tokens, spelt):
        near = sorted(spelt.within(key, limit, _LONG))
    elif len(key) >= _VERY_LONG:
        near = sorted(n for n in spelt.within(key, limit, _VERY_LONG) if _begins_alike(key, n[1]))
    else:
        return None
    return tuple(dict.fromkeys(names.exact[known] for _, known in near)) or None


_NEAR: dict[int, tuple[Names, NearNames]] = {}
"""By identity of the names that they were made of."""


def _near_names(names: Names) -> NearNames:
    kept = _NEAR.get(id(names))
    if kept is None or kept[0] is not names:
        kept = names, NearNames(names.exact)
        _NEAR[id(names)] = kept
    return kept[1]


def _looks_like_a_name(tokens: list[_Word], names: NearNames) -> bool:
    """A single word has a letter and a digit; of several, the first and one in two stand in known names."""
    key = _key(tokens)
    if tokens[0].chunk == tokens[-1].chunk:
        return any(c.isdigit() for c in key) and any(c.isalpha() for c in key)
    known = [_stands_in_a_name(token.key, names) for token in tokens]
    numbered = any(c.isdigit() for c in key)
    return (known[0] or numbered) and 2 * sum(known) >= len(known)


def _begins_alike(key: str, known: str) -> bool:
    """The first letter and the digits."""
    return key[0] == known[0] and sorted(filter(str.isdigit, key)) == sorted(filter(str.isdigit, known))


def _stands_in_a_name(word: str, names: NearNames) -> bool:
    return (len(word) > 2 or word.isdigit()) and names.hold(word)


def _names_a_variant(text: str, tokens: list[_Word], last: int) -> bool:
    """Whether the next word makes another product of the name: 'Pico 2', 'A100 40GB', 'H100 PCIe'."""
    if last == len(tokens) or tokens[last].start - tokens[last - 1].end != 1:
        return False
    if text[tokens[last - 1].end] not in " -_":
        return False
    if tokens[last].key.isdigit():
        return len(tokens[last].key) < 3 and not tokens[last - 1].key[-1].isdigit()
    return _VARIANT.fullmatch(tokens[last].key) is not None


def _key(tokens: list[_Word]) -> str:
    return "".join(token.key for token in tokens)
