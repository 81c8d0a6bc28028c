"""Answers whose numbers are references into tool results: `{{r1.latency_ms|ms}}`.

Whoever writes the answer, a language model or a template, writes where a number stands; code resolves it,
checks dimensions, converts, rounds and prints.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...tools.core.quantity import Result
from .filling import UNRESOLVED, Failure, Filled, Hole, fill

__all__ = [
    "UNRESOLVED", "Failure", "Filled", "Hole", "Number", "RenderedAnswer", "fill", "render_answer",
    "results_of",
]  # fmt: skip


class Number(Result):
    """A number of an answer and what it is."""

    text: str
    """As it stands in the answer, with its unit and interval."""
    path: str
    """The field, from the id of its call on; of a calculated one, the expression."""
    value: float | None
    """In `unit`; null where it is unknown."""
    unit: str
    """The one that results hold it in."""


class RenderedAnswer(Result):
    text: str
    """The answer to be read."""
    numbers: tuple[Number, ...]
    """Every figure that was filled in, in order."""
    marked: tuple[str, ...]
    """What is from no tool result, as it stands: references that lead nowhere, and numbers of nobody's."""


def render_answer(
    text: str,
    tool_results: Iterable[Mapping[str, Any]],
    user_text: str = "",  # noqa: ARG001 the literal check will read it
) -> RenderedAnswer:
    """Fill the references of an answer in.

    Args:
        text: the answer with references, `{{r1.latency_ms|ms}}`.
        tool_results: the calls of the conversation: [{"id", "name", "arguments", "result"}].
        user_text: what the user wrote, all of it; braces in it are text.
    """
    filled = fill(text, results_of(tool_results))
    return RenderedAnswer(
        text=filled.text,
        numbers=numbers_of(filled),
        marked=tuple(failure.written for failure in filled.errors),
    )


def results_of(tool_results: Iterable[Mapping[str, Any]]) -> dict[str, Mapping[str, Any] | None]:
    """Id of each call → its result, None where it failed."""
    return {str(record["id"]): record.get("result") for record in tool_results}


def numbers_of(filled: Filled) -> tuple[Number, ...]:
    return tuple(
        Number(text=hole.text, path=hole.path, value=hole.value.value, unit=hole.value.unit)
        for hole in filled.holes
        if not isinstance(hole.value.value, str | bool)
    )
