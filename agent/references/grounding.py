"""Whether an answer that somebody else wrote can stand."""

from collections.abc import Iterable, Mapping
from typing import Any

from ...tools.core.quantity import Result
from ...tools.core.settings import Settings, hardware_of
from . import RenderedAnswer
from .numbers import Number
from .review import review


class GroundingReport(Result):
    schema_version: str = "1.0"
    grounded: bool
    ungrounded: tuple[str, ...]
    """Numbers that no tool returned and the user did not name, as they stand in the answer, in order."""
    spans: tuple[tuple[int, int], ...] = ()
    """Where each of them starts and ends in the answer."""
    bindings: tuple[Number, ...]


def render_answer(
    text: str,
    tool_results: Iterable[Mapping[str, Any]],
    user_text: str = "",
    *,
    settings: Settings | None = None,
) -> RenderedAnswer:
    """Fill the references of an answer in, and tell what cannot stand.

    Args:
        text: the answer with references, `{{r1.latency_ms|ms}}`.
        tool_results: the calls of the conversation: [{"id", "name", "arguments", "result"}].
        user_text: what the user wrote, all of it; braces in it are text.
        settings: whose hardware may be named; None reads the environment.
    """
    found = review(text, tool_results, user_text, hardware_of(settings))
    return RenderedAnswer(text=found.filled.text, numbers=found.numbers, marked=found.marked)


def check_grounding(
    answer: str,
    tool_results: Iterable[Mapping[str, Any]],
    user_text: str = "",
    *,
    settings: Settings | None = None,
) -> GroundingReport:
    """Whether every number of a text is a rounding of a field, a relation of two, or the user's.

    A thin check, for texts without references: a number has to measure the same and round to a field whose
    target, layer or other row its paragraph names. What the sentence says of it is not looked at.

    Args:
        answer: what the user is about to read.
        tool_results: the calls of the conversation: [{"id", "name", "arguments", "result"}].
        user_text: what the user wrote, all of it.
        settings: whose hardware may be named; None reads the environment.
    """
    found = review(answer, tool_results, user_text, hardware_of(settings))
    return GroundingReport(
        grounded=not found.problems,
        ungrounded=found.marked,
        spans=tuple((problem.start, problem.end) for problem in found.problems),
        bindings=found.numbers,
    )
