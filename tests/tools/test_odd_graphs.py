"""A graph that the parsers let pass is a graph that every tool takes."""

import pytest

from tests.fuzz.graphs import CALLS, RARE, board_of, findings
from tests.stubs.odd_graphs import odd_graph

SEEDS = (117, 146, 172, 182, 406, 433, 434, 435, 441, 508, 1184)
"""Graphs that once broke something."""


@pytest.mark.parametrize("seed", SEEDS)
def test_odd_but_legal_graphs_give_results_that_can_be_or_the_packages_own_errors(seed: int) -> None:
    graph = odd_graph(seed)
    assert graph is not None
    for name, call in CALLS.items():
        assert list(findings(graph, board_of(seed), call)) == [], name


def test_all_hardware_is_ranked_for_a_model_that_does_nothing() -> None:
    graph = odd_graph(8)
    assert graph is not None
    for call in RARE.values():
        assert list(findings(graph, board_of(0), call)) == []
