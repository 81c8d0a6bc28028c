"""All that there is to say against an answer before it is shown, and where its numbers come from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...hardware_db.user_files import Directories
from ...tools.core.records import dataclass
from .belonging import Belonging, with_label
from .candidates import AtHand
from .filling import Filled, fill
from .literals import Given, Literals, Unbound
from .numbers import Number, numbers_of

_MARK = " ⚠ "
_PLAIN = frozenset({0.0, 1.0, -1.0, 100.0})
_FLOP_A_MAC = 2
_CONVERSIONS = frozenset({24.0, 60.0, 1000.0, 3600.0, 86400.0, 3.6e6, 8.64e7})
_PERIODS = frozenset({1e3, 6e4, 3.6e6, 8.64e7, 6.048e8, 3.1536e10, 3.15576e10})
"""A second, a minute, an hour, a day, a week and a year."""
_NO_TOOL = "not from a tool"


@dataclass(frozen=True)
class Problem:
    """What cannot stand: where it stands in the filled text, as it was written, and why."""

    start: int
    end: int
    written: str
    why: str
    mark: str = ""
    """What the reader is told behind it; nothing where `[?]` stands in its place."""


@dataclass(frozen=True)
class Review:
    filled: Filled
    problems: tuple[Problem, ...]
    numbers: tuple[Number, ...]
    named: Mapping[int, str]
    """Where a figure ends → what it is of, where the words leave that open."""
    belonging: Belonging

    @property
    def marked(self) -> tuple[str, ...]:
        return tuple(problem.written for problem in self.problems)

    @property
    def shown(self) -> str:
        """The answer with a mark behind what cannot stand, and names of what words leave open."""
        return self._written({problem.end: _MARK + problem.mark for problem in self.problems if problem.mark})

    @property
    def text(self) -> str:
        """The same without marks."""
        return self._written({})

    def _written(self, marks: Mapping[int, str]) -> str:
        parts, at = [], 0
        for end in sorted({*marks, *self.named}):
            part = self.filled.text[at:end]
            parts += [with_label(part, self.named[end]) if end in self.named else part, marks.get(end, "")]
            at = end
        return "".join([*parts, self.filled.text[at:]])


def review(
    text: str,
    tool_results: Iterable[Mapping[str, Any]],
    user_text: str = "",
    own: Directories | None = None,
) -> Review:
    """Fill an answer's references in, and see what is wrong with them and with the numbers beside them.

    Args:
        own: directories of the user's own hardware; None reads the environment.
    """
    records = list(tool_results)
    results = {str(record["id"]): record.get("result") for record in records}
    return review_against(Given(results, user_text, own), text, records)


def review_against(given: Given, text: str, tool_results: Iterable[Mapping[str, Any]]) -> Review:
    """The same of one of many answers, with what all of them may stand on."""
    records = {str(record["id"]): record for record in tool_results}
    filled = fill(text, given.results)
    resolved = {hole.start for hole in filled.holes}
    problems = {
        error.start: Problem(
            error.start, error.end, error.written, error.why, error.path if error.start in resolved else ""
        )
        for error in filled.errors
    }
    belonging = Belonging(AtHand(filled, records, given.own))
    for problem in (*_own_numbers(filled, given), *_misplaced(belonging)):
        problems.setdefault(problem.start, problem)
    stood = [(hole.start, hole.end) for hole in filled.holes]
    stood += [(error.start, error.end) for error in filled.errors]
    values = {
        (hole.start, hole.end): float(hole.value.value)
        for hole in filled.holes
        if isinstance(hole.value.value, int | float)
    }
    bound, unbound = Literals(filled.text, given, tuple(stood), values).checked()
    for number in unbound:
        problems[number.start] = Problem(number.start, number.end, number.text, _advice(number), _NO_TOOL)
    ends = {problem.end for problem in problems.values()}
    named = {end: label for end, label in belonging.named().items() if end not in ends}
    return Review(
        filled, tuple(problems[at] for at in sorted(problems)), numbers_of(filled, bound), named, belonging
    )


def _own_numbers(filled: Filled, given: Given) -> Iterable[Problem]:
    """Numbers within a reference that nobody gave: half of it, three times as much."""
    for hole in filled.holes:
        own = [n for n in hole.amount.written if n not in _PLAIN | _PERIODS and n not in given.numbers]
        macs = any("macs" in path for path in hole.amount.paths)
        counts = hole.written.rstrip("}~ ").endswith("|count")
        if any(not (n == _FLOP_A_MAC and macs) and not (counts and n in _CONVERSIONS) for n in own):
            numbers = ", ".join(f"{n:g}" for n in own)
            why = f"Nobody gave {numbers}: calculate with fields and the user's numbers."
            yield Problem(hole.start, hole.end, hole.written, why, hole.path)


def _misplaced(belonging: Belonging) -> list[Problem]:
    return [
        Problem(hole.start, hole.end, hole.written, why, mark) for hole, why, mark in belonging.misplaced()
    ]


def _advice(number: Unbound) -> str:
    if not number.candidates:
        return "No result holds this number; leave it out or call a tool."
    return f"A number of your own; write a reference, such as {{{{{number.candidates[0]}}}}}."
