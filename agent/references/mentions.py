"""What the words of an answer speak of: each name, whole or in short, each clock, batch and layer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from ...hardware_db.errors import EdgewrightError
from ...hardware_db.loader import load_runtime, load_target
from ...hardware_db.user_files import Directories
from ...tools.core.records import dataclass
from ..names import Kind
from .passages import names_in
from .subjects import FAMILY, known_id

_KINDS = {
    Kind.TARGET: "target",
    Kind.RUNTIME: "runtime",
    Kind.MODEL: "model",
    Kind.FILE: "model",
    Kind.DTYPE: "dtype",
}
_COUNTS = {
    "clock_mhz": re.compile(r"(?:\bat|@)\s?(\d+(?:\.\d+)?)\s?(?:MHz|(GHz))\b", re.I),
    "batch": re.compile(r"\bbatch(?:es)?(?: size)?(?: of)? (\d+)\b()", re.I),
    "layer": re.compile(r"\b(?:layers?|operators?|ops?)(?: index)? #?(\d+)()", re.I),
}
_ASIDE = re.compile(
    r"\b(?:than|instead of|without|against|versus|vs\.?|not|unlike|compared (?:to|with)|over|like)"
    r"(?: (?:the|with|on|using|a|an|for))*[ (]*$",
    re.I,
)
"""Before a subject that is only compared with."""
_NAMED = ("target", "runtime", "model", "dtype", "weights", "kv", "technique", "row")
_COUNTED = ("batch", "threads", "clock_mhz", "context", "prompt_tokens", "layer", "row")
_WORDED = {"one": 1, "single": 1, "two": 2, "three": 3, "four": 4, "six": 6, "eight": 8, "sixteen": 16}
_NUMBER = re.compile(rf"(?<![\w.,-])(\d[\d,]*(?:\.\d+)?)(k\b)?|\b({'|'.join(_WORDED)})\b", re.I)
_WORD = re.compile(r"\w*[^\W_]")
_DENIED = re.compile(
    r"\b(?:other|no|none(?: of (?:them|these|those|which))?)(?: (?:on|with|of|an?|the))*[ (]*$", re.I
)
"""Before a subject that nothing is said of."""


_OF_ALL_KERNELS = re.compile(r"tflm|tf(?:lite)? micro|tensorflow lite micro", re.I)
"""Names a runtime whatever its kernels are."""


@dataclass(frozen=True)
class Mention:
    start: int
    end: int
    kind: str
    ids: frozenset[str]
    aside: bool = False


def mentions_in(
    text: str,
    figures: Sequence[tuple[int, int]] = (),
    own: Directories | None = None,
) -> list[Mention]:
    """Every subject that a text names; `figures` are no part of a name."""
    words = list(text)
    for start, end in figures:
        words[start:end] = "#" * len(words[start:end])
    found = [
        Mention(
            n.start,
            n.end,
            _KINDS[n.kind],
            frozenset(map(known_id, n.ids)) | (FAMILY if _OF_ALL_KERNELS.fullmatch(n.text) else frozenset()),
            _ASIDE.search(text[max(0, n.start - 40) : n.start]) is not None,
        )
        for n in names_in("".join(words), own)
        if n.kind in _KINDS and n.ids and not _DENIED.search(text[max(0, n.start - 40) : n.start])
    ]
    for kind, pattern in _COUNTS.items():
        for match in pattern.finditer(text):
            count = f"{float(match[1]) * (1e3 if match[2] else 1):g}"
            found.append(Mention(match.start(), match.end(), kind, frozenset({count})))
    return sorted(found, key=lambda m: m.start)


def in_short(
    text: str, known: Mapping[str, set[str]], named: Sequence[Mention], own: Directories | None = None
) -> Iterator[Mention]:
    """`the H7`, `the Nordic chip`, `four threads`: words and numbers that some of the subjects at hand have
    in their names and others have not.

    Args:
        known: kind → the ids at hand.
        named: mentions that are found already, and figures.
    """
    taken = {at for each in named for at in range(each.start, each.end)}
    free = [
        word for word in _WORD.finditer(text) if word.start() not in taken and word.end() - 1 not in taken
    ]
    for kind in _NAMED:
        ids = known.get(kind, set())
        called = {each: _words_of(kind, each, own) for each in ids} if len(ids) > 1 else {}
        for word in free if called else ():
            found = frozenset(each for each in ids if _is_short(word[0], *called[each]))
            if found and len(found) < len(ids):
                yield Mention(word.start(), word.end(), kind, found)
    starts = {word.start() for word in free}
    for number in _NUMBER.finditer(text):
        said = _WORDED[number[3].lower()] if number[3] else float(number[1].replace(",", ""))
        written = {f"{said * factor:g}" for factor in ((1000, 1024) if number[2] else (1,))}
        for kind in _COUNTED if number.start() in starts else ():
            ids = known.get(kind, set())
            if len(ids) > 1 and ids & written:
                yield Mention(number.start(), number.end(), kind, frozenset(ids & written))


def _words_of(kind: str, identifier: str, own: Directories | None) -> tuple[frozenset[str], str]:
    """The words of all names of a thing, and the names run together."""
    names = [identifier]
    with suppress(EdgewrightError):
        if kind == "target":
            target = load_target(identifier, own)
            names += [target.name, target.vendor, *target.aliases]
        elif kind == "runtime":
            runtime = load_runtime(identifier, own)
            names += [runtime.name, runtime.vendor]
    lower = " ".join(names).lower()
    words = re.findall(r"[a-z]+|\d+|[a-z]+\d+[a-z0-9]*", lower)
    return frozenset(words), re.sub(r"[^a-z0-9 ]", "", lower)


def _is_short(word: str, words: frozenset[str], names: str) -> bool:
    numbered = any(letter.isdigit() for letter in word)
    if len(word) < 2 or not (numbered or word[0].isupper() or len(word) > 3):
        return False
    return word.lower() in words or (numbered and word.lower() in names)
