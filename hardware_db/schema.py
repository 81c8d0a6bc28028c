"""The shape of `targets/*.yaml`, and under one roof that of `runtimes/*.yaml` and of claims.

Inputs only: what can be derived (peaks, ridge points, totals) is derived in `derived.py`. Attribute
docstrings become the JSON Schema that editors use.
"""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from .cited import Claim, ClaimKind, Closed, Leaf, Source
from .links import Link, LinkKind
from .runtime_schema import Fallback, Limit, Mapped, OpSupport, Pair, Partition, Planner, Runtime, Scales

__all__ = [
    "Accelerator", "Cache", "Claim", "ClaimKind", "Core", "Fallback", "Interface", "Leaf", "Limit", "Link",
    "LinkKind", "Mapped", "MemoryKind", "OpSupport", "Pair", "Partition", "Planner", "PowerMode", "Price",
    "Rate", "Region", "Rent", "Runtime", "Scales", "Sold", "Source", "Target", "TargetClass",
]  # fmt: skip


class TargetClass(StrEnum):
    MCU = "mcu"
    DSP = "dsp"
    NPU = "npu"
    MPU = "mpu"
    GPU_SOC = "gpu-soc"
    GPU = "gpu"
    CPU = "cpu"


class MemoryKind(StrEnum):
    ITCM = "itcm"
    DTCM = "dtcm"
    SRAM = "sram"
    BACKUP = "backup"
    FLASH = "flash"
    XIP_FLASH = "xip-flash"
    PSRAM = "psram"
    DRAM = "dram"
    HBM = "hbm"
    ACCELERATOR = "accelerator"
    """Private to an accelerator: the CPU's tensors cannot live there."""


class Interface(StrEnum):
    """What a chip connects to, whichever number of ports it has."""

    BLUETOOTH = "bluetooth"
    CAMERA = "camera"
    CAN = "can"
    DISPLAY = "display"
    ETHERNET = "ethernet"
    I2C = "i2c"
    I2S = "i2s"
    IEEE_802_15_4 = "ieee-802.15.4"
    PCIE = "pcie"
    PDM = "pdm"
    SDIO = "sdio"
    SPI = "spi"
    UART = "uart"
    USB = "usb"
    WIFI = "wifi"


class Sold(StrEnum):
    """What one piece is when it is bought."""

    CHIP = "chip"
    MODULE = "module"
    """A chip with its memory or radio, to be soldered or plugged onto a board."""
    BOARD = "board"
    CARD = "card"
    SYSTEM = "system"
    """Ready to use, with case, supply or storage."""


class Price(Leaf[float]):
    """What one piece is asked for on the date of its source; its unit is the currency."""

    sold_as: Sold | None = None
    quantity: Annotated[int, Field(ge=1)] = 1
    """Least number of pieces at this price."""
    item: str = ""
    """Order code or product that the price is of."""


class Rent(Leaf[float]):
    """What a cloud asks for an hour of one, on demand and without a term, on the date of its source."""

    provider: str = ""
    instance: str = ""
    """What is rented, as the provider calls it."""
    region: str = ""
    """Empty where the price is the same everywhere."""
    cards: Annotated[int, Field(ge=1)] = 1
    """That the instance has: the value is of one of them, but they are rented together."""


class Cache(Closed):
    instruction: Leaf[int] | None = None
    """Bytes of the level-1 instruction cache."""
    data: Leaf[int] | None = None
    """Bytes of the level-1 data cache."""
    last_level: Leaf[int] | None = None
    """Bytes of the largest cache shared by the cores."""


class Core(Closed):
    """A kind of processor core that runs kernels."""

    id: str
    isa: Leaf[str]
    """Architecture as the field names it: cortex-m4, cortex-m7, xtensa-lx7, rv32imc, cortex-a78ae, x86-64."""
    count: Leaf[int]
    clock_max_mhz: Leaf[float]
    fpu: Leaf[str] | None = None
    """none, sp, dp."""
    dsp: Leaf[bool] | None = None
    """Has the SIMD-within-a-register instructions of Armv7E-M or Armv8-M's DSP extension."""
    vector: Leaf[str] | None = None
    """Vector extension: mve, neon, sve, pie, rvv, avx2, avx512, vnni."""
    macs_per_cycle: dict[str, Leaf[float]] = Field(default={})
    """Ceiling of one core by type (int8, int16, float32): of its instructions, not of any kernel."""
    cache: Cache = Cache()


class Region(Closed):
    """One memory region as a linker script sees it."""

    id: str
    kind: MemoryKind
    size_bytes: Leaf[int]
    bandwidth_bytes_per_s: Leaf[float] | None = None
    bytes_per_cycle: Leaf[float] | None = None
    """Width of the path to the core, at the core's clock."""
    bus_bits: Leaf[int] | None = None
    """Width of the data bus to an external memory."""
    wait_states: Leaf[int] | None = None
    """At the core's maximum clock."""
    read_latency_cycles: Leaf[int] | None = None
    """From a request to its first data, in cycles of the accelerator where there is one, else of the core."""
    write_latency_cycles: Leaf[int] | None = None
    burst_bytes: Leaf[int] | None = None
    """Most bytes that one request transfers."""
    contiguous_with: tuple[str, ...] = ()
    """Regions that follow without a gap, so that one array may span them."""
    external: bool = False


class Rate(Closed):
    """Peak rate of arithmetic; 1 MAC is 2 operations."""

    dense: Leaf[float] | None = None
    sparse: Leaf[float] | None = None
    """With structured sparsity: never used for a dense model."""


