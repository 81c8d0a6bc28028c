"""A chat model that replays a script and keeps what it was shown."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field

Step = AIMessage | Exception | Callable[[list[BaseMessage]], AIMessage]


def says(text: str, *, finish: str = "stop") -> AIMessage:
    return AIMessage(content=text, response_metadata={"finish_reason": finish})


def calls(name: str, call_id: str = "call_1", **arguments: Any) -> AIMessage:
    return AIMessage(
        content="",
        tool_calls=[{"name": name, "args": arguments, "id": call_id}],
        response_metadata={"finish_reason": "tool_calls"},
    )


class ScriptedChatModel(BaseChatModel):
    """Each call takes the next step; an exception is raised, a callable sees the messages."""

    script: list[Any]
    shown: list[list[BaseMessage]] = Field(default_factory=list)
    tools: list[dict[str, Any]] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        self.tools[:] = [convert_to_openai_tool(tool) for tool in tools]
        return self

    def _next(self, messages: list[BaseMessage]) -> AIMessage:
        assert len(self.shown) < len(self.script), "the script has no step left"
        step = self.script[len(self.shown)]
        self.shown.append(list(messages))
        if isinstance(step, Exception):
            raise step
        return step(messages) if callable(step) else step

    def _generate(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._next(messages))])

    def _stream(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any
    ) -> Iterator[ChatGenerationChunk]:
        message = self._next(messages)
        for piece in re.findall(r"\s*\S+\s*?", message.text):
            yield ChatGenerationChunk(message=AIMessageChunk(content=piece))
        for index, call in enumerate(message.tool_calls):
            chunk = tool_call_chunk(
                name=call["name"], args=json.dumps(call["args"]), id=call["id"], index=index
            )
            yield ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=[chunk]))
        yield ChatGenerationChunk(
            message=AIMessageChunk(content="", usage_metadata=message.usage_metadata, chunk_position="last"),
            generation_info=dict(message.response_metadata),
        )
