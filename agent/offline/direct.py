"""The planner in a loop of its own, for one process that asks it alone.

The same plan, tools, phrases and grounding as in the assistant's loop, and the same answer; without
LangChain, whose import takes longer than most answers.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Generator, Sequence
from typing import Any

from pydantic import ValidationError

from ...hardware_db.errors import EdgewrightError, UsageError
from ..answer import Answer, StopReason, ToolCallRecord, verdicts_in
from ..events import Event, Finished, TextDelta, ToolFinished, ToolStarted
from ..grounding import check_grounding
from ..plain_text import marked_text, printable, reason_in
from ..sessions.recording import recorded
from ..sessions.session import OpenSession
from ..views import VIEWS, View, error_text
from ..workspace import Workspace
from .calls import fitting
from .followups import REMEMBERED, understood
from .phrase import answer
from .plan import plan_for
from .replies import help_text
from .turns import LONGEST_QUESTION, Turn, failed_outcome, outcome_of


class DirectTalk:
    """A conversation with the planner, in `session` or in none that is saved."""

    llm_name = "offline"

    def __init__(
        self,
        workspace: Workspace,
        *,
        session: OpenSession | None = None,
        tools: Sequence[View] = VIEWS,
    ) -> None:
        self.workspace = workspace
        self.session = session or OpenSession()
        self._specs = {spec.name: spec for spec in tools}
        self._schemas = {spec.name: frozenset(spec.arguments.model_fields) for spec in tools}
        self._turns: list[Turn] = []
        self._records: list[ToolCallRecord] = []

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
        """Every tool call of the conversation."""
        return list(self._records)

    def _answered(self, question: str) -> Generator[Event, None, None]:
        turn = Turn(question.strip()[:LONGEST_QUESTION], self.workspace.context)
        self._turns = [*self._turns[1 - REMEMBERED :], turn]
        reading = understood(self._turns)
        plan = plan_for(reading)
        made = len(self._records)
        for call in fitting(plan.calls, self._schemas):
            arguments = dict(call.arguments)
            call_id = f"t{len(self._records) + 1}"
            yield ToolStarted(call_id, call.tool, arguments)
            yield self._called(turn, call_id, call.tool, arguments)
        text = answer(reading, turn.outcomes) if turn.outcomes else plan.reply or help_text()
        found = self._checked(printable(text), self._records[made:])
        yield TextDelta(found.answer)
        yield Finished(found)

    def _called(self, turn: Turn, call_id: str, tool: str, arguments: dict[str, Any]) -> ToolFinished:
        started = time.perf_counter()
        error: str | None = None
        failure = ""
        result: dict[str, Any] | None = None
        inputs: dict[str, Any] = {}
        try:
            document = self._specs[tool].call(arguments, self.workspace)
        except (EdgewrightError, ValidationError) as failed:
            failure = error_text(tool, failed)
            error = reason_in(failure)
            turn.outcomes.append(failed_outcome(call_id, tool, arguments, failure))
        else:
            result, inputs = document["result"], document["inputs"]
            turn.outcomes.append(outcome_of(call_id, tool, arguments, document))
        turn.arguments.append(arguments)
        self._records.append(
            ToolCallRecord(id=call_id, name=tool, arguments=arguments, result=result, error=error)
        )
        seconds = time.perf_counter() - started
        return ToolFinished(call_id, tool, seconds, result, error, inputs, failure)

    def _checked(self, text: str, records: Sequence[ToolCallRecord]) -> Answer:
        said = "\n".join(turn.question for turn in self._turns)
        report = check_grounding(text, self._records, said)
        return Answer(
            answer=marked_text(text, report.ungrounded, report.spans),
            verdicts=verdicts_in(records),
            tool_calls=tuple(records),
            grounded=report.grounded,
            ungrounded=report.ungrounded,
            llm=self.llm_name,
            complete=True,
            stop_reason=StopReason.ANSWERED,
            usage=None,
        )
