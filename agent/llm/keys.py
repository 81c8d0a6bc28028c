"""Secrets that must stand in no file that a conversation leaves behind."""

from __future__ import annotations

import json
import os
import re

HIDDEN = "***"
_SECRET_VARIABLE = re.compile(r"(_API_KEY|_TOKEN|_SECRET|_PASSWORD)$")
_SHORTEST = 8
"""Shorter values are words that a text may hold for another reason."""
_LOOKS_LIKE_A_KEY = re.compile(
    r"\bsk-[A-Za-z0-9_-]{20,}|\b(?:hf|gsk|ghp|xai)[-_][A-Za-z0-9]{30,}|(?<=[Bb]earer )[\w.~+/-]{16,}"
)


def without_keys(text: str) -> str:
    """`text`, plain or JSON, without the environment's secrets and without what is written like a key."""
    for name, value in os.environ.items():
        if len(value) >= _SHORTEST and _SECRET_VARIABLE.search(name):
            text = text.replace(value, HIDDEN).replace(json.dumps(value)[1:-1], HIDDEN)
    return _LOOKS_LIKE_A_KEY.sub(HIDDEN, text)
