"""A saved conversation as messages again: the loop's own state, and what only the transcript still holds."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Sequence, Set

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage

from ...tools.core.envelope import SCHEMA_VERSION
from ..compaction import compact
from ..history import is_question
from ..questions import question_message
from .reading import SavedCall, SavedSession, SavedTurn


def restored(messages: Sequence[AnyMessage], session: SavedSession) -> list[AnyMessage]:
    """The conversation up to the last thing said, after what the user had it forget.

    Args:
        messages: the loop's state as it was saved last; empty where that is lost.
        session: the transcript, which may be ahead of it.
    """
    turns = session.remembered
    messages = _without({turn.id for turn in session.turns[: session.forgotten]}, messages)
    starts = {m.id: index for index, m in enumerate(messages) if is_question(m)}
    last = max((index for index, turn in enumerate(turns) if turn.id in starts), default=-1)
    if last < 0:
        return [m for turn in turns for m in messages_of(turn)] or list(messages)
    start = starts[turns[last].id]
    here, there = list(messages[start:]), list(messages_of(turns[last]))
    current = there if _found_out(there) > _found_out(here) else here
    later = [m for turn in turns[last + 1 :] for m in messages_of(turn)]
    return [*messages[:start], *current, *later]


def _without(forgotten: Set[str], messages: Sequence[AnyMessage]) -> Sequence[AnyMessage]:
    starts = [index for index, m in enumerate(messages) if is_question(m)]
    kept = next((index for index in starts if messages[index].id not in forgotten), len(messages))
    return messages[kept:] if forgotten else messages


def messages_of(turn: SavedTurn) -> Iterator[AnyMessage]:
    """A turn as the loop would have it; a call without its result stays open, a question unanswered."""
    yield question_message(turn.question, turn.context, turn.id or _fresh_id())
    for call in turn.calls:
        asked = {"name": call.name, "args": call.arguments, "id": call.id}
        yield AIMessage("", tool_calls=[asked], id=_fresh_id())
        if call.ended:
            yield _tool_message(call, turn)
    if turn.answer is not None:
        ungrounded = turn.answer.get("ungrounded") or []
        kept = {"ungrounded": list(ungrounded)} if ungrounded else {}
        yield AIMessage(turn.answer["answer"], additional_kwargs=kept, id=_fresh_id())


def _tool_message(call: SavedCall, turn: SavedTurn) -> ToolMessage:
    if call.result is None:
        told = json.dumps({"tool": call.name, "error": {"message": call.error or "It failed."}})
        return ToolMessage(told, tool_call_id=call.id, name=call.name, status="error", id=_fresh_id())
    document = {
        "schema_version": SCHEMA_VERSION,
        "tool": call.name,
        "inputs": {k: v for k, v in turn.context.items() if v is not None} | call.arguments,
        "result": call.result,
        "assumptions": list(call.result.get("assumptions") or ()),
        "warnings": list(call.result.get("warnings") or ()),
    }
    return ToolMessage(
        compact(document), tool_call_id=call.id, name=call.name, artifact=document, id=_fresh_id()
    )


def _found_out(messages: Sequence[AnyMessage]) -> tuple[int, bool]:
    """How far a turn got: results of tools, and whether it ends in an answer."""
    results = sum(isinstance(m, ToolMessage) for m in messages)
    return results, isinstance(messages[-1], AIMessage) and not messages[-1].tool_calls


def _fresh_id() -> str:
    return uuid.uuid4().hex
