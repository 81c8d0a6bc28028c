"""Result of memory planning."""

from typing import ClassVar

from ..core.deployment import DeploymentRef
from ..core.quantity import Basis, Quantity, Result
from .plan_parts import FlashPart, PersistentPart, RegionUse

_FITS = {True: "fits", False: "does not fit", None: "fit unknown"}


class PlannedTensor(Result):
    """A buffer in the arena, alive from operator `first_op` to `last_op` inclusive."""

    tensor: int | None
    """Index in its subgraph; None for a kernel's scratch buffer."""
    name_untrusted: str
    bytes: int
    """Size of the buffer."""
    offset: int | None
    """None where the planner's placement is not modelled."""
    first_op: int
    """Operator that first needs it."""
    last_op: int
    """Operator that last needs it."""
    subgraph: int = 0
    """Index of the subgraph that it belongs to."""


class LayerRef(Result):
    """An operator, by its position and kind."""

    index: int
    op: str


class LayerMemory(Result):
    """Memory that is alive at one operator."""

    index: int
    op: str
    live_bytes: int
    """Sum of buffers alive while the operator runs."""


class LinkerHint(Result):
    """How to make a toolchain put one part into its region."""

    part: str
    """arena, persistent arena or weights."""
    regions: tuple[str, ...]
    """Regions that the part goes to."""
    toolchain: str
    """Toolchain that the lines are for."""
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
    """Regions that hold the weights."""
    is_planned: bool
    """The one that the plan takes."""
    external: bool
    """Whether any part lies outside the chip."""
    latency_ms: Quantity
    """Time of one batch, placed so."""
    added_ms: Quantity
    """Against the placement that the plan takes; below zero is faster."""
    reason: str = ""
    """Why the time is not known, or what the option asks for."""
    linker: tuple[LinkerHint, ...] = ()
    """How to have a toolchain place the parts so."""


class MemoryPlan(Result):
    """RAM and flash that a model takes on a deployment."""

    main_rows: ClassVar[str] = "timeline"

    schema_version: str = "1.0"
    model: str = ""
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
    """The operator at which most bytes are alive."""
    peak_tensors: tuple[PlannedTensor, ...]
    """What is alive at the peak, largest first."""
    flash_bytes: int | None
    """Model and code; None where the code is not known."""
    flash: Quantity
    """flash_bytes with its interval."""
    model_bytes: int
    """What of the flash is the model: its file, an estimate of one where there is none, or its parameters
    alone where the runtime compiles it."""
    code_bytes: int | None
    """The runtime's own code and the kernels; null where it is not known."""
    parameter_bytes: int = 0
    """Constants of the model as its file holds them."""
    file_bytes: int | None = None
    """Size of the model's file; None where there is no file."""
    code_parts: tuple[FlashPart, ...] = ()
    """What code_bytes is made of; nothing where it is not known apart."""
    regions: tuple[RegionUse, ...]
    """The target's memories, what is put there and what is left."""
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
    """Bytes alive at each operator."""
    tensors: tuple[PlannedTensor, ...]
    """All buffers of the arena, with their lives and offsets."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return f"arena {self.arena.headline()}, flash {self.flash.headline()}, {_FITS[self.fits]}"
