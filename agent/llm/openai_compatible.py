"""ChatOpenAI as OpenAI-compatible servers really behave.

What it mends: tool calls whose JSON was cut are executed with what is left of them; servers that repeat
a function's name, reuse or leave out the index of a call, or write its arguments as an object; servers that
reject `content: null`, names of users or `stream_options`, that do not stream, or that serve a model under
`/responses` alone; a refusal stands in a field of its own; a stream that ends early looks complete; every
failure has a class of its own.
"""

import json
import re
import ssl
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.request import getproxies

import httpx
import openai
from langchain_core.exceptions import ModelError
from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessageChunk, ToolCallChunk
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from pydantic import SecretStr, ValidationError

from ...hardware_db.errors import EndpointError
from .endpoint_errors import Endpoint, MalformedToolCallError, endpoint_error
from .keys import HiddenInPieces
from .waiting import saying_what_is_waited_for

_RESPONSES_ONLY = re.compile(r"/responses\b|responses api", re.IGNORECASE)
_NO_STREAM = re.compile(r"stream(ing)?\b.{0,40}\b(not|un)\s?(support|available|allowed)", re.IGNORECASE)
_SILENT_S = 5
CUT = "cut"
"""Finish reason of a reply that ended without one."""


class EmptyStreamError(EndpointError):
    """Nothing came where a stream was asked for."""


def certificates(url: str) -> ssl.SSLContext | bool:
    """What a client of this address trusts: all authorities of this machine, where anything is encrypted.

    Reading them takes longer than the rest of a client; a model server on the same machine needs none.
    """
    return getproxies() != {} or not url.startswith("http://") or ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def client_of_one_host(verify: ssl.SSLContext | bool = True) -> Any:
    """An HTTP client that follows a redirect within its host alone; another raises httpx.TooManyRedirects."""
    return openai.DefaultHttpxClient(verify=verify, event_hooks={"response": [_stay, _say_how_long]})


def asynchronous_client(verify: ssl.SSLContext | bool) -> Any:
    """For the chat model's other half, which makes its own where all authorities are trusted."""
    return None if verify is True else openai.DefaultAsyncHttpxClient(verify=verify)


def _stay(response: Any) -> None:
    if not response.has_redirect_location:
        return
    here = response.request.url
    there = here.join(response.headers["location"])
    if (there.scheme, there.host, there.port) != (here.scheme, here.host, here.port):
        raise httpx.TooManyRedirects(f"it redirects to {there.host}, where no question is sent")


def _say_how_long(response: Any) -> None:
    """Where an endpoint asks to wait, which its SDK does without a word."""
    asked = response.headers.get("retry-after", "")
    if response.is_error and asked.isdigit() and int(asked) > _SILENT_S:
        said = f"{response.request.url.host} ({response.status_code}) asks to wait {int(asked)} s"
        print(f"edgewright: {said}; Ctrl-C ends it", file=sys.stderr, flush=True)


