"""Saved conversations as text in a terminal."""

from collections.abc import Iterator

from ...hardware_db.errors import EdgewrightError
from ...tools.core.quantity import Result
from ...tools.core.render.table import pipe_table
from ...tools.core.sanitize import clean_text
from ...tools.core.units import show
from ..plain_text import printable
from .reading import read_session
from .replay import Replay, ReplayedCall
from .saved import SavedSession, SavedTurn
from .store import stored_sessions

_LONGEST = 120


class ListedSession(Result):
    """`questions` is None where the file cannot be read."""

    id: str
    changed: str
    bytes: int
    questions: int | None
    first_question: str


class ListedSessions(Result):
    schema_version: str = "1.0"
    sessions: tuple[ListedSession, ...]


def listed_sessions() -> ListedSessions:
    """Raises InputError: the folder cannot be read."""
    listed = []
    for stored in stored_sessions():
        try:
            turns: list[SavedTurn] | None = read_session(stored.path).turns
        except EdgewrightError:
            turns = None
        listed.append(
            ListedSession(
                id=stored.id,
                changed=stored.changed.isoformat(timespec="seconds"),
                bytes=stored.bytes,
                questions=None if turns is None else len(turns),
                first_question=_one_line(turns[0].question) if turns else "",
            )
        )
    return ListedSessions(sessions=tuple(listed))


def sessions_table(listed: ListedSessions) -> str:
    if not listed.sessions:
        return "There is no saved conversation."
    rows = [
        (s.id, s.changed.replace("T", " ")[:16], "?" if s.questions is None else str(s.questions),
         show(s.bytes, "bytes"), s.first_question)
        for s in listed.sessions
    ]  # fmt: skip
    return pipe_table(("Session", "Last used (UTC)", "Questions", "Size", "First question"), rows)


def session_text(session: SavedSession) -> str:
    return "\n\n".join(_lines(session))


def _lines(session: SavedSession) -> Iterator[str]:
    yield f"Session {session.id}, edgewright {printable(session.facts.get('version', 'unknown'))}"
    for turn in session.turns:
        yield "\n".join(f"> {line}" for line in printable(turn.question).splitlines())
        if calls := [_call_line(call.name, call.error, call.ended) for call in turn.calls]:
            yield "\n".join(calls)
        yield printable(turn.answer["answer"]) if turn.answer else _unanswered(turn)


def _call_line(name: str, error: str | None, ended: bool) -> str:
    sentence = "cut off" if not ended else f"failed: {_one_line(error)}" if error else "done"
    return f"  {_one_line(name)}: {sentence}"


def _unanswered(turn: SavedTurn) -> str:
    draft = f"\n{printable(turn.draft)}" if turn.draft else ""
    return f"(no answer: {_one_line(turn.stopped or 'cut off')}){draft}"


def replay_text(result: Replay) -> str:
    same = sum(call.same for call in result.calls)
    lines = [f"Session {result.session}: {same} of {len(result.calls)} tool calls give the same result."]
    if result.version_before != result.version_now:
        lines.append(
            f"It was recorded with edgewright {result.version_before}; this is {result.version_now}."
        )
    for model in result.changed_models:
        name, before = _one_line(model.source_untrusted), model.sha256_before[:12]
        now = f"SHA-256 was {before}…, is {model.sha256_now[:12]}…" if model.sha256_now else "it is gone"
        lines.append(f"Model file changed: {name} ({now}).")
    if result.unfinished:
        lines.append(f"Cut off without a result, so not compared: {result.unfinished}.")
    for call in result.calls:
        lines += _call_differences(call)
    return "\n".join(lines)


def _call_differences(call: ReplayedCall) -> Iterator[str]:
    if call.same:
        return
    yield f"Question {call.question}, {_one_line(call.id)} {_one_line(call.name)}:"
    for one in call.differences:
        yield f"  {_one_line(one.path)}: {_one_line(one.before)} -> {_one_line(one.now)}"
    if call.omitted:
        yield f"  and {call.omitted} more"


def _one_line(text: str | None) -> str:
    return clean_text(text or "", _LONGEST)
