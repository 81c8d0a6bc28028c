import pytest

from edgewright.hardware_db import load_runtime, runtime_ids
from edgewright.tools import all_deployments
from edgewright.tools.model_zoo.named import build_architecture
from edgewright.tools.placement import support
from edgewright.tools.placement.flags import host_key, operator_flags
from edgewright.tools.placement.kernel_findings import SPEAKS_OF, kernel_findings
from edgewright.tools.placement.operators import place_operators

NETWORKS = ("mobilenet_v3_small:int8", "kws:float32", "ad:int8", "yolov5n:int8")


@pytest.mark.parametrize("name", NETWORKS)
def test_rules_that_are_not_asked_would_have_found_nothing(name: str) -> None:
    graph = build_architecture(name)
    for runtime in map(load_runtime, runtime_ids()):
        for context in kernel_findings(graph, 0, runtime).contexts:
            for rule, speaks_of in SPEAKS_OF.items():
                if context.support is not None and not speaks_of(context.support):
                    assert rule(context) is None


@pytest.mark.parametrize("name", NETWORKS)
def test_the_first_rule_in_order_decides(name: str) -> None:
    graph = build_architecture(name)
    for runtime in map(load_runtime, runtime_ids()):
        found = kernel_findings(graph, 0, runtime)
        for context, first in zip(found.contexts, found.of_kernels, strict=True):
            applying = ((rule, said) for rule in support.OF_KERNELS if (said := rule(context)) is not None)
            assert first == next(applying, None)


def test_deployments_of_one_key_run_operators_alike() -> None:
    graph = build_architecture("mobilenet_v3_small:float32")
    by_key: dict[object, list[int]] = {}
    places = all_deployments()
    for row, place in enumerate(places):
        by_key.setdefault(host_key(place), []).append(row)
    shared = [rows for rows in by_key.values() if len(rows) > 1]
    assert shared
    for rows in shared:
        flags = operator_flags(graph, places[rows[0]])
        last = place_operators(graph, places[rows[-1]])
        assert flags.runs == tuple(placed.runs for placed in last)
        assert flags.optimized.tolist() == [placed.optimized for placed in last]
