"""Finds every claim in a target or a runtime, with the path that leads to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pydantic import BaseModel

from .errors import YamlPath
from .schema import Claim, Leaf, OpSupport


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
    for path, value in _walk(entry, ()):
        if isinstance(value, Claim):
            yield Found(path, value)


def leaves(entry: BaseModel) -> Iterator[tuple[YamlPath, Leaf[Any]]]:
    for path, claim in claims(entry):
        if isinstance(claim, Leaf):
            yield path, claim


def citations(entry: BaseModel) -> Iterator[Citation]:
    for path, value in _walk(entry, ()):
        if isinstance(value, Claim | OpSupport):
            yield Citation(path, value.source, value.locator)


def _walk(value: Any, path: YamlPath) -> Iterator[tuple[YamlPath, Any]]:
    match value:
        case BaseModel():
            yield path, value
            fields = type(value).model_fields
            for name, info in fields.items():
                yield from _walk(getattr(value, name), (*path, info.alias or name))
        case Mapping():
            for key, item in value.items():
                yield from _walk(item, (*path, key))
        case tuple():
            for index, item in enumerate(value):
                yield from _walk(item, (*path, index))
