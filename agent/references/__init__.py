"""Answers whose numbers are references into tool results: `{{r1.latency_ms|ms}}`.

Whoever writes the answer, a language model or a template, writes where a number stands; code resolves it,
checks dimensions, converts, rounds and prints. Of what a language model writes, `review` holds the numbers
that are written all the same against the results (`literals`), and what a reference is of against the words
around it (`belonging`).
"""

from collections.abc import Iterable, Mapping
from typing import Any

from ...tools.core.quantity import Result
from .filling import UNRESOLVED, Failure, Filled, Hole, fill
from .numbers import USER, Number, numbers_of

__all__ = [
    "UNRESOLVED", "USER", "Failure", "Filled", "Hole", "Number", "RenderedAnswer", "audit_rows", "fill",
    "render_template", "results_of",
]  # fmt: skip


class RenderedAnswer(Result):
    text: str
    """The answer to be read."""
    numbers: tuple[Number, ...]
    """Every figure, in order, with the field that it is."""
    marked: tuple[str, ...]
    """What cannot stand, as it was written: references that lead nowhere or are of something else than the
    words around them, and numbers that neither a result nor the user gave."""


def render_template(text: str, tool_results: Iterable[Mapping[str, Any]]) -> RenderedAnswer:
    """The same of a text of ours, whose only numbers are references and the user's own words: unchecked."""
    filled = fill(text, results_of(tool_results))
    return RenderedAnswer(
        text=filled.text,
        numbers=numbers_of(filled, ()),
        marked=tuple(error.written for error in filled.errors),
    )


def audit_rows(numbers: Iterable[Number], marked: Iterable[str]) -> list[tuple[str, str]]:
    """Each number of an answer, and the field that it is."""
    rows = [(number.text, "your own words" if number.path == USER else number.path) for number in numbers]
    return [*rows, *((text, "no tool") for text in marked)]


def results_of(tool_results: Iterable[Mapping[str, Any]]) -> dict[str, Mapping[str, Any] | None]:
    """Id of each call → its result, None where it failed."""
    return {str(record["id"]): record.get("result") for record in tool_results}
