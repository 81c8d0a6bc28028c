"""What keeps the loop of model and tools going, bounded and honest."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from typing import Any

from langchain.agents.middleware import (
    AgentMiddleware,
    AgentState,
    ModelRequest,
    ModelResponse,
    hook_config,
)
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolCall, ToolMessage
from langchain_core.tools import BaseTool
from langgraph.runtime import Runtime
from langgraph.types import Command
from typing_extensions import override

from ..hardware_db.errors import EdgewrightError
from ..hardware_db.user_files import Directories
from ..prompts import load_prompt
from .context import trimmed
from .history import REPAIR, this_turn, tool_records, unused_call_id, user_text, without_thoughts
from .lengths import cut_answer
from .llm.endpoint_errors import ContextTooLongError, MalformedToolCallError
from .llm.reply_text import written_calls
from .plain_text import printable
from .references.review import Review, review
from .views import error_text

_LONGEST_TOOL_NAME = 64
_MOST_PROBLEMS = 12
"""Of one answer that are asked about."""
CUT_SHORT = frozenset({"length", "cut"})
INCOMPLETE = CUT_SHORT | {"content_filter"}
"""Finish reasons of replies that are not whole."""

State = AgentState[Any]
ModelHandler = Callable[[ModelRequest[Any]], ModelResponse[Any]]


class TrimContext(AgentMiddleware[State, Any, Any]):
    """Shows the model as much of the conversation as its context takes."""

    def __init__(self, most_tokens: int, kept_results: int) -> None:
        self._most_tokens = most_tokens
        self._kept_results = kept_results

    def wrap_model_call(self, request: ModelRequest[Any], handler: ModelHandler) -> ModelResponse[Any]:
        shown = trimmed(request.messages, self._most_tokens, self._kept_results)
        return handler(request.override(messages=shown))


class ForgetOnOverflow(AgentMiddleware[State, Any, Any]):
    """Tries once more with this turn alone where the conversation is too long for the model."""

    def wrap_model_call(self, request: ModelRequest[Any], handler: ModelHandler) -> ModelResponse[Any]:
        try:
            return handler(request)
        except (ContextTooLongError, ContextOverflowError):
            turn = list(this_turn(request.messages))
            if len(turn) == len(request.messages):
                raise
            return handler(request.override(messages=turn))


class RepairReplies(AgentMiddleware[State, Any, Any]):
    """Asks again where a reply holds nothing that can be used; never lets a cut tool call run."""

    def __init__(self, repairs: int) -> None:
        self._repairs = repairs

    def wrap_model_call(self, request: ModelRequest[Any], handler: ModelHandler) -> ModelResponse[Any]:
        problem = ""
        for _ in range(self._repairs + 1):
            try:
                response = handler(_asked_again(request, problem) if problem else request)
            except MalformedToolCallError as error:
                problem = str(error)
                continue
            reply = response.result[-1]
            if not isinstance(reply, AIMessage):
                return response
            reply = _settled(_with_written_calls(reply, request), request.messages)
            problem = _problem_with(reply)
            if not problem:
                return ModelResponse(result=[*response.result[:-1], reply])
        raise MalformedToolCallError(problem)


class RunTools(AgentMiddleware[State, Any, Any]):
    """Times each call, and tells the model what the user or the model can mend; a bug stays an exception."""

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]]
    ) -> ToolMessage | Command[Any]:
        call = request.tool_call
        started = time.perf_counter()
        try:
            message = handler(request)
        except EdgewrightError as error:
            message = ToolMessage(
                error_text(call["name"], error), tool_call_id=call["id"], name=call["name"], status="error"
            )
        if isinstance(message, ToolMessage):
            message.additional_kwargs["seconds"] = time.perf_counter() - started
        return message


class FillReferences(AgentMiddleware[State, Any, Any]):
    """Fills each final answer in; asks once for another where something cannot stand, then marks it."""

    def __init__(self, *, ask_again: bool, own: Directories | None) -> None:
        """`own`: directories of the user's own hardware; None reads the environment."""
        self._ask_again, self._own = ask_again, own

    @hook_config(can_jump_to=["model"])
    @override
    def after_model(self, state: State, runtime: Runtime[Any]) -> dict[str, Any] | None:
        messages = state["messages"]
        answer = messages[-1]
        if not isinstance(answer, AIMessage) or answer.tool_calls:
            return None
        text, cut_off = cut_answer(answer.text)
        found = review(text, tool_records(messages), user_text(messages), self._own)
        asked = any(m.name == REPAIR for m in this_turn(messages))
        whole = answer.response_metadata.get("finish_reason") not in INCOMPLETE
        if found.problems and self._ask_again and not asked and whole:
            return {"messages": [HumanMessage(_repair(found), name=REPAIR)], "jump_to": "model"}
        return {"messages": [_filled(answer, found, cut_off)]}