class CompatChatOpenAI(ChatOpenAI):
    @property
    def endpoint(self) -> Endpoint:
        key = self.openai_api_key
        secret = key.get_secret_value() if isinstance(key, SecretStr) else ""
        return Endpoint(model=self.model_name, url=self.openai_api_base or "", secret=secret)

    def _get_request_payload(
        self, input_: LanguageModelInput, *, stop: list[str] | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        payload: dict[str, Any] = super()._get_request_payload(input_, stop=stop, **kwargs)
        for message in payload.get("messages", ()):
            if message.get("content") is None:
                message["content"] = ""
            message.pop("name", None)
        return payload

    def _convert_chunk_to_generation_chunk(
        self, chunk: dict[str, Any], default_chunk_class: type, base_generation_info: dict[str, Any] | None
    ) -> ChatGenerationChunk | None:
        for choice in chunk.get("choices") or ():
            delta = choice.get("delta") or {}
            if delta.get("refusal") and not delta.get("content"):
                delta["content"] = delta["refusal"]
            for position, call in enumerate(delta.get("tool_calls") or ()):
                if call.get("index") is None:
                    call["index"] = position
                function = call.get("function") or {}
                if isinstance(function.get("arguments"), dict):
                    function["arguments"] = json.dumps(function["arguments"])
        return super()._convert_chunk_to_generation_chunk(chunk, default_chunk_class, base_generation_info)

    def _stream(self, *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
        """Raises MalformedToolCallError at the end of a stream with tool calls that are no whole JSON."""
        try:
            yield from self._mended_stream(*args, **kwargs)
        except EndpointError as error:
            if self.stream_usage and "stream_options" in error.message:
                self.stream_usage = False
                yield from self._mended_stream(*args, **kwargs)
            elif not self.use_responses_api and _RESPONSES_ONLY.search(error.message):
                self.use_responses_api = True
                yield from self._mended_stream(*args, **kwargs)
            elif isinstance(error, EmptyStreamError) or _NO_STREAM.search(error.message):
                with self._failures_in_words():  # a reply may hold no choice at all
                    pieces = list(_at_once(self._generate(*args, **kwargs)))
                yield from pieces
            else:
                raise

    def _mended_stream(self, *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
        with saying_what_is_waited_for(self.endpoint) as heard:
            for chunk in self._pieces(*args, **kwargs):
                heard()
                yield chunk
                heard()

    def _pieces(self, *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
        calls = _StreamedCalls()
        hidden = HiddenInPieces(self.endpoint.secret)
        finish: str | None = None
        chunks = super()._stream(*args, **kwargs)
        received = False
        while True:
            with self._failures_in_words(), warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # pydantic's, of fields with other types
                chunk = next(chunks, None)
            if chunk is None:
                break
            received = True
            finish = (chunk.generation_info or {}).get("finish_reason") or finish
            if isinstance(chunk.message, AIMessageChunk):
                calls.add(chunk.message.tool_call_chunks)
            if isinstance(chunk.message.content, str):
                chunk.message.content = chunk.text = hidden.shown(chunk.message.content)
            yield chunk
        if held := hidden.rest():
            yield ChatGenerationChunk(message=AIMessageChunk(content=held))
        if not received:
            said = endpoint_error(ValueError("an empty reply"), self.endpoint)
            raise EmptyStreamError(said.message, hint=said.hint)
        calls.check()
        if finish is None:
            yield ChatGenerationChunk(
                message=AIMessageChunk(content=""), generation_info={"finish_reason": CUT}
            )

    def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
        with self._failures_in_words(), saying_what_is_waited_for(self.endpoint):
            try:
                result = super()._generate(*args, **kwargs)
            except ValidationError as error:
                raise MalformedToolCallError("its arguments are not a JSON object") from error
        for generation in result.generations:
            refusal = generation.message.additional_kwargs.get("refusal")
            if refusal and not generation.message.content:
                generation.message.content = str(refusal)
            if isinstance(generation.message.content, str):
                hidden = HiddenInPieces(self.endpoint.secret)
                generation.message.content = hidden.shown(generation.message.content) + hidden.rest()
            info = generation.generation_info or {}
            generation.generation_info = info | {"finish_reason": info.get("finish_reason") or CUT}
        return result

    @contextmanager
    def _failures_in_words(self) -> Iterator[None]:
        """Only the endpoint's own code and the parsing of what it sent run inside."""
        try:
            yield
        except MalformedToolCallError:
            raise
        except (ModelError, openai.OpenAIError, ValueError, LookupError, TypeError, AttributeError) as error:
            raise endpoint_error(error, self.endpoint) from None
        except Exception as error:
            if not type(error).__module__.startswith("httpx"):
                raise
            raise endpoint_error(error, self.endpoint) from None


def _at_once(result: ChatResult) -> Iterator[ChatGenerationChunk]:
    """A whole reply as the only piece of a stream."""
    generation = result.generations[0]
    message = generation.message
    calls = [
        ToolCallChunk(
            name=call["name"],
            args=json.dumps(call["args"]),
            id=call["id"],
            index=index,
            type="tool_call_chunk",
        )
        for index, call in enumerate(getattr(message, "tool_calls", ()))
    ]
    chunk = AIMessageChunk(
        content=message.content,
        tool_call_chunks=calls,
        usage_metadata=getattr(message, "usage_metadata", None),
    )
    yield ChatGenerationChunk(message=chunk, generation_info=generation.generation_info)


class _StreamedCalls:
    """The tool calls of one stream, put together as they arrive."""

    def __init__(self) -> None:
        self._arguments: dict[int, str] = {}
        self._names: dict[int, str] = {}
        self._ids: dict[int, str | None] = {}
        self._current: dict[int | None, int] = {}

    def add(self, parts: list[ToolCallChunk]) -> None:
        """Take the parts in, and mend them in place: each call its own index, its name and id once."""
        for part in parts:
            key = self._current.get(part["index"])
            if key is None or (part["id"] and self._ids[key] and part["id"] != self._ids[key]):
                key = len(self._arguments)
                self._current[part["index"]] = key
                self._arguments[key], self._names[key], self._ids[key] = "", "", None
            part["index"] = key
            self._arguments[key] += part["args"] or ""
            if part["name"] and part["name"] == self._names[key]:
                part["name"] = None
            self._names[key] += part["name"] or ""
            if self._ids[key]:
                part["id"] = None
            self._ids[key] = self._ids[key] or part["id"]

    def check(self) -> None:
        for key, text in self._arguments.items():
            if not self._names[key]:
                raise MalformedToolCallError("it names no tool")
            try:
                arguments = json.loads(text or "{}", parse_constant=_no_constant)
            except (ValueError, RecursionError):
                raise MalformedToolCallError(
                    f"the arguments of {self._names[key]} are not whole JSON"
                ) from None
            if not isinstance(arguments, dict):
                raise MalformedToolCallError(f"the arguments of {self._names[key]} are not a JSON object")


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
