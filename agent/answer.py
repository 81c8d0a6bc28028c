"""The answer to one question: the text, and everything that it stands on."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any

from typing_extensions import TypedDict

from ..tools.core.quantity import Result
from .references import Number


class StopReason(StrEnum):
    """Why the model stopped; all but the first leave an answer incomplete."""

    ANSWERED = "answered"
    LENGTH = "length"
    """The endpoint's limit on the length of a reply."""
    CONTENT_FILTER = "content_filter"
    CUT = "cut"
    """The stream ended without saying that it was complete."""
    MODEL_CALL_LIMIT = "model_call_limit"
    TOOL_CALL_LIMIT = "tool_call_limit"
    TIME_LIMIT = "time_limit"


class ToolCallRecord(TypedDict):
    """One function that ran. `result` is None where `error` says why.

    `Workspace.record` makes them; the artifact of a tool message is the list of those that the call made.
    """

    id: str
    """r1, r2, … through the conversation; what a reference of an answer begins with."""
    name: str
    """Of the function in `edgewright.tools`."""
    arguments: dict[str, Any]
    result: dict[str, Any] | None
    error: str | None


class FoundVerdict(TypedDict):
    """A verdict in a tool result. `name` is the check's, empty where the verdict is the whole result's."""

    id: str
    tool: str
    name: str
    verdict: str
    statement: str


class Usage(TypedDict):
    """Tokens as the endpoint counted them."""

    input_tokens: int
    output_tokens: int


class Answer(Result):
    """Result of `ask`."""

    schema_version: str = "1.0"
    answer: str
    verdicts: tuple[FoundVerdict, ...]
    tool_calls: tuple[ToolCallRecord, ...]
    """The calls made for this question; a follow-up may stand on calls made for earlier ones."""
    numbers: tuple[Number, ...] = ()
    """Every figure of the answer, in order, with the field of the result that it is."""
    marked: tuple[str, ...] = ()
    """What cannot stand, as it was written; in the answer it is marked."""
    grounded: bool
    """Whether nothing is marked."""
    ungrounded: tuple[str, ...]
    """The same as `marked`."""
    written: str = ""
    """The answer before its references were filled in; empty where it had none."""
    llm: str
    """offline, or the name of the model."""
    complete: bool
    stop_reason: StopReason
    usage: Usage | None
    """None where the endpoint did not tell."""
    warnings: tuple[str, ...] = ()
    session: str | None = None
    """Where the conversation is saved; None where it is not."""


def verdicts_in(calls: Iterable[ToolCallRecord]) -> tuple[FoundVerdict, ...]:
    """Every verdict of the results, each whole before its parts."""
    return tuple(found for call in calls for found in _verdicts(call["result"], call))


def _verdicts(value: Any, call: ToolCallRecord) -> Iterator[FoundVerdict]:
    if isinstance(value, Mapping):
        if isinstance(value.get("verdict"), str):
            yield FoundVerdict(
                id=call["id"],
                tool=call["name"],
                name=str(value.get("name", "")),
                verdict=value["verdict"],
                statement=str(value.get("statement", "")),
            )
        for part in value.values():
            yield from _verdicts(part, call)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _verdicts(part, call)
