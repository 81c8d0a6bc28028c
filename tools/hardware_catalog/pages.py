"""What is known about targets and runtimes, as results."""

from typing import ClassVar

from pydantic import Field

from ..core.quantity import Result
from .video import VideoDecoder


class TargetEntry(Result):
    """One line of `targets list`."""

    id: str
    name: str
    vendor: str
    target_class: str = Field(serialization_alias="class")
    cores: tuple[str, ...]
    clock_max_mhz: float | None
    ram_bytes: int | None
    """All RAM added up, as lists do, None where not known; `targets show` tells what fits in one piece."""
    flash_bytes: int | None
    """Flash of the target; null where it has none."""
    power_mw: float | None
    """Active, of the first power mode; None where no source tells."""
    price_usd: float | None
    accelerators: tuple[str, ...]
    runtimes: tuple[str, ...]


class ClassEntry(Result):
    """Targets of one class together."""

    target_class: str = Field(serialization_alias="class")
    """mcu, mpu, cpu, gpu, gpu-soc, npu or dsp."""
    count: int
    """Targets of it."""
    vendors: tuple[str, ...]
    """Those with most targets, the first of them first."""
    examples: tuple[str, ...]
    """Of each of these vendors the target, with a price if any has one, that most runtimes run on."""


class TargetList(Result):
    """Targets that are known."""

    main_rows: ClassVar[str] = "targets"

    schema_version: str = "1.0"
    targets: tuple[TargetEntry, ...]
    """One row a target."""
    classes: tuple[ClassEntry, ...] = ()
    """One row a class, the largest first."""

    def headline(self) -> str:
        return f"{len(self.targets)} targets"


class MemoryRegion(Result):
    """A memory of a target."""

    region: str
    kind: str
    """sram, tcm, flash, dram or another kind of memory."""
    size_bytes: int
    bandwidth_bytes_per_s: float | None
    """Peak bandwidth; null where no source gives it."""
    contiguous_with: tuple[str, ...]
    """Regions that follow without a gap, so that one array may span them."""
    external: bool


class Peak(Result):
    """Arithmetic of one processor in one type, and the intensity at which it outruns its memory."""

    processor: str
    dtype: str
    dense_gops: float | None
    """Peak of dense models; null where no source gives it."""
    sparse_gops: float | None
    """With structured sparsity: not for dense models."""
    ridge_point: float | None
    """FLOP per byte, dense, against the fastest memory with a known bandwidth that holds models."""


class Conflict(Result):
    """Sources that disagree."""

    field: str
    chosen: str
    """The value that is used."""
    others: tuple[str, ...]
    """The values of the other sources."""
    chosen_because: str
    """Why that one."""


class FigureDifference(Result):
    """A figure that two targets do not share; empty where one has none."""

    field: str
    one: str
    """Of the first target."""
    other: str
    """Of the second target."""


class TargetDiff(Result):
    """Where two targets differ."""

    main_rows: ClassVar[str] = "differences"

    schema_version: str = "1.0"
    one: str
    other: str
    differences: tuple[FigureDifference, ...]
    """Figures that differ."""
    same: int
    """How many figures agree."""

    def headline(self) -> str:
        return f"{self.one} and {self.other} differ in {len(self.differences)} figures"


class CitedFigure(Result):
    """A figure of a target and where it was read."""

    field: str
    value: str
    """The figure with its unit."""
    source: str
    """What it was read in."""
    locator: str
    """Where in the source."""
    kind: str
    """datasheet, board-file, vendor-page, measured, third-party, marketing or assumed."""


class ListedRent(Result):
    """What a provider asks for an hour, on demand."""

    hour_usd: float
    """Of one card or processor."""
    provider: str
    """Whose cloud it is."""
    instance: str
    """What is rented, as the provider calls it."""
    region: str
    """Empty where the price is the same everywhere."""
    cards: int
    """That the instance has, and that are rented together."""
    date: str
    """Of the list, as YYYY-MM-DD."""
    source: str
    """Where the list was read."""
    locator: str
    """Where in the source."""


