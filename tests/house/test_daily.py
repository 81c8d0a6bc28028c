"""What `make test` leaves out, and that `.ci/run` leaves nothing out."""

import ast
import re
from pathlib import Path

import pytest
from daily import ALLOWANCE_S, ONCE_S, Daily, selected, spread, stored_costs

ROOT = Path(__file__).resolve().parents[2]
CASES = [f"t.py::f[{number}]" for number in range(100)]


def recipe(target: str) -> str:
    found = re.search(rf"^{target}:[^\n]*\n((?:\t[^\n]*\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert found
    return found[1]


def test_what_has_to_be_green_before_a_landing_is_every_test() -> None:
    assert (ROOT / ".ci/run").read_text().split("\n")[-3:] == ["make lint", "make test-all", ""]
    assert recipe("test-all") == "\t$(PYTEST) $(ARGS)\n"
    assert recipe("test") == "\t$(PYTEST) --daily $(ARGS)\n"


def test_cases_are_spread_evenly_and_the_first_is_among_them() -> None:
    assert spread(CASES, ALLOWANCE_S / 4) == [CASES[at] for at in (0, 25, 50, 75)]
    assert spread(CASES, ALLOWANCE_S / 1000) == CASES


def test_one_case_that_costs_more_than_the_allowance_still_runs_unless_it_costs_too_much() -> None:
    assert spread(CASES, ONCE_S) == CASES[:1]
    assert spread(CASES, 1.01 * ONCE_S) == []


def test_a_function_of_which_nothing_is_known_runs_whole() -> None:
    new = ["t.py::new[1]", "t.py::new[2]", "t.py::alone"]
    assert selected([*CASES, *new], {"t.py::f": ALLOWANCE_S}) == {CASES[0], *new}


def test_what_is_left_out_is_counted_as_deselected(monkeypatch: pytest.MonkeyPatch) -> None:
    class Named:
        def __init__(self, nodeid: str) -> None:
            self.nodeid = nodeid

    left_out: list[Named] = []

    class Config:
        class hook:
            pytest_deselected = staticmethod(lambda items: left_out.extend(items))  # noqa: PLW0108 - called by its name

    monkeypatch.setattr("daily.stored_costs", lambda: {"t.py::f": ALLOWANCE_S / 2})
    items = [Named(case) for case in CASES]
    Daily().pytest_collection_modifyitems(Config(), items)
    assert [item.nodeid for item in items] == [CASES[0], CASES[50]]
    assert len(left_out) == 98


def test_every_function_whose_cost_is_stored_is_there() -> None:
    found: dict[str, set[str]] = {}
    for name in stored_costs():
        file, _, function = name.partition("::")
        if file not in found:
            found[file] = {
                node.name
                for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8")))
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            }
        assert function.rpartition("::")[2] in found[file], name
