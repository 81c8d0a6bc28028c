"""Secrets that must stand in no file that a conversation leaves behind."""

from __future__ import annotations

import json
import os

from ..patterns import compiled

HIDDEN = "***"
_SECRET_VARIABLE = compiled(r"(_API_KEY|_TOKEN|_SECRET|_PASSWORD)$")
_SHORTEST = 8
"""Shorter values are words that a text may hold for another reason."""
_LOOKS_LIKE_A_KEY = compiled(
    r"\bsk-[A-Za-z0-9_-]{20,}|\b(?:hf|gsk|ghp|xai)[-_][A-Za-z0-9]{30,}|(?<=[Bb]earer )[\w.~+/-]{16,}"
)


def without_keys(text: str) -> str:
    """`text`, plain or JSON, without the environment's secrets and without what is written like a key."""
    for name, value in os.environ.items():
        if len(value) >= _SHORTEST and _SECRET_VARIABLE.search(name):
            text = text.replace(value, HIDDEN).replace(json.dumps(value)[1:-1], HIDDEN)
    return _LOOKS_LIKE_A_KEY.sub(HIDDEN, text)


class HiddenInPieces:
    """A text that comes piece by piece, without one secret: what may be its beginning waits for the rest."""

    def __init__(self, secret: str) -> None:
        self._secret = secret if len(secret) >= _SHORTEST else ""
        self._held = ""

    def shown(self, piece: str) -> str:
        if not self._secret:
            return piece
        text = (self._held + piece).replace(self._secret, HIDDEN)
        longest = min(len(text), len(self._secret) - 1)
        kept = next((n for n in range(longest, 0, -1) if text.endswith(self._secret[:n])), 0)
        self._held = text[len(text) - kept :]
        return text[: len(text) - kept]

    def rest(self) -> str:
        """What was held back at the end, which is no secret."""
        held, self._held = self._held, ""
        return held


def without_beginnings(text: str, secret: str) -> str:
    """`text` without a secret, whole or cut."""
    for length in range(len(secret), _SHORTEST - 1, -1):
        text = text.replace(secret[:length], HIDDEN)
    return text
