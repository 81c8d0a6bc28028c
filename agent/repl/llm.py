"""Which chat model will answer, as far as it can be told before one is loaded."""

from __future__ import annotations

import os
from collections.abc import Mapping

OFFLINE = "offline"
KEY_VARIABLE, URL_VARIABLE, MODEL_VARIABLE = "OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"
"""As in `chat_models` and `endpoint_errors`, which take a second to import."""


def expected_llm(llm: str | None, environment: Mapping[str, str] = os.environ) -> str:
    if llm == OFFLINE:
        return "offline planner"
    if llm is None and not environment.get(KEY_VARIABLE) and not environment.get(URL_VARIABLE):
        return "offline planner (no LLM configured)"
    return llm or environment.get(MODEL_VARIABLE) or "the endpoint's model"
