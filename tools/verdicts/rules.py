"""One rule a kind of limit, over a table of estimates; its docstring is the rule that the user reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ...hardware_db import Target
from ...hardware_db.coefficients import DATASHEET_ALONE
from ..core.deployment import Deployment
from ..core.deployment_table import DeploymentTable
from ..core.quantity import Basis
from ..core.records import dataclass, replace
from ..core.units import show
from ..cost_model.anchor import sort_of_place
from ..cost_model.at_once import cores_at_once, gain_at_once
from ..cost_model.estimate_table import EstimateTable
from ..cost_model.own_offset import one_measurement
from ..cost_model.quantity_column import BASES, QuantityColumn
from .capacity import (
    TIGHT,
    Capacity,
    code_and_weights_room,
    has_flash,
    largest_internal_ram,
    largest_ram_room,
)
from .judge import FAIL, MARGINAL, PASS, UNKNOWN, Floats, Judged, demand_and_bound, judge
from .limits import Limits
from .operators import judged_operators

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class RuleInputs:
    """What the rules look at: a row of estimates for each deployment, and what is demanded of all of them."""

    table: EstimateTable
    deployments: DeploymentTable
    limits: Limits

    @property
    def batches(self) -> Floats:
        return np.array([deployment.batch for deployment in self.deployments], dtype=np.float64)

    def one_measurement(self, row: int) -> str:
        """What a single measurement on the board of a row would make of a latency."""
        return one_measurement(sort_of_place(self.deployments[row]))

    def capacities(self, key: object, room: Callable[[Target], Capacity]) -> list[Capacity]:
        """The room of every deployment's target, worked out once a target."""

        def found() -> list[Capacity]:
            by_target = {each.target.id: each.target for each in self.deployments}
            capacities = {name: room(target) for name, target in by_target.items()}
            return [capacities[each.target.id] for each in self.deployments]

        return self.deployments.memoized(("room", key), found)


Rule = Callable[[RuleInputs], Judged | None]
OUTSIDE = ", outside the chip in slower memory,"


def judged(table: EstimateTable, deployments: DeploymentTable, limits: Limits) -> list[Judged]:
    """Verdicts of operators, memory and every limit that was set; `limits.hard` leaves soft ones out."""
    case = RuleInputs(table, deployments, limits)
    return [_as_it_ran(part, table) for rule in RULES if (part := rule(case)) is not None]


_OF_RUNNING = frozenset(("operators", "ram", "flash"))
"""What must hold for a model to run at all."""


def _as_it_ran(part: Judged, table: EstimateTable) -> Judged:
    """What was measured on the very target runs there, and what was on a near one probably does.

    That settles operators and memory of which no source tells; a limit of the user's it does not.
    """
    if part.name not in _OF_RUNNING:
        return part
    open_ = (part.verdict == UNKNOWN) & (np.isnan(part.bound) | (part.name == "operators"))
    ran = open_ & np.isin(table.latency_ms.basis, _RAN)
    near = open_ & (table.latency_ms.basis == BASES.index(Basis.SCALED))
    if not (ran | near).any():
        return part

    def sentence(row: int) -> str:
        return "it was measured on a near target, not on this one" if near[row] else part.sentence(row)

    verdict = np.select([ran, near], [PASS, MARGINAL], part.verdict).astype(np.int64)
    return replace(part, verdict=verdict, sentence=sentence)


_RAN = [BASES.index(basis) for basis in (Basis.MEASURED, Basis.PUBLISHED)]


def operators(case: RuleInputs) -> Judged:
    """Every operator must have a kernel for its version and types in the runtime."""
    return judged_operators(case.table)


def ram(case: RuleInputs) -> Judged:
    """The arena must fit the limit on RAM and one contiguous run of the target's RAM, beside the reserve.

    What is larger than the RAM of a microcontroller lies outside it, in memory that is slower.
    """
    limits, reserve = case.limits, case.limits.reserve_bytes
    capacities = case.capacities(("ram", reserve), lambda target: largest_ram_room(target, reserve))
    budget = None if limits.ram_bytes is None else limits.ram_bytes - reserve
    less = f" less {show(reserve, 'bytes')} reserved" if reserve else ""
    bound = MemoryBound("ram", "ram_bytes", budget, f"the limit{less}", capacities, limits.headroom)
    inside = _sizes(case.capacities("internal ram", largest_internal_ram))
    with np.errstate(invalid="ignore"):
        spills = case.table.arena_bytes.value > inside
    return bound.judged(case.table.arena_bytes, lambda row: f"arena{OUTSIDE if spills[row] else ''} takes")


def flash(case: RuleInputs) -> Judged:
    """Weights and code must fit the limit on flash and the target's flash.

    A machine without flash loads programs from storage: there the model must fit its memory.
    """
    limits = case.limits
    capacities = case.capacities("flash", code_and_weights_room)
    alone = _model_decides(case, capacities)
    bound = MemoryBound("flash", "flash_bytes", limits.flash_bytes, "the limit", capacities, limits.headroom)
    return bound.judged(
        _flash_demand(case.table, alone),
        lambda row: "model alone takes" if alone[row] else "model and code take",
    )


