"""Every failure of an LLM endpoint as one line that says what to do; no key ever appears in it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from langchain_core import exceptions as known

from ...hardware_db.errors import EndpointError
from .endpoint_address import shown_url
from .endpoint_settings import KEY_VARIABLE, URL_VARIABLE
from .keys import without_beginnings, without_keys

_WITHOUT = "--llm offline answers without an endpoint."
_LONGEST_EXCERPT = 200
_CONTEXT = re.compile(
    r"context[_ ](length|size|window)|maximum context|exceed_context_size|prompt is too long", re.I
)
_TOOLS = re.compile(
    r"--jinja|tools param|tool[_ -]choice|tool[_ -]?call|support tools|function[_ -]call", re.I
)


class MalformedToolCallError(Exception):
    """The model wrote a tool call that cannot be read; it can be asked again."""


_BY_STATUS: dict[int, type[known.ModelError]] = {
    400: known.ModelInvalidRequestError,
    401: known.ModelAuthenticationError,
    403: known.ModelPermissionDeniedError,
    404: known.ModelNotFoundError,
    429: known.ModelRateLimitError,
}
_KINDS: tuple[type[known.ModelError], ...] = (
    known.ContextOverflowError,
    *_BY_STATUS.values(),
    known.ModelTimeoutError,
    known.ModelConnectionError,
    known.ModelAPIError,
    known.ModelError,
)


class ContextTooLongError(EndpointError):
    """The conversation is longer than the model can take at once."""


@dataclass(frozen=True)
class Endpoint:
    """What error lines name, and the secret that they must not."""

    model: str
    url: str = ""
    secret: str = ""

    @property
    def shown_url(self) -> str:
        """The address without user, password, query or fragment."""
        return shown_url(self.url) if self.url else "the LLM endpoint"


def endpoint_error(error: Exception, endpoint: Endpoint) -> EndpointError:
    """The line for a failure that a chat model or the endpoint's SDK raised."""
    url, model = endpoint.shown_url, endpoint.model
    said = _excerpt(error, endpoint)
    match _kind(error):
        case known.ModelAuthenticationError:
            return EndpointError(f"{url} refused the key (401).", hint=f"Check {KEY_VARIABLE}. {_WITHOUT}")
        case known.ModelPermissionDeniedError:
            return EndpointError(
                f"{url} does not let this key use {model} (403).{said}",
                hint=f"Check {KEY_VARIABLE} and --llm.",
            )
        case known.ModelNotFoundError:
            return EndpointError(
                f"{url} knows no model {model} (404).{said}",
                hint=f"Check --llm, and {URL_VARIABLE}, which often ends in /v1.",
            )
        case known.ModelRateLimitError:
            return _too_much(error, endpoint)
        case known.ContextOverflowError | known.ModelInvalidRequestError:
            return _refused(error, endpoint, said)
        case known.ModelTimeoutError:
            return EndpointError(
                f"{url} fell silent and {model} did not answer in time.",
                hint=f"Is the model loaded, and small enough for its machine? {_WITHOUT}",
            )
        case known.ModelConnectionError:
            return EndpointError(
                f"The connection to {url} failed.",
                hint=f"Is the server running, and {URL_VARIABLE} right? {_WITHOUT}",
            )
        case known.ModelAPIError | known.ModelError:
            return EndpointError(f"{url} failed{_status(error)}.{said}", hint=f"Try again later. {_WITHOUT}")
    return EndpointError(
        f"{url} does not speak OpenAI's chat protocol.{said}",
        hint=f"Check {URL_VARIABLE}, which often ends in /v1.",
    )


def _kind(error: Exception) -> type[known.ModelError] | None:
    """LangChain's class of a failure; of an error without one, by its HTTP status."""
    for kind in _KINDS:
        if isinstance(error, kind):
            return kind
    status = getattr(error, "status_code", None)
    if not isinstance(status, int):
        return known.ModelInvalidRequestError if getattr(error, "body", None) else None
    return _BY_STATUS.get(status, known.ModelAPIError if status >= 500 else known.ModelInvalidRequestError)


def _too_much(error: Exception, endpoint: Endpoint) -> EndpointError:
    if getattr(error, "code", None) == "insufficient_quota":
        return EndpointError(
            f"The account behind {KEY_VARIABLE} is out of quota at {endpoint.shown_url} (429).",
            hint=f"Top it up, or take another key. {_WITHOUT}",
        )
    return EndpointError(
        f"{endpoint.shown_url} takes no more requests for now (429).",
        hint=f"Wait a little and ask again. {_WITHOUT}",
    )


def _refused(error: Exception, endpoint: Endpoint, said: str) -> EndpointError:
    text = f"{getattr(error, 'code', '')} {getattr(error, 'message', error)}"
    if isinstance(error, known.ContextOverflowError) or _CONTEXT.search(text):
        return ContextTooLongError(
            f"The conversation is longer than {endpoint.model} can take at once.",
            hint="Start a new one, or serve the model with a longer context.",
        )
    if _TOOLS.search(text):
        return EndpointError(
            f"{endpoint.shown_url} serves {endpoint.model} without tool calling.{said}",
            hint="Take a model that can call tools and switch it on in the server "
            f"(vLLM: --enable-auto-tool-choice; llama.cpp: --jinja). {_WITHOUT}",
        )
    return EndpointError(f"{endpoint.shown_url} rejected the request{_status(error)}.{said}", hint=_WITHOUT)


def _status(error: Exception) -> str:
    status = getattr(error, "status_code", None)
    return f" ({status})" if isinstance(status, int) else ""


def _excerpt(error: Exception, endpoint: Endpoint) -> str:
    """What the server said, on one line and cut; nothing of a web page."""
    text = str(getattr(error, "message", None) or "")
    if "<html" in text.casefold() or "<!doctype" in text.casefold():
        return ""
    text = re.sub(r"^Error code: \d+( - )?", "", text)
    text = without_keys(without_beginnings(text, endpoint.secret))
    text = " ".join("".join(c if c.isprintable() else " " for c in text[: 4 * _LONGEST_EXCERPT]).split())
    if not text:
        return ""
    return f' It said: "{text[:_LONGEST_EXCERPT]}{"…" if len(text) > _LONGEST_EXCERPT else ""}".'
