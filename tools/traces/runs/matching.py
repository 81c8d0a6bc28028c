"""Which layers of two runs are the same: by name, by kind and size in their order, or joined to one."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from .run import Layer

_JOINS = re.compile(r"\s*(?:\+|&|,|;)\s*")
_MOST_ALIGNED = 3_000
"""Layers beyond which only names are compared: alignment takes time with their square."""


class Match(NamedTuple):
    """Layers of both sides that are the same; one side is empty where the other has no partner."""

    before: tuple[Layer, ...]
    after: tuple[Layer, ...]
    by: str

    @property
    def times(self) -> tuple[float, float]:
        one, other = (sum(layer.time for layer in side) for side in (self.before, self.after))
        return one, other

    @property
    def kind(self) -> str:
        return next((layer.kind or layer.tag for layer in (*self.after, *self.before)), "")


def matched(before: Sequence[Layer], after: Sequence[Layer]) -> list[Match]:
    """Each layer of either side in exactly one match.

    Names that only one layer has decide first; where one joins several ("conv1 + relu1"), these. What is left
    is aligned in its order, by kind and size and then by kind alone.
    """
    left, right = list(before), list(after)
    found = [
        *_by_name(left, right),
        *_joined(left, right, "joined"),
        *_swapped(_joined(right, left, "split")),
    ]
    if max(len(left), len(right)) <= _MOST_ALIGNED:
        if all(layer.elements is not None for layer in (*left, *right)):
            found += _aligned(left, right, lambda one: (one.kind or one.tag, one.elements), "kind and size")
        found += _aligned(left, right, lambda one: one.kind or one.tag, "kind")
    found += [Match((layer,), (), "only before") for layer in left]
    found += [Match((), (layer,), "only after") for layer in right]
    return found


def _by_name(left: list[Layer], right: list[Layer]) -> list[Match]:
    """Of names that stand for one layer on each side."""
    ours, theirs = _single(left), _single(right)
    found = [Match((ours[tag],), (theirs[tag],), "name") for tag in ours if tag in theirs]
    _without(left, [one for match in found for one in match.before])
    _without(right, [one for match in found for one in match.after])
    return found


def _single(layers: Sequence[Layer]) -> dict[str, Layer]:
    """A name that is a kind tells layers apart only by where it stands: it waits for the alignment."""
    names = [layer.tag for layer in layers]
    many = {name for name in names if names.count(name) > 1} if len(names) <= _MOST_ALIGNED else set()
    return {layer.tag: layer for layer in layers if layer.tag not in many}


def _without(layers: list[Layer], taken: Sequence[Layer]) -> None:
    gone = {id(layer) for layer in taken}
    layers[:] = [layer for layer in layers if id(layer) not in gone]


def _joined(parts: list[Layer], wholes: list[Layer], by: str) -> list[Match]:
    """Layers of one side that the other names as one: `conv1 + relu1`."""
    by_tag = {layer.tag: layer for layer in parts}
    found = []
    for whole in list(wholes):
        names = _JOINS.split(whole.tag)
        members = [by_tag[name] for name in names if name in by_tag]
        if len(names) > 1 and members and len(members) * 2 > len(names):
            found.append(Match(tuple(members), (whole,), by))
            _without(parts, members)
            _without(wholes, [whole])
            by_tag = {layer.tag: layer for layer in parts}
    return found


def _swapped(matches: Sequence[Match]) -> Iterator[Match]:
    return (Match(match.after, match.before, match.by) for match in matches)


def _aligned(left: list[Layer], right: list[Layer], key: Callable[[Layer], Hashable], by: str) -> list[Match]:
    blocks = SequenceMatcher(
        None, [*map(key, left)], [*map(key, right)], autojunk=False
    ).get_matching_blocks()
    pairs = [(left[a + n], right[b + n]) for a, b, size in blocks for n in range(size)]
    _without(left, [one for one, _ in pairs])
    _without(right, [other for _, other in pairs])
    return [Match((one,), (other,), by) for one, other in pairs]
