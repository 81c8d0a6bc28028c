"""The checks of a pipeline, by the one engine of verdicts: each is a table of one row."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from ..constraint_checker.checks import check_of
from ..constraint_checker.constraint_report import Check, Lever, Term
from ..core.deployment import Deployment
from ..core.deployment_table import DeploymentTable
from ..core.intervals import total
from ..core.quantity import Quantity
from ..core.units import digits, show
from ..cost_model.quantity_column import QuantityColumn
from ..cost_model.table import table_of
from ..verdicts.capacity import TIGHT, Capacity, code_and_weights_room, largest_ram_room
from ..verdicts.judge import PASS, Judged, demand_and_bound, judge
from ..verdicts.limits import Limits
from ..verdicts.rules import MemoryBound, RuleInputs
from ..verdicts.rules import operators as judged_operators
from ..verdicts.verdict import Verdict
from .costs import Cost
from .memory import Memory
from .pipeline_report import PipelineStep
from .plan import Ram


def memory_checks(memory: Memory, how: Ram, deployment: Deployment, limits: Limits) -> Iterator[Check]:
    """RAM and flash of all together, against the limits and what the target has."""
    reserve = limits.reserve_bytes
    less = f" less {show(reserve, 'bytes')} reserved" if reserve else ""
    budget = None if limits.ram_bytes is None else limits.ram_bytes - reserve
    room = largest_ram_room(deployment.target, reserve)
    word = "one arena for all takes" if how is Ram.SHARED else "arenas of their own take"
    arenas = memory.arenas_shared if how is Ram.SHARED else memory.arenas_apart
    needs = f"{word}, with buffers," if memory.buffers.value else word
    of_ram = MemoryBound("ram", "ram_bytes", budget, f"the limit{less}", [room], limits.headroom)
    yield _memory(of_ram, memory.ram, needs, (("arenas", arenas), ("buffers", memory.buffers)))
    flash: Capacity = code_and_weights_room(deployment.target)
    of_flash = MemoryBound("flash", "flash_bytes", limits.flash_bytes, "the limit", [flash], limits.headroom)
    parts = (("models", memory.models), ("code", memory.code))
    yield _memory(of_flash, memory.flash, "models and code take", parts)


def _memory(bound: MemoryBound, demand: Quantity, needs: str, parts: Sequence[tuple[str, Quantity]]) -> Check:
    terms = tuple(Term(name=name, value=size.value, unit="bytes") for name, size in parts if size.value)
    return check_of(bound.judged(QuantityColumn.of("B", [demand]), lambda _: needs), terms)


def operator_checks(names: Sequence[str], costs: Sequence[Cost], limits: Limits) -> Iterator[Check]:
    """One for each model with an operator that has no kernel or is not known to have one."""
    for name, cost in zip(names, costs, strict=True):
        if cost.study is None:
            continue
        case = RuleInputs(table_of(cost.study), DeploymentTable([cost.study.deployment]), limits)
        found = judged_operators(case)
        if found.verdict[0] != PASS:
            yield check_of(found, ()).model_copy(update={"name": f"operators of {name}"})


def time_checks(steps: Sequence[PipelineStep], utilization: Quantity, limits: Limits) -> Iterator[Check]:
    """Whether the core has the time, and whether each step ends before it is due again and in its budget.

    Where it has not, no step ends in time in the long run, and only that is said.
    """
    whole = _utilization(steps, utilization)
    yield whole
    if whole.verdict is Verdict.FAIL:
        return
    for step in steps:
        often = f"the period at {digits(step.rate_hz)}/s"
        yield _limited(f"rate of {step.name}", step.response_ms, step.period_ms, _takes(step), often, 0.0)
    for step in steps:
        budget = step.budget_ms
        if budget is None and not any(step.name in other.after for other in steps):
            budget = limits.latency_ms
        if budget is not None:
            yield _limited(
                f"latency of {step.name}", step.response_ms, budget, _takes(step), "the limit", TIGHT
            )


def power_check(average_mw: Quantity, limits: Limits) -> Iterator[Check]:
    if limits.power_mw is not None:
        needs = "on average it takes"
        yield _limited("power", average_mw, limits.power_mw, needs, "the limit", TIGHT)


def _takes(step: PipelineStep) -> str:
    return f"the worst run of {step.name} takes"


def _utilization(steps: Sequence[PipelineStep], utilization: Quantity) -> Check:
    """The known steps alone fail where they already take too much."""
    known = [step.active_share for step in steps if step.active_share.known]
    partly = total("1", *known) if known and not utilization.known else utilization
    alone = partly.value is not None and partly.value > 1 and not utilization.known
    needs = "the known steps alone take" if alone else "the steps take"
    demand = (partly if alone else utilization).model_copy(update={"unit": "fraction"})
    terms = tuple(
        Term(name=step.name, value=step.active_share.value, unit="fraction")
        for step in steps
        if step.active_share.value is not None
    )
    check = _limited("utilization", demand, 1.0, needs, "a whole core", 0.0)
    return check.model_copy(update={"terms": terms, "levers": tuple(_slower(check))})


def _slower(check: Check) -> Iterator[Lever]:
    """The share of their rates at which all steps would find the time."""
    if check.verdict is Verdict.FAIL and check.demand is not None:
        share = math.floor(100 / check.demand) / 100
        if share > 0:
            yield Lever(
                change=f"run every step at {share:.0%} of its rate", before=check.demand,
                after=check.demand * share, unit=check.unit, closes_gap=True, effort="minutes",
            )  # fmt: skip


def _limited(
    name: str, demand: Quantity, bound: float, needs: str, bound_name: str, headroom: float
) -> Check:
    column, bounds = QuantityColumn.of(demand.unit, [demand]), np.array([bound])
    verdict = judge(column, bounds, np.array([headroom]))
    return check_of(
        Judged(
            name, None, verdict, column, bounds,
            lambda row: demand_and_bound(needs, column, row, bound, bound_name),
        ), (),
    )  # fmt: skip
