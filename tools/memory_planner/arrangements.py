"""Every way to lay arena and weights out in a target's regions, one of them moved at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...hardware_db import Planner, Region, Target
from ...hardware_db.derived import FLASH_KINDS, shared_ram
from ..core.deployment import Deployment
from ..core.records import dataclass, replace
from .board import Board, Part, Run
from .memory_plan import MemoryPlan


@dataclass(frozen=True)
class Arrangement:
    """Regions of each part; `persistent` is empty where the arena is one piece, `weights` where no memory
    holds them."""

    arena: Run
    weights: Run
    persistent: Run = ()

    @property
    def regions(self) -> tuple[Region, ...]:
        return (*self.arena, *self.persistent, *self.weights)

    @property
    def external(self) -> bool:
        return any(region.external for region in self.regions)


@dataclass(frozen=True)
class _Sizes:
    arena: int
    nonpersistent: int
    persistent: int
    weights: int
    code: int
    reserve: int


def planned_arrangement(plan: MemoryPlan, target: Target) -> Arrangement | None:
    """What the plan itself does; None where it found no place for arena or weights."""
    arena, weights = _holding(plan, target, Part.ARENA), _holding(plan, target, Part.WEIGHTS)
    return Arrangement(arena, weights) if arena and weights else None


def arrangements(plan: MemoryPlan, deployment: Deployment) -> tuple[Arrangement, ...]:
    """What the plan does and what else would fit: the arena elsewhere, split in two, the weights elsewhere.

    Weights that find no place at all do not keep the arena from one.

    TFLite Micro takes its persistent and its planned part as two arenas, each in a region of its own
    (MicroAllocator::Create with four sizes, tensorflow/tflite-micro, lite/micro/micro_allocator.cc).
    """
    sizes, target = _sizes(plan), deployment.target
    ram = shared_ram(target)
    if sizes is None or not ram:
        return ()
    storage = [r for r in target.memories if r.kind in FLASH_KINDS]
    planned = planned_arrangement(plan, target)
    found = [planned] if planned else []
    base = Board(target, deployment.clock_mhz)
    home = planned.weights if planned else base.find(sizes.weights + sizes.code, storage or ram)
    if home is None:
        home, sizes = (), replace(sizes, weights=0, code=0)
    _store(base, sizes, home, storage or ram)
    found += [Arrangement(run, home) for run in base.runs_holding(sizes.arena, ram)]
    if deployment.runtime.planner is Planner.TFLM_GREEDY:
        found += [Arrangement(run, home, rest) for run, rest in _split(base, sizes, ram)]
    if planned is not None and storage:
        found += [replace(planned, weights=run) for run in _weight_homes(planned, sizes, deployment, storage)]
    fitting = [each for each in dict.fromkeys(found) if _fits(each, sizes, deployment, storage)]
    return tuple(fitting)


def _sizes(plan: MemoryPlan) -> _Sizes | None:
    if plan.arena_bytes is None:
        return None
    return _Sizes(
        arena=plan.arena_bytes,
        nonpersistent=plan.arena_nonpersistent_bytes or 0,
        persistent=plan.arena_persistent_bytes or 0,
        weights=plan.model_bytes,
        code=plan.code_bytes or 0,
        reserve=plan.reserve_bytes,
    )


def _holding(plan: MemoryPlan, target: Target, part: Part) -> Run:
    names = {use.region for use in plan.regions if part.value in use.holds}
    return tuple(region for region in target.memories if region.id in names)


def _store(board: Board, sizes: _Sizes, home: Run, storage: Sequence[Region]) -> None:
    board.put(Part.WEIGHTS, sizes.weights, home)
    code = board.find(sizes.code, storage)
    if code is not None:
        board.put(Part.CODE, sizes.code, code)


def _split(board: Board, sizes: _Sizes, ram: Sequence[Region]) -> Iterator[tuple[Run, Run]]:
    """Planned tensors in each region that is too small for the whole arena, the rest beside them."""
    whole = set(board.runs_holding(sizes.arena, ram))
    if not sizes.persistent:
        return
    for run in board.runs_holding(sizes.nonpersistent, ram):
        if run in whole:
            continue
        taken = Board(board.target, board.clock_mhz, dict(board.used))
        taken.put(Part.ARENA, sizes.nonpersistent, run)
        rest = taken.find(sizes.persistent, ram)
        if rest is not None:
            yield run, rest


def _weight_homes(
    planned: Arrangement, sizes: _Sizes, deployment: Deployment, storage: Sequence[Region]
) -> Iterator[Run]:
    """Other flashes, and RAM that a copy made at start-up would lie in."""
    board = Board(deployment.target, deployment.clock_mhz)
    board.put(Part.ARENA, sizes.arena, planned.arena)
    yield from board.runs_holding(sizes.weights, storage)
    yield from board.runs_holding(sizes.weights, shared_ram(deployment.target))


def _fits(each: Arrangement, sizes: _Sizes, deployment: Deployment, storage: Sequence[Region]) -> bool:
    """Whether all parts find room together, the reserve and the stored weights among them."""
    board = Board(deployment.target, deployment.clock_mhz)
    parts = [(Part.ARENA, sizes.nonpersistent if each.persistent else sizes.arena, each.arena)]
    if each.persistent:
        parts.append((Part.PERSISTENT, sizes.persistent, each.persistent))
    parts.append((Part.WEIGHTS, sizes.weights, each.weights))
    for part, size, run in parts:
        if board.room(run) < size:
            return False
        board.put(part, size, run)
    ram = shared_ram(deployment.target)
    if storage and each.weights and each.weights[0] not in storage:
        copied_from = board.find(sizes.weights + sizes.code, storage)
        if copied_from is None:
            return False
    return not sizes.reserve or board.find(sizes.reserve, ram) is not None
