"""What each step takes: a model's from its estimate, any other's from the user or from what was published."""

from __future__ import annotations

from pathlib import Path

from ...hardware_db.errors import EdgewrightError
from ...hardware_db.steps import load_steps, step_named
from ..core.deployment import Deployment
from ..core.quantity import Basis, Quantity
from ..core.records import dataclass
from ..core.units import digits
from ..cost_model.study import Study, study
from ..placement.model_source import as_graph
from .plan import StepPlan, Task, model_of, named

SAME_CORE = 2.0
"""Factor of the interval of cycles that were measured on another chip with the same core: assumed, for flash
waits and compilers differ."""


@dataclass(frozen=True)
class Cost:
    """Of one release of a step."""

    time_ms: Quantity
    source: str
    """Where the time comes from; empty where it is a model's estimate or the user's."""
    missing: str = ""
    """What it takes to know the time."""
    study: Study | None = None
    """Of a model."""


def cost_of(task: Task, deployment: Deployment, folder: Path) -> Cost:
    """
    Raises:
        EdgewrightError: a model that cannot be read; its step is named.
    """
    step, found = task.plan, None
    if step.model is not None:
        try:
            found = study(*as_graph(model_of(step, folder), deployment))
        except EdgewrightError as error:
            raise named(error, task.name) from None
    own_ms = step.time
    if step.cycles is not None:
        own_ms = step.cycles / (deployment.clock_mhz * 1e3)
    if own_ms is not None:
        return Cost(Quantity.exact(own_ms * step.times, "ms", Basis.ASSUMED), "", study=found)
    if found is not None:
        time_ms = found.latency_ms.scaled(step.times, "ms")
        missing = "" if time_ms.known else f"a measurement of {step.model} on {deployment.target.id}"
        return Cost(time_ms, "", missing, found)
    return _published(step, deployment)


def _published(step: StepPlan, deployment: Deployment) -> Cost:
    assert step.step is not None
    kind, isa = step_named(step.step), deployment.core.isa.value
    unknown = Quantity.unknown("ms")
    cost = next((each for each in kind.costs if each.isa == isa), None)
    if cost is None:
        cores = f" on {isa}" if kind.costs else ""
        return Cost(unknown, "", f"no source gives what {kind.name} takes{cores}: give time or cycles")
    leaf = cost.cycles.get(step.size or 0)
    if leaf is None:
        sizes = ", ".join(map(str, cost.cycles))
        return Cost(
            unknown, "", f"{kind.name} was measured at {sizes} {kind.sized}: give size, or time or cycles"
        )
    ms = leaf.value * step.times / (deployment.clock_mhz * 1e3)
    source = load_steps().sources[leaf.source]
    note = f"{kind.name}: {digits(leaf.value)} cycles on {isa}, {cost.note} ({source.title}; {source.where})"
    return Cost(Quantity.within_factor(ms, SAME_CORE, "ms", Basis.SCALED), note)
