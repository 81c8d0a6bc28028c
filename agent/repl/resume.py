"""Going on with a saved conversation: /resume, and chat --continue or --resume."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ...hardware_db.errors import EdgewrightError, UsageError
from ...tools.core.sanitize import clean_text
from ..sessions.opening import resume_session
from ..sessions.reading import read_session
from ..sessions.saved import SavedCall, SavedTurn
from ..sessions.session import OpenSession
from ..sessions.store import Stored, stored_sessions
from ..workspace import Workspace
from .commands import Choice
from .state import ChatState, Said
from .trace import ToolTrace, error_message, headline

if TYPE_CHECKING:
    from ..answer import Answer

_LISTED = 10


def resume(state: ChatState, argument: str) -> str:
    if not argument:
        return _recent(state)
    if argument == state.session.id:
        raise UsageError("This is that session.", hint="/resume alone lists the others.")
    session = resume_session(argument)
    state.conversation.resume(session)
    state.session = session
    state.workspace.model = state.workspace.target = state.workspace.runtime = None
    take_over(state, session)
    return "\n".join(session.opening_notes)


def take_over(state: ChatState, session: OpenSession) -> None:
    """Look back on what was said in the session, and pin what it was about where nothing is pinned."""
    session.pin(state.workspace)
    state.said[:] = map(_said, session.turns)


def session_ids(typed: str, _workspace: Workspace) -> Iterator[Choice]:
    for stored in _stored()[:_LISTED]:
        if stored.id.startswith(typed):
            yield Choice(stored.id, len(typed), f"{stored.changed.astimezone():%d %b %H:%M}")


def _recent(state: ChatState) -> str:
    others = [stored for stored in _stored() if stored.id != state.session.id][:_LISTED]
    return "\n".join(map(_line, others)) or "There is no other conversation yet."


def _stored() -> list[Stored]:
    try:
        return stored_sessions()
    except EdgewrightError:
        return []


def _line(stored: Stored) -> str:
    try:
        turns = read_session(stored.path).turns
    except EdgewrightError:
        return f"  {stored.id}  (cannot be read)"
    first = clean_text(turns[0].question, 60) if turns else "nothing was asked"
    ago = datetime.now(UTC) - stored.changed
    days = f"{ago.days} d ago" if ago.days else f"{ago.seconds // 3600} h {ago.seconds // 60 % 60} min ago"
    return f"  {stored.id}  {days:<16}  {len(turns):>3} questions  {first}"


def _said(turn: SavedTurn) -> Said:
    calls = tuple(_trace(call) for call in turn.calls if call.ended)
    return Said(turn.question, _answer(turn), calls, sum(call.seconds or 0.0 for call in turn.calls))


def _answer(turn: SavedTurn) -> Answer | None:
    from ..answer import Answer

    if turn.answer is None:
        return None
    known = {name: value for name, value in turn.answer.items() if name in Answer.model_fields}
    try:
        return Answer.model_validate(known | {"tool_calls": turn.records})
    except ValueError:  # pydantic's ValidationError is one, and takes long to import
        return None


def _trace(call: SavedCall) -> ToolTrace:
    failed = call.result is None
    outcome = error_message(call.error or "") if call.result is None else headline(call.result)
    return ToolTrace(call.id, call.name, call.arguments, call.seconds or 0.0, outcome, failed)
