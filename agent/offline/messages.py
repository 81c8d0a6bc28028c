"""A message list as turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from ..history import is_question, question_of
from .turns import LONGEST_QUESTION, Outcome, Turn, as_document, failed_outcome, outcome_of


def turns_of(messages: Sequence[BaseMessage]) -> list[Turn]:
    """The conversation, oldest turn first; what stands before the first question belongs to none."""
    turns: list[Turn] = []
    calls: dict[str | None, Mapping[str, Any]] = {}
    for message in messages:
        if isinstance(message, HumanMessage) and is_question(message):
            turns.append(Turn(_words_of(message), message.additional_kwargs.get("context") or {}))
        elif isinstance(message, AIMessage) and turns:
            calls.update({call["id"]: call["args"] for call in message.tool_calls})
            turns[-1].arguments.extend(call["args"] for call in message.tool_calls)
        elif isinstance(message, ToolMessage) and turns:
            turns[-1].outcomes.append(_outcome(message, calls.get(message.tool_call_id, {})))
    return turns


def _words_of(message: BaseMessage) -> str:
    text = question_of(message)
    before, marker, _ = text.rpartition("\nContext:")
    return (before if marker else text).strip()[:LONGEST_QUESTION]


def _outcome(message: ToolMessage, arguments: Mapping[str, Any]) -> Outcome:
    document = message.artifact if isinstance(message.artifact, dict) else as_document(message.text)
    name = message.name or ""
    if message.status == "error" or not isinstance(document.get("result"), dict):
        return failed_outcome(message.tool_call_id, name, arguments, message.text)
    return outcome_of(message.tool_call_id, name, arguments, document)
