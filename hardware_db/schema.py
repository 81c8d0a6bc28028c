"""The shape of `targets/*.yaml` and `runtimes/*.yaml`.

A leaf is a claim about hardware with its source. Inputs only: what can be derived (peaks, ridge
points, totals) is derived in `derived.py`. Attribute docstrings become the JSON Schema that editors use.
"""

from __future__ import annotations

import datetime as dt
from enum import StrEnum
from typing import Annotated, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, field_validator

T = TypeVar("T")


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True, allow_inf_nan=False)


class ClaimKind(StrEnum):
    """What kind of source a claim stands on."""

    DATASHEET = "datasheet"
    BOARD_FILE = "board-file"
    VENDOR_PAGE = "vendor-page"
    MEASURED = "measured"
    THIRD_PARTY = "third-party"
    """Somebody else's account: a registry, a compiler's model of a core, a tutorial."""
    MARKETING = "marketing"
    ASSUMED = "assumed"


class Source(_Closed):
    """Something that was read."""

    title: str
    """What it is called."""
    where: str
    """Repository and path, or address, precise enough to find it again."""
    version: str = ""
    """Commit, release or revision that was read."""
    date: dt.date
    """Of the revision, else the day it was read."""
    kind: ClaimKind


class Claim(_Closed, Generic[T]):
    """One source's figure."""

    value: T
    unit: str
    """`1` for pure numbers, names and truth values."""
    source: str
    """Key of the file's `sources`."""
    locator: str
    """Where in the source: line, table, key."""
    kind: ClaimKind | None = None
    """Where it differs from its source's."""
    note: str = ""

    @field_validator("value")
    @classmethod
    def _not_negative(cls, value: T) -> T:
        if isinstance(value, int | float) and value < 0:
            raise ValueError("nothing here can be negative")
        return value


class Leaf(Claim[T], Generic[T]):
    """The claim that is used, and those that disagree with it."""

    others: tuple[Claim[T], ...] = ()
    """Claims of other sources that disagree; kept and shown."""
    chosen_because: str = ""
    """Why this one is used; required where others disagree."""


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


class Cache(_Closed):
    instruction: Leaf[int] | None = None
    """Bytes of the level-1 instruction cache."""
    data: Leaf[int] | None = None
    """Bytes of the level-1 data cache."""
    last_level: Leaf[int] | None = None
    """Bytes of the largest cache shared by the cores."""


class Core(_Closed):
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
    macs_per_cycle: dict[str, Leaf[float]] = {}
    """Ceiling of one core by type (int8, int16, float32): of its instructions, not of any kernel."""
    cache: Cache = Cache()


class Region(_Closed):
    """One memory region as a linker script sees it."""

    id: str
    kind: MemoryKind
    size_bytes: Leaf[int]
    bandwidth_bytes_per_s: Leaf[float] | None = None
    bytes_per_cycle: Leaf[float] | None = None
    """Width of the path to the core, at the core's clock."""
    wait_states: Leaf[int] | None = None
    """At the core's maximum clock."""
    contiguous_with: tuple[str, ...] = ()
    """Regions that follow without a gap, so that one array may span them."""
    external: bool = False


class Rate(_Closed):
    """Peak rate of arithmetic; 1 MAC is 2 operations."""

    dense: Leaf[float] | None = None
    sparse: Leaf[float] | None = None
    """With structured sparsity: never used for a dense model."""


class Accelerator(_Closed):
    """What runs operators beside the cores: GPU, NPU, CNN engine."""

    id: str
    name: str
    kind: Literal["gpu", "npu", "cnn-engine", "vector-unit", "dla"]
    family: Annotated[str, Field(pattern=r"^([a-z0-9][a-z0-9-]*)?$")] = ""
    """Architecture by which runtimes know what they drive: ethos-u55, edgetpu, mali; empty: not told."""
    count: Leaf[int] | None = None
    clock_max_mhz: Leaf[float] | None = None
    macs_per_cycle: dict[str, Leaf[float]] = {}
    peak: dict[str, Rate] = {}
    """By type, in operations per second as the source states it; used where macs_per_cycle is not known."""
    peak_includes: str = ""
    """What a published total adds up: 'GPU and two DLAs'."""


