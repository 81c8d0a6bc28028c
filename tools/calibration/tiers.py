"""How far the nearest kin of a measurement is once what it shares a key with is left out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from ..cost_model.hierarchy import amount
from ..cost_model.kernels import Tier
from .record import Record


def nearest_tiers(records: Sequence[Record], key: Callable[[Record], str], needed: int = 2) -> list[Tier]:
    """Of each record, the nearest level that `needed` keys or more were measured on."""
    seen: dict[str, set[str]] = defaultdict(set)
    for record in records:
        for node, _ in map(amount, record.path):
            seen[node].add(key(record))
    return [_nearest(name for name, _ in map(amount, r.path) if len(seen[name]) >= needed) for r in records]


def _nearest(nodes: Iterable[str]) -> Tier:
    levels = {node.partition(":")[0] for node in nodes}
    return next((tier for tier in Tier if tier.value in levels), Tier.NOTHING)
