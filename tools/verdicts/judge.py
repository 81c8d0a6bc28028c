"""The verdicts of `constraint_checker` over a whole table of estimates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...hardware_db import Target
from ..core.deployment import Deployment
from ..core.deployment_table import DeploymentTable
from ..core.units import show
from ..cost_model.estimate_table import EstimateTable
from ..cost_model.quantity_column import QuantityColumn
from .capacity import TIGHT, Room, code_and_weights_room, has_flash, largest_ram_room
from .limits import Limits
from .verdict import Verdict

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
VERDICTS = (Verdict.PASS, Verdict.MARGINAL, Verdict.UNKNOWN, Verdict.FAIL)
"""By how much they weigh."""
PASS, MARGINAL, UNKNOWN, FAIL = range(4)


@dataclass(frozen=True, eq=False)
class Judged:
    """One limit over all rows."""

    name: str
    field: str | None
    """Of `Limits`, where the user set it; None for what the hardware itself bounds."""
    verdict: Ints
    """Positions in `VERDICTS`."""
    demand: QuantityColumn | None
    bound: Floats
    told: Callable[[int], str]
    """Why a row does not pass."""
    ceiling: Floats | None = None
    """What the hardware has, however wide the limit; NaN where that is not known."""


def judged(table: EstimateTable, places: DeploymentTable, limits: Limits) -> list[Judged]:
    """Verdicts of operators, memory and every hard limit that was set, as `check_constraints` gives them."""
    return list(_judged(table, places, limits.hard))


def overall(parts: Sequence[Judged]) -> Ints:
    """The worst verdict, row by row."""
    worst: Ints = np.max([part.verdict for part in parts], axis=0)
    return worst


def misses(parts: Sequence[Judged]) -> Floats:
    """How far rows are from passing: decades beyond limits, one for each that has no measure."""
    missed = np.zeros(len(parts[0].verdict))
    for part in parts:
        beyond = np.ones(len(missed))
        if part.demand is not None:
            with np.errstate(divide="ignore", invalid="ignore"):
                beyond = np.nan_to_num(np.log10(part.demand.value / part.bound), nan=1.0, posinf=1.0)
        missed += np.where(part.verdict >= UNKNOWN, np.maximum(beyond, 1e-6), 0.0)
    return missed


def _judged(table: EstimateTable, places: DeploymentTable, limits: Limits) -> Iterator[Judged]:
    yield _operators(table)
    reserve = limits.reserve_bytes
    rooms = places.kept(
        ("ram room", reserve), lambda: _rooms(places, lambda target: largest_ram_room(target, reserve))
    )
    budget = None if limits.ram_bytes is None else limits.ram_bytes - reserve
    yield _memory("ram", "ram_bytes", table.arena_bytes, rooms, budget, limits)
    flashes = places.kept("flash room", lambda: _rooms(places, code_and_weights_room))
    flash = _flash_demand(table, places, flashes, limits)
    yield _memory("flash", "flash_bytes", flash, flashes, limits.flash_bytes, limits)
    batches = np.array([place.batch for place in places])
    latency, energy = _per_inference(table.latency_ms, batches), _per_inference(table.energy_uj, batches)
    period = None if limits.rate_hz is None else 1e3 / limits.rate_hz
    for name, field, demand, bound in (
        ("latency", "latency_ms", table.latency_ms, limits.latency_ms),
        ("rate", "rate_hz", latency, period),
        ("energy", "energy_uj", energy, limits.energy_uj),
        ("power", "power_mw", table.power_mw, limits.power_mw),
    ):
        if bound is not None:
            yield _limited(name, field, demand, bound)
    if limits.price_usd is not None:
        yield _limited("price", "price_usd", prices(places), limits.price_usd)
    if limits.dtype is not None:
        yield _dtype(table, limits)


def prices(places: DeploymentTable) -> QuantityColumn:
    known = places.each(lambda place: place.target.price_usd.value if place.target.price_usd else np.nan)
    values = np.array(known, dtype=np.float64)
    return QuantityColumn("USD", values, values, values, np.zeros(len(values), dtype=np.int64))


def _rooms(places: DeploymentTable, room: Callable[[Target], Room]) -> list[Room]:
    targets = {place.target.id: place.target for place in places}
    found = {name: room(target) for name, target in targets.items()}
    return [found[place.target.id] for place in places]


def _operators(table: EstimateTable) -> Judged:
    verdict = np.select([table.runs == 1, table.runs == 0], [PASS, FAIL], UNKNOWN)

    def told(row: int) -> str:
        lacks = [reason.told for reason in table.reasons(row) if "operators" in reason.lack]
        state = "do not run" if verdict[row] == FAIL else "are unknown to the sources"
        return f"{'; '.join(lacks)} {state}"

    empty = np.full(len(table), np.nan)
    return Judged("operators", None, verdict.astype(np.int64), None, empty, told)


def _flash_demand(
    table: EstimateTable, places: DeploymentTable, rooms: list[Room], limits: Limits
) -> QuantityColumn:
    """As `flash_demand` of one check: the model alone where the code is not known and does not decide."""
    flash, model = table.flash_bytes, np.round(table.model_bytes.value)
    sizes = np.array([np.nan if room.size is None else room.size for room in rooms])
    if limits.flash_bytes is not None:
        sizes = np.fmin(sizes, limits.flash_bytes)
    loads = np.array(places.each(_loads_programs)) & (limits.flash_bytes is None)
    with np.errstate(invalid="ignore"):
        alone = np.isnan(flash.value) & (loads | (model > sizes))
    value, low, high = (np.where(alone, model, each) for each in (flash.value, flash.low, flash.high))
    return QuantityColumn(flash.unit, value, low, high, np.where(alone, table.model_bytes.basis, flash.basis))


def _loads_programs(place: Deployment) -> bool:
    return not has_flash(place.target)


def _memory(
    name: str, field: str, demand: QuantityColumn, rooms: list[Room], budget: float | None, limits: Limits
) -> Judged:  # fmt: skip
    sizes = np.array([np.nan if room.size is None else room.size for room in rooms])
    mine = np.full(len(sizes), False) if budget is None else np.isnan(sizes) | (budget <= sizes)
    bound = np.where(mine, np.nan if budget is None else budget, sizes)
    headroom = np.where(mine, TIGHT, limits.headroom)
    verdict = judge(demand, bound, headroom)

    def told(row: int) -> str:
        what, which = ("arena", rooms[row].name) if name == "ram" else ("model and code", rooms[row].name)
        return _sentence(what, demand, row, bound[row], "the limit" if mine[row] else which)

    mine_somewhere = field if budget is not None and mine.any() else None
    return Judged(name, mine_somewhere, verdict, demand, bound, told, ceiling=sizes)


def _limited(name: str, field: str, demand: QuantityColumn, limit: float) -> Judged:
    bound = np.full(len(demand), limit)

    def told(row: int) -> str:
        return _sentence(name if name != "rate" else "one inference", demand, row, limit, "the limit")

    return Judged(name, field, judge(demand, bound, np.full(len(demand), TIGHT)), demand, bound, told)


def _dtype(table: EstimateTable, limits: Limits) -> Judged:
    wanted = limits.dtype
    verdict = np.array([PASS if graph.dtype is wanted else FAIL for graph in table.models])

    def told(row: int) -> str:
        return f"the model computes in {table.models[row].dtype}, not in {wanted}"

    return Judged("dtype", "dtype", verdict, None, np.full(len(table), np.nan), told)


def judge(demand: QuantityColumn, bound: Floats, headroom: Floats) -> Ints:
    """As a single check does: FAIL above the bound, MARGINAL near it or where the interval crosses it."""
    unknown = np.isnan(demand.value) | np.isnan(bound)
    with np.errstate(invalid="ignore"):
        tight = (demand.value > bound * (1 - headroom)) | (demand.high > bound)
        chosen = [unknown, demand.value > bound, tight]
    verdict: Ints = np.select(chosen, [UNKNOWN, FAIL, MARGINAL], PASS).astype(np.int64)
    return verdict


def _per_inference(column: QuantityColumn, batches: Floats) -> QuantityColumn:
    if (batches == 1).all():
        return column
    value, low, high = (each / batches for each in (column.value, column.low, column.high))
    return QuantityColumn(column.unit, value, low, high, column.basis)


def _sentence(what: str, demand: QuantityColumn, row: int, bound: float, name: str) -> str:
    figure = demand[row]
    size = show(None if np.isnan(bound) else float(bound), demand.unit)
    if figure.value is None:
        return f"{what} is unknown; {name} is {size}"
    return f"{what} {show(figure.value, demand.unit)}, {name} is {size}"
