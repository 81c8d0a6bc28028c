"""The messages of a conversation: what the user said, and what tools returned."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, ToolMessage

from .answer import ToolCallRecord
from .llm.reply_text import answer_text
from .plain_text import reason_in

REPAIR = "repair"
"""Name of the messages that we, not the user, send in the user's place."""


def is_question(message: BaseMessage) -> bool:
    return isinstance(message, HumanMessage) and message.name != REPAIR


def question_of(message: BaseMessage) -> str:
    """The user's own words, without the context that was sent with them."""
    return str(message.additional_kwargs.get("question", message.text))


def user_text(messages: Sequence[AnyMessage]) -> str:
    return "\n".join(question_of(m) for m in messages if is_question(m))


def this_turn(messages: Sequence[AnyMessage]) -> Sequence[AnyMessage]:
    """The messages from the last question on."""
    for start in range(len(messages) - 1, -1, -1):
        if is_question(messages[start]):
            return messages[start:]
    return messages


def tool_records(messages: Sequence[AnyMessage]) -> list[ToolCallRecord]:
    """Every tool call that was answered, with its whole result."""
    arguments: dict[str | None, dict[str, Any]] = {}
    records: list[ToolCallRecord] = []
    for message in messages:
        if isinstance(message, AIMessage):
            arguments.update({call["id"]: call["args"] for call in message.tool_calls})
        elif isinstance(message, ToolMessage):
            records += records_of(message, arguments.get(message.tool_call_id, {}))
    return records


def records_of(message: ToolMessage, arguments: dict[str, Any]) -> list[ToolCallRecord]:
    """Of every function that the call ran; where none did, one under the call's own name that says why."""
    if isinstance(message.artifact, list) and message.artifact:
        return list(message.artifact)
    failed = ToolCallRecord(
        id=message.tool_call_id,
        name=message.name or "",
        arguments=arguments,
        result=None,
        error=reason_in(message.text),
    )
    return [failed]


def without_thoughts(text: str) -> str:
    """`text` without what a model thinks before it answers, which some servers leave in the answer."""
    return answer_text(text)


def unused_call_id(taken: set[str]) -> str:
    """Nine letters and digits, which every endpoint accepts."""
    while (fresh := uuid.uuid4().hex[:9]) in taken:
        continue
    return fresh
