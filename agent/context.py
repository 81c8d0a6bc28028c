"""What of a conversation a model is shown: as much as its context takes, the oldest results cut to a line."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import AnyMessage, ToolMessage

from .tokens import count_messages

LEFT_OUT = "(left out here; references to it still hold, and it can be called again)"


def trimmed(messages: Sequence[AnyMessage], most_tokens: int, kept: int) -> list[AnyMessage]:
    """The messages, with results cut to their first lines, oldest first, until the rest fits.

    Args:
        most_tokens: as the server counts them, as far as it said.
        kept: the latest results, which are always shown whole.
    """
    shown = list(messages)
    results = [at for at, message in enumerate(shown) if isinstance(message, ToolMessage)]
    for at in results[: len(results) - kept]:
        if count_messages(shown) <= most_tokens:
            break
        shown[at] = _cut(shown[at])
    return shown


def _cut(message: AnyMessage) -> AnyMessage:
    """The names of its records, which answers may still refer to."""
    heads = [line for line in message.text.splitlines() if line[:1] == "r" and line[1:2].isdecimal()]
    names = [head.partition(": ")[0] for head in heads]
    return message.model_copy(update={"content": "\n".join([*names, LEFT_OUT])})
