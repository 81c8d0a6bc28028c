"""One line after the other: commands run, questions are answered, and no error ends the chat."""

from __future__ import annotations

import re
import time
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...hardware_db.errors import EdgewrightError
from ...tools.core.sanitize import clean_text
from ..events import Event, Finished, TextDelta, TextReplaced, ToolFinished, ToolStarted
from ..question_text import checked_question
from .commands import Invocation, command_in
from .pins import Mentions, pin_model, read_mentions
from .screen import Screen, TurnView, in_words
from .state import Analysis, ChatState, Said
from .table import ANALYSES, COMMANDS
from .trace import TraceLog

if TYPE_CHECKING:
    from ..answer import Answer

_FLAG = re.compile(r"(?<!\S)--(?=(?:model|target|runtime|llm)\b)")
"""Flags that errors advise; in a chat they are commands."""
_INCOMPLETE = {
    "length": "the endpoint's limit on its length",
    "content_filter": "the endpoint's content filter",
    "cut": "the end of the connection",
    "model_call_limit": "too many calls of the model",
    "tool_call_limit": "too many tool calls",
    "time_limit": "the time limit",
}


@dataclass
class Chat:
    """Takes lines. `exit_code` is that of the first line that failed."""

    state: ChatState
    screen: Screen
    exit_code: int = 0
    _warned: frozenset[str] = frozenset()

    def take(self, line: str) -> None:
        """Run a command or answer a question; an error becomes a line on the screen.

        Raises:
            KeyboardInterrupt: the user stopped it; the conversation is ready for the next line.
        """
        line = line.strip()
        if not line:
            return
        try:
            self._take(line)
        except EdgewrightError as error:
            self._failed(str(error), error.exit_code)
        except OSError:
            raise
        except Exception as error:
            self._failed(
                f"Internal error: {clean_text(f'{type(error).__name__}: {error}', 160)}. The chat goes on; "
                "this is a bug, please report it.",
                1,
            )

    def _take(self, line: str) -> None:
        if invocation := command_in(checked_question(line), COMMANDS):
            self._run(line, invocation)
        else:
            self._answer(read_mentions(line, self.state.workspace))

    def _run(self, line: str, invocation: Invocation) -> None:
        shown = invocation.command.run(self.state, invocation.argument)
        text = shown if isinstance(shown, str) else in_words(shown)
        if invocation.command in ANALYSES:
            self.state.analyses.append(Analysis(line, text, len(self.state.said)))
        self.state.session.write("command", text=line, shown=text)
        if shown:
            self.screen.show(shown)

    def _answer(self, mentions: Mentions) -> None:
        if len(mentions.models) == 1:
            self.screen.note(f"Model: {pin_model(self.state.workspace, mentions.models[0])}")
        for name in mentions.models:
            self.state.workspace.note(f'"{name}"')
        log = TraceLog()
        answer: Answer | None = None
        started = time.monotonic()
        try:
            stream = self.state.conversation.stream(mentions.question)
            with closing(stream) as events, self.screen.turn(trace=self.state.trace) as view:
                for event in events:
                    _show(event, view, log)
                    if isinstance(event, Finished):
                        answer = event.answer
        finally:
            calls = tuple(log.ended)
            self.state.remember(Said(mentions.question, answer, calls, time.monotonic() - started))
        if answer is not None:
            self._remarks(answer)

    def _remarks(self, answer: Answer) -> None:
        if not answer.complete:
            why = _INCOMPLETE.get(answer.stop_reason, answer.stop_reason)
            self.screen.note(f"Incomplete: stopped by {why}.")
        if answer.ungrounded:
            self.screen.problem(f"⚠ not from a tool: {', '.join(answer.ungrounded)}")
        for warning in answer.warnings:
            self.warn(warning)

    def warn(self, warning: str) -> None:
        """Say it once in this chat."""
        if warning and warning not in self._warned:
            self._warned |= {warning}
            self.screen.problem(warning)

    def _failed(self, line: str, exit_code: int) -> None:
        line = _FLAG.sub("/", line)
        self.exit_code = self.exit_code or exit_code
        self.state.session.write("error", text=line)
        self.screen.problem(line)


def _show(event: Event, view: TurnView, log: TraceLog) -> None:
    match event:
        case TextDelta(text=text):
            view.add(text)
        case TextReplaced(text=text):
            view.replace(text)
        case ToolStarted():
            view.tool_started(event.id, log.start(event))
        case ToolFinished():
            view.tool_finished(event.id, log.finish(event).line)
        case Finished(answer=answer):
            view.finish(answer.answer)
