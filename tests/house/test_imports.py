"""Imports go round in no circle, and few stand inside functions."""

import ast
import re

from . import import_graph

MOST_OWN_IMPORTS_IN_FUNCTIONS = 54
MOST_FOREIGN_IMPORTS_IN_FUNCTIONS = 19


def closing(circles: set[frozenset[str]], graph: import_graph.Graph) -> str:
    """The imports that close each circle, in words."""
    return "\n".join(
        f"circle: {' '.join(sorted(circle))}\n"
        + "\n".join(f"  {one} → {', '.join(sorted(graph[one] & circle))}" for one in sorted(circle))
        for circle in circles
    )


def test_packages_import_each_other_in_no_circle() -> None:
    graph = import_graph.units()
    assert not closing(import_graph.circles(graph), graph)


def test_files_import_each_other_in_no_circle() -> None:
    graph = import_graph.files()
    assert not closing(import_graph.circles(graph), graph)


def floors() -> list[str]:
    """The floors under tools, bottom up, as the package's own docstring lists them."""
    doc = ast.get_docstring(ast.parse((import_graph.ROOT / "tools" / "__init__.py").read_text())) or ""
    return re.findall(r"^    (\w+) ", doc, flags=re.MULTILINE)


def test_each_floor_imports_only_what_stands_below_it() -> None:
    listed = floors()
    assert set(listed) == {
        d.name for d in (import_graph.ROOT / "tools").iterdir() if (d / "__init__.py").exists()
    }
    level = {f"tools.{name}": height for height, name in enumerate(listed)}
    climbs = {
        f"{unit} imports {reached}"
        for unit, below in import_graph.units().items()
        for reached in below
        if unit in level and reached in level and level[reached] > level[unit]
    }
    assert not climbs


def test_imports_inside_functions_only_get_fewer() -> None:
    own, foreign = import_graph.inner_imports()
    assert len(own) <= MOST_OWN_IMPORTS_IN_FUNCTIONS, own
    assert len(foreign) <= MOST_FOREIGN_IMPORTS_IN_FUNCTIONS, foreign


def test_imports_for_type_checkers_alone_count() -> None:
    assert import_graph.files()["tools"]  # it has no others, and its strings are exempt


def test_a_circle_is_what_leads_back_to_itself() -> None:
    graph = {"a": frozenset("b"), "b": frozenset("ca"), "c": frozenset("d"), "d": frozenset[str]()}
    assert import_graph.circles(graph) == {frozenset("ab")}
