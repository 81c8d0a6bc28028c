"""Imports go round in no circle, except those listed here, and few stand inside functions.

The lists only shrink: what is mended leaves its list in the same commit, and nothing is ever added.
"""

import pytest

from . import import_graph

CIRCLES_OF_PACKAGES = {
    "agent.sessions agent.transcript",
    "tools.compatibility_scorer tools.ethos_u tools.memory_planner tools.model_source tools.roofline",
    "tools.constraint_checker tools.energy tools.hardware_selector tools.optimization_simulator",
}
CIRCLES_OF_FILES = {
    "hardware_db.yaml_events hardware_db.yaml_reader",
    "tools.calibrator.ncnn_layers tools.calibrator.ncnn_param",
    "tools.calibrator.physical tools.calibrator.records",
    "tools.compatibility_scorer "
    "tools.compatibility_scorer.scorer "
    "tools.compatibility_scorer.simulate "
    "tools.ethos_u.times "
    "tools.memory_planner "
    "tools.roofline.levels "
    "tools.roofline.placed "
    "tools.roofline.spilling "
    "tools.roofline.study "
    "tools.roofline.times",
    "tools.constraint_checker "
    "tools.constraint_checker.checks "
    "tools.constraint_checker.levers "
    "tools.hardware_selector.judge "
    "tools.hardware_selector.relaxing "
    "tools.optimization_simulator "
    "tools.optimization_simulator.combination "
    "tools.optimization_simulator.fit "
    "tools.optimization_simulator.front "
    "tools.optimization_simulator.judged_trials "
    "tools.optimization_simulator.search "
    "tools.optimization_simulator.sensitivity "
    "tools.optimization_simulator.simulate "
    "tools.optimization_simulator.simulated "
    "tools.optimization_simulator.trials",
    "tools.hardware_selector.recommend tools.hardware_selector.relaxations",
    "tools.optimization_simulator.places "
    "tools.optimization_simulator.precision "
    "tools.optimization_simulator.sparsity "
    "tools.optimization_simulator.structure.options "
    "tools.optimization_simulator.techniques",
}
MOST_OWN_IMPORTS_IN_FUNCTIONS = 272
MOST_FOREIGN_IMPORTS_IN_FUNCTIONS = 57


def listed(lines: set[str]) -> set[frozenset[str]]:
    return {frozenset(line.split()) for line in lines}


def compare(graph: import_graph.Graph, lines: set[str]) -> None:
    """Fails with the imports that close a new circle, and with the lines that are no longer needed."""
    found, allowed = import_graph.circles(graph), listed(lines)
    new = [
        f"new circle: {' '.join(sorted(circle))}\n"
        + "\n".join(f"  {one} → {', '.join(sorted(graph[one] & circle))}" for one in sorted(circle))
        for circle in found - allowed
    ]
    gone = [f"no longer a circle as it is listed: {' '.join(sorted(circle))}" for circle in allowed - found]
    if new or gone:
        pytest.fail("\n".join(sorted(new) + sorted(gone)), pytrace=False)


def test_packages_import_each_other_in_no_circle() -> None:
    compare(import_graph.units(), CIRCLES_OF_PACKAGES)


def test_files_import_each_other_in_no_circle() -> None:
    compare(import_graph.files(), CIRCLES_OF_FILES)


def test_imports_inside_functions_only_get_fewer() -> None:
    own, foreign = import_graph.inner_imports()
    assert len(own) <= MOST_OWN_IMPORTS_IN_FUNCTIONS, own
    assert len(foreign) <= MOST_FOREIGN_IMPORTS_IN_FUNCTIONS, foreign


def test_imports_for_type_checkers_alone_count() -> None:
    assert import_graph.files()["tools"]  # it has no others, and its strings are exempt


def test_a_circle_is_what_leads_back_to_itself() -> None:
    graph = {"a": frozenset("b"), "b": frozenset("ca"), "c": frozenset("d"), "d": frozenset[str]()}
    assert import_graph.circles(graph) == {frozenset("ab")}
