"""The arena under another liveness: what a change that leaves the operators alone would bring.

Kernels that compute element by element may write over their input, and what is concatenated along the
outermost axis may be written in place. TFLite Micro's own plan does neither, but obeys offsets that the
model brings (`OfflineMemoryAllocation`, tensorflow/tflite-micro lite/micro/docs/memory_management.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ...hardware_db import Planner
from ...hardware_db.errors import UsageError
from ..core.deployment import Deployment
from ..core.records import replace
from ..graph import ModelGraph, Op, Subgraph
from .arena import Arena, Demand, demand_of, plain_liveness, plan_arena
from .bands import Bands, banded, widest_band
from .in_place import ELEMENTWISE, VIEWS, in_place_live_bytes
from .kernels.kernel_call import UnplannableError
from .liveness import NEVER, Buffer, Ints, Liveness
from .terms import ArenaTerms, arena_terms
from .tflm.arena import tflm_liveness

Change = Callable[[ModelGraph, Liveness], Liveness]
_OVERWRITES = frozenset({Planner.IN_PLACE})


def replanned(graph: ModelGraph, deployment: Deployment, change: Change) -> Arena:
    """The arena with the buffers that `change` makes of the planner's own.

    Raises:
        UsageError: the change does not apply, or there is no plan to change.
    """
    terms = arena_terms(deployment)
    if terms.planner in _OVERWRITES:
        raise UsageError(f"the planner of {deployment.runtime.id} does so already")
    try:
        lives = change(graph, base_liveness(graph, terms))
        return arena_of(graph, terms, demand_of(graph, lives, in_place=False))
    except UnplannableError as unknown:
        raise UsageError(str(unknown)) from unknown


def base_liveness(graph: ModelGraph, terms: ArenaTerms) -> Liveness:
    """
    Raises:
        UnplannableError: see `liveness`.
    """
    return plain_liveness(graph) if terms.interpreter is None else tflm_liveness(graph, terms.interpreter)


def arena_of(graph: ModelGraph, terms: ArenaTerms, demand: Demand) -> Arena:
    """The arena as if the model brought no plan of its own.

    Raises:
        UnplannableError: no plan can be made.
    """
    planless = replace(graph, offline_plans=()) if graph.offline_plans else graph
    return plan_arena(planless, terms, demand)


def overwriting(graph: ModelGraph, lives: Liveness) -> Liveness:
    """Every elementwise operator writes over an input of the same size that is not read again."""
    home = _Homes(lives)
    for op in graph.main.ops:
        if op.kind in ELEMENTWISE | VIEWS and len(op.outputs) == 1:
            made = home.of(op.outputs[0])
            source = next((b for i in op.inputs if (b := home.of(i)) and _ends_in(b, made)), None)
            if made is not None and source is not None:
                home.merge(made, source)
    if not home.merged:
        raise UsageError("no elementwise operator has an input of its size that is not read again")
    return home.liveness()


def _ends_in(source: Buffer, made: Buffer | None) -> bool:
    return made is not None and source.bytes == made.bytes and source.last == made.first


def concatenating_in_place(graph: ModelGraph, lives: Liveness) -> Liveness:
    """What is concatenated along the outermost axis is written where the result lies."""
    home = _Homes(lives)
    for op in graph.main.ops:
        made = home.of(op.outputs[0]) if op.kind == "CONCATENATION" and op.outputs else None
        parts = _parts(op, graph.main, home)
        if made is not None and parts and _is_outermost(op, graph.main):
            for part in parts:
                home.merge(part, made)
    if not home.merged:
        raise UsageError("nothing is concatenated along the outermost axis from tensors of its own")
    return home.liveness()


def _parts(op: Op, main: Subgraph, home: _Homes) -> list[Buffer]:
    """The inputs' buffers; none where one of them may not be moved."""
    if op.kind != "CONCATENATION" or len(set(op.inputs)) < len(op.inputs):
        return []
    parts = [home.of(i) for i in op.inputs if i not in main.inputs]
    found = [part for part in parts if part is not None]
    return found if len(found) == len(op.inputs) else []


def _is_outermost(op: Op, main: Subgraph) -> bool:
    shape = main.tensors[op.outputs[0]].shape
    axis = op.option_int("axis", 0) % max(len(shape), 1)
    return all(size == 1 for size in shape[:axis])


class _Homes:
    """The buffers of the main subgraph's tensors, some of which come to share their place."""

    def __init__(self, lives: Liveness) -> None:
        self._lives = lives
        self._buffers: dict[int, Buffer] = {
            b.tensor: b for b in lives.buffers if b.tensor is not None and b.subgraph == 0 and b.is_used
        }
        self._into: dict[int, int] = {}
        self.merged = 0

    def of(self, tensor: int) -> Buffer | None:
        """The buffer that holds a tensor now; None for constants and for what is alive from the start."""
        while tensor in self._into:
            tensor = self._into[tensor]
        found = self._buffers.get(tensor)
        return None if found is None or found.first == NEVER else found

    def merge(self, one: Buffer, into: Buffer) -> None:
        """`one` gives up its place and lives in `into`, which is as large as the larger."""
        assert one.tensor is not None
        assert into.tensor is not None
        now = self._buffers[into.tensor]
        self._buffers[into.tensor] = now._replace(
            first=min(now.first, one.first), last=max(now.last, one.last)
        )
        del self._buffers[one.tensor]
        self._into[one.tensor] = into.tensor
        self.merged += 1

    def liveness(self) -> Liveness:
        return Liveness(
            tuple(found for b in self._lives.buffers if (found := self._kept(b, self._buffers)) is not None),
            self._lives.op_of_step,
        )

    def _kept(self, buffer: Buffer, now: Mapping[int, Buffer]) -> Buffer | None:
        if buffer.tensor is None or buffer.subgraph != 0 or not buffer.is_used:
            return buffer
        return now.get(buffer.tensor)


def in_bands(graph: ModelGraph, deployment: Deployment, bands: Bands) -> Arena:
    """The arena with the first operators computed band by band.

    Raises:
        UsageError: there is no plan to change, or subgraphs are called among those operators.
    """
    terms = arena_terms(deployment)
    try:
        of_band = base_liveness(widest_band(graph, bands, whole_ends=False), terms)
        lives = banded(graph, base_liveness(graph, terms), bands, of_band)
        demand = demand_of(graph, lives, in_place=False)
        if terms.planner in _OVERWRITES:
            live = np.minimum(_in_place_live_bytes(graph, bands), demand.live_by_op)
            demand = Demand(lives, live, int(live.max()))
        return arena_of(graph, terms, demand)
    except UnplannableError as unknown:
        raise UsageError(str(unknown)) from unknown


def _in_place_live_bytes(graph: ModelGraph, bands: Bands) -> Ints:
    """Of the widest band, with the model's inputs and the block's whole output held all the while."""
    live, main = in_place_live_bytes(widest_band(graph, bands, whole_ends=True)), graph.main
    inputs = {t: max((op.index for op in main.ops if t in op.inputs), default=-1) for t in main.inputs}
    for op in main.ops[: bands.ops]:
        made = main.tensors[op.outputs[0]].bytes or 0
        for tensor, last in inputs.items():
            size = main.tensors[tensor].bytes or 0
            live[op.index] += size if last < op.index else min(size, made) if last == op.index else 0
        if op.outputs[0] != bands.output:
            live[op.index] += main.tensors[bands.output].bytes or 0
    return live
