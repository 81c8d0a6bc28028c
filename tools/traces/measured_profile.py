"""Measured times of a model's layers, beside the estimate."""

from typing import ClassVar

from pydantic import Field

from ..core.deployment import DeploymentRef
from ..core.quantity import Quantity, Result
from .run_times import RunTimes


class MeasuredLayer(Result):
    """What was measured of one operator."""

    index: int
    """Of the operator; of several, the first."""
    op: str
    measured_ms: float | None
    """Mean over the runs; None where no event of the trace is this operator's."""
    low_ms: float | None = None
    """Lower end of what 90 % of the runs took."""
    high_ms: float | None = None
    """Upper end of what 90 % of the runs took."""
    runs: int = 0
    """Runs that it was measured in."""
    covers: tuple[int, ...] = ()
    """Operators whose time `measured_ms` holds beside its own: joined to it by the runtime, or, in a
    trace with one time for each kind, all of that kind."""
    estimated_ms: float | None
    """Of all that it covers."""
    ratio: float | None = None
    """Measured over estimated."""
    residual_ratio: float | None = None
    """The same with the level taken out: 1 where the layer is off as much as the others."""
    excess_ms: float | None = None
    """Measured beyond what the estimate at that level comes to; below zero is faster."""
    stands_out: bool = False
    share: float | None = None
    """Of the time of all layers that were measured."""
    macs: int = 0
    """Of all that it covers; 1 MAC is 2 FLOP."""
    moved_bytes: int = 0
    """Weights once, inputs and outputs, of all that it covers."""
    arithmetic_intensity: float | None = None
    """FLOP per byte; null of what moves nothing."""


class Hypothesis(Result):
    """What could be the cause, and how to find out; nothing here was found."""

    cause: str
    """What it could be."""
    check: str
    """How to find out."""


class TestedCause(Result):
    """A claim on which layers are off from the estimate, and whether they are."""

    __test__ = False

    cause: str
    """What it could be."""
    holds: bool | None
    """Whether it explains the layers best, and better than chance; null where no layer can tell."""
    explained_share: float | None
    """Of how far the layers are off from their estimates; null where no layer can tell."""
    why: str
    """The figures."""


class LayerResidual(Result):
    """A layer that was both measured and estimated, and how far apart the two are."""

    index: int
    op: str
    measured_ms: float
    estimated_ms: float
    ratio: float
    """Measured over estimated."""
    residual_ratio: float | None
    """The same with the level of all layers taken out."""
    excess_ms: float
    """Measured beyond what the estimate at that level comes to; below zero is faster."""
    excess_share: float
    """Of the measured total; below zero is faster."""
    stands_out: bool
    runs_logged: int = 0
    """Single runs whose time of it is known; 0 where only a mean over runs is."""
    twins: tuple[int, ...] = ()
    """Measured layers of the same operator, options, shapes and types; given for the worst layers."""
    twins_ms: float | None = None
    """Median of what they took."""
    twins_ratio: float | None = None
    """Measured over that."""
    facts: tuple[str, ...] = ()
    """What model, deployment and trace themselves say."""
    hypotheses: tuple[Hypothesis, ...] = ()


class UnmatchedEvent(Result):
    """An event of the trace that is no operator of the model."""

    tag_untrusted: str
    """Name of the event in the trace, cleaned."""
    times: int
    """Over all runs."""
    measured_ms: float
    """Of one run, as a mean."""


class OtherRuntime(Result):
    """A runtime whose estimate holds the measurement, where that of the named one misses it."""

    runtime: str
    estimated_ms: Quantity


class MeasuredEnergy(Result):
    """What one run took, or why nothing here tells it."""

    energy_uj: float | None = None
    """Of one run, of all that the meter sees."""
    power_mw: float | None = None
    """Mean of the meter while the model ran."""
    by: str = ""
    """The meter."""
    why_not: str = ""
    """Why it is not known."""


