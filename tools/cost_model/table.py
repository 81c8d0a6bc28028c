"""One model on many deployments: what they share is worked out once, the rest in arrays.

Arenas are planned once for equal `ArenaTerms`, flash once for equal `FlashTerms`, operators judged once for
equal `host_key`; costs are one product of work and coefficients. Each figure is that of the estimate alone.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence

import numpy as np

from ..core.deployment import Deployment
from ..core.deployment_table import DeploymentTable, as_table
from ..core.quantity import Quantity
from ..ethos_u.asked import is_for_vela
from ..graph import ModelGraph
from ..graph.costs.table import layer_table
from ..graph.work_shares import work_shares
from ..memory_planner.flash.flash import Flash
from ..memory_planner.planning import Outcome, at_batch, layout_of, needs, needs_key, placed
from ..memory_planner.region_placement import Placement
from ..memory_planner.terms import arena_terms, flash_terms
from ..placement.flags import OperatorFlags, host_key, operator_flags
from ..placement.model_source import ModelSource, as_graph
from ..placement.op_placement import Runs
from .anchor import Anchor
from .bounds import bounds
from .energy import energy_column, energy_of, given_pj_per_mac, power_of
from .estimate_table import EstimateTable, Ints, joined
from .features import work_features
from .linked import is_linked
from .measured import Modelled, anchors
from .memory_levels import DataLevels, levels_of
from .placed_times import times_as_placed
from .power import UNKNOWN_POWER, active_power
from .quantity_column import BASES, Floats, QuantityColumn
from .study import Study
from .times import LayerTimes, TimesTable, least_seconds, times_table

_STATES = {True: 1, False: 0, None: -1}
_SHARED = frozenset({Runs.FALLBACK, Runs.UNTOLD})


def estimate_many(model: ModelSource, deployments: Iterable[Deployment]) -> EstimateTable:
    """Latency, energy, arena, flash and support of a model on every deployment.

    Args:
        model: a graph, a path or the name of an architecture; a name without a type is taken in the usual
            precision of each runtime.
        deployments: such as `all_deployments()`, which keeps what follows from it for the next model.

    Raises:
        InputError: a model that cannot be used.
        EdgewrightError: an operator cannot follow a change of batch.

    Example:
        >>> table = estimate_many("kws", [deployment("stm32h743zi", "tflm-cmsis-nn"), deployment("nrf52840")])
        >>> table
        <EstimateTable kws:int8 on 2 deployments>
        >>> table.arena_bytes.value
        array([22820., 22820.])
        >>> table.latency_ms[0] < table.latency_ms[1]
        True
    """
    places = as_table(deployments)
    groups = _graphs(model, places)
    tables = [_estimated(graph, part) for graph, part, _ in groups]
    return tables[0] if len(tables) == 1 else joined(tables, [rows for _, _, rows in groups])


Group = tuple[ModelGraph, DeploymentTable, Sequence[int]]


def _graphs(model: ModelSource, places: DeploymentTable) -> list[Group]:
    """The graph that is meant on each deployment, with those that share it."""
    of_file = isinstance(model, ModelGraph) and model.format != "architecture"
    if of_file or not len(places):
        graph = model if isinstance(model, ModelGraph) else as_graph(model, "host-x86-64")[0]
        return [(graph, places, range(len(places)))]
    parts: list[tuple[DeploymentTable, list[int]]] = places.memoized(
        "by usual type", lambda: _by_type(places)
    )
    graphs = [as_graph(model, part[0])[0] for part, _ in parts]
    if len({graph.sha256 for graph in graphs}) == 1:
        return [(graphs[0], places, range(len(places)))]
    return [(graph, part, rows) for graph, (part, rows) in zip(graphs, parts, strict=True)]


def _by_type(places: DeploymentTable) -> list[tuple[DeploymentTable, list[int]]]:
    rows: dict[str, list[int]] = {}
    for row, place in enumerate(places):
        rows.setdefault(place.runtime.usual_dtype.value, []).append(row)
    return [(DeploymentTable(places[row] for row in found), found) for found in rows.values()]


def _estimated(graph: ModelGraph, places: DeploymentTable) -> EstimateTable:
    needed = places.groups(needs_key).spread(lambda place: _needs(graph, place))
    placements = _placements(needed, places)
    levels = _homes(placements, places)
    flags = tuple(places.groups(host_key).spread(lambda place: operator_flags(graph, place)))
    times = times_table(work_features(graph), places, levels)
    alone, factor, shared = _latency(graph, places, levels, flags, times)
    found = _anchors(graph, places, alone, factor, shared)
    latency = _measured_first(alone, found)
    power, energy = _power_and_energy(graph, places, latency)
    shares, _ = work_shares(graph)
    return EstimateTable(
        deployments=tuple(places),
        models=(graph,) * len(places),
        latency_ms=latency,
        energy_uj=energy,
        power_mw=power,
        arena_bytes=QuantityColumn.gathered("B", [outcome for outcome, _ in needed], _arena),
        flash_bytes=QuantityColumn.gathered("B", [flash for _, flash in needed], lambda flash: flash.total),
        model_bytes=QuantityColumn.gathered("B", [flash for _, flash in needed], lambda flash: flash.model),
        fits=np.array([_STATES[placement.fits] for placement in placements], dtype=np.int64),
        runs=np.array([_STATES[flag.verdict] for flag in flags], dtype=np.int64),
        accelerated_layers=np.array([flag.accelerated for flag in flags], dtype=np.int64),
        accelerated_share=np.array([float(shares[flag.optimized].sum()) for flag in flags]),
        bound=_bounds(graph, places, times, shared, found),
        placements=placements,
        flags=flags,
    )


def _anchors(
    graph: ModelGraph,
    places: DeploymentTable,
    alone: QuantityColumn,
    factor: Floats,
    shared: Mapping[int, LayerTimes],
) -> dict[int, Anchor]:
    before_link = {row: one.alone_s * 1e3 for row, one in shared.items() if one.alone_s is not None}
    modelled = Modelled(alone.value, factor, before_link)
    return anchors(
        graph, places, modelled, lambda near: _estimated(graph, DeploymentTable(near)).latency_ms.value
    )


def _measured_first(alone: QuantityColumn, found: Mapping[int, Anchor]) -> QuantityColumn:
    """Latencies as far as they were measured, else by the cost model alone."""
    if not found:
        return alone
    quantities = [found[row].latency_ms if row in found else alone[row] for row in range(len(alone.value))]
    return QuantityColumn.of("ms", quantities)


def _bounds(
    graph: ModelGraph,
    places: DeploymentTable,
    times: TimesTable,
    shared: Mapping[int, LayerTimes],
    found: Mapping[int, Anchor],
) -> Ints:
    """What binds each; where it was measured, by times that are as long as it took."""
    bound = bounds(times)
    for row, one in shared.items():
        bound[row] = int(bounds(one))
    for row, anchor in found.items():
        if not math.isnan(anchor.ratio):
            one = shared.get(row) or times.at(row)
            least_s = least_seconds(work_features(graph), places[row])
            bound[row] = int(bounds(one.stretched(anchor.ratio, least_s)))
    return bound


def table_of(study: Study) -> EstimateTable:
    """The figures of one study as a table of one row."""
    planned, flags = study.planned, study.flags
    shares, _ = work_shares(study.graph)
    latency, power = (QuantityColumn.of(q.unit, [q]) for q in (study.latency_ms, study.power.milliwatts))
    return EstimateTable(
        deployments=(study.deployment,),
        models=(study.graph,),
        latency_ms=latency,
        energy_uj=QuantityColumn.of("uJ", [study.energy_uj]),
        power_mw=power,
        arena_bytes=QuantityColumn.of("B", [_arena(planned.outcome)]),
        flash_bytes=QuantityColumn.of("B", [planned.flash.total]),
        model_bytes=QuantityColumn.of("B", [planned.flash.model]),
        fits=np.array([_STATES[planned.placement.fits]], dtype=np.int64),
        runs=np.array([_STATES[flags.verdict]], dtype=np.int64),
        accelerated_layers=np.array([flags.accelerated], dtype=np.int64),
        accelerated_share=np.array([float(shares[flags.optimized].sum())]),
        bound=np.atleast_1d(bounds(study.times)),
        placements=(planned.placement,),
        flags=(flags,),
    )


Needs = tuple[Outcome, Flash]


def _needs(graph: ModelGraph, place: Deployment) -> Needs:
    return needs(at_batch(graph, place.batch), place, arena_terms(place), flash_terms(place))


def _arena(outcome: Outcome) -> Quantity:
    return outcome.arena.size if outcome.arena else Quantity.unknown("B")


def _placements(needed: Sequence[Needs], places: DeploymentTable) -> tuple[Placement, ...]:
    """Once for each machine and what is placed on it."""
    made: dict[Hashable, Placement] = {}
    found, layouts, alike = [], places.each_machine(layout_of), _alike(needed)
    for place, machine, layout, need in zip(places, places.machines, layouts, needed, strict=True):
        key = machine, alike[id(need)]
        if key not in made:
            made[key] = placed(*need, place, layout=layout)
        found.append(made[key])
    return tuple(found)


def _alike(needed: Sequence[Needs]) -> dict[int, int]:
    """By identity, a number that is the same where sizes are."""
    numbers: dict[Hashable, int] = {}
    alike = {}
    for identity, (outcome, flash) in {id(need): need for need in needed}.items():
        floor = outcome.demand.floor if outcome.demand else 0
        sizes = (_arena(outcome), floor, flash.model, flash.code)
        alike[identity] = numbers.setdefault(sizes, len(numbers))
    return alike


def _homes(placements: Sequence[Placement], places: DeploymentTable) -> list[DataLevels]:
    made: dict[int, DataLevels] = {}
    for placement, place in zip(placements, places, strict=True):
        if id(placement) not in made:
            made[id(placement)] = levels_of(placement, place)
    return [made[id(placement)] for placement in placements]


def _power(places: DeploymentTable) -> QuantityColumn:
    return QuantityColumn.of("mW", [power.milliwatts for power in places.each_machine(active_power)])


def _power_and_energy(
    graph: ModelGraph, places: DeploymentTable, latency: QuantityColumn
) -> tuple[QuantityColumn, QuantityColumn]:
    """By power and time, but where a figure for a MAC is given."""
    power: QuantityColumn = places.memoized("power", lambda: _power(places))
    energy = energy_column(power, latency)
    own = [row for row, place in enumerate(places) if given_pj_per_mac(place.target) is not None]
    if not own:
        return power, energy
    powers = [power[row] for row in range(len(power))]
    energies = [energy[row] for row in range(len(energy))]
    for row in own:
        place, macs = places[row], int(layer_table(graph).macs.sum()) * places[row].batch
        powers[row] = power_of(UNKNOWN_POWER, place.target, macs, latency[row]).milliwatts
        energies[row] = energy_of(place.target, macs) or energies[row]
    return QuantityColumn.of("mW", powers), QuantityColumn.of("uJ", energies)


def _latency(
    graph: ModelGraph,
    places: DeploymentTable,
    levels: Sequence[DataLevels],
    flags: Sequence[OperatorFlags],
    times: TimesTable,
) -> tuple[QuantityColumn, Floats, dict[int, LayerTimes]]:
    """Latency, the factor of its interval, and by row the times where an accelerator shares the work."""
    total_ms, factor, basis = (
        times.total_s.sum(axis=1) * 1e3,
        times.interval_factor.copy(),
        times.basis.copy(),
    )
    shared: dict[int, LayerTimes] = {}
    for row, flag in enumerate(flags):
        own_times = is_for_vela(places[row]) or is_linked(places[row])
        alone = flag.placed is None or (_SHARED.isdisjoint(flag.runs) and not own_times)
        if not alone and flag.placed is not None:
            one = times_as_placed(graph, places[row], levels[row], flag.placed).times
            total_ms[row], factor[row] = float(one.total_s.sum()) * 1e3, one.interval_factor
            basis[row] = BASES.index(one.basis)
            shared[row] = one
    low_ms = total_ms / factor
    for row, one in shared.items():
        low_ms[row] = low_ms[row] if one.low_s is None else min(low_ms[row], one.low_s * 1e3)
    figures = (total_ms, low_ms, total_ms * factor)
    return QuantityColumn.known_where("ms", ~np.isnan(total_ms), figures, basis), factor, shared
