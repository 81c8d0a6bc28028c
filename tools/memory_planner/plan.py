"""Result of memory planning."""

from __future__ import annotations

from ..core.deployment import DeploymentRef
from ..core.quantity import Basis, Quantity, Result


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
    """Of: arena, reserve, weights, code."""
    external: bool


class LinkerHint(Result):
    """How to make a toolchain put one part into its region."""

    part: str
    """arena, persistent arena or weights."""
    regions: tuple[str, ...]
    toolchain: str
    declaration: str
    """C++ to write where the array is defined; empty where the default does it."""
    script: str
    """What the linker script, the project's configuration or the devicetree has to say; empty: nothing."""
    source: str
    """The public file that tells so."""


class PlacementOption(Result):
    """One way to place arena and weights, and the time that it costs."""

    arena: tuple[str, ...]
    """Regions that hold the arena; with a split arena, the planned tensors alone."""
    persistent: tuple[str, ...] = ()
    """Regions of the interpreter's persistent data where that is an arena of its own."""
    weights: tuple[str, ...]
    is_planned: bool
    """The one that the plan takes."""
    external: bool
    latency_ms: Quantity
    added_ms: Quantity
    """Against the placement that the plan takes; below zero is faster."""
    reason: str = ""
    """Why the time is not known, or what the option asks for."""
    linker: tuple[LinkerHint, ...] = ()


class PersistentPart(Result):
    """Bytes that the interpreter keeps for one purpose, alignment included."""

    what: str
    bytes: int


class FlashPart(Result):
    """Code that a program needs: the runtime's own, a kernel, or what is written for each operator."""

    what: str
    bytes: int
    """Kernels that only occur together in what was measured share their size by the fit's choice."""


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
    parameter_bytes: int = 0
    """Constants of the model as its file holds them."""
    file_bytes: int | None = None
    """Size of the model's file; None where there is no file."""
    code_parts: tuple[FlashPart, ...] = ()
    """What code_bytes is made of; nothing where it is not told apart."""
    regions: tuple[RegionUse, ...]
    fits: bool | None
    """Whether arena, reserve, weights and code find a place; None where that cannot be known."""
    why_not: str = ""
    reserve_bytes: int = 0
    """RAM that the user keeps for stack, heap and the application."""
    linker: tuple[LinkerHint, ...] = ()
    """How arena and weights get into their regions."""
    spill_ms: Quantity | None = None
    """What the arena outside internal RAM costs against one inside, if that were large enough; None where
    the arena lies inside."""
    placements: tuple[PlacementOption, ...] = ()
    """Where else they could lie and what that costs, fastest first; empty where there is no choice."""
    timeline: tuple[LayerMemory, ...]
    tensors: tuple[PlannedTensor, ...]
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
