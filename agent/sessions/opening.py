"""A session that is spoken in: a new one, or one gone on with, for which its files are read with SQLite."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ...hardware_db.errors import UsageError
from .transcript import Transcript

if TYPE_CHECKING:
    from ..checkpoints import LatestOnlySaver
    from ..workspace import Workspace
    from .reading import SavedSession

_REBUILT = "What session {id} had in mind is damaged; it is read from its transcript instead."


@dataclass
class OpenSession:
    transcript: Transcript
    saved: SavedSession | None = None
    """What was said before; None in a new session."""
    notes: list[str] = field(default_factory=list)
    _bodies: list[str] = field(default_factory=list)
    _saver: LatestOnlySaver | None = None

    @property
    def told(self) -> str:
        """A line on what is gone on with; empty in a new session."""
        if self.saved is None:
            return ""
        count = len(self.saved.remembered)
        asked = "1 question" if count == 1 else f"{count:,} questions"
        return f"Session {self.saved.id}: {asked} so far."

    @property
    def questions(self) -> list[str]:
        """What was asked before."""
        return [turn.question for turn in self.saved.remembered] if self.saved else []

    @property
    def opening_notes(self) -> list[str]:
        return [line for line in (self.told, *self.notes) if line]

    def saver(self, thread: str) -> LatestOnlySaver:
        """Where the loop keeps `thread`, with all that was said before already in it."""
        from ..checkpoints import LatestOnlySaver
        from .checkpoint_file import SavingSaver, messages_in
        from .database import DamagedFileError
        from .rebuild import restored
        from .store import checkpoint_file

        path = self.transcript.path
        saver = SavingSaver(checkpoint_file(path), thread) if path is not None else LatestOnlySaver()
        self._saver = saver
        if self.saved is None:
            return saver
        try:
            kept = messages_in(self._bodies)
        except DamagedFileError:
            kept = []
        if messages := restored(kept, self.saved):
            saver.begin(thread, messages)
        return saver

    def close(self) -> None:
        """Let others go on with it."""
        if self._saver is not None:
            self._saver.close()
        self.transcript.close()

    def pin(self, workspace: Workspace) -> None:
        """Give the workspace what the conversation was about, where nothing is pinned yet; a file that the
        user named then may be read again."""
        from .reading import numbers_in, text_or_none

        turns = self.saved.remembered if self.saved else []
        for turn in turns:
            workspace.note(turn.question)
        pinned = turns[-1].pinned if turns else {}
        model, target, runtime = (text_or_none(pinned.get(name)) for name in ("model", "target", "runtime"))
        if workspace.model is None and model is not None:
            workspace.pin(model)
        if workspace.target is None and workspace.runtime is None:
            workspace.target, workspace.runtime = target, runtime
        if not workspace.limits:
            workspace.limits = numbers_in(pinned.get("limits"))


def session_for(*, go_on: bool, resume: str | None, save: bool = True) -> OpenSession | None:
    """A new session, or the one that the flags --continue and --resume name; None: nothing is to be saved.

    Raises as `resume_session`.
    """
    if go_on and resume is not None:
        raise UsageError("--continue and --resume name two sessions.", hint="Give one of them.")
    if go_on or resume is not None:
        return resume_session(resume)
    return OpenSession(Transcript()) if save else None


def resume_session(name: str | None) -> OpenSession:
    """The session of this id, None the one last spoken in, for this process alone.

    Raises:
        EdgewrightError: there is none, it cannot be read, it is newer than this version, or it is in use.
    """
    from .store import find_session, latest_session

    stored = latest_session() if name is None else find_session(name)
    transcript = Transcript(stored.path, session=stored.id)
    with suppress(OSError):  # that it cannot be written, its first line will tell
        transcript.lock()
    try:
        return _read(transcript, stored.path)
    except BaseException:
        transcript.close()
        raise


def _read(transcript: Transcript, path: Path) -> OpenSession:
    from .database import DamagedFileError, NewerSessionError, read_bodies
    from .reading import read_session
    from .store import checkpoint_file

    saved = read_session(path)
    if saved.newer:
        raise NewerSessionError(saved.id)
    notes = [saved.problem] if saved.problem else []
    file = checkpoint_file(path)
    try:
        bodies = read_bodies(file)
    except DamagedFileError:
        bodies = []
        notes.append(_REBUILT.format(id=saved.id))
        _put_aside(file)
    return OpenSession(transcript, saved, notes, bodies)


def _put_aside(file: Path) -> None:
    try:
        file.replace(file.with_suffix(".sqlite.damaged"))
        for suffix in (".sqlite-wal", ".sqlite-shm"):
            file.with_suffix(suffix).unlink(missing_ok=True)
    except OSError:
        return
