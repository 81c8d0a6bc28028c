"""The chat model of an OpenAI-compatible endpoint."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from typing import TYPE_CHECKING

from langchain_core.exceptions import ModelConnectionError, ModelTimeoutError
from pydantic import SecretStr

from ..hardware_db.errors import UsageError
from .llm.endpoint_address import HOSTED_URL, base_and_query, checked_url, is_azure, key_for, shown_url
from .llm.endpoint_errors import Endpoint, endpoint_error
from .llm.endpoint_settings import MODEL_VARIABLE, EndpointSettings, endpoint_settings
from .llm.waiting import saying_what_is_waited_for

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from .llm.openai_compatible import CompatChatOpenAI

_HOSTED_MODEL = "gpt-5.4-mini"


def chat_model(
    llm: str | None = None,
    base_url: str | None = None,
    api_key: str | None = None,
    *,
    timeout_s: float = 120,
    max_retries: int = 2,
) -> tuple[BaseChatModel, str]:
    """The chat model of an endpoint, and its name; offline there is none, see `endpoint_settings`.

    Args:
        llm: `offline`, or a model of the endpoint; None takes OPENAI_MODEL, else what the configuration file
            names, else the only one that the endpoint serves.
        base_url: of the endpoint; None takes OPENAI_BASE_URL, else that of the configuration file.
        api_key: None takes OPENAI_API_KEY, else the variable that the configuration file names; a server in
            the local network needs none.
        timeout_s: longest silence, where the configuration file sets none.

    Raises:
        UsageError: no key for a hosted endpoint, an address that is none, several models to choose from, or
            the package langchain-openai is not installed.
        EndpointError: the endpoint had to be asked which models it serves, and failed.
    """
    settings = endpoint_settings(llm, base_url, api_key)
    if settings.offline:
        raise UsageError("No chat model is configured.", hint=f"Set {MODEL_VARIABLE}, --llm or --base-url.")
    url, query = base_and_query(checked_url(settings.url or HOSTED_URL))
    key = settings.key or key_for(url)
    name = settings.model
    if not name:
        name = _HOSTED_MODEL if url == HOSTED_URL else _only_model(url, key, timeout_s)
    return _openai_compatible(name, url, query, key, settings, timeout_s, max_retries), name


def _openai_compatible(
    name: str,
    url: str,
    query: Mapping[str, str],
    key: str,
    settings: EndpointSettings,
    timeout_s: float,
    max_retries: int,
) -> CompatChatOpenAI:
    _need_extra()
    from .llm.openai_compatible import CompatChatOpenAI, asynchronous_client, certificates, client_of_one_host

    verify = certificates(url)
    options = dict(settings.options)
    headers = {**({"api-key": key} if is_azure(url) else {}), **settings.headers}
    return CompatChatOpenAI(
        model=name,
        base_url=url,
        api_key=SecretStr(key),
        timeout=options.pop("timeout_s", timeout_s),
        max_retries=max_retries,
        http_client=client_of_one_host(verify),
        http_async_client=asynchronous_client(verify),
        use_responses_api=options.pop("api", "chat") == "responses",
        stream_usage=True,
        output_version="v0",
        default_query=dict(query) or None,
        default_headers=headers or None,
        **options,
    )


def served_models(url: str, key: str, timeout_s: float) -> list[str]:
    """What the endpoint says that it serves.

    Raises:
        UsageError: the package langchain-openai is not installed.
        EndpointError: it did not answer, or not with a list of models.
    """
    _need_extra()
    import openai

    endpoint = Endpoint("any", url, key)
    try:
        with (
            saying_what_is_waited_for(endpoint),
            openai.OpenAI(base_url=url, api_key=key, timeout=timeout_s, max_retries=0) as client,
        ):
            return [model.id for model in client.models.list().data]
    except openai.APITimeoutError:
        raise endpoint_error(ModelTimeoutError(), endpoint) from None
    except openai.APIConnectionError:
        raise endpoint_error(ModelConnectionError(), endpoint) from None
    except (openai.OpenAIError, AttributeError, TypeError, ValueError) as error:
        raise endpoint_error(error, endpoint) from None


def _only_model(url: str, key: str, timeout_s: float) -> str:
    served = served_models(url, key, timeout_s)
    if len(served) == 1:
        return served[0]
    listed = f"{', '.join(sorted(served)[:8])}{' …' if len(served) > 8 else ''}" or "none"
    raise UsageError(
        f"{shown_url(url)} serves these models: {listed}.",
        hint=f"Choose with --llm NAME or {MODEL_VARIABLE}.",
    )


def _need_extra() -> None:
    if importlib.util.find_spec("langchain_openai") is None:
        raise UsageError(
            "Chat models behind an endpoint need the package langchain-openai.",
            hint="pip install langchain-openai",
        )
