"""A session that is spoken in."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .saved import SavedSession, SavedTurn, numbers_in, take, text_or_none

if TYPE_CHECKING:
    from ..workspace import Workspace
    from .transcript import Transcript


@dataclass
class OpenSession:
    """What is said becomes part of `said` as it is written down; `transcript` None writes nothing."""

    transcript: Transcript | None = None
    said: SavedSession = field(default_factory=SavedSession)
    notes: tuple[str, ...] = ()
    """What the user should know of how it was found."""
    resumed: bool = False

    @property
    def opening_notes(self) -> list[str]:
        """Of a session that is gone on with: how far it is, and how it was found."""
        if not self.resumed:
            return [*self.notes]
        count = len(self.turns)
        asked = "1 question" if count == 1 else f"{count:,} questions"
        return [f"Session {self.said.id}: {asked} so far.", *self.notes]

    @property
    def id(self) -> str:
        """Empty where nothing is saved."""
        return self.transcript.session if self.transcript is not None else ""

    @property
    def file(self) -> Path | None:
        """Where it is saved; None where it is not."""
        return self.transcript.path if self.transcript is not None else None

    @property
    def warning(self) -> str:
        """Why what was said last is not saved; empty where it is, or need not be."""
        return (self.transcript.warning if self.transcript is not None else None) or ""

    @property
    def turns(self) -> list[SavedTurn]:
        """What the conversation has in mind, the question that is being answered included."""
        return self.said.remembered

    def write(self, kind: str, **data: Any) -> None:
        if self.transcript is not None:
            self.transcript.write(kind, **data)
        take(self.said, kind, data)

    def keep(self, turns: int) -> None:
        """Let go of the oldest turns; the transcript holds them all."""
        self.said.turns = self.turns[-turns:]
        self.said.forgotten = 0

    def close(self) -> None:
        """Let others go on with it."""
        if self.transcript is not None:
            self.transcript.close()

    def pin(self, workspace: Workspace) -> None:
        """Give the workspace what the conversation was about, where nothing is pinned yet; a file that the
        user named then may be read again."""
        for turn in self.turns:
            workspace.note(turn.question)
            workspace.count_on_from(record["id"] for record in turn.records)
        pinned = self.turns[-1].pinned if self.turns else {}
        model, target, runtime = (text_or_none(pinned.get(name)) for name in ("model", "target", "runtime"))
        if workspace.model is None and model is not None:
            workspace.pin(model)
        if workspace.target is None and workspace.runtime is None:
            workspace.target, workspace.runtime = target, runtime
        if not workspace.limits:
            workspace.limits = numbers_in(pinned.get("limits"))
