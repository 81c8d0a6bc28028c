"""The rules that say what counters mean: a table that a user may replace."""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ....hardware_db.errors import InputError
from ...core.files import regular_file
from ...core.sanitize import clean_text

_FILE = Path(__file__).with_name("rules.toml")
_MOST_BYTES = 1 << 20
_WORDS = ("name", "metric", "severity", "kind", "remedy")


class Rule(NamedTuple):
    name: str
    metric: str
    severity: str
    kind: str
    remedy: str
    above: float = math.inf
    below: float = -math.inf
    cause: str = ""
    """The part of the attribution that has to matter for the rule to count."""

    def holds(self, value: float) -> bool:
        return value > self.above or value < self.below

    @property
    def limit(self) -> str:
        return f"above {self.above:g}" if self.above != math.inf else f"below {self.below:g}"


class WorkingSet(NamedTuple):
    """Miss rates that are assumed by the working set over the cache."""

    fits: float
    within_twice: float
    beyond: float
    access_bytes: float


class Rules(NamedTuple):
    rules: tuple[Rule, ...]
    penalties: Mapping[str, float]
    issue_width: float
    least_share: float
    line_bytes: float
    working_set: WorkingSet


def rules_of(path: str | os.PathLike[str] | None) -> Rules:
    """The built-in rules, or those of a file of the same form.

    Raises:
        InputError: a file that is no such table, with what is wrong in it.
    """
    if path is None:
        return _built_in()
    try:
        data = regular_file(path).read_bytes()[: _MOST_BYTES + 1]
        return _rules(tomllib.loads(data.decode("utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        reason = clean_text(str(error), 120)
        raise InputError(
            f"{clean_text(Path(path).name)} holds no rules: {reason}.",
            hint="Copy tools/traces/counters/rules.toml and change its figures.",
        ) from error


@cache
def _built_in() -> Rules:
    return _rules(tomllib.loads(_FILE.read_text(encoding="utf-8")))


def _rules(table: Mapping[str, Any]) -> Rules:
    rules = tuple(map(_rule, table["rule"]))
    core = table["core"]
    width = float(core["issue_width"])
    if not 0 < width <= 64:
        raise ValueError("core.issue_width is no number of instructions")
    penalties = {str(name): float(cycles) for name, cycles in table["penalties"].items()}
    working = {name: float(table["working_set"][name]) for name in WorkingSet._fields}
    return Rules(
        rules, penalties, width, float(core["least_share"]), float(core["line_bytes"]), WorkingSet(**working)
    )


def _rule(given: Mapping[str, Any]) -> Rule:
    name, metric, severity, kind, remedy = (clean_text(str(given[word]), 300) for word in _WORDS)
    if "above" not in given and "below" not in given:
        raise ValueError(f"the rule {name} has neither above nor below")
    above, below = float(given.get("above", math.inf)), float(given.get("below", -math.inf))
    return Rule(name, metric, severity, kind, remedy, above, below, str(given.get("cause", "")))
