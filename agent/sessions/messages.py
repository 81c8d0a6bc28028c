"""A conversation as messages that every endpoint accepts, derived from what its log holds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage

from ...tools.core.envelope import SCHEMA_VERSION
from ..compaction import DEFAULT_TOP, compact
from ..questions import question_message
from .saved import SavedCall, SavedTurn

_INTERRUPTED = "This turn was interrupted before an answer was given."


def messages_of(turn: SavedTurn) -> Iterator[AnyMessage]:
    """A turn that is over: no call stays open, and no question unanswered."""
    yield question_message(turn.question, turn.context, turn.id)
    for _, calls in groupby(turn.calls, key=lambda call: call.round):
        made = list(calls)
        asked = [{"name": call.name, "args": call.arguments, "id": call.id} for call in made]
        yield AIMessage("", tool_calls=asked)
        yield from (_tool_message(call, turn) for call in made)
    if turn.answer is None:
        yield AIMessage(_INTERRUPTED)
        return
    ungrounded = turn.answer.get("ungrounded") or []
    kept = {"ungrounded": list(ungrounded)} if ungrounded else {}
    yield AIMessage(turn.answer["answer"], additional_kwargs=kept)


def _tool_message(call: SavedCall, turn: SavedTurn) -> ToolMessage:
    if call.result is None:
        error = {"message": call.error or "It failed."}
        failure = call.failure or json.dumps({"tool": call.name, "error": error})
        shown = failure if call.ended else _INTERRUPTED
        return ToolMessage(shown, tool_call_id=call.id, name=call.name, status="error")
    document = {
        "schema_version": SCHEMA_VERSION,
        "tool": call.name,
        "inputs": call.inputs or {k: v for k, v in turn.context.items() if v is not None} | call.arguments,
        "result": call.result,
        "assumptions": list(call.result.get("assumptions") or ()),
        "warnings": list(call.result.get("warnings") or ()),
    }
    top = call.arguments.get("top")
    return ToolMessage(
        compact(document, top if isinstance(top, int) and top > 0 else DEFAULT_TOP),
        tool_call_id=call.id,
        name=call.name,
        artifact=document,
    )
