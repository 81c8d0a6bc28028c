"""A ratio for each layer: channels go first where a share of them costs the most time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .....hardware_db.errors import UsageError
from ....graph import ModelGraph, Op
from ..channels import Channels, pruned
from .widths import with_sizes

_STEPS = 16
"""Parts of a group of channels that are taken one after the other."""
_BOTH_WAYS = frozenset({"CONV_2D", "FULLY_CONNECTED"})
"""Layers whose time follows both their input's and their output's channels."""


def pruned_by_cost(
    graph: ModelGraph, ratio: float, costs: Sequence[float], *, multiple: int = 4
) -> ModelGraph:
    """Save the time that removing `ratio` of all channels would save, with fewer channels.

    Greedy, as in NetAdapt (Yang et al. 2018, arXiv:1804.03230), with estimated times. No layer loses more
    than twice the ratio.

    Args:
        graph: any model.
        ratio: between 0 and 1.
        costs: what each operator takes now, in seconds or any other unit.
        multiple: channels that stay are a multiple of it.

    Raises:
        UsageError: a ratio outside 0 to 1, or no channel can go.
    """
    channels = Channels(graph.main)
    before = channels.free()
    work = _Work(graph, channels, costs)
    even = Channels(pruned(graph, ratio, multiple=multiple).main).free()
    goal = work.total({group: even.get(group, size) for group, size in before.items()})
    sizes = dict(before)
    fewest = {g: max(multiple, size * (1 - min(2 * ratio, 0.9))) for g, size in before.items()}
    now = work.total(sizes)
    while now > goal:
        offers = {}
        for group, size in sizes.items():
            less = size - max(before[group] // _STEPS // multiple, 1) * multiple
            if less >= fewest[group]:
                saved = work.saved(group, sizes, less)
                offers[group] = saved * before[group] / (size - less), less, saved
        if not offers:
            break
        group = max(offers, key=lambda g: offers[g][0])
        _, sizes[group], saved = offers[group]
        if saved <= 0:
            break
        now -= saved
    if sizes == before:
        raise UsageError("No channel can go that would save time.")
    return with_sizes(graph, channels, sizes)


class _Work:
    """Time of every operator, as its channels change."""

    def __init__(self, graph: ModelGraph, channels: Channels, costs: Sequence[float]) -> None:
        self._channels = channels
        self._tensors = graph.tensors
        self._parts = [(_read(op, channels), float(cost)) for op, cost in zip(graph.ops, costs, strict=True)]
        self._of: dict[int, list[int]] = {}
        for index, (tensors, _) in enumerate(self._parts):
            groups = {channels.find(g) for t in tensors for g in channels.segments[t]}
            for group in groups:
                self._of.setdefault(group, []).append(index)

    def total(self, sizes: Mapping[int, int]) -> float:
        return sum(self._time(index, sizes) for index in range(len(self._parts)))

    def saved(self, group: int, sizes: Mapping[int, int], less: int) -> float:
        after = {**sizes, group: less}
        touched = self._of.get(group, [])
        return sum(self._time(index, sizes) - self._time(index, after) for index in touched)

    def _time(self, index: int, sizes: Mapping[int, int]) -> float:
        tensors, time = self._parts[index]
        for tensor in tensors:
            time *= self._channels.size(tensor, sizes) / max(self._tensors[tensor].shape[-1], 1)
        return time


def _read(op: Op, channels: Channels) -> tuple[int, ...]:
    """Tensors whose channels an operator's time follows."""
    made = [t for t in op.outputs[:1] if t in channels.segments and channels.main.tensors[t].shape]
    data = [t for t in op.inputs[:1] if op.kind in _BOTH_WAYS and t in channels.segments]
    return (*made, *data)
