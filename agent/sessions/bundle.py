"""A conversation as one document to hand on: what was asked, computed and answered, and from what."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ... import __version__
from .saved import SavedCall, SavedSession, SavedTurn

SCHEMA_VERSION = "1.0"


def bundle(session: SavedSession) -> dict[str, Any]:
    """JSON-able data; paths of model files are shown by their last part."""
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": "session",
        "session": session.id,
        "recorded_with": {**session.facts},
        "exported_with": {"version": __version__},
        "models": _models(session),
        "turns": [_turn(turn) for turn in session.turns],
        "warnings": [session.problem] if session.problem else [],
    }


def _models(session: SavedSession) -> list[dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for call in (call for turn in session.turns for call in turn.calls):
        source, sha256 = call.model.get("source"), call.model.get("sha256")
        if isinstance(source, str) and isinstance(sha256, str):
            found[sha256] = {"file_untrusted": Path(source).name, "sha256": sha256}
    return list(found.values())


def _turn(turn: SavedTurn) -> dict[str, Any]:
    answer = turn.answer or {}
    about: dict[str, Any] = {
        name: answer.get(name)
        for name in ("answer", "grounded", "ungrounded", "marked", "llm", "stop_reason", "usage")
        if name in answer
    }
    return {
        "question": turn.question,
        "time": turn.time,
        "context": turn.context,
        "tool_calls": [event for call in turn.calls for event in _calls(call)],
        "answer": None,
        **about,
        "bindings": _bindings(answer),
        **_cut(turn),
    }


def _cut(turn: SavedTurn) -> dict[str, Any]:
    if turn.answer is not None:
        return {}
    return {"stopped": turn.stopped or "cut off", "draft": turn.draft}


def _calls(call: SavedCall) -> list[dict[str, Any]]:
    """Of each function that ran."""
    if not call.ended:
        return [{**call.records[0], "error": "cut off before its result"}]
    more = {"seconds": call.seconds, "model_sha256": call.model.get("sha256")}
    return [{**record, **more} for record in call.records]


def _bindings(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Where each number of the answer comes from."""
    numbers = answer.get("numbers") or ()
    return [{"text": n["text"], "path": n["path"]} for n in numbers]
