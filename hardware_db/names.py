"""How people spell names: what two spellings have to share to mean the same."""

from __future__ import annotations

import re

_SEPARATORS = re.compile(r"[\s_\-./()®™]+")


def folded(name: str) -> str:
    """The spelling that counts: no case, no spaces, dashes, underscores, dots, slashes or brackets."""
    return _SEPARATORS.sub("", name.casefold())