def _repair(found: Review) -> str:
    listed = [f"- {problem.written}: {problem.why}" for problem in found.problems[:_MOST_PROBLEMS]]
    return load_prompt("repair_answer.md").format(problems="\n".join(listed))


def _filled(answer: AIMessage, found: Review, cut_off: str) -> AIMessage:
    details = {
        "numbers": [number.model_dump(mode="json") for number in found.numbers],
        "marked": list(found.marked),
        "written": answer.text if found.filled.holes else "",
    }
    return answer.model_copy(
        update={
            "content": found.shown + cut_off,
            "additional_kwargs": {**answer.additional_kwargs, **details},
        }
    )


def _asked_again(request: ModelRequest[Any], problem: str) -> ModelRequest[Any]:
    """For this call only: the conversation keeps neither the failed reply nor our words about it."""
    words = load_prompt("repair_tool_call.md").format(problem=problem)
    added: list[AnyMessage] = [
        AIMessage("(a reply that could not be used)"),
        HumanMessage(words, name=REPAIR),
    ]
    return request.override(messages=[*request.messages, *added])


def _with_written_calls(reply: AIMessage, request: ModelRequest[Any]) -> AIMessage:
    """The reply with the calls of tools that its server left in the text."""
    if reply.tool_calls or reply.invalid_tool_calls or not isinstance(reply.content, str):
        return reply
    names = {tool.name for tool in request.tools if isinstance(tool, BaseTool)}
    text, written = written_calls(reply.content, names)
    calls = [ToolCall(name=call["name"], args=call["args"], id=None, type="tool_call") for call in written]
    return reply.model_copy(update={"content": text, "tool_calls": calls}) if calls else reply


def _settled(reply: AIMessage, earlier: Sequence[AnyMessage]) -> AIMessage:
    """The reply without its thoughts, each tool call with a name that endpoints take back and its own id."""
    taken = {m.tool_call_id for m in earlier if isinstance(m, ToolMessage)}
    tool_calls = []
    for call in reply.tool_calls:
        name = re.sub(r"[^\w-]", "_", call["name"], flags=re.ASCII)[:_LONGEST_TOOL_NAME]
        call_id = call["id"] if call["id"] and call["id"] not in taken else unused_call_id(taken)
        taken.add(call_id)
        tool_calls.append({**call, "name": name, "id": call_id})
    content = without_thoughts(printable(reply.content)) if isinstance(reply.content, str) else reply.content
    return reply.model_copy(update={"tool_calls": tool_calls, "content": content})


def _problem_with(reply: AIMessage) -> str:
    if reply.invalid_tool_calls:
        return "a tool call in it is not valid JSON"
    finish = reply.response_metadata.get("finish_reason")
    if reply.tool_calls:
        return "it was cut off in the middle of a tool call" if finish in CUT_SHORT else ""
    return "" if reply.text.strip() or finish in INCOMPLETE else "it was empty"
