"""a chat model, the tools and the middleware as one assistant that keeps a conversation."""

from __future__ import annotations

import contextvars
import os
import time
import uuid
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import ModelCallLimitMiddleware, ToolCallLimitMiddleware
from langchain_core.exceptions import ModelError
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AnyMessage
from langgraph.errors import GraphRecursionError
from langsmith.run_helpers import tracing_context

from ..hardware_db.errors import EndpointError, UsageError
from ..hardware_db.user_files import Directories
from ..prompts import load_prompt
from .answer import Answer, StopReason, ToolCallRecord
from .chat_models import chat_model
from .events import Event, Finished
from .lengths import cut_question
from .llm.endpoint_errors import Endpoint, MalformedToolCallError, endpoint_error
from .middleware import FillReferences, ForgetOnOverflow, RepairReplies, RunTools, TrimContext
from .questions import question_message
from .sessions.messages import messages_of
from .sessions.recording import recorded
from .sessions.saved import SavedTurn
from .sessions.session import OpenSession
from .turn import Turn
from .views import VIEWS, View, as_langchain_tools
from .workspace import Workspace

_STEPS_A_ROUND = 8
"""Nodes of the graph that one model call passes, its tools included, rounded up."""
_ONE_TOOL_AT_A_TIME = 2
"""Threads of the graph, one of which waits for events: results get their ids in the order of the calls."""
_OLD_TRACING = ("LANGCHAIN_TRACING", "LANGCHAIN_HANDLER")


@dataclass(frozen=True)
class RunLimits:
    """What one question may take, and how much of a conversation is kept in mind."""

    model_calls: int = 12
    tool_calls: int = 24
    repairs: int = 2
    """How often a reply that cannot be used is asked for again."""
    seconds: float = 900
    context_tokens: int = 12_000
    """From here on old tool results are left out of what the model is shown."""
    kept_results: int = 2
    """The latest tool results, which are always shown."""
    kept_turns: int = 24


class Assistant:
    """Answers questions one after the other; each may rely on those before. Not for several threads."""

    def __init__(
        self,
        chat_model: BaseChatModel,
        workspace: Workspace,
        *,
        llm_name: str,
        limits: RunLimits = RunLimits(),
        session: OpenSession | None = None,
        tools: Sequence[View] = VIEWS,
        ask_again: bool = True,
    ) -> None:
        """`session`: what was said so far, and where it is saved; None begins one that is not saved.
        `ask_again`: have the model rewrite an answer that cannot stand once; without, it is only marked."""
        self.workspace = workspace
        self.llm_name = llm_name
        self.limits = limits
        self.session = session or OpenSession()
        self._derived: dict[SavedTurn, list[AnyMessage]] = {}
        self._graph = create_agent(
            model=chat_model,
            tools=as_langchain_tools(tools, workspace),
            system_prompt=load_prompt("system.md"),
            middleware=_middleware(limits, ask_again=ask_again, own=workspace.own_hardware),
        )

    def ask(self, question: str) -> Answer:
        """The answer to a question, without what happens on the way.

        Raises:
            UsageError: the question is empty.
            EndpointError: the model's endpoint failed; the conversation goes on with the next question.
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
        question_id = uuid.uuid4().hex
        yield from recorded(self, question, question_id, self._answered(question, question_id, warnings))

    def tool_results(self) -> list[ToolCallRecord]:
        """Every tool call that the conversation still has in mind."""
        return [record for turn in self.session.turns for record in turn.records]

    def _answered(
        self, question: str, question_id: str, warnings: tuple[str, ...]
    ) -> Generator[Event, None, None]:
        self.session.keep(self.limits.kept_turns)
        said = "\n".join(turn.question for turn in self.session.turns)
        turn = Turn(self.tool_results(), said, self.workspace.own_hardware)
        asked = question_message(question, self.workspace.context, question_id)
        yield from self._run([*self._said_before(), asked], turn)
        answer, events = turn.finish(self.llm_name, warnings)
        yield from events
        yield Finished(answer)

    def _said_before(self) -> list[AnyMessage]:
        """The turns before the one that is being answered; each is derived once."""
        before = self.session.turns[:-1]
        self._derived = {turn: self._derived.get(turn) or list(messages_of(turn)) for turn in before}
        return [message for messages in self._derived.values() for message in messages]

    def _run(self, messages: list[AnyMessage], turn: Turn) -> Iterator[Event]:
        deadline = time.monotonic() + self.limits.seconds
        state: Any = {"messages": messages}
        items = self._graph.stream(
            state,
            {
                "recursion_limit": _STEPS_A_ROUND * (self.limits.model_calls + 2),
                "max_concurrency": _ONE_TOOL_AT_A_TIME,
            },
            stream_mode=["messages", "updates"],
        )
        try:
            with closing(_untraced(items)) as steps:
                for mode, data in steps:
                    yield from turn.take(mode, data)
                    if time.monotonic() > deadline and not turn.answered:
                        turn.stopped = StopReason.TIME_LIMIT
                        return
        except GraphRecursionError:
            turn.stopped = StopReason.MODEL_CALL_LIMIT
        except MalformedToolCallError as error:
            raise EndpointError(
                f"{self.llm_name} writes replies that cannot be used: {error}.",
                hint="Ask again, or take a model that is better at calling tools; --llm offline needs none.",
            ) from None
        except ModelError as error:
            raise endpoint_error(error, Endpoint(self.llm_name)) from None


def over_endpoint(
    workspace: Workspace,
    session: OpenSession,
    limits: RunLimits | None = None,
    *,
    llm: str | None = None,
    base_url: str | None = None,
    api_key: str | None = None,
) -> Assistant:
    """An assistant over the chat model that the arguments and the environment name, as for `chat_model`."""
    chosen, name = chat_model(llm, base_url, api_key)
    return Assistant(chosen, workspace, llm_name=name, limits=limits or RunLimits(), session=session)


def _middleware(limits: RunLimits, *, ask_again: bool, own: Directories | None) -> list[Any]:
    return [
        TrimContext(limits.context_tokens, limits.kept_results),
        ForgetOnOverflow(),
        RepairReplies(limits.repairs),
        ModelCallLimitMiddleware(run_limit=limits.model_calls, exit_behavior="end"),
        ToolCallLimitMiddleware(run_limit=limits.tool_calls, exit_behavior="end"),
        RunTools(),
        FillReferences(ask_again=ask_again, own=own),
    ]


def _untraced(items: Iterator[Any]) -> Generator[Any, None, None]:
    """The same items, made where no tracer is on: a trace would carry the conversation to a third party."""
    for name in _OLD_TRACING:
        os.environ.pop(name, None)
    context = contextvars.copy_context()
    off = tracing_context(enabled=False)
    end = object()
    context.run(off.__enter__)
    try:
        while (item := context.run(next, items, end)) is not end:
            yield item
    finally:
        if isinstance(items, Generator):
            context.run(items.close)
        context.run(off.__exit__, None, None, None)
