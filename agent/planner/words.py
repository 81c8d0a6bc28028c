"""The words of `words.toml`: what a question speaks of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from ...hardware_db.kept import toml_in
from ..patterns import compiled

_HERE, _HOUSE = Path(__file__).with_name("words.toml"), Path(__file__).parents[2]
_FILES = (
    _HERE,
    _HOUSE / "hardware_db/words.toml",
    _HOUSE / "tools/graph/operator_words.toml",
    _HOUSE / "tools/cost_model/reasons.toml",
)
_DATA: dict[str, Any] = {name: table for file in _FILES for name, table in toml_in(file).items()}


def spoken(table: str, text: str) -> tuple[str, ...]:
    """The names in a table of words, in its order, whose words stand in the text."""
    return tuple(name for name, words in _DATA[table].items() if _found(words, text))


_FEW = {"three": 3, "3": 3, "a few": 4}
"""Sentences or lines; otherwise two."""


def sentences_asked(text: str) -> int:
    """In how many sentences it is to be answered, what is asked beside in its own; 0 where that is open."""
    few = _pattern(_DATA["length"]["few"]).search(text)
    many = few["many"].casefold() if few else ""
    most = _FEW.get(many, 2) if few else int(bool(spoken("brief", text)))
    return most and most + len(spoken("beside", text))


def without_asides(text: str, *kinds: str) -> str:
    """Without what is said around a question; as it stands where nothing is left."""
    plain = text
    for kind in kinds or ("said",):
        plain = _pattern(_DATA["asides"][kind]).sub(" ", plain)
    plain = _SPACES.sub(" ", plain).strip(" ,:")
    return plain if len(plain.split()) > 1 else text


_SPACES = compiled(r"\s+")


def without_excluded(text: str) -> str:
    """Without the words that say which changes are out: what they name is not asked for."""
    for words in _DATA["excluded"].values():
        text = _pattern(words).sub(" § ", text)
    return text


def spoken_in_turn(text: str, *tables: str) -> tuple[str, ...]:
    """The same of several tables, in the order of the text."""
    names = ((name, words) for table in tables for name, words in _DATA[table].items())
    places = {name: _pattern(words).search(text) for name, words in names}
    found = {name: match.start() for name, match in places.items() if match is not None}
    return tuple(sorted(found, key=found.__getitem__))


def representatives() -> Mapping[str, str]:
    """Folded name of a family → the member that stands for it."""
    return entries("representatives")


def patterns(table: str) -> Mapping[str, re.Pattern[str]]:
    """The words of a table, each as its pattern."""
    return {name: _pattern(words) for name, words in _DATA[table].items()}


def entries(table: str) -> Mapping[str, Any]:
    """A table of names as it stands: what each is another name of, or stands for."""
    found: dict[str, Any] = _DATA[table]
    return found


def meaning(want: str) -> str:
    """What is wanted, in words; empty for what is said between people."""
    return str(_DATA["meant"].get(want, ""))


def compile_all() -> None:
    """Every table that can be spoken of, so that its patterns are kept."""
    for words in (each for table in _DATA.values() for each in table.values() if isinstance(each, str)):
        with suppress(re.error):
            _pattern(words)


def _found(words: str, text: str) -> bool:
    return bool(words) and _pattern(words).search(text) is not None


@cache
def _pattern(words: str) -> re.Pattern[str]:
    """The dot within a name, `kws.tflite`, ends no sentence."""
    return compiled(_UP_TO_A_STOP.sub(r"(?:[^.\1]|(?<=\\w)\\.(?=\\w))", words), re.IGNORECASE)


_UP_TO_A_STOP = compiled(r"\[\^\.([^\]]*)\]")


def counts_things(question: str) -> bool:
    """Whether it asks how many of something there are; how many watts is a measure, no count."""
    return bool(spoken("counted", question))
