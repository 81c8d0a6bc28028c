"""What a file of measurements holds: the one model that every format is read into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.quantity import Basis
from ..core.records import dataclass
from .accesses import AccessReport
from .trace import Trace, Unit

Floats = npt.NDArray[np.float64]


class Doing(StrEnum):
    """What a unit of the hardware is for."""

    COMPUTE = "compute"
    TRANSFER = "transfer"
    HOST = "host"
    """The processor that drives an accelerator."""
    WHOLE = "whole"
    """A program or a run that others are parts of: it takes no time beside theirs."""


class Span(NamedTuple):
    """Something that one unit did from `start` to `end`, in the recording's unit."""

    name: str
    start: float
    end: float
    lane: str
    """The unit: `slice 0`, `DMA in`; cleaned."""
    doing: Doing
    location: str = ""
    """Where in the source it comes from, as the trace has it; cleaned."""
    operator: str = ""
    """Operator of the model's source, where the trace names it."""
    program: str = ""
    """Index or name of the program that it is part of."""
    bytes: int | None = None
    """What it moves."""


class Counted(NamedTuple):
    """Counters of one layer, or of a whole run."""

    name: str
    """Of the layer; empty for the whole."""
    counts: Mapping[str, float]
    """By the names of `counters.toml`; what was not counted is absent."""
    line: int = 0


class CompiledCost(NamedTuple):
    """What a compiler reckons of a layer."""

    name: str
    op: str
    cycles: float | None
    parts: Mapping[str, float]
    """Cycles of each unit that works at once: the largest binds."""
    macs: float | None
    rom_bytes: float | None
    engine: str = ""
    """What it runs on: NPU, CPU, Edge TPU; empty where the report does not say."""
    times: int = 1
    """Operators that the row stands for."""
    why: str = ""
    """Why not elsewhere; cleaned."""


@dataclass(frozen=True)
class PowerSamples:
    """Power over time, and what marks the layers in it."""

    time_s: Floats
    power_w: Floats
    marks: npt.NDArray[np.int64] | None = None
    """A number a sample: levels of GPIO pins, or of a marker column."""
    current_a: Floats | None = None
    voltage_v: Floats | None = None
    conversion_s: float | None = None
    """How long the instrument averages for one reading, where the file says so."""
    shunt_v: Floats | None = None


@dataclass(frozen=True)
class Recording:
    """One file. Which of the parts it has depends on what wrote it."""

    format: str
    """What was read, for people."""
    unit: Unit = Unit.UNSTATED
    """Of the spans."""
    spans: tuple[Span, ...] = ()
    trace: Trace | None = None
    """Operators with a time each."""
    counters: tuple[Counted, ...] = ()
    power: PowerSamples | None = None
    compiled: tuple[CompiledCost, ...] = ()
    accesses: AccessReport | None = None
    sources: Mapping[int, str] = field(default_factory=dict)
    """Line of the model's source → operator: a file of MLIR."""
    basis: Basis = Basis.MEASURED
    written_by: str = ""
    clock_mhz: float | None = None
    issue_width: float | None = None
    """Instructions a cycle at most, as what wrote it counts them; None where it does not say."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """What the file says about itself: versions, flags, runs."""
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    lines: int = 0
    """Of the file."""
