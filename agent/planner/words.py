"""The words of `words.toml`: roles of figures, and what a question speaks of."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..quantities import Family
from .query import Role

_DATA: dict[str, Any] = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class FigureRule:
    """When a figure of a family plays a role: all that is given has to fit."""

    family: Family
    role: Role
    before: str = ""
    after: str = ""
    noun: str = ""
    unless: str = ""
    unless_after: str = ""
    least: float = 0.0
    most: float = float("inf")
    scale: float = 1.0
    write: str = ""
    """How the value is written as a technique."""

    def fits(self, value: float, noun: str, before: str, after: str) -> bool:
        if not self.least <= value <= self.most or _found(self.unless, before):
            return False
        if self.unless_after and _pattern(self.unless_after).match(after):
            return False
        return (
            (not self.noun or _pattern(self.noun).fullmatch(noun) is not None)
            and (not self.before or _found(self.before, before))
            and (not self.after or _pattern(self.after).match(after) is not None)
        )


@cache
def figure_rules() -> dict[Family, tuple[FigureRule, ...]]:
    rules: dict[Family, list[FigureRule]] = {}
    for row in _DATA["figure"]:
        family = Family[row["family"]]
        rule = FigureRule(**{**row, "family": family, "role": Role(row["role"])})
        rules.setdefault(family, []).append(rule)
    return {family: tuple(each) for family, each in rules.items()}


def spoken(table: str, text: str) -> tuple[str, ...]:
    """The names in a table of words, in its order, whose words stand in the text."""
    return tuple(name for name, words in _DATA[table].items() if _found(words, text))


def representatives() -> Mapping[str, str]:
    """Folded name of a family → the member that stands for it."""
    table: dict[str, str] = _DATA["representatives"]
    return table


def _found(words: str, text: str) -> bool:
    return bool(words) and _pattern(words).search(text) is not None


@cache
def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(words, re.IGNORECASE)
