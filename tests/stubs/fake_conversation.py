"""A conversation that replays scripted events, and the answer that such a script ends with."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from edgewright.agent.answer import Answer, StopReason, ToolCallRecord
from edgewright.agent.events import Event, Finished, TextDelta, ToolFinished, ToolStarted
from edgewright.hardware_db.errors import EndpointError


def answer(text: str, **more: Any) -> Answer:
    fields: dict[str, Any] = {
        "answer": text,
        "verdicts": (),
        "tool_calls": (),
        "grounded": True,
        "ungrounded": (),
        "llm": "fake",
        "complete": True,
        "stop_reason": StopReason.ANSWERED,
        "usage": None,
    }
    return Answer(**(fields | more))


def says(text: str, **more: Any) -> list[Event]:
    return [*map(TextDelta, text.splitlines(keepends=True)), Finished(answer(text, **more))]


def calls(name: str, result: dict[str, Any], call_id: str = "t1", **arguments: Any) -> list[Event]:
    return [ToolStarted(call_id, name, arguments), ToolFinished(call_id, name, 0.0125, result, None)]


class FakeConversation:
    """Each question takes the next part of the script; what is no event is raised."""

    def __init__(self, *script: Sequence[Event | BaseException]) -> None:
        self.script = list(script)
        self.questions: list[str] = []
        self.closed = 0
        self.restarts = 0
        self.records: list[ToolCallRecord] = []
        self.llm = "fake"

    def stream(self, question: str) -> Generator[Event]:
        self.questions.append(question)
        try:
            for item in self.script[len(self.questions) - 1]:
                if isinstance(item, BaseException):
                    raise item
                if isinstance(item, ToolFinished):
                    self._remember(item)
                yield item
        finally:
            self.closed += 1

    def tool_results(self) -> Sequence[ToolCallRecord]:
        return self.records

    def switch(self, llm: str) -> str:
        if llm == "unknown":
            raise EndpointError("It knows no model unknown (404).", hint="Check --llm.")
        self.llm = llm
        return llm

    def restart(self) -> None:
        self.restarts += 1

    def resume(self, session: Any) -> None:
        self.resumed = session

    def _remember(self, event: ToolFinished) -> None:
        result = dict(event.result) if event.result is not None else None
        self.records.append(
            ToolCallRecord(id=event.id, name=event.name, arguments={}, result=result, error=event.error)
        )
