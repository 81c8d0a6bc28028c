"""The planner's loop: a question becomes a query, its answers call tools, code fills the references in."""

from __future__ import annotations

import time
import uuid
from collections.abc import Generator, Sequence
from typing import Any

from pydantic import ValidationError

from ...hardware_db.errors import EdgewrightError, UsageError
from ...tools.core.envelope import envelope
from ..answer import Answer, StopReason, ToolCallRecord, verdicts_in
from ..events import Event, Finished, TextDelta, ToolFinished, ToolStarted
from ..names import Kind
from ..plain_text import printable
from ..references import render_template
from ..registry import tool_named
from ..sessions.recording import recorded
from ..sessions.saved import SavedTurn
from ..sessions.session import OpenSession
from ..workspace import Workspace
from .answers import ANSWERS
from .answers.phrases import ASSUMED
from .answers.talk import unclear
from .bench import Answering, Call, Record, ToolFailedError
from .conversation import recommended, understood
from .intent import Intent
from .languages import ENGLISH_ONLY, language_of
from .left_over import not_used, unknown
from .query import Query, Role
from .wants import NEEDS_NO_TARGET

REMEMBERED = 12
"""Turns that are looked back at."""
_MOST_PARTS = 4


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
        self.workspace.note(question)
        yield from recorded(self, question, uuid.uuid4().hex, self._answered(question))

    def tool_results(self) -> list[ToolCallRecord]:
        """Every tool call that the conversation still has in mind."""
        return [record for turn in self.session.turns for record in turn.records]

    def _answered(self, question: str) -> Generator[Event, None, None]:
        self.session.keep(REMEMBERED)
        before = [turn for turn in self.session.turns[:-1] if turn.question]
        query = self._understood(question, before)
        desk = _Desk(self.workspace, query)
        text = yield from desk.text()
        rendered = render_template(printable(text), [*self.tool_results(), *desk.records])
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
            )
        )

    def _understood(self, question: str, before: Sequence[SavedTurn]) -> Query:
        earlier: Query | None = None
        for turn in before:
            earlier = recommended(understood(turn.question, earlier, turn.context), turn.records)
        return understood(question, earlier, self.workspace.context)


class _Desk:
    """One question: its parts are answered one after the other, each with the calls that it needs."""

    def __init__(self, workspace: Workspace, query: Query) -> None:
        self.query = query
        self.records: list[ToolCallRecord] = []
        self._workspace = workspace
        self._used: set[Role] = set()
        self._known: dict[str, Record] = {}

    def text(self) -> Generator[Event, None, str]:
        query = self.query
        intents = query.intents
        language = language_of(query.question)
        if declined := _unknown(query, intents):
            return _join(ENGLISH_ONLY.get(language, ""), declined)
        parts: list[str] = []
        for intent in intents[:_MOST_PARTS]:
            parts.append((yield from self._part(intent)))
        if not intents:
            parts.append((yield from self._run(unclear(query))))
        said = not_used(query, intents, self._used)
        notes = f"{'; '.join(query.notes)}." if query.notes and self.records else ""
        return _join(ENGLISH_ONLY.get(language, ""), _put_together(parts, said, notes))

    def _part(self, intent: Intent) -> Generator[Event, None, str]:
        try:
            return (yield from self._run(ANSWERS[intent](self.query)))
        except ToolFailedError as failed:
            text = str(failed)
            return f"I cannot tell: {text}"

    def _run(self, answering: Answering) -> Generator[Event, None, str]:
        try:
            call = next(answering)
            while True:
                record = yield from self._called(call)
                call = answering.send(record)
        except StopIteration as done:
            return str(done.value)

    def _called(self, call: Call) -> Generator[Event, None, Record]:
        self._used |= call.used
        key = f"{call.function} {sorted(call.arguments.items(), key=str)}"
        if key in self._known:
            return self._known[key]
        started = time.perf_counter()
        result, error = self._result(call)
        saved = self._workspace.record(call.function, call.arguments, result, error)
        self.records.append(saved)
        yield ToolStarted(saved["id"], call.function, call.arguments)
        seconds = time.perf_counter() - started
        yield ToolFinished(
            saved["id"], call.function, seconds, result, error, saved["arguments"], error or ""
        )
        self._known[key] = Record(saved["id"], call.function, result, error or "", saved["arguments"])
        return self._known[key]

    def _result(self, call: Call) -> tuple[dict[str, Any] | None, str | None]:
        tool = tool_named(call.function)
        try:
            several = {name: value for name, value in call.arguments.items() if name == "technique"}
            given = {name: value for name, value in call.arguments.items() if name not in several}
            arguments = tool.arguments.model_validate(given).model_copy(update=several)
            result = tool.brief(tool.run(arguments, self._workspace), arguments)
        except EdgewrightError as error:
            return None, _safe(f"{error.message} {error.hint or ''}".strip())
        except ValidationError:
            return None, "these figures cannot be taken together; ask for one of them at a time."
        document: dict[str, Any] = envelope(call.function, call.arguments, result)["result"]
        return document, None


def _unknown(query: Query, intents: Sequence[Intent]) -> str:
    """Where all depends on a chip or network that is not known, that is the answer."""
    if not query.unknown or (
        intents and all(intent in NEEDS_NO_TARGET - {Intent.MODEL} for intent in intents)
    ):
        return ""
    missing = [
        name
        for name in query.unknown
        if not query.has(Role.TARGET if name.kind is Kind.TARGET else Role.MODEL)
        and not (
            name.kind is Kind.TARGET and intents and all(intent in NEEDS_NO_TARGET for intent in intents)
        )
    ]
    return unknown(missing) if missing else ""


def _put_together(parts: Sequence[str], *second: str) -> str:
    """What was left out stands behind the first sentence; of several parts each is short, none said twice."""
    first, _, rest = parts[0].partition("\n")
    if len(parts) == 1:
        return _join(first, *second, rest)
    blocks = [part.split("\n") for part in parts]
    kept = list(dict.fromkeys(line for block in blocks for line in _short(block)))
    assumed = next((line for block in blocks for line in block if line.startswith(ASSUMED)), "")
    return _join(kept[0], *second, *kept[1:], assumed)


def _short(lines: Sequence[str]) -> list[str]:
    """The first line of a part, and its table."""
    return [
        line for i, line in enumerate(lines) if i == 0 or line.startswith(("|", "- ")) or line.endswith(":")
    ]


def _join(*parts: str) -> str:
    return "\n".join(part for part in parts if part)


def _safe(text: str) -> str:
    """Words of a file or a user stay words: nothing in them is a reference."""
    return text.replace("{{", "{ {").replace("}}", "} }")


__all__ = ["REMEMBERED", "Planner"]
