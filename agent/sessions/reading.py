"""A saved conversation as data. What cannot be read is counted and left out; the rest is used."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...hardware_db.errors import InputError
from .transcript import SCHEMA_VERSION

_MAJOR = int(SCHEMA_VERSION.partition(".")[0])


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


@dataclass
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


@dataclass
class SavedSession:
    id: str
    facts: dict[str, Any] = field(default_factory=dict)
    """Versions and platform, as the session's first line has them."""
    turns: list[SavedTurn] = field(default_factory=list)
    forgotten: int = 0
    """How many of the turns the user had the conversation forget."""
    unreadable: int = 0
    newer: str = ""
    """Schema version of lines that this version does not know."""

    @property
    def remembered(self) -> list[SavedTurn]:
        return self.turns[self.forgotten :]

    @property
    def problem(self) -> str:
        """A sentence on what could not be read; empty where all could."""
        if not self.unreadable:
            return ""
        lines = "1 line" if self.unreadable == 1 else f"{self.unreadable:,} lines"
        return f"{lines} of session {self.id} cannot be read; the rest is used."


def read_session(path: Path) -> SavedSession:
    """Raises InputError: the file cannot be opened, or holds no line that can be read."""
    session = SavedSession(path.stem)
    raw = _bytes_of(path)
    lines = raw.split(b"\n")
    whole, cut = lines[:-1], lines[-1]
    read = sum(_take(session, line) for line in whole if line.strip())
    if cut.strip():
        # A crash in the middle of a write: nobody was told that this line had been saved.
        before = session.unreadable
        read += _take(session, cut)
        session.unreadable = before
    if not read and not session.newer and raw.strip():
        raise InputError(
            f"Session {path.stem} cannot be read: it holds no line of a conversation.",
            hint=f"It lies at {path}.",
        )
    return session


def readable_lines(path: Path) -> list[bytes]:
    """The lines that this version can read, as they are. Raises as `read_session`."""
    read_session(path)
    return [line for line in _bytes_of(path).split(b"\n") if line.strip() and _take_alone(line)]


def _take_alone(line: bytes) -> bool:
    return _take(SavedSession("", turns=[SavedTurn("")]), line)


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(
            f"Session {path.stem} cannot be read: {reason}.",
            hint="edgewright sessions list shows what there is.",
        ) from None


def _take(session: SavedSession, text: bytes) -> bool:
    try:
        line = json.loads(text.decode("utf-8"))
        version = str(line["schema_version"])
        if int(version.partition(".")[0]) > _MAJOR:
            session.newer = max(session.newer, version)
            return False
        _TAKERS.get(line["kind"], _nothing)(session, line)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        session.unreadable += 1
        return False
    return True


def _nothing(_session: SavedSession, _line: Mapping[str, Any]) -> None:
    """Kinds of lines that no turn is made of."""


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
    session.turns[-1].calls.append(call)


def _tool_result(session: SavedSession, line: Mapping[str, Any]) -> None:
    calls = session.turns[-1].calls
    call = next((c for c in reversed(calls) if c.id == line["id"]), None)
    if call is None:
        call = SavedCall(_text(line["id"]), _text(line["name"]), {})
        calls.append(call)
    call.result = None if line["result"] is None else _mapping(line["result"])
    call.error = None if line.get("error") is None else _text(line["error"])
    call.seconds = float(line["seconds"]) if "seconds" in line else None
    call.model = _mapping(line.get("model") or {})
    call.ended = True


def _answer(session: SavedSession, line: Mapping[str, Any]) -> None:
    _text(line["answer"])
    session.turns[-1].answer = {
        name: value for name, value in line.items() if name not in ("schema_version", "kind", "time")
    }


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
