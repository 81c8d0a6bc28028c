"""Which tests run with `--daily`: of each function as many cases as fit into an allowance, by what they were seen to cost.

`costs.tsv` holds what `--write-costs` saw of the whole suite: CPU seconds of each test function beyond the
allowance, all its cases together. What it does not name runs whole, so that a new test always does.
"""

from __future__ import annotations

import csv
import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

COSTS = Path(__file__).with_name("costs.tsv")
ALLOWANCE_S = 0.4
"""CPU time that a function may take of a daily run."""
ONCE_S = 1.5
"""What its first case may take, where that alone is beyond the allowance."""
Case = TypeVar("Case")


def function_of(test: str) -> str:
    return test.partition("[")[0]


def stored_costs(file: Path = COSTS) -> dict[str, float]:
    """Function → CPU seconds of a case of it."""
    with file.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t")
        return {row["function"]: float(row["cpu_s"]) / int(row["cases"]) for row in rows}


def spread(cases: Sequence[Case], cost_s: float) -> list[Case]:
    """As many as fit, evenly over all of them, the first among them; none where one alone costs too much."""
    count = min(len(cases), max(int(ALLOWANCE_S / cost_s), int(cost_s <= ONCE_S)))
    return [cases[at * len(cases) // count] for at in range(count)]


def selected(tests: Iterable[str], costs: dict[str, float]) -> set[str]:
    """Those of a daily run."""
    cases: defaultdict[str, list[str]] = defaultdict(list)
    for test in tests:
        cases[function_of(test)].append(test)
    return {
        test
        for function, its in cases.items()
        for test in (spread(its, costs[function]) if function in costs else its)
    }


class Daily:
    """Leaves out what is not selected, and says so."""

    def __init__(self) -> None:
        self.costs = stored_costs()

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        said = (
            f"daily: of {len(self.costs)} costly test functions a part ran or none; `make test-all` runs all"
        )
        terminalreporter.write_line(said)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        kept = selected((item.nodeid for item in items), self.costs)
        left_out = [item for item in items if item.nodeid not in kept]
        items[:] = [item for item in items if item.nodeid in kept]
        config.hook.pytest_deselected(items=left_out)


class Costs:
    """Counts the CPU seconds of every test, its processes included, and stores those of costly functions."""

    def __init__(self) -> None:
        self.before_s = _spent_s()
        self.cpu_s: defaultdict[str, float] = defaultdict(float)
        self.cases: defaultdict[str, set[str]] = defaultdict(set)

    def pytest_collection_finish(self) -> None:
        self.before_s = _spent_s()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> object:
        report = yield
        now_s = _spent_s()
        report.cpu_s, self.before_s = now_s - self.before_s, now_s
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        function = function_of(report.nodeid)
        self.cpu_s[function] += report.cpu_s
        self.cases[function].add(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workerinput"):
            return
        rows = sorted((name, cpu_s) for name, cpu_s in self.cpu_s.items() if cpu_s > ALLOWANCE_S)
        lines = [f"{name}\t{len(self.cases[name])}\t{cpu_s:.1f}" for name, cpu_s in rows]
        COSTS.write_text("\n".join(("function\tcases\tcpu_s", *lines)) + "\n", encoding="utf-8")


def _spent_s() -> float:
    """Of this process and of those that it waited for."""
    return sum(os.times()[:4])
