"""The arena of a model under each kind of planner, before it is placed in a memory region."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...hardware_db import Planner
from ..core.quantity import Basis, Quantity
from ..core.records import dataclass, replace
from ..graph import DType, ModelGraph, Tensor
from ..graph.memoize import memoized
from .compiled_steps import folded_lives
from .cube_arena import surplus
from .in_place import in_place_live_bytes
from .kernels.kernel_call import UnplannableError
from .litert.arena import litert_offsets
from .litert.sharing import merged_buffers
from .liveness import Buffer, Ints, Liveness, liveness
from .overlap import planned_bytes
from .plan_parts import PersistentPart
from .terms import ArenaTerms, Interpreter
from .tflm.arena import plan_tflm
from .tflm.greedy import greedy_offsets

_ADDRESS_SPACE = 2**40
_WORD = 4
_HANDLE_BYTES = 8
_CACHING_FACTOR = 1.5
_LITERT_SLACK = 1.25
_OVERLAPPED_INTERVAL = (0.92, 1.43)
_ABOVE_AT_MOST = 1.05
_COMPILED_INTERVAL = (0.85, 2.1)
_OVERLAPPING = (
    "buffers overlap as in C code that X-CUBE-AI 8.1 generated for published projects, kernels' scratch "
    "buffers included; with other options or releases it overlaps fewer"
)
_AT_MOST = (
    "activations at most: X-CUBE-AI 9.0 to 10.2 lets fewer buffers overlap than it could, by no rule that is "
    "known; no published size is above this, the lower end is what full overlap takes"
)


@dataclass(frozen=True)
class Arena:
    """Bytes that a model's activations take, and how they come about."""

    size: Quantity
    nonpersistent: int
    persistent: int | None
    buffers: tuple[Buffer, ...]
    offsets: Ints | None
    """Of `buffers`; None where the placement is not modelled."""
    set_up: int | None = None
    persistent_parts: tuple[PersistentPart, ...] = ()
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        return self.nonpersistent + (self.persistent or 0)


@dataclass(frozen=True)
class Demand:
    """What is alive when: the same for every planner that moves nothing."""

    lives: Liveness
    live_by_op: Ints
    """Bytes that have to be held while each operator of the main subgraph runs."""
    floor: int
    """The most of them; of the inputs alone in a model without operators."""


def demand_of(graph: ModelGraph, lives: Liveness, *, in_place: bool) -> Demand:
    by_step = lives.live_bytes()
    by_op = np.zeros(len(graph.ops), dtype=np.int64)
    if in_place:
        by_op = in_place_live_bytes(graph)
    elif len(graph.ops):
        np.maximum.at(by_op, np.array(lives.op_of_step), by_step)
    return Demand(lives, by_op, int(by_op.max() if len(by_op) else by_step.max()))


def sharing_demand(graph: ModelGraph, lives: Liveness) -> Demand:
    """What LiteRT has to hold, whose operators may write over their inputs."""
    own, _ = merged_buffers(graph.main, lives.buffers)
    return replace(demand_of(graph, Liveness(tuple(own), lives.op_of_step), in_place=False), lives=lives)


def plain_liveness(graph: ModelGraph) -> Liveness:
    """Tensors laid out densely, variables among them, no scratch buffers."""
    return memoized(graph, "plain liveness", None, lambda: liveness(graph, _dense_bytes, variables=True))


def plan_arena(graph: ModelGraph, terms: ArenaTerms, demand: Demand) -> Arena:
    """
    Raises:
        UnplannableError: no plan can be made, with the reason.
    """
    if terms.interpreter is not None:
        return _tflm(graph, terms.interpreter, demand)
    match terms.planner:
        case Planner.LITERT_ARENA:
            return _litert(graph, terms, demand)
        case Planner.IN_PLACE:
            return _in_place(graph, terms.release, demand)
        case Planner.COMPILED:
            return _compiled(graph, demand)
        case _:
            return _allocator(demand)


def _tflm(graph: ModelGraph, interpreter: Interpreter, demand: Demand) -> Arena:
    plan = plan_tflm(graph, interpreter, demand.lives)
    return Arena(
        size=plan.size,
        nonpersistent=plan.head,
        persistent=plan.persistent.bytes,
        buffers=demand.lives.buffers,
        offsets=plan.offsets,
        set_up=plan.persistent.set_up_bytes,
        persistent_parts=plan.parts,
        assumptions=plan.assumptions,
        warnings=plan.warnings,
    )


