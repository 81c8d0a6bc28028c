"""A question as the model is shown it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.messages import HumanMessage


def question_message(question: str, context: Mapping[str, Any], message_id: str) -> HumanMessage:
    """The user's words with the conversation's defaults behind them; both stand apart in it too."""
    named = [f"{name} {value}" for name, value in context.items() if value]
    suffix = f"\n\nContext: {'; '.join(named)}." if named else ""
    kept = {"context": dict(context), "question": question}
    return HumanMessage(question + suffix, additional_kwargs=kept, id=message_id)
