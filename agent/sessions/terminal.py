"""What the commands on saved conversations do; each is loaded when it is called."""

from __future__ import annotations

import sys
from pathlib import Path

from ...tools.core.sanitize import harmless
from ...tools.core.settings import Settings
from ..new_file import write_new
from .export import exported
from .listing import listed_sessions, replay_text, session_text, sessions_table
from .reading import read_session
from .replay import Replay, replay
from .store import copy_session, delete_session, find_session

__all__ = [
    "copied",
    "delete",
    "export",
    "listed_sessions",
    "replay_text",
    "replayed",
    "sessions_table",
    "shown",
]


def shown(name: str) -> str:
    """What was asked, computed and answered. Raises InputError."""
    saved = read_session(find_session(name).path)
    _tell(saved.problem)
    return session_text(saved)


def export(name: str, output: Path | None) -> None:
    """One file with all of a conversation; None prints it as JSON. Raises InputError, UsageError."""
    saved = read_session(find_session(name).path)
    if output is None:
        print(exported(saved, ".json"), end="")
    else:
        write_new(str(output), exported(saved, output.suffix))
        print(harmless(f"edgewright: wrote {output}"), file=sys.stderr)
    _tell(saved.problem)


def delete(names: list[str]) -> None:
    """Delete conversations once all of them are found. Raises InputError."""
    for stored in [find_session(name) for name in names]:
        delete_session(stored)
        print(f"edgewright: deleted {stored.id}", file=sys.stderr)


def copied(name: str) -> str:
    """The id of a new conversation in which the same was said. Raises InputError."""
    return copy_session(find_session(name))


def replayed(name: str, directory: Path | None, settings: Settings | None = None) -> tuple[str, Replay]:
    """The id of a conversation, and its tool calls run again. Raises InputError."""
    saved = read_session(find_session(name).path)
    _tell(saved.problem)
    return saved.id, replay(saved, directory, settings)


def _tell(problem: str) -> None:
    if problem:
        print(harmless(f"edgewright: {problem}"), file=sys.stderr)
