"""What each step takes: a model's from its estimate, any other's from the user or from what was published."""

from __future__ import annotations

import math
from pathlib import Path

from ...hardware_db.errors import EdgewrightError
from ...hardware_db.steps import Step, StepCost, load_steps, step_named
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
_BEYOND = 4
"""How many times as far as the measured sizes one is still worked out."""


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
    kind, core = step_named(step.step), deployment.core
    has_fpu = core.fpu is not None and core.fpu.value != "none"
    cost = next((c for c in kind.costs if c.isa == core.isa.value and (has_fpu or not c.fpu)), None)
    if cost is None:
        cores = f" on {core.isa.value}{'' if has_fpu else ' without an FPU'}" if kind.costs else ""
        return _unknown(f"no source gives what {kind.name} takes{cores}: give time or cycles")
    nearest = _nearest(step.size or 0, kind, cost)
    if nearest is None:
        sizes = ", ".join(map(str, cost.cycles))
        powers = f", or another power of two up to {_BEYOND} times as far" if kind.work else ""
        return _unknown(
            f"{kind.name} was measured at {sizes} {kind.sized}: give size{powers}, or time or cycles"
        )
    leaf = cost.cycles[nearest]
    size, factor, grown = step.size or nearest, SAME_CORE, ""
    cycles = leaf.value * _work(size) / _work(nearest)
    if size != nearest:
        factor *= _spread(cost)
        grown = f", scaled from {nearest} {kind.sized} by n log n to {digits(cycles)}"
    source = load_steps().sources[leaf.source]
    note = (
        f"{kind.name}: {digits(leaf.value)} cycles on {core.isa.value}, {cost.note}{grown} "
        f"({source.title}; {source.where})"
    )
    ms = cycles * step.times / (deployment.clock_mhz * 1e3)
    return Cost(Quantity.within_factor(ms, factor, "ms", Basis.SCALED), note)


def _unknown(missing: str) -> Cost:
    return Cost(Quantity.unknown("ms"), "", missing)


def _nearest(size: int, kind: Step, cost: StepCost) -> int | None:
    """The measured size from which the asked one is worked out; None where nothing tells it."""
    if size in cost.cycles:
        return size
    is_power = size > 1 and size & (size - 1) == 0
    if kind.work is None or not is_power:
        return None
    least, most = min(cost.cycles), max(cost.cycles)
    if not least / _BEYOND <= size <= most * _BEYOND:
        return None
    return min(cost.cycles, key=lambda measured: abs(math.log(measured / size)))


def _work(size: int) -> float:
    """What there is to do, in no unit: n log n."""
    return size * math.log2(size) if size > 1 else 1.0


def _spread(cost: StepCost) -> float:
    """How far the measured sizes are from growing so."""
    each = [leaf.value / _work(size) for size, leaf in cost.cycles.items()]
    return max(each) / min(each)
