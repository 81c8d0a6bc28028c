"""What a power trace says: energy by layer, static and dynamic, and a model of energy that was fitted."""

from typing import ClassVar

from ...core.quantity import Result


class LayerEnergy(Result):
    """Energy of one layer, or of one kind of operator."""

    name_untrusted: str
    """As the files have it, cleaned."""
    op: str = ""
    """The same where it is one word; empty where it could be anything."""
    times: int
    """Windows that it was measured in."""
    time_ms: float
    """Of one inference."""
    energy_uj: float
    """Of one inference, mean over all."""
    low_uj: float
    """Lower end of what 90 % of the inferences took."""
    high_uj: float
    """Upper end of what 90 % of the inferences took."""
    share: float
    """Of the energy of all layers."""
    mean_mw: float
    """Mean power while it runs."""
    dynamic_uj: float | None = None
    """Beyond what idling for as long takes; null where no idle power was seen."""


class PowerState(Result):
    """A level that the power keeps to."""

    mean_mw: float
    """Mean power in it."""
    share: float
    """Of the time."""
    times: int
    """How often it was entered."""


class EnergyReport(Result):
    """A power trace, integrated."""

    main_rows: ClassVar[str] = "layers"

    samples: int
    """Readings of the power."""
    duration_ms: float
    """From the first reading to the last."""
    rate_hz: float
    """Readings a second."""
    energy_uj: float
    """Of the whole trace."""
    mean_mw: float
    """Mean power of the whole trace."""
    peak_mw: float
    """Highest reading."""
    deviation_mw: float
    """Standard deviation of the readings."""
    idle_mw: float | None = None
    """Power beside the inferences; null where the trace has nothing beside them."""
    gaps: int = 0
    """Stretches without readings, which are not integrated."""
    in_bursts: bool = False
    """Whether the times are those of packets that hold several readings."""
    states: tuple[PowerState, ...] = ()
    """Levels that the power keeps to, the lowest first; empty where there is one."""
    how: str = ""
    """What tells where layers begin; empty where nothing does."""
    inferences: int = 0
    """That were found."""
    inference_uj: float | None = None
    """Energy of one inference, mean over all."""
    static_uj: float | None = None
    """Of it, what idling for as long takes."""
    layers: tuple[LayerEnergy, ...] = ()
    """By layer, in order."""
    by_kind: tuple[LayerEnergy, ...] = ()
    """By kind of operator, the most first."""


class EnergyTerm(Result):
    """One term of a fitted model."""

    name: str
    coefficient: float
    """In millijoules for each of its unit."""
    unit: str
    share: float
    """Of the energy of all rows."""
    low: float
    """Least value of it that it was fitted to; below, it is not known to hold."""
    high: float
    """Largest value of it that it was fitted to."""


class EnergyFit(Result):
    """A model of energy fitted to the user's rows."""

    rows: int
    """That it was fitted to."""
    formula: str
    """The model in words."""
    terms: tuple[EnergyTerm, ...]
    """Its terms."""
    r2: float
    """Share of the variance that it explains of the rows that it was fitted to."""
    left_out_r2: float
    """The same of rows that were left out one by one."""
    left_out_error: float
    """Median relative error of rows that were left out one by one."""
    documents_r2: float | None = None
    """R2 of alpha x cycles + beta x accesses + gamma x clock, the document's own form."""
    documents_left_out_r2: float | None = None
    """The same with rows left out one by one."""
