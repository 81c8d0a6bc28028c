"""Result of memory planning."""

from __future__ import annotations

from ..deployment import DeploymentRef
from ..quantity import Basis, Quantity, Result


class PlannedTensor(Result):
    """A buffer in the arena, alive from operator `first_op` to `last_op` inclusive."""

    tensor: int | None
    """Index in the main subgraph; None for a kernel's scratch buffer."""
    name_untrusted: str
    bytes: int
    offset: int | None
    """None where the planner's placement is not modelled."""
    first_op: int
    last_op: int


class LayerRef(Result):
    index: int
    op: str


class LayerMemory(Result):
    index: int
    op: str
    live_bytes: int
    """Sum of buffers alive while the operator runs."""


class RegionUse(Result):
    """One region of the target, what is put there and what is left."""

    region: str
    kind: str
    size_bytes: int
    used_bytes: int
    holds: tuple[str, ...]
    """Of: arena, weights, code."""
    external: bool


class MemoryPlan(Result):
    """RAM and flash that a model takes on a deployment."""

    schema_version: str = "1.0"
    deployment: DeploymentRef
    planner: str
    arena_bytes: int | None
    arena_nonpersistent_bytes: int | None
    """Planned tensors and scratch buffers, which share memory over time."""
    arena_persistent_bytes: int | None
    """What the interpreter keeps from set-up on."""
    arena_basis: Basis
    arena: Quantity
    """arena_bytes with its interval."""
    lower_bound_bytes: int | None
    """Most bytes alive at once: no planner that moves nothing can do with less."""
    peak_layer: LayerRef | None
    peak_tensors: tuple[PlannedTensor, ...]
    """What is alive at the peak, largest first."""
    flash_bytes: int | None
    """Model and code."""
    flash: Quantity
    model_bytes: int
    """What of the flash is the model file, or its parameters where there is no file."""
    code_bytes: int | None
    regions: tuple[RegionUse, ...]
    fits: bool | None
    """Whether arena, weights and code find a place; None where that cannot be known."""
    why_not: str = ""
    timeline: tuple[LayerMemory, ...]
    tensors: tuple[PlannedTensor, ...]
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
