"""Kinds of changes that are ruled out: by what they ask of people, by what they change, or by their names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from ....hardware_db.errors import UsageError, nearest
from ...core.deployment import Deployment
from ..optimization_report import Option
from .catalogue import techniques
from .technique import Technique

_RETRAINED = ("retraining", "redesign")
"""Efforts of what changes a network so that it has to be trained anew; other plans of the memory do not."""
_MORE = ("memory", "accelerator", "batch", "threads", "clock", "minutes", *_RETRAINED)
"""Kinds that not every deployment has changes of."""


def read_kinds(exclude: str | Collection[str] | None, deployment: Deployment) -> frozenset[str]:
    """
    Raises:
        UsageError: what is no kind of change, with the nearest.
    """
    kinds = frozenset([exclude] if isinstance(exclude, str) else exclude or ())
    every = list(techniques(deployment)) if kinds else []
    known = {*_MORE, *(each.family for each in every), *(each.name for each in every)}
    for kind in sorted(kinds - known):
        near = nearest(kind, sorted(known))
        families = ", ".join(sorted({*_MORE, *(each.family for each in every)}))
        hint = f"Nearest: {', '.join(near)}." if near else f"Kinds: {families}; or a change by its name."
        raise UsageError(f"There is no kind of change {kind!r}.", hint=hint)
    return kinds


def allowed(every: Iterable[Technique], kinds: Collection[str]) -> Iterator[Technique]:
    """What is not ruled out; what needs no retraining needs no redesign either."""
    for each in every:
        retrained = "retraining" in kinds and each.effort in _RETRAINED
        if not retrained and not {each.effort, each.family, each.name} & {*kinds}:
            yield each


def allowed_plans(options: Iterable[Option], kinds: Collection[str]) -> tuple[Option, ...]:
    """Other plans of the memory, which compute the same: none of them needs retraining."""
    return tuple(each for each in options if not {each.effort, "memory", each.technique} & {*kinds})
