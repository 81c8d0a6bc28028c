"""Which chat model will answer, as far as it is known before one is loaded."""

from __future__ import annotations

import os
from collections.abc import Mapping

from ..llm.endpoint_settings import OFFLINE, endpoint_settings

__all__ = ["OFFLINE", "expected_llm"]


def expected_llm(
    llm: str | None, base_url: str | None = None, environment: Mapping[str, str] = os.environ
) -> str:
    settings = endpoint_settings(llm, base_url, environment=environment)
    if not settings.offline:
        return settings.model or "the endpoint's model"
    return "offline planner" if llm == OFFLINE else "offline planner (no LLM configured)"
