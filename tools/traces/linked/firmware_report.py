"""What a linked firmware holds, and how far that is from what was predicted."""

from typing import ClassVar

from ...core.deployment import DeploymentRef
from ...core.quantity import Quantity, Result


class FirmwarePart(Result):
    """All symbols of one role."""

    role: str
    """weights, arena, kernels, runtime, C library, stack and heap, or rest."""
    flash_bytes: int
    """In flash, with initial values of what lies in RAM."""
    ram_bytes: int
    """In RAM, with code that is copied there."""
    symbols: int
    """That have a name."""


class FirmwareSymbol(Result):
    """A function or variable."""

    name_untrusted: str
    """Cleaned, of C++ without its arguments; of what no symbol covers the section."""
    role: str
    """What it is for."""
    section_untrusted: str
    """Of the linked file."""
    object_untrusted: str = ""
    """File or archive that it comes from, where the file says."""
    bytes: int
    in_flash: bool
    """Whether it takes flash."""
    in_ram: bool
    """Whether it takes RAM; what is copied there at the start takes both."""


class FirmwareRegion(Result):
    """A memory of the linker script."""

    name_untrusted: str
    """Its name there."""
    used_bytes: int
    """By sections placed in it."""
    size_bytes: int
    """Its length there."""


class PlannedPart(Result):
    """A part as it was linked, beside the plan for the model."""

    part: str
    """model, arena, code, flash."""
    linked_bytes: int | None
    """Null where no symbol was found for it."""
    planned: Quantity
    """By the plan for the model."""
    ratio: float | None
    """Linked over planned."""
    inside: bool | None
    """Whether it lies in the plan's interval."""
    why: str
    """What makes the difference, as far as the symbols tell."""


class FirmwareReport(Result):
    """A linked firmware by what its symbols are for."""

    main_rows: ClassVar[str] = "symbols"

    schema_version: str = "1.0"
    file: str
    """Its name."""
    format: str
    """ELF, map of GNU ld, or map of armlink."""
    flash_bytes: int
    """Of all that is programmed."""
    ram_bytes: int
    """Of all that lies in RAM from the start on."""
    parts: tuple[FirmwarePart, ...]
    """By role; they sum to both totals."""
    symbols: tuple[FirmwareSymbol, ...]
    """The largest first."""
    regions: tuple[FirmwareRegion, ...] = ()
    """Of a map."""
    model: str = ""
    deployment: DeploymentRef | None = None
    """That the plan was made for; null where the file is explained by itself."""
    against: tuple[PlannedPart, ...] = ()
    """Against the plan; empty without one."""
    unused_kernel_bytes: int | None = None
    """Kernels for operators that the model does not have; null without a model."""
    unused_kernels: tuple[str, ...] = ()
    """Those operators."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return f"flash {self.flash_bytes:,} B, RAM {self.ram_bytes:,} B"
