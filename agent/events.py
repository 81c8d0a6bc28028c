"""What happens while a question is answered, in order; whoever listens decides how it looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from ..tools.core.records import dataclass

if TYPE_CHECKING:
    from .answer import Answer, ToolCallRecord


@dataclass(frozen=True)
class TextDelta:
    """The next piece of the answer as the model writes it."""

    text: str


@dataclass(frozen=True)
class TextReplaced:
    """All text so far is withdrawn; `text` stands in its place (empty: nothing does yet)."""

    text: str


@dataclass(frozen=True)
class ToolStarted:
    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class ToolFinished:
    """`result` is the tool's whole result as JSON data; None where `error` says why there is none.

    `inputs` are the arguments with the conversation's defaults, `failure` what a chat model was shown.
    """

    id: str
    name: str
    seconds: float
    result: Mapping[str, Any] | None
    error: str | None
    inputs: Mapping[str, Any] = field(default_factory=dict)
    failure: str = ""
    records: tuple[ToolCallRecord, ...] = ()
    """Of every function that a view ran; `result` is that of the first."""


@dataclass(frozen=True)
class Finished:
    answer: Answer


Event = TextDelta | TextReplaced | ToolStarted | ToolFinished | Finished
