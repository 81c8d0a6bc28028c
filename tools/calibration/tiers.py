"""How far the nearest kin of a measurement is once what it shares a key with is left out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from ..cost_model.hierarchy import amount
from ..cost_model.kernels import Tier
from .record import Record


def nearest_tiers(records: Sequence[Record], key: Callable[[Record], str], needed: int = 2) -> list[Tier]:
    """Of each record, the nearest level that `needed` keys or more were measured on."""
    nodes = {path: [node for node, _ in map(amount, path)] for path in {record.path for record in records}}
    seen: dict[str, set[str]] = defaultdict(set)
    for record in records:
        name = key(record)
        for node in nodes[record.path]:
            seen[node].add(name)
    known = {node for node, keys in seen.items() if len(keys) >= needed}
    tiers = {path: _nearest(node for node in steps if node in known) for path, steps in nodes.items()}
    return [tiers[record.path] for record in records]


def _nearest(nodes: Iterable[str]) -> Tier:
    levels = {node.partition(":")[0] for node in nodes}
    return next((tier for tier in Tier if tier.value in levels), Tier.NOTHING)
