"""How many figures the shipped data hold, and on what kind of source each stands."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from . import measurements
from .cited import ClaimKind
from .compiled import ENTRIES_FILE

OWN = "own"
"""The repository of rows that were measured for this product."""


class Census(NamedTuple):
    """Counts of published measurements, and of claims about chips and boards."""

    measured: int
    """Rows of measurements."""
    own: int
    """Of these, taken by the product's own authors."""
    repositories: int
    """Public repositories and pages that the others were read in."""
    devices: int
    networks: int
    targets: int
    claims: Mapping[ClaimKind, int]
    """Figures of targets by the kind of their source, those that disagree included."""


class Price(NamedTuple):
    """What a target was offered for."""

    target: str
    usd: float
    seller: str
    """Title of the source."""
    date: str
    """When it was read, or the revision that was read was made."""


@cache
def census() -> Census:
    """Counts of everything that is shipped."""
    rows = measurements.rows()
    sources = {row["repository"] for row in rows} - {OWN, "repository"}
    targets = list(_targets())
    kinds = Counter(kind for target in targets for kind in _kinds(target, target["sources"]))
    return Census(
        measured=len(rows),
        own=sum(row["repository"] == OWN for row in rows),
        repositories=len(sources),
        devices=len({row["device"] for row in rows}),
        networks=len({row["network"] for row in rows}),
        targets=len(targets),
        claims=kinds,
    )


@cache
def prices() -> tuple[Price, ...]:
    """Of every target that has one, the cheapest first."""
    found = []
    for target in _targets():
        if price := target.get("price_usd"):
            source = target["sources"][price["source"]]
            found.append(Price(target["id"], price["value"], source["title"], source["date"]))
    return tuple(sorted(found, key=lambda price: price.usd))


def _targets() -> Iterator[dict[str, Any]]:
    for line in ENTRIES_FILE.read_text(encoding="utf-8").splitlines():
        folder, _, _, entry = line.split("\t", 3)
        if folder == "targets":
            yield json.loads(entry)


def _kinds(value: Any, sources: Mapping[str, Any]) -> Iterator[ClaimKind]:
    match value:
        case dict():
            if {"value", "source", "locator"} <= value.keys():
                yield ClaimKind(value.get("kind") or sources[value["source"]]["kind"])
            for item in value.values():
                yield from _kinds(item, sources)
        case list():
            for item in value:
                yield from _kinds(item, sources)