class AttainedRates(Result):
    """What the median run reaches of the ceilings that were measured on the same machine."""

    threads: int
    """Cores that both used at once."""
    attained_gops: float
    """Of the model's MACs, in 10^9 operations per second (1 MAC is 2)."""
    peak_gops: float
    """Of a large matrix product of the type of most MACs."""
    compute_share: float
    """Of that peak."""
    attained_gb_s: float
    """Weights once and every activation written and read, in 10^9 bytes per second."""
    bandwidth_gb_s: float
    """Of copying what fits no cache; a model that fits a cache can be above it."""
    memory_share: float
    """Of that bandwidth."""
    arithmetic_intensity: float
    """FLOP per byte."""
    ridge_point: float
    """FLOP per byte at which the two ceilings meet."""


class BoardFacts(Result):
    """What a board said about itself over its serial line, and whether it computes what it should."""

    port: str
    """That it was connected to."""
    counter: str
    """What it counts time in: dwt, cycles, timer, or its own."""
    clock_mhz: float
    """Of the core, as its firmware states it."""
    observed_mhz: float | None = None
    """The same by this machine's clock; null of runs too short for that."""
    arena_used_bytes: int | None = None
    """What the arena really holds after set-up."""
    build: str = ""
    """Compiler of the firmware, and whether it optimised."""
    outputs_match: bool | None = None
    """Whether all outputs are those computed beforehand; null where there are none to compare with."""
    elements: int = 0
    """Elements of outputs that were compared."""
    different_elements: int = 0
    """Of them, those that differ at all."""
    largest_difference: int = 0
    """In steps of whole numbers, in millionths of the largest value of real ones."""
    detailed_runs: int = 0
    """Runs whose operators all came through."""
    damaged_lines: int = 0
    """Lines that came damaged and were left out."""


class MeasuredProfile(Result):
    """What a trace or a run on this machine says, and how far the estimate is from it."""

    main_rows: ClassVar[str] = "layers"

    schema_version: str = "1.0"
    deployment: DeploymentRef
    source: str
    """What kind of trace was read, or what ran the model."""
    trace: str = ""
    """Name of the file; empty for a run on this machine."""
    model: str
    sha256: str
    runs: int
    """Runs that were measured."""
    latency_ms: Quantity
    """Of one run: the mean over those of a trace, the median of those on this machine."""
    estimated_ms: Quantity
    inside_interval: bool | None
    """Whether the measured total lies in the estimate's interval."""
    ratio: float | None
    """Measured total over estimated."""
    level_ratio: float | None
    """Factor between measured and estimated that the layers have in common: their median, twins counted
    once; None of fewer than three."""
    spread_ratio: float | None = None
    """Factor that layers are typically off from the level."""
    layers: tuple[MeasuredLayer, ...] = ()
    """One row an operator."""
    residuals: tuple[LayerResidual, ...] = ()
    """Layers that can be compared, the one that the estimate misses by most time first."""
    at_level_ms: float | None = None
    """What the total would be with the layers that stand out at the level of the others."""
    would_fit: tuple[OtherRuntime, ...] = ()
    """Runtimes whose estimate holds the measurement."""
    facts: tuple[str, ...] = ()
    """What holds for the whole."""
    hypotheses: tuple[Hypothesis, ...] = ()
    unmatched_events: tuple[UnmatchedEvent, ...] = ()
    """Events of the trace that are no operator of the model."""
    unmatched_layers: tuple[int, ...] = ()
    """Operators that no event was found for."""
    causes: tuple[TestedCause, ...] = ()
    """Tested on the layers, the one that fits best first; empty of fewer than four kinds of layers, or where
    nothing was run."""
    layers_ms: float | None = None
    """Sum of the layers' times; null where none is known."""
    outside_ms: float | None = None
    """Of the measured total, what no layer's own time is."""
    run_times: RunTimes | None = None
    """Spread of the runs on this machine; null for a trace."""
    machine: str = ""
    """The machine that ran the model here; empty for a trace."""
    counters: dict[str, float] = Field(default_factory=dict)
    """Mean counts of one run, where hardware counters were read."""
    energy: MeasuredEnergy | None = None
    """Of one run here or on a board; null for a trace."""
    attained: AttainedRates | None = None
    """Against ceilings that were measured here; null where they were not asked for."""
    board: BoardFacts | None = None
    """Of a board on a serial line; null otherwise."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return f"measured {self.latency_ms.headline()}, estimated {self.estimated_ms.headline()}"
