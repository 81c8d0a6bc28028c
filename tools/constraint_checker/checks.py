"""One function per kind of limit; its docstring is the rule that the user reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...hardware_db import Target
from ..compatibility_scorer.report import CompatibilityReport
from ..core.deployment import Deployment
from ..core.quantity import Basis, Quantity
from ..core.units import show
from ..cost_model.report import PerformanceEstimate
from ..graph import ModelGraph
from ..memory_planner.plan import MemoryPlan
from ..verdicts.capacity import TIGHT, Room, code_and_weights_room, has_flash, largest_ram_room
from ..verdicts.limits import Limits
from ..verdicts.verdict import Verdict
from .report import Check, Term
from .split_arena import with_split_arena


@dataclass(frozen=True)
class Case:
    """All that the checks look at."""

    graph: ModelGraph
    deployment: Deployment
    limits: Limits
    plan: MemoryPlan
    performance: PerformanceEstimate
    compatibility: CompatibilityReport


def check_ram(case: Case) -> Check:
    """The arena must fit the limit on RAM and one contiguous run of the target's RAM, beside the reserve."""
    reserve, budget = case.limits.reserve_bytes, case.limits.ram_bytes
    device = largest_ram_room(case.deployment.target, reserve)
    room = _tighter(device, None if budget is None else budget - reserve, case.limits.headroom)
    if reserve and room.name == "the limit":
        room = Room(f"the limit less {show(reserve, 'bytes')} reserved", room.size, room.headroom)
    plan = case.plan
    parts = (
        ("activations and scratch", plan.arena_nonpersistent_bytes),
        ("interpreter's persistent data", plan.arena_persistent_bytes),
    )
    terms = tuple(Term(name=name, value=n, unit="bytes") for name, n in parts if n is not None)
    check = _against(plan.arena, room, "ram", "arena", terms)
    return with_split_arena(check, plan, case.deployment, reserve) if room.name == device.name else check


def check_flash(case: Case) -> Check:
    """Weights and code must fit the limit on flash and the target's flash.

    A machine without flash loads programs from storage: there the model must fit its memory.
    """
    limit, plan = case.limits.flash_bytes, case.plan
    room = _tighter(code_and_weights_room(case.deployment.target), limit, case.limits.headroom)
    parts = (("model", plan.model_bytes), ("code", plan.code_bytes))
    terms = tuple(Term(name=name, value=n, unit="bytes") for name, n in parts if n is not None)
    alone = plan.code_bytes is None
    demand = flash_demand(plan.flash, plan.model_bytes, case.deployment.target, room.size, limit)
    return _against(demand, room, "flash", "model alone" if alone else "model and code", terms)


def flash_demand(
    flash: Quantity, model_bytes: float, target: Target, room_bytes: float | None, limit_bytes: int | None
) -> Quantity:
    """What must find room; the model alone where code is not known and does not count or decide."""
    if flash.value is not None:
        return flash
    loads_programs = limit_bytes is None and not has_flash(target)
    if loads_programs or (room_bytes is not None and model_bytes > room_bytes):
        return Quantity.exact(model_bytes, "bytes")
    return Quantity.unknown("bytes")


def check_operators(case: Case) -> Check:
    """Every operator must have a kernel for its version and types in the runtime."""
    report = case.compatibility
    missing = [f"{op.op} ({op.index}): {op.reason}" for op in report.ops if op.supported is False]
    verdict = Verdict.FAIL if missing else Verdict.UNKNOWN if report.unknown_ops else Verdict.PASS
    told = {
        Verdict.FAIL: f"{len(missing)} of {len(report.ops)} operators do not run: {'; '.join(missing[:3])}",
        Verdict.UNKNOWN: f"{report.unknown_ops} of {len(report.ops)} operators are unknown to the sources",
        Verdict.PASS: f"all {len(report.ops)} operators run on {case.deployment.runtime.id}",
    }[verdict]
    return Check(
        name="operators",
        verdict=verdict,
        statement=told,
        demand=len(missing),
        demand_low=len(missing),
        demand_high=len(missing) + report.unknown_ops,
        bound=0,
        gap=len(missing),
        unit="operators without a kernel",
        basis=Basis.DERIVED,
    )


def check_latency(case: Case) -> Check | None:
    """One inference must take no longer than the limit; of a batch all, as no answer comes before it."""
    limit = case.limits.latency_ms
    if limit is None:
        return None
    bound, shares = Room("the limit", limit, TIGHT), case.performance.layers
    slowest = sorted((x for x in shares if x.latency_ms is not None), key=lambda x: -(x.latency_ms or 0))[:3]
    terms = tuple(Term(name=f"{x.op} ({x.index})", value=x.latency_ms or 0, unit="ms") for x in slowest)
    batch = case.deployment.batch
    what = "one inference" if batch == 1 else f"a batch of {batch}"
    return _against(case.performance.latency_ms, bound, "latency", what, terms)