class Accelerator(Closed):
    """What runs operators beside the cores: GPU, NPU, CNN engine."""

    id: str
    name: str
    kind: Literal["gpu", "npu", "cnn-engine", "vector-unit", "dla"]
    family: Annotated[str, Field(pattern=r"^([a-z0-9][a-z0-9-]*)?$")] = ""
    """Architecture by which runtimes know what they drive: ethos-u55, edgetpu, mali; empty: not stated."""
    count: Leaf[int] | None = None
    clock_max_mhz: Leaf[float] | None = None
    macs_per_cycle: dict[str, Leaf[float]] = Field(default={})
    peak: dict[str, Rate] = Field(default={})
    """By type, in operations per second as the source states it; used where macs_per_cycle is not known."""
    peak_includes: str = ""
    """What a published total adds up: 'GPU and two DLAs'."""
    link: Link | None = None
    """Over which it reaches its host's memory, where it is a chip or module of its own."""
    module: Annotated[str, Field(pattern=r"^([a-z0-9][a-z0-9.-]*)?$")] = ""
    """Id of the target that it is where it is bought alone: the same silicon behind another link."""


class PowerMode(Closed):
    id: str
    processor: str = ""
    """Id of the core or accelerator that works while its active figures hold; empty: whichever does."""
    workload: str = ""
    """What runs while the mode's active figures hold."""
    active_ua_per_mhz: Leaf[float] | None = None
    """Run mode from the fastest memory, at `supply_v`."""
    active_mw: Leaf[float] | None = None
    energy_per_mac_pj: Leaf[float] | None = None
    """Of the whole target: what its user takes a MAC for, in place of power and time."""
    sleep_ua: Leaf[float] | None = None
    """Lowest mode that keeps RAM."""
    standby_ua: Leaf[float] | None = None
    """Lowest mode with the supply on; RAM is lost, so that waking up is a start."""
    board_power_w: Leaf[float] | None = None
    """Rated power of the whole module or card (TDP)."""
    board_active_w: Leaf[float] | None = None
    """Measured at the supply of the whole board under the mode's workload."""
    board_idle_w: Leaf[float] | None = None
    """Measured at the supply of the whole board while nothing runs."""
    clock_mhz: Leaf[float] | None = None
    """Core clock that the mode runs at or is limited to."""
    units_share: Leaf[float] | None = None
    """Share of the accelerator's units that the mode leaves switched on, 0 to 1; None for all."""

    @property
    def of_a_load(self) -> bool:
        """Whether the chip's active figure is of a stated program at a stated clock, not of run mode."""
        of_the_chip = self.active_ua_per_mhz or self.active_mw
        return bool(self.workload) and self.clock_mhz is not None and of_the_chip is not None


class Target(Closed):
    """Silicon, or a module that is bought as one piece."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.-]*$")]
    name: str
    vendor: str
    target_class: Annotated[TargetClass, Field(alias="class")]
    aliases: tuple[str, ...] = ()
    """Boards and nicknames that mean this target and no other."""
    part_numbers: tuple[str, ...] = ()
    """What its order codes start with; package, grade and packing may follow."""
    families: tuple[str, ...] = ()
    """Wider names that this target is one of: naming one asks back with its members."""
    needs_host: bool = False
    """A module whose runtime leaves what it does not take to a host that is not part of it."""
    sources: dict[str, Source]
    cores: tuple[Core, ...]
    """The first is the one that runs kernels unless a deployment says otherwise."""
    memories: tuple[Region, ...]
    accelerators: tuple[Accelerator, ...] = ()
    supply_v: Leaf[float] | None = None
    """Typical supply that power figures hold at."""
    supply_min_v: Leaf[float] | None = None
    supply_max_v: Leaf[float] | None = None
    power: tuple[PowerMode, ...] = ()
    """The first is the default."""
    price_usd: Price | None = None
    """The price that limits are held against: of one piece; null while no source was read."""
    further_prices_usd: tuple[Price, ...] = ()
    """In other quantities, or of a module, board or kit that carries it."""
    rent_usd_per_hour: Rent | None = None
    """What a cloud asks for an hour of one, never a price; the provider that most rent from."""
    further_rents_usd_per_hour: tuple[Rent, ...] = ()
    """What others ask, the lowest and the highest among them."""
    interfaces: Leaf[tuple[Interface, ...]] | None = None
    runtimes: tuple[str, ...]
    """Runtimes that exist for it; the first is the usual one."""
    notes: tuple[str, ...] = ()
    same_silicon_as: str = ""
    """Filled in: the target that it extends without changing cores, memories or accelerators."""

    def __str__(self) -> str:
        """Names, and what there is of cores, memories, accelerators and runtimes."""
        parts = {
            "cores": [f"{c.count.value} × {c.isa.value}, {c.clock_max_mhz.value:g} MHz" for c in self.cores],
            "memories": [region.id for region in self.memories],
            "accelerators": [accelerator.name for accelerator in self.accelerators],
            "runtimes": self.runtimes,
        }
        lines = [f"  {name:<12}  {', '.join(items)}" for name, items in parts.items() if items]
        return "\n".join([f"{self.id}: {self.name} ({self.vendor}, {self.target_class})", *lines])

    @property
    def rents(self) -> tuple[Rent, ...]:
        """What an hour of one costs by each provider that is known, the usual one first."""
        usual = () if self.rent_usd_per_hour is None else (self.rent_usd_per_hour,)
        return (*usual, *self.further_rents_usd_per_hour)

    def stands_in(self, claim: Claim[float]) -> str:
        """Title of the claim's source, and where in it: 'RP2040 Datasheet, table 637: dormant'."""
        source = self.sources.get(claim.source)
        return f"{source.title if source else claim.source}, {claim.locator}"

    @property
    def measured_as(self) -> str:
        """Id that measurements of this silicon are filed under."""
        return self.same_silicon_as or self.id
