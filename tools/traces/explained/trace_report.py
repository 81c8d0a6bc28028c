"""What files of measurements say by themselves, without a model and an estimate to hold them against."""

from typing import ClassVar

from pydantic import Field

from ...core.quantity import Basis, Result
from ..accesses import AccessReport
from ..counters.counter_report import CounterReport
from ..power.energy_report import EnergyFit, EnergyReport
from ..run_times import RunTimes


class TraceSource(Result):
    """A file that was read."""

    file: str
    """Its name."""
    format: str
    """What kind of file it is."""
    rows: int
    """That were read."""
    basis: Basis


class OperatorTime(Result):
    """Time of all that has one name."""

    name_untrusted: str
    """As the trace has it, cleaned."""
    op: str = ""
    """The same where it is one word; empty where it could be anything."""
    times: int
    """How often it ran."""
    time_ms: float | None
    """Of all of them; null where the trace counts cycles of a clock that is not known."""
    cycles: float | None
    """The same in cycles, where the trace counts those."""
    share: float
    """Of the time of all operators."""
    location_untrusted: str = ""
    """Where in the source most of it comes from."""


class LaneUse(Result):
    """One unit: a slice, a DMA channel, the host."""

    lane_untrusted: str
    """Its name in the trace."""
    doing: str
    """compute, transfer or host."""
    times: int
    """How often it did something."""
    busy_share: float
    """Of the whole time."""
    bytes: int | None = None
    """What it moved, where the trace says."""


class Occupancy(Result):
    """How the whole time divides; the four shares sum to 1."""

    total_ms: float | None
    """From the first begin to the last end; null where the clock of its cycles is not known."""
    total_cycles: float | None
    """The same in cycles, where the trace counts those."""
    compute_only_share: float
    """Compute alone; the host where it computes."""
    transfer_only_share: float
    """Transfers that nothing computes beside."""
    overlap_share: float
    """Both at once."""
    idle_share: float
    """Neither."""
    hidden_transfer_share: float | None
    """Of the time of transfers, what runs beside compute; null without transfers."""


class JoinedProgram(Result):
    """A place of the source, as the compiler expected it and as it ran."""

    location_untrusted: str
    """Place in the source."""
    operator_untrusted: str = ""
    """Operator of the model's source, where that was given."""
    programs: tuple[str, ...] = ()
    """Programs that ran for it."""
    lanes: tuple[str, ...] = ()
    """Slices and channels that the compiler uses for it."""
    invocations: tuple[str, ...] = ()
    """What runs on the slices."""
    expected_cycles: float
    """What the compiler expects for it."""
    start_ms: float
    """When the first of its programs began."""
    end_ms: float
    """When the last of them ended."""
    measured_ms: float
    share: float
    """Of the measured time."""
    implied_clock_mhz: float | None
    """Expected cycles over measured time: the unit's clock where the expectation holds, less where it does
    not."""


class Advice(Result):
    """What stands out, on which figures, and what would change it."""

    name: str
    severity: str
    """high, medium, low or good."""
    why: str
    """The figures that say so."""
    remedy: str
    """What would change it."""
    source: str = ""
    """Where the rule comes from."""


class CompiledLayer(Result):
    """What a compiler reckons of a layer."""

    name_untrusted: str
    """Its name in the compiler's report."""
    op_untrusted: str
    """Its operator there."""
    cycles: float | None
    """That the compiler expects; null where it says none."""
    bound: str = ""
    """NPU, or the memory whose accesses take longest; empty where the report does not say."""
    macs: float | None = None
    """As the compiler counts them."""
    rom_bytes: int | None = None
    """Of its weights."""
    engine: str = ""
    """What it runs on; empty where the report does not say."""
    times: int = 1
    """Operators that the row stands for."""
    why_untrusted: str = ""
    """Why not on the accelerator, in the compiler's words."""


class CheckedItem(Result):
    """One item of the reproducibility checklist, checked."""

    name: str
    met: bool | None
    """Null where the files do not say."""
    found: str
    """What the files say of it."""


class MeasuredClock(Result):
    """Runs at one clock."""

    clock_mhz: float
    runs: int
    """That the figures are the mean of."""
    latency_ms: float
    energy_uj: float
    power_mw: float
    energy_delay: float
    """Energy times time, in uJ·s."""
    least_energy: bool
    """Whether no other clock takes less energy."""
    least_edp: bool
    """Whether no other clock has a lower product of energy and time."""


class TraceReport(Result):
    """What traces, counters and power say together."""

    main_rows: ClassVar[str] = "operators"

    schema_version: str = "1.0"
    sources: tuple[TraceSource, ...]
    """The files, and what each is."""
    occupancy: Occupancy | None = None
    """How compute and transfers share the time; null without times that begin and end."""
    operators: tuple[OperatorTime, ...] = ()
    """What takes the time, the most first."""
    by_source: tuple[OperatorTime, ...] = ()
    """The same by operator of the source, or by its place where no operator is known."""
    lanes: tuple[LaneUse, ...] = ()
    """How long each unit was busy."""
    joined: tuple[JoinedProgram, ...] = ()
    """Compile time beside run time, where both were given."""
    compiled: tuple[CompiledLayer, ...] = ()
    """What a compiler's report says of each layer."""
    engines: dict[str, int] = Field(default_factory=dict)
    """Operators or epochs by what they run on, as the compiler reports it."""
    bound_shares: dict[str, float] = Field(default_factory=dict)
    """Share of the expected cycles by what binds: the NPU, or a memory."""
    facts: dict[str, str] = Field(default_factory=dict)
    """What the files say about themselves."""
    accesses: AccessReport | None = None
    """Accesses to memory; null where none were traced."""
    counters: CounterReport | None = None
    """Counters of the whole run; null where none were read."""
    counted_layers: tuple[CounterReport, ...] = ()
    """The same of each layer, where they were counted by layer."""
    run_times: RunTimes | None = None
    """Of runs with a row each; null where there are none."""
    clocks: tuple[MeasuredClock, ...] = ()
    """Runs with an energy at two clocks or more, the slowest first."""
    energy: EnergyReport | None = None
    """A power trace, integrated; null where none was read."""
    energy_fit: EnergyFit | None = None
    """A model of energy fitted to the rows; null where they are too few or all alike."""
    doubts: tuple[Advice, ...] = ()
    """Why the measurement may not be believed, and how to measure better."""
    checklist: tuple[CheckedItem, ...] = ()
    """What makes a measurement reproducible, checked; empty where nothing was run."""
    advice: tuple[Advice, ...] = ()
    """What stands out, the gravest first."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        read = ", ".join(f"{source.file} ({source.format})" for source in self.sources)
        if self.counters is not None:
            return f"{read}: {self.counters.headline()}"
        return f"{read}: {self.operators[0].name_untrusted} first" if self.operators else read