def check_rate(case: Case) -> Check | None:
    """One inference must end before the next one is due."""
    if case.limits.rate_hz is None:
        return None
    period = Room(f"the period at {case.limits.rate_hz:g}/s", 1e3 / case.limits.rate_hz, TIGHT)
    return _against(_per_inference(case.performance.latency_ms, case), period, "rate", "one inference", ())


def check_energy(case: Case) -> Check | None:
    """One inference must take no more energy than the limit."""
    limit = case.limits.energy_uj
    if limit is None:
        return None
    demand = _per_inference(case.performance.energy_uj, case)
    return _against(demand, Room("the limit", limit, TIGHT), "energy", "one inference", ())


def check_power(case: Case) -> Check | None:
    """Power while computing must stay below the limit."""
    limit = case.limits.power_mw
    if limit is None:
        return None
    return _against(case.performance.power_mw, Room("the limit", limit, TIGHT), "power", "computing", ())


def check_price(case: Case) -> Check | None:
    """The target must cost no more than the limit."""
    limit = case.limits.price_usd
    if limit is None:
        return None
    price = case.deployment.target.price_usd
    demand = Quantity.unknown("USD") if price is None else Quantity.exact(price.value, "USD", Basis.PUBLISHED)
    return _against(demand, Room("the limit", limit, TIGHT), "price", "one of them", ())


def check_dtype(case: Case) -> Check | None:
    """Arithmetic must be done in the one type that is allowed."""
    wanted = case.limits.dtype
    if wanted is None:
        return None
    actual = case.graph.dtype
    same = actual is wanted
    return Check(
        name="dtype",
        verdict=Verdict.PASS if same else Verdict.FAIL,
        statement=f"the model computes in {actual}" + ("" if same else f", not in {wanted}"),
        demand=None, demand_low=None, demand_high=None, bound=None, gap=None,
        unit="type",
        basis=Basis.DERIVED,
    )  # fmt: skip


CHECKS: tuple[Callable[[Case], Check | None], ...] = (
    check_operators, check_ram, check_flash, check_latency,
    check_rate, check_energy, check_power, check_price, check_dtype,
)  # fmt: skip


def _per_inference(figure: Quantity, case: Case) -> Quantity:
    return figure.scaled(1 / case.deployment.batch, figure.unit) if case.deployment.batch > 1 else figure


def _tighter(device: Room, budget: float | None, headroom: float) -> Room:
    """The user's budget where it is tighter than what the device has."""
    if budget is not None and (device.size is None or budget <= device.size):
        return Room("the limit", budget, TIGHT)
    return Room(device.name, device.size, headroom)


def _against(demand: Quantity, room: Room, name: str, what: str, terms: tuple[Term, ...]) -> Check:
    gap = None if demand.value is None or room.size is None else demand.value - room.size
    return Check(
        name=name,
        verdict=_judge(demand, room),
        statement=_sentence(demand, room, what),
        demand=demand.value,
        demand_low=demand.low,
        demand_high=demand.high,
        bound=room.size,
        gap=gap,
        unit=demand.unit,
        basis=demand.basis,
        terms=terms,
    )


def _judge(demand: Quantity, room: Room) -> Verdict:
    if demand.value is None or demand.high is None or room.size is None:
        return Verdict.UNKNOWN
    if demand.value > room.size:
        return Verdict.FAIL
    tight = demand.value > room.size * (1 - room.headroom)
    return Verdict.MARGINAL if tight or demand.high > room.size else Verdict.PASS


def _sentence(demand: Quantity, room: Room, what: str) -> str:
    unit = demand.unit
    if demand.value is None or demand.low is None or demand.high is None:
        return f"what {what} takes is unknown; {room.name} is {show(room.size, unit)}"
    low, high = show(demand.low, unit), show(demand.high, unit)
    spread = "" if low == high else f" ({low} to {high})"
    needs = f"{what} takes {show(demand.value, unit)}{spread}"
    if room.size is None:
        return f"{needs}; {room.name} is unknown"
    gap = room.size - demand.value
    rest = f"{show(gap, unit)} to spare" if gap >= 0 else f"{show(-gap, unit)} too much"
    return f"{needs}, {room.name} is {show(room.size, unit)}: {rest}"
