"""Which endpoint, and which of its models: a flag wins over the environment, that over the configuration."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from ...hardware_db.configuration import read_configuration
from ...hardware_db.errors import UsageError
from ...tools.core.records import dataclass

OFFLINE = "offline"
KEY_VARIABLE, URL_VARIABLE, MODEL_VARIABLE = "OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"


@dataclass(frozen=True)
class EndpointSettings:
    """`offline`: the planner answers. Else the endpoint at `url`, None for the hosted one, with `model`,
    None for the only one that it serves."""

    offline: bool
    model: str | None = None
    url: str | None = None
    key: str | None = field(default=None, repr=False)
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of the configuration file: `temperature`, `max_tokens`, `reasoning_effort`, `timeout_s`, `api`."""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


def endpoint_settings(
    llm: str | None = None,
    base_url: str | None = None,
    api_key: str | None = None,
    environment: Mapping[str, str] = os.environ,
) -> EndpointSettings:
    """Raises UsageError for a configuration file that cannot be used."""
    configured = read_configuration().llm
    url = base_url or environment.get(URL_VARIABLE) or configured.base_url
    key = api_key or environment.get(KEY_VARIABLE) or _key_in(configured.api_key_variable, environment)
    asked = llm or configured.model
    model = llm or environment.get(MODEL_VARIABLE) or configured.model
    endpoint_asked_for = bool(base_url or environment.get(URL_VARIABLE) or environment.get(MODEL_VARIABLE))
    if llm == OFFLINE or (llm is None and configured.model == OFFLINE and not endpoint_asked_for):
        return EndpointSettings(offline=True)
    if asked is None and not url and not key:
        return EndpointSettings(offline=True)
    return EndpointSettings(
        offline=False,
        model=None if model == OFFLINE else model,
        url=url,
        key=key,
        options=configured.options,
        headers={name: _expanded(text, environment) for name, text in configured.headers.items()},
    )


def _expanded(text: str, environment: Mapping[str, str]) -> str:
    """A header's text; $NAME stands for a variable, so that no secret has to stand in a file."""
    if not text.startswith("$"):
        return text
    if not environment.get(text[1:]):
        raise UsageError(
            f"The variable {text[1:]}, which the configuration names for a header, is not set.",
            hint="Set it, or take the header out of the configuration.",
        )
    return environment[text[1:]]


def _key_in(variable: str | None, environment: Mapping[str, str]) -> str | None:
    if variable is None:
        return None
    if not environment.get(variable):
        raise UsageError(
            f"The variable {variable}, which the configuration names for the key, is not set.",
            hint=f"Set it, or take api_key_variable out of the configuration; --llm {OFFLINE} needs no key.",
        )
    return environment[variable]
