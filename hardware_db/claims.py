"""Finds every claim in a target or a runtime, with the path that leads to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from pydantic import BaseModel

from .errors import YamlPath
from .schema import Claim, Leaf, OpSupport

_PARTED = (tuple, dict, BaseModel)


class Found(NamedTuple):
    path: YamlPath
    claim: Claim[Any]


class Citation(NamedTuple):
    """Something that names a source: a claim, or an operator's support."""

    path: YamlPath
    source: str
    locator: str


def claims(entry: BaseModel) -> Iterator[Found]:
    """All claims, each leaf before those that disagree with it."""
    for path, value in _cited(entry):
        if isinstance(value, Claim):
            yield Found(path, value)


def leaves(entry: BaseModel) -> Iterator[tuple[YamlPath, Leaf[Any]]]:
    for path, claim in claims(entry):
        if isinstance(claim, Leaf):
            yield path, claim


def citations(entry: BaseModel) -> Iterator[Citation]:
    for path, value in _cited(entry):
        yield Citation(path, value.source, value.locator)


def _cited(entry: BaseModel) -> list[tuple[YamlPath, Claim[Any] | OpSupport]]:
    found: list[tuple[YamlPath, Claim[Any] | OpSupport]] = []

    def walk(value: Any, path: YamlPath) -> None:
        parts: Iterable[tuple[str | int, Any]]
        if isinstance(value, tuple):
            parts = enumerate(value)
        elif isinstance(value, dict):
            parts = value.items()
        else:
            if isinstance(value, (Claim, OpSupport)):
                found.append((path, value))
            parts = [(key, getattr(value, name)) for name, key in _fields(value.__class__)]
        for key, part in parts:
            if part and isinstance(part, _PARTED):
                walk(part, (*path, key))

    walk(entry, ())
    return found


@cache
def _fields(of: type[BaseModel]) -> tuple[tuple[str, str], ...]:
    """Each field, and its name in a file."""
    return tuple((name, info.alias or name) for name, info in of.model_fields.items())
