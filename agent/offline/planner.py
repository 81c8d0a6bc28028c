"""A chat model made of rules: it plans tool calls and phrases their results, and never calculates."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field
from typing_extensions import override

from .calls import Call, fitting
from .followups import understood
from .messages import turns_of
from .phrase import answer
from .plan import plan_for
from .replies import help_text
from .turns import Turn

_PIECES = re.compile(r"\S+\s*|\s+")


class OfflinePlanner(BaseChatModel):
    """Answers with no language model: the same tools, verdicts and figures, phrased by rules.

    The newest human message may carry `additional_kwargs["context"]`, the model, target and runtime that are
    pinned. The first reply of a turn asks for tool calls; once all are answered, the next one is the answer.
    """

    schemas: dict[str, frozenset[str]] = Field(default_factory=dict)
    """Name → arguments of the tools at hand; empty until tools are bound."""

    @property
    def _llm_type(self) -> str:
        return "offline-planner"

    @override
    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        functions = [convert_to_openai_tool(tool)["function"] for tool in tools]
        schemas = {f["name"]: frozenset(f.get("parameters", {}).get("properties", {})) for f in functions}
        return self.model_copy(update={"schemas": schemas})

    @override
    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._reply(messages))])

    @override
    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for chunk in _chunks(self._reply(messages)):
            if run_manager:
                run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk

    def _reply(self, messages: Sequence[BaseMessage]) -> AIMessage:
        turns = turns_of(messages)
        if not turns:
            return _said(help_text())
        turn = turns[-1]
        reading = understood(turns)
        if turn.outcomes:
            return _said(answer(reading, turn.outcomes))
        plan = plan_for(reading)
        calls = fitting(plan.calls, self.schemas)
        return _asking(calls, turns) if calls else _said(plan.reply or help_text())


def _said(text: str) -> AIMessage:
    return AIMessage(content=text, response_metadata={"finish_reason": "stop"})


def _asking(calls: Sequence[Call], turns: Sequence[Turn]) -> AIMessage:
    made = sum(len(turn.arguments) for turn in turns)
    return AIMessage(
        content="",
        tool_calls=[
            {"name": call.tool, "args": dict(call.arguments), "id": f"t{made + number}", "type": "tool_call"}
            for number, call in enumerate(calls, 1)
        ],
        response_metadata={"finish_reason": "tool_calls"},
    )


def _chunks(message: AIMessage) -> Iterator[ChatGenerationChunk]:
    for piece in _PIECES.findall(message.text):
        yield ChatGenerationChunk(message=AIMessageChunk(content=piece))
    for index, call in enumerate(message.tool_calls):
        part = tool_call_chunk(name=call["name"], args=json.dumps(call["args"]), id=call["id"], index=index)
        yield ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=[part]))
    last = AIMessageChunk(content="", chunk_position="last", response_metadata=message.response_metadata)
    yield ChatGenerationChunk(message=last)
