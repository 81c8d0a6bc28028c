"""A conversation as messages that every endpoint accepts, derived from what its log holds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage

from ..concise import shown
from ..questions import question_message
from .saved import SavedCall, SavedTurn

_INTERRUPTED = "This turn was interrupted before an answer was given."


def messages_of(turn: SavedTurn) -> Iterator[AnyMessage]:
    """A turn that is over: no call stays open, and no question unanswered; its answer as it was written."""
    yield question_message(turn.question, turn.context, turn.id)
    for _, calls in groupby(turn.calls, key=lambda call: call.round):
        made = list(calls)
        asked = [{"name": call.name, "args": call.arguments, "id": call.id} for call in made]
        yield AIMessage("", tool_calls=asked)
        yield from (_tool_message(call) for call in made)
    if turn.answer is None:
        yield AIMessage(_INTERRUPTED)
        return
    yield AIMessage(turn.answer.get("written") or turn.answer["answer"])


def _tool_message(call: SavedCall) -> ToolMessage:
    if call.result is None:
        error = {"message": call.error or "It failed."}
        failure = call.failure or json.dumps({"tool": call.name, "error": error})
        text = failure if call.ended else _INTERRUPTED
        return ToolMessage(text, tool_call_id=call.id, name=call.name, status="error")
    full = call.arguments.get("detail") == "full"
    return ToolMessage(
        shown(call.records, full=full), tool_call_id=call.id, name=call.name, artifact=call.records
    )
