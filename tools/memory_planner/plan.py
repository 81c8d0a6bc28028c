"""Result of memory planning."""

from __future__ import annotations

from ..deployments import DeploymentRef
from ..quantity import Basis, Quantity, Result


class PlannedTensor(Result):
    """A buffer in the arena, alive from operator `first_op` to `last_op` inclusive."""

    tensor: int | None
    """Index in its subgraph; None for a kernel's scratch buffer."""
    name_untrusted: str
    bytes: int
    offset: int | None
    """None where the planner's placement is not modelled."""
    first_op: int
    last_op: int
    subgraph: int = 0


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


class PersistentPart(Result):
    """Bytes that the interpreter keeps for one purpose, alignment included."""

    what: str
    bytes: int


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
    """arena_bytes with its interval, which holds what setting up takes."""
    arena_set_up_bytes: int | None = None
    """Most that the arena holds while the interpreter is set up; give it that where it is more than
    arena_bytes."""
    arena_persistent_parts: tuple[PersistentPart, ...] = ()
    """What arena_persistent_bytes is made of."""
    lower_bound_bytes: int | None
    """Most bytes that must be held at once, with what the planner may overlap counted once."""
    peak_layer: LayerRef | None
    peak_tensors: tuple[PlannedTensor, ...]
    """What is alive at the peak, largest first."""
    flash_bytes: int | None
    """Model and code; None where the code is not known."""
    flash: Quantity
    model_bytes: int
    """What of the flash is the model: its file, an estimate of one where there is none, or its parameters
    alone where the runtime compiles it."""
    code_bytes: int | None
    regions: tuple[RegionUse, ...]
    fits: bool | None
    """Whether arena, weights and code find a place; None where that cannot be known."""
    why_not: str = ""
    timeline: tuple[LayerMemory, ...]
    tensors: tuple[PlannedTensor, ...]
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
