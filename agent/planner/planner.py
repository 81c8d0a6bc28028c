"""The planner's loop: a question becomes a query, its answers call tools, code fills the references in."""

from __future__ import annotations

import uuid
from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import Any

from ...hardware_db.errors import UsageError
from ..answer import Answer, StopReason, ToolCallRecord, verdicts_in
from ..events import Event, Finished, TextDelta
from ..lengths import cut_question
from ..plain_text import printable
from ..references import RenderedAnswer, render_template, results_of
from ..references.filling import UNRESOLVED, fill
from ..sessions.recording import recorded
from ..sessions.saved import SavedTurn
from ..sessions.session import OpenSession
from ..workspace import Workspace
from .bench import NOT_KNOWN
from .conversation import left_by, understood
from .desk import Desk
from .query import Query

REMEMBERED = 12
"""Turns that are looked back at."""


class Planner:
    """A conversation without a language model, in `session` or in none that is saved."""

    llm_name = "offline"

    def __init__(self, workspace: Workspace, *, session: OpenSession | None = None) -> None:
        self.workspace = workspace
        self.session = session or OpenSession()

    def ask(self, question: str) -> Answer:
        """The answer to a question.

        Raises:
            UsageError: the question is empty.
        """
        for event in self.stream(question):
            if isinstance(event, Finished):
                return event.answer
        raise AssertionError("every stream that raises nothing ends with Finished")

    def stream(self, question: str) -> Generator[Event, None, None]:
        """What happens until the question is answered; the last event is Finished. Raises as `ask`."""
        question = question.encode("utf-8", "replace").decode()
        if not question.strip():
            raise UsageError("The question is empty.", hint="Ask about a model, a target or both.")
        question, warnings = cut_question(question)
        self.workspace.note(question)
        yield from recorded(self, question, uuid.uuid4().hex, self._answered(question, warnings))

    def tool_results(self) -> list[ToolCallRecord]:
        """Every tool call that the conversation still has in mind."""
        return [record for turn in self.session.turns for record in turn.records]

    def _answered(self, question: str, warnings: tuple[str, ...]) -> Generator[Event, None, None]:
        self.session.keep(REMEMBERED)
        before = [turn for turn in self.session.turns[:-1] if turn.question]
        query = self._understood(question, before)
        desk = Desk(self.workspace, query)
        text = yield from desk.text()
        records = [*self.tool_results(), *desk.records]
        rendered = rendered_answer(text, records)
        if any(
            _first(rendered.text) == _first(str((turn.answer or {}).get("answer", ""))) for turn in before
        ):
            rendered = rendered_answer(_repeated(text), records)
        yield TextDelta(rendered.text)
        yield Finished(
            Answer(
                answer=rendered.text,
                verdicts=verdicts_in(desk.records),
                tool_calls=tuple(desk.records),
                numbers=rendered.numbers,
                marked=rendered.marked,
                grounded=not rendered.marked,
                ungrounded=rendered.marked,
                llm=self.llm_name,
                complete=True,
                stop_reason=StopReason.ANSWERED,
                usage=None,
                warnings=warnings,
            )
        )

    def _understood(self, question: str, before: Sequence[SavedTurn]) -> Query:
        earlier: Query | None = None
        own = self.workspace.own_hardware
        for turn in before:
            earlier = left_by(understood(turn.question, earlier, turn.context, own), earlier, turn)
        return understood(question, earlier, self.workspace.context, own)


SAME_AS_BEFORE = "That is the answer of before: I found nothing in this that changes it."


def _first(text: str) -> str:
    return text.partition("\n")[0]


def _repeated(text: str) -> str:
    """The answer with a word on its being the same as the one before."""
    first, _, rest = text.partition("\n")
    return f"{first}\n{SAME_AS_BEFORE}" + (f"\n{rest}" if rest else "")


def rendered_answer(text: str, records: Iterable[Mapping[str, Any]]) -> RenderedAnswer:
    """The text with its figures; words for a reference that leads nowhere, which no answer should write."""
    records, text = list(records), printable(text)
    filled = fill(text, results_of(records))
    for error in filled.errors:
        if filled.text[error.start : error.end] == UNRESOLVED:
            text = text.replace(error.written, NOT_KNOWN)
    return render_template(text, records)


__all__ = ["REMEMBERED", "Planner", "rendered_answer"]
