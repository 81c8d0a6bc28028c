"""Answers whose numbers are references into tool results: `{{r1.latency_ms|ms}}`.

Whoever writes the answer, a language model or a template, writes where a number stands; code resolves it,
checks dimensions, converts, rounds and prints. Numbers that are written all the same are held against the
results (`literals`), and what a reference is of against the words around it (`subjects`, `crossings`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...tools.core.quantity import Result
from .filling import UNRESOLVED, Failure, Filled, Hole, fill
from .review import USER, Number, Problem, Review, numbers_of, review
from .streaming import Filler

__all__ = [
    "UNRESOLVED", "USER", "Failure", "Filled", "Filler", "GroundingReport", "Hole", "Number", "Problem",
    "RenderedAnswer", "Review", "audit_rows", "check_grounding", "fill", "render_answer", "render_template",
    "results_of", "review",
]  # fmt: skip


class RenderedAnswer(Result):
    text: str
    """The answer to be read."""
    numbers: tuple[Number, ...]
    """Every figure, in order, with the field that it is."""
    marked: tuple[str, ...]
    """What cannot stand, as it was written: references that lead nowhere or are of something else than the
    words around them, and numbers that neither a result nor the user gave."""


class GroundingReport(Result):
    schema_version: str = "1.0"
    grounded: bool
    ungrounded: tuple[str, ...]
    """Numbers that no tool returned and the user did not name, as they stand in the answer, in order."""
    spans: tuple[tuple[int, int], ...] = ()
    """Where each of them starts and ends in the answer."""
    bindings: tuple[Number, ...]


def render_answer(
    text: str, tool_results: Iterable[Mapping[str, Any]], user_text: str = ""
) -> RenderedAnswer:
    """Fill the references of an answer in, and tell what cannot stand.

    Args:
        text: the answer with references, `{{r1.latency_ms|ms}}`.
        tool_results: the calls of the conversation: [{"id", "name", "arguments", "result"}].
        user_text: what the user wrote, all of it; braces in it are text.
    """
    found = review(text, tool_results, user_text)
    return RenderedAnswer(text=found.filled.text, numbers=found.numbers, marked=found.marked)


def render_template(text: str, tool_results: Iterable[Mapping[str, Any]]) -> RenderedAnswer:
    """The same of a text of ours, whose only numbers are references and the user's own words: unchecked."""
    filled = fill(text, results_of(tool_results))
    return RenderedAnswer(
        text=filled.text,
        numbers=numbers_of(filled, ()),
        marked=tuple(error.written for error in filled.errors),
    )


def check_grounding(
    answer: str, tool_results: Iterable[Mapping[str, Any]], user_text: str = ""
) -> GroundingReport:
    """Whether every number of a text is a rounding of a field, a relation of two, or the user's.

    A thin check, for texts without references: a number has to measure the same and round to a field whose
    target, layer or other row its paragraph names. What the sentence says of it is not looked at.

    Args:
        answer: what the user is about to read.
        tool_results: the calls of the conversation: [{"id", "name", "arguments", "result"}].
        user_text: what the user wrote, all of it.
    """
    found = review(answer, tool_results, user_text)
    return GroundingReport(
        grounded=not found.problems,
        ungrounded=found.marked,
        spans=tuple((problem.start, problem.end) for problem in found.problems),
        bindings=found.numbers,
    )


def audit_rows(numbers: Iterable[Number], marked: Iterable[str]) -> list[tuple[str, str]]:
    """Each number of an answer, and the field that it is."""
    rows = [(number.text, "your own words" if number.path == USER else number.path) for number in numbers]
    return [*rows, *((text, "no tool") for text in marked)]


def results_of(tool_results: Iterable[Mapping[str, Any]]) -> dict[str, Mapping[str, Any] | None]:
    """Id of each call → its result, None where it failed."""
    return {str(record["id"]): record.get("result") for record in tool_results}
