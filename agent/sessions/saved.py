"""A conversation as data, event by event. What cannot be read is counted and left out; the rest is used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..answer import ToolCallRecord


@dataclass
class SavedCall:
    """A tool call. `ended` is False where the conversation was cut before its result."""

    id: str
    name: str
    arguments: dict[str, Any]
    result: dict[str, Any] | None = None
    error: str | None = None
    ended: bool = False
    seconds: float | None = None
    model: dict[str, Any] = field(default_factory=dict)
    """`source` and `sha256` of the file that the call read; empty where it read none."""
    inputs: dict[str, Any] = field(default_factory=dict)
    """The arguments with the conversation's defaults."""
    failure: str = ""
    """What a chat model was shown where the call failed."""
    round: int = 0
    """Calls of one round were made at once."""
    ran: list[ToolCallRecord] = field(default_factory=list)
    """The functions that it ran, where it was of a view."""

    @property
    def records(self) -> list[ToolCallRecord]:
        if self.ran:
            return self.ran
        return [
            {
                "id": self.id, "name": self.name, "arguments": self.arguments, "result": self.result,
                "error": self.error,
            }
        ]  # fmt: skip


@dataclass(eq=False)
class SavedTurn:
    """A question and what became of it; `answer` is None where it was stopped, failed or cut."""

    question: str
    id: str = ""
    time: str = ""
    context: dict[str, Any] = field(default_factory=dict)
    pinned: dict[str, Any] = field(default_factory=dict)
    calls: list[SavedCall] = field(default_factory=list)
    answer: dict[str, Any] | None = None
    stopped: str = ""
    draft: str = ""
    """What stood on the screen of an answer that was never finished."""

    @property
    def records(self) -> list[ToolCallRecord]:
        """The functions of the calls that ended."""
        return [record for call in self.calls if call.ended for record in call.records]


@dataclass
class SavedSession:
    id: str = ""
    turns: list[SavedTurn] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    """Versions and platform, as the session's first event has them."""
    forgotten: int = 0
    """How many of the turns the user had the conversation forget."""
    unreadable: int = 0
    newer: bool = False
    """Written by a version that this one does not know."""
    damaged: bool = False
    """Events are lost: part of the file is no database any more."""

    @property
    def remembered(self) -> list[SavedTurn]:
        return self.turns[self.forgotten :]

    @property
    def problem(self) -> str:
        """A sentence on what could not be read; empty where all could."""
        if self.damaged:
            return f"Session {self.id} is damaged; what can be read of it is used."
        if not self.unreadable:
            return ""
        events = "1 event" if self.unreadable == 1 else f"{self.unreadable:,} events"
        return f"{events} of session {self.id} cannot be read; the rest is used."


def take(session: SavedSession, kind: str, line: Any) -> bool:
    """Have an event become part of the session; whether it could."""
    try:
        _TAKERS.get(kind, _nothing)(session, _mapping(line))
    except (ValueError, LookupError, TypeError, AttributeError):
        session.unreadable += 1
        return False
    return True


def _nothing(_session: SavedSession, _line: Mapping[str, Any]) -> None:
    """Kinds of events that no turn is made of."""


def _facts(session: SavedSession, line: Mapping[str, Any]) -> None:
    session.facts = {
        name: str(line[name]) for name in ("version", "python", "platform", "time") if name in line
    }


def _question(session: SavedSession, line: Mapping[str, Any]) -> None:
    turn = SavedTurn(
        question=_text(line["text"]),
        id=str(line.get("id", "")),
        time=str(line.get("time", "")),
        context=_mapping(line.get("context", {})),
        pinned=_mapping(line.get("pinned", {})),
    )
    session.turns.append(turn)


def _tool_call(session: SavedSession, line: Mapping[str, Any]) -> None:
    call = SavedCall(_text(line["id"]), _text(line["name"]), _mapping(line["arguments"]))
    calls = session.turns[-1].calls
    if calls:
        before = calls[-1].round
        call.round = before + any(c.ended for c in calls if c.round == before)
    calls.append(call)


def _tool_result(session: SavedSession, line: Mapping[str, Any]) -> None:
    calls = session.turns[-1].calls
    call = next((c for c in reversed(calls) if c.id == line["id"]), None)
    if call is None:
        call = SavedCall(_text(line["id"]), _text(line["name"]), {})
        calls.append(call)
    call.ran = [_record(record) for record in line.get("records") or ()]
    results = [record["result"] for record in call.ran if record["result"] is not None]
    whole = results[0] if results else line["result"]
    call.result = None if whole is None else _mapping(whole)
    call.error = None if line.get("error") is None else _text(line["error"])
    call.seconds = float(line["seconds"]) if "seconds" in line else None
    call.model = _mapping(line.get("model") or {})
    call.inputs = _mapping(line.get("inputs") or {})
    call.failure = _text(line.get("failure") or "")
    call.ended = True


def _record(line: Any) -> ToolCallRecord:
    named = _mapping(line)
    result, error = named.get("result"), named.get("error")
    return {
        "id": _text(named["id"]),
        "name": _text(named["name"]),
        "arguments": _mapping(named.get("arguments") or {}),
        "result": None if result is None else _mapping(result),
        "error": None if error is None else _text(error),
    }


def _answer(session: SavedSession, line: Mapping[str, Any]) -> None:
    _text(line["answer"])
    session.turns[-1].answer = {name: value for name, value in line.items() if name != "time"}


def _interrupted(session: SavedSession, line: Mapping[str, Any]) -> None:
    session.turns[-1].stopped = str(line.get("error") or "stopped")
    session.turns[-1].draft = str(line.get("shown") or session.turns[-1].draft)


def _draft(session: SavedSession, line: Mapping[str, Any]) -> None:
    session.turns[-1].draft = _text(line["text"])


def _cleared(session: SavedSession, _line: Mapping[str, Any]) -> None:
    session.forgotten = len(session.turns)


_TAKERS = {
    "session": _facts,
    "question": _question,
    "tool_call": _tool_call,
    "tool_result": _tool_result,
    "answer": _answer,
    "draft": _draft,
    "interrupted": _interrupted,
    "cleared": _cleared,
}


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{type(value).__name__} instead of text")
    return value.encode("utf-8", "replace").decode()


def _mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"{type(value).__name__} instead of an object")
    return value


def text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def numbers_in(value: object) -> dict[str, float]:
    """The fields of an object that are numbers."""
    fields = value if isinstance(value, dict) else {}
    return {
        str(name): float(number)
        for name, number in fields.items()
        if isinstance(number, int | float) and not isinstance(number, bool)
    }
