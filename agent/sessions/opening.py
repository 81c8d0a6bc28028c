"""A new session, or a saved one to go on with."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from ...hardware_db.errors import InputError, UsageError
from .mending import mend
from .reading import read_session
from .session import OpenSession
from .store import find_session, latest_session
from .transcript import Transcript


class NewerSessionError(InputError):
    """Written by a version of this product that this one does not know."""

    def __init__(self, session: str) -> None:
        super().__init__(
            f"Session {session} was written by a newer version of edgewright.",
            hint=f"Update, or go on with what this one can read: edgewright sessions copy {session}",
        )


def session_for(*, go_on: bool, resume: str | None) -> OpenSession:
    """A new session, or the one that the flags --continue and --resume name.

    Raises as `resume_session`.
    """
    if go_on and resume is not None:
        raise UsageError("--continue and --resume name two sessions.", hint="Give one of them.")
    return resume_session(resume) if go_on or resume is not None else OpenSession(Transcript())


def resume_session(name: str | None) -> OpenSession:
    """The session of this id, None the one last spoken in, for this process alone.

    Raises:
        EdgewrightError: there is none, it cannot be read, it is newer than this version, or it is in use.
    """
    stored = latest_session() if name is None else find_session(name)
    transcript = Transcript(stored.path, session=stored.id)
    with suppress(OSError):  # that it cannot be written, its first event will tell
        transcript.lock()
    try:
        said = read_session(stored.path)
        if said.newer:
            raise NewerSessionError(said.id)
        mended = (_mended(stored.path),) if said.damaged else ()
    except BaseException:
        transcript.close()
        raise
    notes = tuple(filter(None, (said.problem, *mended)))
    return OpenSession(transcript, said, notes, resumed=True)


def _mended(path: Path) -> str:
    """Put a copy of a damaged file aside, and what can be read of it in its place."""
    try:
        aside = mend(path)
    except OSError as error:
        raise InputError(
            f"Session {path.stem} is damaged and cannot be mended: {error.strerror or error}.",
            hint=f"What can be read of it: edgewright sessions copy {path.stem}",
        ) from None
    return f"The damaged file is kept as {aside}."
