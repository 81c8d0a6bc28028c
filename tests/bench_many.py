"""Speed of estimating one model on many deployments, for `make bench`."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from edgewright.tools import (
    DeploymentTable,
    ModelGraph,
    all_deployments,
    deployment,
    estimate_many,
    estimate_performance,
)
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.model_zoo.named import build_architecture

ROUNDS = 9
DEPLOYMENTS = 300
CLOCKS = 5
Row = tuple[str, tuple[float, float, float]]
RANKING = (
    "from edgewright.tools import all_deployments, estimate_many\n"
    "from edgewright.tools.model_zoo import build_architecture\n"
    "graph = build_architecture('kws:int8')",
    "estimate_many(graph, all_deployments())",
)


def rows() -> Iterator[Row]:
    """Medians over graphs that remember nothing of the round before."""
    small, deep = build_architecture("kws:int8"), build_architecture("mobilenet_v2:0.35:96:int8")
    board, every = deployment("stm32h743zi"), all_deployments()
    some = DeploymentTable(random.Random(0).sample(list(every), DEPLOYMENTS))
    swept = DeploymentTable(
        place.at(clock_mhz=place.clock_mhz * step / CLOCKS) for place in some for step in range(1, CLOCKS + 1)
    )
    yield (
        "one deployment, 13 layers / 2 ms",
        _against(lambda: estimate_performance(replace(small), board), 0.002),
    )
    yield (
        "one more of a known graph, 66 layers / 2 ms",
        _against(lambda: estimate_performance(deep, board), 0.002),
    )
    at_once = _median(_each(deep, some))
    yield f"{DEPLOYMENTS} deployments, 66 layers / 50 ms", (at_once, 0.050, at_once / 0.050)
    alone = _median(lambda: [estimate_performance(deep, place) for place in some], rounds=1)
    yield f"{DEPLOYMENTS} deployments at once / one by one", (at_once, alone, at_once / alone)
    yield f"all {len(every)} deployments, 66 layers / 100 ms", _against(_each(deep, every), 0.100)
    long, short = (_median(_each(_repeated(count), every), rounds=1) for count in (2_000, 500))
    yield "2,000 operators that repeat, everywhere / 500 of them", (long, short, long / short)
    name = f"{len(swept)} evaluations of a sweep / 1.2 ms each"
    yield name, _against(_each(deep, swept), 0.0012 * len(swept))


def _repeated(count: int) -> ModelGraph:
    builder = GraphBuilder("repeated")
    last = builder.input((1, 8, 8, 8))
    for _ in range(count):
        last = builder.conv2d(last, 8, 3)
    return builder.build([last])


def _each(graph: ModelGraph, places: DeploymentTable) -> Callable[[], object]:
    return lambda: estimate_many(replace(graph), places)


def _against(action: Callable[[], object], allowed: float) -> tuple[float, float, float]:
    took = _median(action)
    return took, allowed, took / allowed


def _median(action: Callable[[], object], rounds: int = ROUNDS) -> float:
    action()
    took = []
    for _ in range(rounds):
        start = time.perf_counter()
        action()
        took.append(time.perf_counter() - start)
    return statistics.median(took)
