"""Two measured runs, what differs between them, and what makes the difference up."""

from typing import ClassVar

from pydantic import Field

from ...core.quantity import Result


class RunSide(Result):
    """One of the two runs."""

    file: str
    """Its name."""
    format: str
    """What kind of file it is."""
    layers: int
    """With a time of their own."""
    runs: int
    """That its figures are the mean of."""
    clock_mhz: float | None
    """Stated in the file, by its cycles over its time, or as given; null where none of them is."""


class RunFigure(Result):
    """A figure of both runs: the whole time, energy, a counter, or what follows from counters."""

    name: str
    before: float
    """Of the earlier run."""
    after: float
    """Of the later run."""
    change: float
    """After less before."""
    low: float | None = None
    """Lower end of the change's 90 % interval; null where single runs are not known."""
    high: float | None = None
    """Upper end of the change's 90 % interval."""
    ratio: float | None
    """After over before; null where before is 0."""
    unit: str


class LayerPair(Result):
    """A layer in both runs, or in one."""

    name_untrusted: str
    """As the later run calls it, cleaned; as the earlier one does where the later has it not."""
    op: str = ""
    """Its operator, where the trace names one."""
    matched_by: str
    """name, kind and size, kind, or joined; only before, only after."""
    before: float | None
    """Null where only the later run has it."""
    after: float | None
    """Null where only the earlier run has it."""
    change: float
    """After less before."""
    share: float
    """Of the change of the whole; below zero where it goes the other way."""
    ratio: float | None
    """After over before."""
    unit: str
    energy_change_uj: float | None = None
    """After less before; null where a run has no energy by layer."""
    counters: dict[str, float] = Field(default_factory=dict)
    """After over before of each counter that both have."""


class DifferenceCause(Result):
    """A part of the difference; the shares of all parts sum to 1."""

    cause: str
    """What makes this part; `unexplained` where nothing does."""
    change: float
    """After less before."""
    share: float
    """Of the change of the whole; below zero where it goes the other way."""
    unit: str
    why: str
    """The figures that say so."""
    layers_untrusted: tuple[str, ...] = ()
    """Layers that it is made of, where it is not all."""


class RunComparison(Result):
    """Two measured runs set side by side."""

    main_rows: ClassVar[str] = "layers"

    schema_version: str = "1.0"
    before: RunSide
    """The earlier run."""
    after: RunSide
    """The later run."""
    figures: tuple[RunFigure, ...]
    """The whole first; then energy, counters and what follows from them."""
    differs: bool | None
    """Whether the change is more than single runs scatter; null where single runs are not known."""
    by_structure: tuple[DifferenceCause, ...]
    """The change by what all layers, kinds of operators and single layers have in common."""
    by_counter: tuple[DifferenceCause, ...] = ()
    """The change by clock and by what the cycles went into; empty without counters of both runs."""
    layers: tuple[LayerPair, ...] = ()
    """Layers of both, those of one run included; the largest change first."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        whole = self.figures[0]
        ratio = "" if whole.ratio is None else f", x {whole.ratio:.3g}"
        return f"{whole.before:.4g} to {whole.after:.4g} {whole.unit}{ratio}"
