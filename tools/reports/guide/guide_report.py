"""The guideline document: classes, trees, cases, limits of validity and the data behind them."""

from typing import ClassVar

from ...core.quantity import Result


class ReferenceModel(Result):
    """A model that the guide is computed with."""

    name: str
    """Architecture or file."""
    sha256: str
    """Of the network as it is on microcontrollers."""
    macs: int
    """Multiply-accumulates of one inference."""
    parameter_bytes: int
    """Size of its weights."""


class Share(Result):
    """A model, and what share of cases it stands for."""

    model: str
    """Reference model."""
    share: float
    """0 to 1."""
    count: int
    """How many of `of`."""
    of: int
    """All cases."""
    why: str = ""
    """The commonest reason, where the share is of failures."""


class Rate(Result):
    """How often a class runs a model."""

    model: str
    """Reference model."""
    inferences_per_second: float
    """Of the median target that can run it."""
    energy_uj: float | None
    """Likewise, of those whose power is known."""


class ClassGuide(Result):
    """One class of hardware: what it is best for, when to avoid it, what it typically does."""

    target_class: str
    """mcu, mpu, gpu, gpu-soc, npu, cpu or dsp."""
    targets: int
    """How many it has."""
    price_usd: float | None
    """Of the median target whose price is known."""
    best_for: tuple[Share, ...]
    """Models for which it is chosen in more demands than its even share among the classes."""
    avoid_when: tuple[Share, ...]
    """Models that most of its targets cannot run."""
    typical_use: tuple[Rate, ...]
    """Models that at least half of its targets run."""


class GuideTree(Result):
    """A decision tree learned from the demands."""

    criterion: str
    """What is chosen by, among the deployments that run the model and keep the limits."""
    text: str
    """The tree as indented text, with how pure each leaf is."""
    demands: int
    """It was learned from."""
    held_out_accuracy: float | None
    """Share of demands of models left out for which a tree learned without them is right."""
    majority_accuracy: float | None
    """The same of always taking the commonest class."""


class CaseRow(Result):
    """The best deployment of a class in a case."""

    target_class: str
    """Class of hardware."""
    target: str
    """The one with the least energy that keeps the limits; of those that run it, where none does."""
    runtime: str
    """Its kernel library."""
    latency_ms: float | None
    """Of one inference."""
    energy_uj: float | None
    """Of one inference."""
    price_usd: float | None
    """Of one."""
    bound: str
    """What binds it."""
    meets: int
    """Targets of the class that run it within the limits."""
    of: int
    """Targets of the class."""
    why_not: str
    """What keeps most of the others from it."""


class CaseStudy(Result):
    """A demand that is usual, with the best of each class."""

    title: str
    """What the case is."""
    model: str
    """Reference model."""
    latency_ms: float
    """Longest that one inference may take."""
    energy_uj: float | None
    """Most that one inference may take; null for no limit."""
    rows: tuple[CaseRow, ...]
    """The winner first."""
    causes: str
    """What makes the winner faster or slower than the next class; empty without a second one."""


class Validity(Result):
    """How far estimates of a class may be off, by what stands behind them."""

    device_class: str
    """mcu, cpu, gpu or npu."""
    measured: float | None
    """Factor of the 90 % interval where this very board and library was measured."""
    same_core: float | None
    """Where the library was measured on another board with the core."""
    elsewhere: float | None
    """Where nothing akin was measured."""


class GuideRow(Result):
    """A model on a target with its usual runtime."""

    model: str
    """Reference model."""
    target: str
    """Chip, board or module."""
    target_class: str
    """Its class."""
    runtime: str
    """Its usual kernel library."""
    runs: bool | None
    """Whether its operators run and it fits; null where that is not known."""
    latency_ms: float | None
    """Of one inference."""
    energy_uj: float | None
    """Of one inference."""
    arena_bytes: float | None
    """Working memory."""
    price_usd: float | None
    """Of one."""


class Guide(Result):
    """When to take which class of hardware, computed out of the estimates of reference models."""

    main_rows: ClassVar[str] = "classes"

    schema_version: str = "1.0"
    models: tuple[ReferenceModel, ...]
    """What it is computed with."""
    targets: int
    """How many there are."""
    classes: tuple[ClassGuide, ...]
    """One row a class of hardware, the most numerous first."""
    trees: tuple[GuideTree, ...]
    """By energy, and by price."""
    cases: tuple[CaseStudy, ...]
    """Of the models that usual demands are known of."""
    validity: tuple[Validity, ...]
    """One row a kind of processor."""
    energy_known_share: float
    """Share of estimates with a known energy."""
    price_known_share: float
    """Share of targets with a known price."""
    version: str
    """Of Edgewright."""
    figures: str
    """Release of the figures: coefficients and hardware."""
    data_sha256: str
    """Of `data`: two guides with the same one say the same."""
    data: tuple[GuideRow, ...]
    """Every estimate."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return f"guide of {len(self.models)} models on {self.targets} targets"
