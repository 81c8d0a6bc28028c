"""Whether a layer's data fit the cache, and what that is taken to cost, where there are no counters."""

import math
from typing import ClassVar

from ...core.deployment import Deployment, DeploymentRef
from ...core.quantity import Result
from ...cost_model.comparing import by_cost_model
from ...cost_model.study import Study, study
from ...placement.model_source import ModelSource, as_graph
from .rules import Rules


class LayerCache(Result):
    """One operator's data against the cache."""

    index: int
    op: str
    working_set_bytes: int
    """Inputs, weights and outputs."""
    cache_ratio: float | None
    """Working set over cache: above 1 it does not fit; null without a cache."""
    miss_rate: float | None
    """That the rules assume for such a ratio; null without a cache."""
    least_misses: int | None
    """Lines of the working set: each is missed at least once; null without a cache."""
    penalty_share: float | None
    """Of the layer's estimated cycles, what the assumed misses cost; null where either is not known."""


class CachePrediction(Result):
    """Working sets against the data cache, layer by layer."""

    main_rows: ClassVar[str] = "layers"

    schema_version: str = "1.0"
    model: str
    deployment: DeploymentRef
    cache_bytes: int | None
    """Of the core's level-1 data cache, else of the last level; null where none is known."""
    last_level_bytes: int | None
    """Of the largest cache shared by the cores; null where there is none, or none is known."""
    fitting_layers: int | None
    """Layers whose data fit; null without a cache."""
    layers: tuple[LayerCache, ...]
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        if self.cache_bytes is None:
            return "no data cache is known"
        return f"{self.fitting_layers} of {len(self.layers)} layers fit {self.cache_bytes:,} B"


def predicted(model: ModelSource, deployment: Deployment | str, rules: Rules) -> CachePrediction:
    graph, place = as_graph(model, deployment)
    case = study(graph, by_cost_model(place))
    cache = place.core.cache
    first, last = (None if leaf is None else int(leaf.value) for leaf in (cache.data, cache.last_level))
    size = last if first is None else first
    layers = tuple(_layer(op.index, op.label, case, size, rules) for op in graph.ops)
    fitting = None if size is None else sum(row.working_set_bytes <= size for row in layers)
    return CachePrediction(
        model=graph.name,
        deployment=place.ref,
        cache_bytes=size,
        last_level_bytes=last,
        fitting_layers=fitting,
        layers=layers,
        assumptions=(*place.assumptions, *_assumed(rules, size, first)),
    )


def _assumed(rules: Rules, size: int | None, first: int | None) -> tuple[str, ...]:
    if size is None:
        return ("no data cache is known of this core: without one memory answers directly",)
    rates = rules.working_set
    cost = rules.penalties["l1_misses"]
    return (
        f"miss rates are the document's, by working set: {rates.fits:.0%} where it fits, up to twice the "
        f"cache {rates.within_twice:.0%}, beyond {rates.beyond:.0%}; a miss costs {cost:g} cycles",
        f"an access is {rates.access_bytes:g} bytes of the layer's traffic; what lies in tightly coupled "
        "memory misses nothing",
        *(("its level-1 cache is not known: set against the last level",) if first is None else ()),
    )


def _layer(index: int, op: str, case: Study, size: int | None, rules: Rules) -> LayerCache:
    working = int(case.table.traffic_bytes[index])
    if size is None:
        return LayerCache(
            index=index, op=op, working_set_bytes=working,
            cache_ratio=None, miss_rate=None, least_misses=None, penalty_share=None,
        )  # fmt: skip
    rates, ratio = rules.working_set, working / size
    rate = rates.fits if ratio <= 1 else rates.within_twice if ratio <= 2 else rates.beyond
    cycles = float(case.times.total_s[index]) * case.deployment.clock_mhz * 1e6
    lost = working / rates.access_bytes * rate * rules.penalties["l1_misses"]
    return LayerCache(
        index=index,
        op=op,
        working_set_bytes=working,
        cache_ratio=ratio,
        miss_rate=rate,
        least_misses=math.ceil(working / rules.line_bytes),
        penalty_share=min(1.0, lost / cycles) if cycles > 0 else None,
    )
