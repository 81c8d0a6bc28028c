"""A trace as it was read: timed events in the order in which they were logged."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from ..core.quantity import Basis
from ..core.records import dataclass


class Unit(StrEnum):
    """What a trace counts in."""

    TICKS = "ticks"
    """Of a timer that the trace does not name."""
    CYCLES = "cycles"
    NANOSECONDS = "ns"
    MICROSECONDS = "us"
    MILLISECONDS = "ms"
    SECONDS = "s"
    UNSTATED = ""


MS_PER = {
    Unit.NANOSECONDS: 1e-6,
    Unit.MICROSECONDS: 1e-3,
    Unit.MILLISECONDS: 1.0,
    Unit.SECONDS: 1e3,
}


class Event(NamedTuple):
    """One timed operator."""

    tag: str
    """What the runtime calls it, cleaned; empty where the trace names nothing."""
    value: float | None
    """In the trace's unit; None where it began and was never ended."""
    layer: int | None = None
    """Index of the operator, where the trace tells it."""
    output: str = ""
    """Name of the tensor that it writes, where the trace tells it."""
    elements: int | None = None
    """Of that tensor, channels perhaps filled up to whole blocks."""
    kernel: tuple[int, int] | None = None
    """Height and width of a convolution's weights."""


@dataclass(frozen=True)
class Trace:
    format: str
    """What was read, for people."""
    unit: Unit
    segments: tuple[tuple[Event, ...], ...]
    """Stretches of the log; each begins with a run."""
    repeats: bool = False
    """A segment may hold several runs, one after the other."""
    by_kind: bool = False
    """Each event sums up all operators of its kind."""
    fuses: bool = False
    """What wrote it joins operators, so that one event may hold the time of several."""
    in_order: bool = True
    """Whether what wrote it runs operators in the order of the model."""
    splits: bool = False
    """What wrote it cuts operators, so that several events may belong to one."""
    totals: tuple[float, ...] = ()
    """Of the whole run, segment by segment, where the trace tells it."""
    basis: Basis = Basis.MEASURED
    per_ms: tuple[float, float] | None = None
    """Least and most ticks of a millisecond, as the trace's own rounded times tell."""
    written_by: str = ""
    """How the ids of the runtimes begin that can have written it; empty for any."""
    clock_mhz: float | None = None
    """Of the core, where the trace tells it."""
    averaged_runs: int = 1
    """Over how many runs each value is a mean already."""
    notes: tuple[str, ...] = ()