def latency(case: RuleInputs) -> Judged | None:
    """One inference must take no longer than the limit; of a batch all, as no answer comes before it."""
    batches = case.batches

    def needs(row: int) -> str:
        return "one inference takes" if batches[row] == 1 else f"a batch of {batches[row]:.0f} takes"

    limit, column = case.limits.latency_ms, case.table.latency_ms
    return _limited("latency", "latency_ms", limit, column, needs, remedy=case.one_measurement)


def rate(case: RuleInputs) -> Judged | None:
    """One inference must end before the next one is due.

    Where each takes one core of an accelerator that has several, all work: one must end in that time.
    """
    wanted = case.limits.rate_hz
    if wanted is None:
        return None
    demand = _on_all_cores(_per_inference(case.table.latency_ms, case.batches), case.deployments)
    period = f"the period at {wanted:g}/s"

    def needs(row: int) -> str:
        at_once = cores_at_once(case.deployments[row])
        return f"with {at_once} at once one ends every" if at_once > 1 else _one_takes(row)

    remedy = case.one_measurement
    return _limited("rate", "rate_hz", 1e3 / wanted, demand, needs, period, remedy=remedy)


def _on_all_cores(one: QuantityColumn, deployments: DeploymentTable) -> QuantityColumn:
    """From the end of an inference to that of the next."""
    gain = QuantityColumn.of("x", deployments.each(gain_at_once))
    if not (gain.value > 1).any():
        return one
    down = np.hypot(np.log(one.value / one.low), np.log(gain.high / gain.value))
    up = np.hypot(np.log(one.high / one.value), np.log(gain.value / gain.low))
    value, basis = one.value / gain.value, np.where(gain.value > 1, gain.basis, 0)
    return QuantityColumn(
        one.unit, value, value * np.exp(-down), value * np.exp(up), np.maximum(one.basis, basis)
    )


def energy(case: RuleInputs) -> Judged | None:
    """One inference must take no more energy than the limit."""
    demand = _per_inference(case.table.energy_uj, case.batches)
    limit, remedy = case.limits.energy_uj, case.one_measurement
    return _limited("energy", "energy_uj", limit, demand, _one_takes, remedy=remedy)


def power(case: RuleInputs) -> Judged | None:
    """Power must stay below the limit: while computing, or on average where a rate says how often it does.

    Between inferences a target draws what its board does idle, or asleep; where no source tells, what draws
    less than a watt is taken to sleep, and the rest to draw between a twentieth and all of its power.
    """
    limit, wanted = case.limits.power_mw, case.limits.rate_hz
    if wanted is None or limit is None:
        return _limited("power", "power_mw", limit, case.table.power_mw, lambda _: "computing takes")
    return _limited(
        "power",
        "power_mw",
        limit,
        _on_average(case, wanted),
        lambda _: f"on average at {wanted:g}/s it takes",
    )


def _on_average(case: RuleInputs, rate_hz: float) -> QuantityColumn:
    """Computing for its share of the time, idle for the rest."""
    table = case.table
    known = np.array(case.deployments.each(_rests_at), dtype=np.float64)
    least = np.where(table.power_mw.high > _SLEEPS_MW, _LEAST_IDLE * table.power_mw.low, 0.0)
    most = np.where(table.power_mw.high > _SLEEPS_MW, table.power_mw.high, 0.0)
    spread = DATASHEET_ALONE.interval_factor
    low_rest = np.where(np.isnan(known), least, known / spread)
    high_rest = np.where(np.isnan(known), most, known * spread)
    rest = np.where(np.isnan(known), least, known)
    spent = _per_inference(table.energy_uj, case.batches)
    time_ms = _per_inference(table.latency_ms, case.batches)

    def mean(energy_uj: Floats, busy_ms: Floats, power_mw: Floats, rest_mw: Floats) -> Floats:
        asleep = rest_mw * (1.0 - np.minimum(np.nan_to_num(busy_ms) * rate_hz / 1e3, 1.0))
        mw: Floats = np.fmin(energy_uj * rate_hz / 1e3 + asleep, np.maximum(power_mw, rest_mw))
        return mw

    value = mean(spent.value, time_ms.value, table.power_mw.value, rest)
    low = mean(spent.low, time_ms.high, table.power_mw.low, low_rest)
    high = mean(spent.high, time_ms.low, table.power_mw.high, high_rest)
    return QuantityColumn("mW", value, np.minimum(low, value), np.maximum(high, value), spent.basis)


def _rests_at(deployment: Deployment) -> float:
    target = deployment.target
    idle = [mode.board_idle_w.value * 1e3 for mode in target.power if mode.board_idle_w is not None]
    asleep = [mode.sleep_ua.value for mode in target.power if mode.sleep_ua is not None]
    volts = target.supply_v.value if target.supply_v is not None else _USUAL_V
    return asleep[0] * volts / 1e3 if asleep else max(idle, default=np.nan)