def _litert(graph: ModelGraph, terms: ArenaTerms, demand: Demand) -> Arena:
    alignment = terms.alignment or 1
    buffers = tuple(b for b in demand.lives.buffers if b.is_used)
    offsets = litert_offsets(graph, buffers, len(demand.lives.op_of_step), alignment)
    size = _top(buffers, offsets)
    _check_size(size)
    notes = (
        "arena as LiteRT's own planner packs it; XNNPACK keeps its operators' tensors in a workspace that is "
        "packed alike, and a second copy of their weights that is not counted",
    )
    quantity = Quantity(
        value=size, low=min(demand.floor, size), high=size * _LITERT_SLACK, unit="B", basis=Basis.ASSUMED
    )
    return Arena(quantity, size, None, buffers, offsets, assumptions=notes)


def _in_place(graph: ModelGraph, release: str, demand: Demand) -> Arena:
    """What X-CUBE-AI takes at most, down to what buffers that overlap take.

    No published activation size of 9.0 to 10.2 is above the value (ST model zoo, MLPerf Tiny: 24 sizes); of
    109 of 7.1 to 8.1 half lie within 0.5 % of it and 92 % inside an interval from all networks but their own.
    """
    _check_size(demand.floor)
    planned = planned_bytes(graph, demand.live_by_op)
    overlapped = max(demand.floor, int(planned.max()) if len(planned) else 0)
    more = surplus(graph, release)
    value = math.ceil(overlapped * more)
    below, above = _OVERLAPPED_INTERVAL
    high = above * overlapped if more == 1 else _ABOVE_AT_MOST * value
    size = Quantity(
        value=value, low=max(demand.floor, below * overlapped), high=high, unit="B", basis=Basis.FITTED
    )
    note = _OVERLAPPING if more == 1 else _AT_MOST
    return Arena(size, value, None, demand.lives.buffers, None, assumptions=(note,))


def _compiled(graph: ModelGraph, demand: Demand) -> Arena:
    """Activations packed greedily by size, with padding, views and arithmetic on shapes folded away.

    Of 14 published sizes of STM32N6's Neural-ART (ST model zoo) four are the value to the byte and all are
    between 0.85 and 2.1 times it: that compiler spreads its buffers over several memories.
    """
    _check_size(demand.floor)
    packed = _without_overlap(folded_lives(graph, demand.lives))
    notes = (
        "the compiler's own placement is not modelled: activations packed greedily by size, its scratch "
        "buffers not counted",
    )
    below, above = _COMPILED_INTERVAL
    low, high = min(demand.floor, below * packed), above * packed
    size = Quantity(value=packed, low=low, high=high, unit="B", basis=Basis.ASSUMED)
    return Arena(size, packed, None, demand.lives.buffers, None, assumptions=notes)


def _allocator(demand: Demand) -> Arena:
    """The peak of live tensors, down to what is left where engines fuse operators."""
    _check_size(demand.floor)
    peak = max(demand.floor, int(demand.lives.live_bytes().max()))
    notes = (
        f"peak of live tensors; an allocator that caches and rounds may hold {_CACHING_FACTOR:g} times as "
        "much, and the libraries' workspaces are not counted",
    )
    size = Quantity(value=peak, low=demand.floor, high=peak * _CACHING_FACTOR, unit="B", basis=Basis.ASSUMED)
    return Arena(size, peak, None, demand.lives.buffers, None, assumptions=notes)


def _without_overlap(lives: Liveness) -> int:
    buffers = [b for b in lives.buffers if b.is_used]
    return _top(buffers, greedy_offsets(buffers, _WORD))


def _top(buffers: Sequence[Buffer], offsets: Ints) -> int:
    return max((int(o) + b.bytes for b, o in zip(buffers, offsets, strict=True)), default=0)


def _dense_bytes(tensor: Tensor) -> int | None:
    if tensor.dtype is DType.RESOURCE and tensor.elements is not None:
        return _HANDLE_BYTES * tensor.elements
    return tensor.bytes


def _check_size(size: int) -> None:
    if size >= _ADDRESS_SPACE:
        raise UnplannableError(f"its tensors would take {size} bytes at once, more than any machine has")
