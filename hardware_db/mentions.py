"""Targets and runtimes that a sentence speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .index import Names, read_index
from .names import distance, folded
from .resolver import lookup

_CHUNK = re.compile(r"\S+")
_WORD = re.compile(r"[A-Za-z0-9+@]+")
_FILE = re.compile(
    r"[\"'`(\[]*[^\s]*\.(tflite|lite|onnx|pt|pth|pt2|keras|h5|pb|ya?ml|json|csv|txt|md|py|html|bin|npz)[\"'`)\],.;:?!]*",
    re.IGNORECASE,
)
_LONGEST_NAME = 7
_LONG = 7
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


def find_target_names(text: str) -> list[Mention]:
    """Targets and families of targets mentioned in a sentence, in its order; never inside a file's name."""
    return _found(text, read_index().target_names)


def find_runtime_names(text: str) -> list[Mention]:
    """Runtimes and families of runtimes mentioned in a sentence, in its order."""
    return _found(text, read_index().runtime_names)


def _found(text: str, names: Names) -> list[Mention]:
    tokens = list(_words(text))
    taken: list[tuple[int, int, Mention]] = []
    free = [True] * len(tokens)
    for exact in (True, False):
        for first, last in _spans(len(tokens)):
            if not all(free[first:last]):
                continue
            key = "".join(token.key for token in tokens[first:last])
            meaning = _exact(key, names) if exact else _misspelt(tokens[first:last], key, names)
            if meaning is None:
                continue
            free[first:last] = [False] * (last - first)
            start, end = tokens[first].start, tokens[last - 1].end
            taken.append((start, end, Mention(text[start:end], meaning, exact)))
    return [mention for _, _, mention in sorted(taken, key=lambda item: item[0])]


def _words(text: str) -> Iterator[_Word]:
    for chunk in _CHUNK.finditer(text):
        if _FILE.fullmatch(chunk.group()):
            continue
        for match in _WORD.finditer(chunk.group()):
            start = chunk.start() + match.start()
            yield _Word(start, start + len(match.group()), folded(match.group()))


def _spans(count: int) -> Iterator[tuple[int, int]]:
    """Runs of neighbouring words, the longest first, then from left to right."""
    for size in range(min(_LONGEST_NAME, count), 0, -1):
        for first in range(count - size + 1):
            yield first, first + size


def _exact(key: str, names: Names) -> str | tuple[str, ...] | None:
    return lookup(key, names)


def _misspelt(tokens: list[_Word], key: str, names: Names) -> tuple[str, ...] | None:
    """Ids whose name is within one or two edits of a long stretch that looks like a name."""
    if len(key) < _LONG or not _looks_like_a_name(tokens, names):
        return None
    limit = 2 if len(key) >= _VERY_LONG else 1
    near = [(distance(key, known, limit), known) for known in names.exact if len(known) >= _LONG]
    ids = [names.exact[known] for edits, known in sorted(near) if edits <= limit]
    return tuple(dict.fromkeys(ids)) or None


def _looks_like_a_name(tokens: list[_Word], names: Names) -> bool:
    """A single word has a letter and a digit; of several, the first and one in two stand in known names."""
    if len(tokens) == 1:
        return any(c.isdigit() for c in tokens[0].key) and any(c.isalpha() for c in tokens[0].key)
    known = [len(token.key) > 2 and any(token.key in name for name in names.exact) for token in tokens]
    return known[0] and 2 * sum(known) >= len(known)
