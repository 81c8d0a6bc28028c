"""What is said in a conversation on its way to the listener: each event is saved before it is passed on."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import closing
from typing import Any, Protocol

from ..events import Event, Finished, TextDelta, TextReplaced, ToolFinished, ToolStarted
from ..own_measurements import own_measurements_named
from ..workspace import Workspace
from .model_files import file_of_call
from .session import OpenSession

_DRAFT_EVERY_S = 1.0
"""How much of an answer that is being written may be lost where the process is killed."""


class Talk(Protocol):
    @property
    def session(self) -> OpenSession: ...
    @property
    def workspace(self) -> Workspace: ...


def recorded(
    talk: Talk, question: str, question_id: str, events: Generator[Event, None, None]
) -> Generator[Event, None, None]:
    """The same events; the answer names its session and the user's own measurements that it goes by, and says
    where it could not be saved."""
    talk.session.write("question", id=question_id, text=question, **_context(talk.workspace))
    recorder = _Recorder(talk)
    try:
        with closing(own_measurements_named(events)) as said:
            yield from map(recorder.take, said)
    except BaseException as error:
        if not recorder.finished:
            talk.session.write("interrupted", error=f"{type(error).__name__}: {error}", shown=recorder.shown)
        raise


class _Recorder:
    def __init__(self, talk: Talk) -> None:
        self.shown = ""
        self.finished = False
        self._talk = talk
        self._drafted = time.monotonic()
        self._arguments: dict[str, dict[str, Any]] = {}

    def take(self, event: Event) -> Event:
        match event:
            case TextDelta(text=text):
                self._show(self.shown + text)
            case TextReplaced(text=text):
                self._show(text)
            case ToolStarted(id=call_id, name=name, arguments=arguments):
                self._arguments[call_id] = dict(arguments)
                self._write("tool_call", id=call_id, name=name, arguments=dict(arguments))
            case ToolFinished():
                self._tool_finished(event)
            case Finished():
                return self._finished(event)
        return event

    def _show(self, text: str) -> None:
        self.shown = text
        if time.monotonic() - self._drafted > _DRAFT_EVERY_S:
            self._drafted = time.monotonic()
            self._write("draft", text=text)

    def _tool_finished(self, event: ToolFinished) -> None:
        arguments = self._arguments.get(event.id, {})
        self._write(
            "tool_result",
            id=event.id,
            name=event.name,
            seconds=round(event.seconds, 6),
            result=None if event.records else event.result,
            records=list(event.records),
            error=event.error,
            inputs=dict(event.inputs),
            failure=event.failure,
            model=file_of_call(arguments, self._talk.workspace),
        )

    def _finished(self, event: Finished) -> Finished:
        answer, session = event.answer, self._talk.session
        left_out = {"tool_calls", "schema_version", "session"}
        self.finished = True
        self._write("answer", **answer.model_dump(mode="json", exclude=left_out))
        if not session.id:
            return event
        if not session.warning:
            return Finished(answer.model_copy(update={"session": session.id}))
        return Finished(answer.model_copy(update={"warnings": (*answer.warnings, session.warning)}))

    def _write(self, kind: str, **data: Any) -> None:
        self._talk.session.write(kind, **data)


def _context(workspace: Workspace) -> dict[str, Any]:
    pinned = {**workspace.pinned, "directory": str(workspace.directory)}
    return {"context": workspace.context, "pinned": pinned}
