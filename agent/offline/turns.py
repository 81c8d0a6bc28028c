"""A message list as turns: what was asked, what was called, what came back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from ..history import is_question, question_of

LONGEST_QUESTION = 4_000


@dataclass(frozen=True)
class Outcome:
    """A call that was answered. `result` is None where `error` says why."""

    id: str
    tool: str
    arguments: Mapping[str, Any]
    inputs: Mapping[str, Any]
    result: Mapping[str, Any] | None
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    error: str = ""


@dataclass
class Turn:
    question: str
    context: Mapping[str, Any]
    arguments: list[Mapping[str, Any]] = field(default_factory=list)
    """Of the calls made, in order."""
    outcomes: list[Outcome] = field(default_factory=list)


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


def _is_question(message: BaseMessage) -> bool:
    return message.type == "human" and is_question(message)


def _words_of(message: BaseMessage) -> str:
    text = question_of(message)
    before, marker, _ = text.rpartition("\nContext:")
    return (before if marker else text).strip()[:LONGEST_QUESTION]


def _outcome(message: ToolMessage, arguments: Mapping[str, Any]) -> Outcome:
    document = message.artifact if isinstance(message.artifact, dict) else _json(message.text)
    result = document.get("result")
    if message.status == "error" or not isinstance(result, dict):
        error = _reason(message.text)
        return Outcome(message.tool_call_id, message.name or "", arguments, {}, None, error=error)
    return Outcome(
        id=message.tool_call_id,
        tool=message.name or str(document.get("tool", "")),
        arguments=arguments,
        inputs=document.get("inputs") or {},
        result=result,
        assumptions=tuple(document.get("assumptions") or ()),
        warnings=tuple(document.get("warnings") or ()),
    )


def _json(text: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def _reason(text: str) -> str:
    """Why a call failed: `text` is what the toolbox says, {"error": {"message", "hint"}}, or plain words."""
    error = _json(text).get("error")
    if not isinstance(error, dict):
        return text.strip() or "The tool gave no result."
    told = str(error.get("message", "")).strip()
    candidates = ", ".join(map(str, error.get("candidates") or ()))
    if candidates and candidates not in told:
        told = f"{told} Nearest: {candidates}."
    return f"{told} {error.get('hint') or ''}".strip()