class HostLink(Result):
    """Over which an accelerator reaches its host's memory."""

    processor: str
    """Id of the accelerator."""
    link: str
    """Standard and lanes: PCIe 3.0 x1."""
    bytes_per_s: float | None
    """Of one direction after the line code, before packets and protocol; None where not known."""
    module: str
    """Id of the target that the accelerator is by itself; empty where this is it."""


class TargetPage(Result):
    """All that is known of one target, with the sources."""

    main_rows: ClassVar[str] = "figures"

    schema_version: str = "1.0"
    id: str
    name: str
    vendor: str
    target_class: str = Field(serialization_alias="class")
    aliases: tuple[str, ...]
    """Other names that it goes by."""
    cores: tuple[str, ...]
    clock_max_mhz: float | None
    regions: tuple[MemoryRegion, ...]
    """Its memories."""
    largest_region_bytes: int | None
    """The largest array that RAM can hold in one piece."""
    largest_region: str
    """Id of that region."""
    ram_bytes: int | None
    """All RAM added up, None where not known: no single model can use it in one piece unless it is one
    region."""
    flash_bytes: int | None
    """Flash of the target; null where it has none."""
    peaks: tuple[Peak, ...]
    """Peak arithmetic of each processor and type."""
    links: tuple[HostLink, ...] = ()
    """Of accelerators that are a chip or module of their own; empty where they share their host's memory."""
    price_usd: float | None
    """None: no dated source was read."""
    price_of: str | None
    rents: tuple[ListedRent, ...]
    """List prices of clouds, the one that most rent from first; empty where no dated source was read."""
    video: tuple[VideoDecoder, ...] = ()
    """What it decodes for cameras, or the board under its accelerator; empty where no source was read."""
    runtimes: tuple[str, ...]
    conflicts: tuple[Conflict, ...]
    """Figures that sources disagree on."""
    figures: tuple[CitedFigure, ...]
    """Every figure with its source."""
    notes: tuple[str, ...]

    def headline(self) -> str:
        return f"{self.id}: {self.name}"


class RuntimeEntry(Result):
    """One line of `runtimes list`."""

    id: str
    name: str
    vendor: str
    planner: str
    availability: str = ""
    usual_dtype: str
    operators: int
    """How many kinds of operators it has kernels for."""
    targets: int
    """How many targets it runs on."""


class RuntimeList(Result):
    """Runtimes that are known."""

    main_rows: ClassVar[str] = "runtimes"

    schema_version: str = "1.0"
    runtimes: tuple[RuntimeEntry, ...]
    """One row a runtime."""

    def headline(self) -> str:
        return f"{len(self.runtimes)} runtimes"


class ArchitectureList(Result):
    """Networks that are known by name."""

    schema_version: str = "1.0"
    architectures: tuple[str, ...]
    """Their names."""

    def headline(self) -> str:
        return f"{len(self.architectures)} architectures"


class SupportedOperator(Result):
    """A kind of operator that a runtime has kernels for."""

    op: str
    dtypes: tuple[str, ...]
    """Types that it runs in."""
    optimized: tuple[str, ...]
    """Those of them with kernels written for the processor."""
    max_version: int | None
    """Highest version of the operator that is supported; null for any."""


class RuntimePage(Result):
    """All that is known of one runtime, with the sources."""

    main_rows: ClassVar[str] = "operators"

    schema_version: str = "1.0"
    id: str
    name: str
    vendor: str
    planner: str
    availability: str = ""
    usual_dtype: str
    fallback: str
    """Where operators run that its accelerator does not take: cpu, or none."""
    complete: bool
    """Whether the list of operators is all that it supports."""
    runs_on: tuple[str, ...]
    """Instruction sets and accelerators that it runs on."""
    targets: tuple[str, ...]
    """Ids of targets that it runs on."""
    operators: tuple[SupportedOperator, ...]
    """One row a kind of operator."""
    sources: tuple[str, ...]
    """What was read."""
    notes: tuple[str, ...]

    def headline(self) -> str:
        return f"{self.id}: {self.name}"
