"""Every figure of a target with where it was read."""

from __future__ import annotations

from typing import Any

from ...hardware_db import Leaf, Target
from .pages import CitedFigure, Conflict


def leaves(part: Any, path: str = "") -> list[tuple[str, Leaf[Any]]]:
    """Every cited figure under `part`, by its dotted path."""
    if isinstance(part, Leaf):
        return [(path, part)]
    found: list[tuple[str, Leaf[Any]]] = []
    if isinstance(part, dict):
        for key, value in part.items():
            found += leaves(value, f"{path}.{key}")
    elif isinstance(part, tuple):
        for index, value in enumerate(part):
            found += leaves(value, f"{path}.{getattr(value, 'id', index)}")
    elif hasattr(type(part), "model_fields"):
        for name in type(part).model_fields:
            found += leaves(getattr(part, name), f"{path}.{name}" if path else name)
    return found


def _figure(claim: Any) -> str:
    match claim.value:
        case float() as number:
            value = f"{number:.6g}"
        case tuple() as words:
            value = ", ".join(words)
        case other:
            value = f"{other}"
    return value if claim.unit == "1" else f"{value} {claim.unit}"


def _claim(leaf: Any) -> str:
    return f"{_figure(leaf)} ({leaf.source}, {leaf.locator})"


def conflict(field: str, leaf: Leaf[Any]) -> Conflict:
    return Conflict(
        field=field,
        chosen=_claim(leaf),
        others=tuple(_claim(other) for other in leaf.others),
        chosen_because=leaf.chosen_because,
    )


def cited(target: Target, field: str, leaf: Leaf[Any]) -> CitedFigure:
    source = target.sources[leaf.source]
    return CitedFigure(
        field=field,
        value=_figure(leaf),
        source=f"{source.title}, {source.where}",
        locator=leaf.locator,
        kind=(leaf.kind or source.kind).value,
    )