_USUAL_V, _SLEEPS_MW, _LEAST_IDLE = 3.3, 1e3, 0.05


def price(case: RuleInputs) -> Judged | None:
    """The target must cost no more than the limit."""
    limit = case.limits.price_usd
    if limit is None:
        return None
    return _limited("price", "price_usd", limit, prices(case.deployments), lambda _: "one target costs")


def dtype(case: RuleInputs) -> Judged | None:
    """Arithmetic must be done in the one type that is allowed."""
    wanted, models = case.limits.dtype, case.table.models
    if wanted is None:
        return None

    def sentence(row: int) -> str:
        actual = models[row].dtype
        return f"the model computes in {actual}" + ("" if actual is wanted else f", not in {wanted}")

    fails = np.array([graph.dtype is not wanted for graph in models], dtype=np.bool_)
    verdict = np.where(fails, FAIL, PASS).astype(np.int64)
    return Judged("dtype", "dtype", verdict, None, np.full(len(models), np.nan), sentence)


RULES: tuple[Rule, ...] = (operators, ram, flash, latency, rate, energy, power, price, dtype)


def prices(deployments: DeploymentTable) -> QuantityColumn:
    """Of one target, as its file gives it."""
    known = deployments.each(lambda each: each.target.price_usd.value if each.target.price_usd else np.nan)
    values = np.array(known, dtype=np.float64)
    basis = np.where(np.isnan(values), BASES.index(Basis.UNKNOWN), BASES.index(Basis.PUBLISHED))
    return QuantityColumn("USD", values, values, values, basis)


@dataclass(frozen=True)
class MemoryBound:
    """The user's budget where it is tighter than what the device has."""

    name: str
    field: str
    budget: float | None
    budget_name: str
    capacities: Sequence[Capacity]
    headroom: float

    def judged(self, demand: QuantityColumn, needs: Callable[[int], str]) -> Judged:
        sizes = _sizes(self.capacities)
        budget = np.nan if self.budget is None else self.budget
        with np.errstate(invalid="ignore"):
            mine = (np.isnan(sizes) | (budget <= sizes)) & (self.budget is not None)
        bound = np.where(mine, budget, sizes)
        verdict = judge(demand, bound, np.where(mine, TIGHT, self.headroom))

        def sentence(row: int) -> str:
            name = self.budget_name if mine[row] else self.capacities[row].name
            return demand_and_bound(needs(row), demand, row, bound[row], name)

        field = self.field if mine.any() else None
        return Judged(self.name, field, verdict, demand, bound, sentence, ceiling=sizes)


def _sizes(capacities: Sequence[Capacity]) -> Floats:
    return np.array([np.nan if room.size is None else room.size for room in capacities], dtype=np.float64)


def _model_decides(case: RuleInputs, capacities: Sequence[Capacity]) -> Bools:
    """Where the size of the code is not known, and does not count or decide."""
    model, limit = np.round(case.table.model_bytes.value), case.limits.flash_bytes
    sizes = _sizes(capacities) if limit is None else np.fmin(_sizes(capacities), limit)
    loads = np.array(case.deployments.each(_loads_programs), dtype=np.bool_) & (limit is None)
    with np.errstate(invalid="ignore"):
        decides: Bools = np.isnan(case.table.flash_bytes.value) & (loads | (model > sizes))
    return decides


def _loads_programs(deployment: Deployment) -> bool:
    return not has_flash(deployment.target)


def _flash_demand(table: EstimateTable, alone: Bools) -> QuantityColumn:
    flash, model = table.flash_bytes, np.round(table.model_bytes.value)
    value, low, high = (np.where(alone, model, each) for each in (flash.value, flash.low, flash.high))
    return QuantityColumn(
        flash.unit, value, low, high, np.where(alone, BASES.index(Basis.DERIVED), flash.basis)
    )


def _limited(
    name: str,
    field: str,
    limit: float | None,
    demand: QuantityColumn,
    needs: Callable[[int], str],
    limit_name: str = "the limit",
    *,
    remedy: Callable[[int], str] | None = None,
) -> Judged | None:
    """A demand that the user alone bounds."""
    if limit is None:
        return None
    bound = np.full(len(demand), limit, dtype=np.float64)
    verdict = judge(demand, bound, np.full(len(demand), TIGHT))
    return Judged(
        name, field, verdict, demand, bound,
        lambda row: demand_and_bound(needs(row), demand, row, limit, limit_name, remedy),
    )  # fmt: skip


def _one_takes(_row: int) -> str:
    return "one inference takes"


def _per_inference(column: QuantityColumn, batches: Floats) -> QuantityColumn:
    if (batches == 1).all():
        return column
    value, low, high = (each / batches for each in (column.value, column.low, column.high))
    return QuantityColumn(column.unit, value, low, high, column.basis)
