"""What may be a question: text, and not too much of it."""

from __future__ import annotations

from ..hardware_db.errors import UsageError

MOST_BYTES = 100_000
_REPLACED = "\N{REPLACEMENT CHARACTER}"
_MOST_REPLACED, _MOST_REPLACED_SHARE = 8, 0.05
"""Characters that UTF-8 cannot read: past both it is no text."""


def checked_question(text: str) -> str:
    """`text` itself.

    Raises:
        UsageError: bytes that are no text, or more than a question can be.
    """
    unread = text.count(_REPLACED)
    if "\0" in text or (unread > _MOST_REPLACED and unread > _MOST_REPLACED_SHARE * len(text)):
        raise UsageError(
            "That is binary data, not a question.",
            hint="Give a model file with --model FILE, and ask in words (UTF-8).",
        )
    if len(text.encode("utf-8", "replace")) > MOST_BYTES:
        raise UsageError(f"The question is longer than {MOST_BYTES:,} bytes.", hint="Ask a shorter one.")
    return text
