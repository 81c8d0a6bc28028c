"""How accurate networks are that all do what is demanded: of these the most accurate is the one to take."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

from ..bench import Call, Record, is_named
from ..query import LIMITS, Role
from .columns import Column
from .phrases import language_models
from .rows import Row

_PUBLISHED = "published_accuracy"
ACCURACY = Column(
    "accuracy", _PUBLISHED, "accuracy", "%", "is the most accurate", "is the least accurate", largest=True
)
_MEETS = ("PASS", "MARGINAL")


def with_accuracy(rows: Sequence[Row]) -> Generator[Call, Record, list[Row]]:
    """The rows with what was published of each network, where all were measured alike, several meet a limit
    and it is the network that differs; else as they are."""
    networks = [row.query.text(Role.MODEL) for row in rows]
    several = len({*networks}) == len(networks) > 1 and all(map(is_named, networks))
    met = [row for row in rows if row.verdict in _MEETS and row.query.has(*LIMITS)]
    if not several or len(met) < 2 or any(language_models(row.query) for row in rows):
        return list(rows)
    record = yield Call(_PUBLISHED, {"models": networks}, frozenset())
    compared = [record.row("compared", at) for at in range(len(record["compared"] or ()))]
    found = {str(one["model"]): one for one in compared}
    if not found.keys() >= {*networks}:
        return list(rows)
    own = zip(rows, networks, strict=True)
    return [replace(row, records={**row.records, _PUBLISHED: found[name]}) for row, name in own]
