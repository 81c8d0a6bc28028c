"""What was asked, what was called, what came back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

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


def outcome_of(call_id: str, tool: str, arguments: Mapping[str, Any], document: Mapping[str, Any]) -> Outcome:
    """Of a tool's whole document."""
    return Outcome(
        id=call_id,
        tool=tool or str(document.get("tool", "")),
        arguments=arguments,
        inputs=document.get("inputs") or {},
        result=document["result"],
        assumptions=tuple(document.get("assumptions") or ()),
        warnings=tuple(document.get("warnings") or ()),
    )


def failed_outcome(call_id: str, tool: str, arguments: Mapping[str, Any], text: str) -> Outcome:
    """Of a call that failed; `text` is the toolbox's {"error": {"message", "hint"}}, or plain words."""
    return Outcome(call_id, tool, arguments, {}, None, error=_reason(text))


def as_document(text: str) -> dict[str, Any]:
    """The object that the text is in JSON; empty where it is none."""
    try:
        document = json.loads(text)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def _reason(text: str) -> str:
    error = as_document(text).get("error")
    if not isinstance(error, dict):
        return text.strip() or "The tool gave no result."
    told = str(error.get("message", "")).strip()
    candidates = ", ".join(map(str, error.get("candidates") or ()))
    if candidates and candidates not in told:
        told = f"{told} Nearest: {candidates}."
    return f"{told} {error.get('hint') or ''}".strip()
