"""What a whole is made of, level by level: nodes of a sunburst and of a flame graph, and stacks as text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from ...core.records import dataclass
from ...core.sanitize import clean_text

_MERGED_BELOW = 0.004
"""Share of the whole below which leaves that stand together share a node."""


@dataclass(frozen=True)
class Leaf:
    """Something that takes a part, and what it belongs to, the widest first."""

    path: tuple[str, ...]
    values: tuple[float | None, ...]
    """In as many figures as the tree has; None is not known."""
    group: str
    """What it is coloured by."""


@dataclass(frozen=True)
class Node:
    path: tuple[str, ...]
    leaves: int
    values: tuple[float, ...]
    begins: tuple[float, ...]
    """Shares of the whole before it, in each figure."""
    shares: tuple[float, ...]
    group: str

    @property
    def depth(self) -> int:
        return len(self.path)


def nodes_of(leaves: Sequence[Leaf]) -> list[Node]:
    """Every level's nodes, those that take most of the first figure in front."""
    if not leaves:
        return []
    totals = tuple(_sums(leaves))
    return list(_below(list(leaves), (), totals, tuple(0.0 for _ in totals)))


def _below(
    leaves: list[Leaf], path: tuple[str, ...], totals: tuple[float, ...], begins: tuple[float, ...]
) -> Iterator[Node]:
    at = len(path)
    parts: dict[str, list[Leaf]] = defaultdict(list)
    for leaf in leaves:
        if len(leaf.path) > at:
            parts[leaf.path[at]].append(leaf)
    for name, inside in _ordered(parts, totals, at):
        sums = tuple(_sums(inside))
        shares = tuple(own / all_ if all_ else 0.0 for own, all_ in zip(sums, totals, strict=True))
        groups = {leaf.group for leaf in inside}
        group = groups.pop() if len(groups) == 1 else ""
        yield Node((*path, name), len(inside), sums, begins, shares, group)
        yield from _below(inside, (*path, name), totals, begins)
        begins = tuple(begin + share for begin, share in zip(begins, shares, strict=True))


def _ordered(
    parts: dict[str, list[Leaf]], totals: tuple[float, ...], at: int
) -> list[tuple[str, list[Leaf]]]:
    """The largest first; leaves too thin to be seen together, last."""
    thin = [
        name
        for name, inside in parts.items()
        if all(len(leaf.path) == at + 1 for leaf in inside)
        and max((s / t for s, t in zip(_sums(inside), totals, strict=True) if t), default=0.0) < _MERGED_BELOW
    ]
    found = sorted(parts.items(), key=lambda part: -next(_sums(part[1])))
    if len(thin) < 2:
        return found
    merged = [leaf for name in thin for leaf in parts[name]]
    kept = [(name, inside) for name, inside in found if name not in thin]
    return [*kept, (f"{len(merged)} others", [_renamed(leaf, f"{len(merged)} others") for leaf in merged])]


def _renamed(leaf: Leaf, name: str) -> Leaf:
    return Leaf((*leaf.path[:-1], name), leaf.values, leaf.group)


def _sums(leaves: Sequence[Leaf]) -> Iterator[float]:
    for figure in range(len(leaves[0].values)):
        yield sum(leaf.values[figure] or 0.0 for leaf in leaves)


def folded(leaves: Sequence[Leaf], root: str, factor: float) -> str:
    """A line for each leaf as flamegraph.pl and speedscope read it: frames between semicolons, then a count.

    Args:
        leaves: of a tree.
        root: the outermost frame.
        factor: counts for one of the first figure; leaves that come to none are left out, unknown ones too.
    """
    return "".join(_lines(leaves, root, factor))


def _lines(leaves: Sequence[Leaf], root: str, factor: float) -> Iterator[str]:
    for leaf in leaves:
        count = round((leaf.values[0] or 0.0) * factor)
        if count > 0:
            yield f"{';'.join(map(_frame, (root, *leaf.path)))} {count}\n"


def _frame(name: str) -> str:
    return " ".join(clean_text(name).replace(";", ":").split()) or "unnamed"
