"""Which layer of one version is which of the other."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from ..graph import ModelGraph, Op

Pair = tuple[int | None, int | None]


class Alignment(NamedTuple):
    same: list[tuple[int, int]]
    """Layers with the same operator, options, shapes and types, in the order that both have."""
    other: list[Pair]
    """Pairs of the same operator that changed, and layers that only one version has."""


def align(before: ModelGraph, after: ModelGraph) -> Alignment:
    """Of two ways to align, the one that leaves fewer layers different.

    Layers that are alike to the last shape anchor an insertion; the sequence of operators alone tells which
    is which where all of them changed, as with another width.
    """
    exact = [_key(before, op) for op in before.ops], [_key(after, op) for op in after.ops]
    head = _common(*exact)
    rest = exact[0][head:], exact[1][head:]
    tail = _common(rest[0][::-1], rest[1][::-1])
    ends = len(before.ops) - tail, len(after.ops) - tail
    found = _closest(
        (exact[0][head : ends[0]], exact[1][head : ends[1]]),
        ([op.label for op in before.ops[head : ends[0]]], [op.label for op in after.ops[head : ends[1]]]),
    )
    return Alignment(
        [
            *((at, at) for at in range(head)),
            *((head + a, head + b) for a, b in found.same),
            *((ends[0] + at, ends[1] + at) for at in range(tail)),
        ],
        [(None if a is None else head + a, None if b is None else head + b) for a, b in found.other],
    )


def _common(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """How many they begin with alike: comparing takes time with the square of what is left."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _closest(
    exact: tuple[Sequence[Hashable], Sequence[Hashable]], kinds: tuple[Sequence[Hashable], Sequence[Hashable]]
) -> Alignment:
    by_kind = _aligned(_blocks(*kinds), exact)
    by_layer = _aligned(_by_layer(exact, kinds), exact)
    return min(by_kind, by_layer, key=lambda found: len(found.other) + sum(None in p for p in found.other))


def kinds_only_in(one: ModelGraph, other: ModelGraph) -> tuple[str, ...]:
    has = {op.label for op in other.ops}
    return tuple(dict.fromkeys(op.label for op in one.ops if op.label not in has))


def _by_layer(
    exact: tuple[Sequence[Hashable], Sequence[Hashable]], kinds: tuple[Sequence[Hashable], Sequence[Hashable]]
) -> Iterator[Pair]:
    for tag, a0, a1, b0, b1 in _matcher(*exact).get_opcodes():
        if tag == "equal":
            yield from zip(range(a0, a1), range(b0, b1), strict=True)
        else:
            for a, b in _blocks(kinds[0][a0:a1], kinds[1][b0:b1]):
                yield (None if a is None else a0 + a, None if b is None else b0 + b)


def _blocks(one: Sequence[Hashable], other: Sequence[Hashable]) -> Iterator[Pair]:
    for tag, a0, a1, b0, b1 in _matcher(one, other).get_opcodes():
        if tag == "equal":
            yield from zip(range(a0, a1), range(b0, b1), strict=True)
        else:
            yield from ((a, None) for a in range(a0, a1))
            yield from ((None, b) for b in range(b0, b1))


def _aligned(pairs: Iterator[Pair], exact: tuple[Sequence[Hashable], Sequence[Hashable]]) -> Alignment:
    same: list[tuple[int, int]] = []
    other: list[Pair] = []
    for a, b in pairs:
        if a is not None and b is not None and exact[0][a] == exact[1][b]:
            same.append((a, b))
        else:
            other.append((a, b))
    return Alignment(same, other)


def _matcher(one: Sequence[Hashable], other: Sequence[Hashable]) -> SequenceMatcher[Hashable]:
    return SequenceMatcher(None, one, other, autojunk=False)


def _key(graph: ModelGraph, op: Op) -> Hashable:
    tensors = [graph.tensors[i] for i in (*op.inputs, *op.outputs) if i >= 0]
    shapes = tuple((t.shape, t.dtype, t.is_constant) for t in tensors)
    return (op.label, tuple(sorted(op.options.items())), shapes)
