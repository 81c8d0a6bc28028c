"""The facts of a tool's result, read once: every answer of a conversation is checked against all of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from .facts import Fact

_MOST_KEPT = 64

Record = Mapping[str, Any]
Named = Callable[[str], bool]
Read = Callable[[Record, int, Named], list[Fact]]


class _Kept(NamedTuple):
    facts: list[Fact]
    names: dict[str, bool]
    """What `named` said of the names that it was asked about."""


_kept: dict[bytes, _Kept] = {}


def kept_facts(record: Record, position: int, named: Named, read: Read) -> list[Fact]:
    """As `read` gives them, again for an equal record at an equal position if `named` still says the same."""
    key = _key(record, position)
    if key is None:
        return read(record, position, named)
    known = _kept.pop(key, None)
    if known is None or any(named(name) is not said for name, said in known.names.items()):
        known = _read(record, position, named, read)
    for oldest in tuple(_kept)[: 1 - _MOST_KEPT]:
        _kept.pop(oldest, None)
    _kept[key] = known
    return known.facts


def _read(record: Record, position: int, named: Named, read: Read) -> _Kept:
    names: dict[str, bool] = {}

    def noted(name: str) -> bool:
        return names.setdefault(name, named(name))

    return _Kept(read(record, position, noted), names)


def _key(record: Record, position: int) -> bytes | None:
    """A digest of all that is read of the record; None of one that is no JSON."""
    told = [position, *(record.get(name) for name in ("id", "arguments", "result", "error"))]
    try:
        return hashlib.blake2b(json.dumps(told).encode(), digest_size=16).digest()
    except (TypeError, ValueError, RecursionError):
        return None
