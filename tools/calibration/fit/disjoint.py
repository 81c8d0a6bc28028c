"""Tables that are fitted apart and stored as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeVar

T = TypeVar("T")


def disjoint_union(tables: Iterable[Mapping[str, T]]) -> dict[str, T]:
    """All entries of all tables.

    Raises:
        ValueError: two tables hold the same name, so that one fit would overwrite another.
    """
    tables = list(tables)
    times = Counter(name for table in tables for name in table)
    shared = sorted(name for name, count in times.items() if count > 1)
    if shared:
        raise ValueError(f"{len(shared)} names were fitted more than once: {', '.join(shared[:5])}")
    return {name: value for table in tables for name, value in table.items()}
