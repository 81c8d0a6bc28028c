"""Which senses words have: `thesaurus.txt` lists, a sense a line, the words and phrases that say the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from ..hardware_db.kept import kept, stamp
from .patterns import compiled
from .stop_words import STOP_WORDS

_WORD = compiled(r"[a-z]{2,}")
_ENDINGS = ("'s", "ies", "ing", "ed", "es", "ly", "er", "s", "e")
_SHORTEST_STEM = 3
_LONGEST_PHRASE = 3


def senses(words: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Place of a word or phrase, and a sense that it has."""
    table = _senses_by_phrase()
    stems = [stem(word) for word in words]
    for length in range(1, _LONGEST_PHRASE + 1):
        for at in range(len(stems) - length + 1):
            yield from ((at, sense) for sense in table.get(tuple(stems[at : at + length]), ()))


def stems(text: str) -> Iterator[str]:
    """Of its words that carry a meaning, without their endings."""
    yield from (stem(word) for word in _WORD.findall(text.casefold()) if word not in STOP_WORDS)


@cache
def _senses_by_phrase() -> Mapping[tuple[str, ...], tuple[str, ...]]:
    file, words = Path(__file__), Path(__file__).with_suffix(".txt")
    return kept(file.parent / "__pycache__" / "thesaurus.kept", stamp((file, words)), lambda: _read(words))


def _read(file: Path) -> dict[tuple[str, ...], tuple[str, ...]]:
    table: dict[tuple[str, ...], tuple[str, ...]] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        sense, colon, phrases = line.partition(": ")
        for phrase in phrases.split() if colon and not line.startswith("#") else ():
            stems = tuple(stem(word) for word in phrase.replace("-", "_").split("_"))
            if sense not in table.get(stems, ()):
                table[stems] = (*table.get(stems, ()), sense)
    return table


@cache
def stem(word: str) -> str:
    """Without its ending."""
    ending = next((e for e in _ENDINGS if word.endswith(e) and len(word) - len(e) >= _SHORTEST_STEM), "")
    stem = word.removesuffix(ending) + ("y" if ending == "ies" else "")
    return stem[:-1] if len(stem) > _SHORTEST_STEM and stem[-1] == stem[-2] else stem
