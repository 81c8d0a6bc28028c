"""Result of a pipeline: each step, what all take together, and whether that holds."""

from typing import ClassVar

from ..constraint_checker.constraint_report import Check
from ..core.deployment import DeploymentRef
from ..core.quantity import Quantity, Result
from ..energy.energy_budget import BatteryLife
from ..verdicts.verdict import Verdict


class PipelineStep(Result):
    """One step, in order of priority: the shorter its period, the sooner it runs."""

    name: str
    kind: str
    """The model, or the kind of step that is no network."""
    rate_hz: float
    """How often it runs."""
    period_ms: float
    """Time from one release to the next."""
    after: tuple[str, ...]
    """Steps that it waits for."""
    time_ms: Quantity
    """What one release of it computes."""
    response_ms: Quantity
    """At worst, from the release of its chain to its own end; unknown where not all times are known, or where
    there is more to do than time."""
    budget_ms: float | None
    """Longest response that was asked for."""
    energy_uj: Quantity
    """Of one release."""
    active_share: Quantity
    """Share of the time that it computes, 0 to 1."""
    ram_bytes: float
    """Its own buffers as given, and its model's arena if that stood alone."""
    source: str
    """Where its time was read, for a step that is no network."""


class PipelineReport(Result):
    """Several models and other steps at their rates on one core."""

    main_rows: ClassVar[str] = "steps"

    schema_version: str = "1.0"
    deployment: DeploymentRef
    verdict: Verdict
    """The worst of the checks."""
    checks: tuple[Check, ...]
    """Operators without a kernel, RAM, flash, the core's time, each step's ends, average power."""
    steps: tuple[PipelineStep, ...]
    """In order of priority."""
    utilization: Quantity
    """Share of the time that the core computes, 0 to 1; more than 1 cannot be."""
    ram_shared: bool
    """Whether models share one arena."""
    ram: Quantity
    """Of arenas and buffers, as they are laid out."""
    arena_shared: Quantity
    """Of all models in one arena: what they keep is stacked, the rest overlays."""
    arena_apart: Quantity
    """Of all models, each in an arena of its own."""
    flash: Quantity
    """Of models, code and what steps were given."""
    period_ms: float
    """After which all begins anew: the longest period, or the least common one where there is a short one."""
    energy_uj: Quantity
    """Of all steps in that period."""
    power_mw: Quantity
    """While computing."""
    compute_power_mw: Quantity
    """Of the steps alone, averaged over time."""
    average_power_mw: Quantity
    """Over time, asleep and awake, with sensors."""
    sleep_current_ua: Quantity
    """Current asleep."""
    charge_mah: Quantity
    """In a day, asleep and awake."""
    battery: BatteryLife | None
    missing: tuple[str, ...] = ()
    """What it takes to know what is unknown."""
    stands_on: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return ", ".join(
            [self.verdict, *(f"{c.name} {c.verdict}" for c in self.checks if c.verdict != "PASS")]
        )