class PowerMode(_Closed):
    id: str
    active_ua_per_mhz: Leaf[float] | None = None
    """Run mode from the fastest memory, at `supply_v`."""
    active_mw: Leaf[float] | None = None
    sleep_ua: Leaf[float] | None = None
    """Lowest mode that keeps RAM."""
    board_power_w: Leaf[float] | None = None
    """Rated power of the whole module or card (TDP)."""
    clock_mhz: Leaf[float] | None = None
    """Core clock that the mode runs at or is limited to."""


class Target(_Closed):
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
    sources: dict[str, Source]
    cores: tuple[Core, ...]
    """The first is the one that runs kernels unless a deployment says otherwise."""
    memories: tuple[Region, ...]
    accelerators: tuple[Accelerator, ...] = ()
    supply_v: Leaf[float] | None = None
    """Typical supply that power figures hold at."""
    power: tuple[PowerMode, ...] = ()
    """The first is the default."""
    price_usd: Leaf[float] | None = None
    """Price class in single quantities, dated by its source; null while no source was read."""
    runtimes: tuple[str, ...]
    """Runtimes that exist for it; the first is the usual one."""
    notes: tuple[str, ...] = ()


class Planner(StrEnum):
    """How a runtime lays activations out in memory."""

    TFLM_GREEDY = "tflm-greedy"
    IN_PLACE = "in-place"
    LITERT_ARENA = "litert-arena"
    ALLOCATOR = "allocator"
    """A general allocator on a machine with virtual memory: peak of live tensors."""


class Fallback(StrEnum):
    """What a runtime does with an operator that it does not accelerate."""

    NONE = "none"
    CPU = "cpu"


class OpSupport(_Closed):
    """One operator in a runtime: which versions and types, and by which kernels."""

    dtypes: tuple[str, ...]
    """Types of the first data input for which a kernel exists; empty: not told by the source."""
    max_version: int | None = None
    """Highest operator version that the runtime registers; null: not told by the source."""
    optimized: tuple[str, ...] = ()
    """Of `dtypes`, those that have a kernel written for the core; the others run on portable code."""
    optimized_on: tuple[str, ...] = ()
    """Core features, any of which those kernels need (dsp, mve, neon): a core without runs portable code."""
    weight_dtypes: dict[str, tuple[str, ...]] = {}
    """By input type, the types its weights may have; an input type that is not listed is not restricted."""
    output_dtypes: dict[str, tuple[str, ...]] = {}
    """By input type, the types its output may have; an input type that is not listed is not restricted."""
    constant_inputs: tuple[int, ...] = ()
    """Positions of inputs that the kernel needs to know before it runs."""
    max_rank: int | None = None
    """Most dimensions of the data input."""
    max_inputs: int | None = None
    source: str
    locator: str


class Runtime(_Closed):
    """A kernel library with its interpreter or compiler."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.@-]*$")]
    name: str
    vendor: str
    aliases: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    """Wider names that this runtime is one of: naming one asks back with its members."""
    sources: dict[str, Source]
    planner: Planner
    arena_alignment: Leaf[int] | None = None
    usual_dtype: Leaf[str]
    """Precision that people deploy with it; a named architecture is taken in it unless one is asked for."""
    runs_on_isas: tuple[str, ...] = ()
    """Instruction sets of cores that it has kernels for; empty: it runs on an accelerator."""
    runs_on_accelerators: tuple[str, ...] = ()
    """Accelerators that it drives: families (ethos-u55, edgetpu), or a kind for all of that kind."""
    operators: dict[str, OpSupport]
    """By TFLite builtin name; a custom operator as CUSTOM:name."""
    complete: bool = True
    """Whether `operators` lists all that it supports: one missing from an incomplete list is unknown."""
    fallback: Fallback = Fallback.NONE
    folds_constants: bool = False
    """Whether it compiles the model, and computes ahead what follows from constants and fixed shapes."""
    code_bytes: Leaf[int] | None = None
    """Flash of interpreter and kernels of a typical build."""
    notes: tuple[str, ...] = ()
