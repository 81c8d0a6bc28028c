"""A gate stays on the figures it was written for, and says which verdicts others turn."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from edgewright.hardware_db.coefficients import RELEASE, load_coefficients
from edgewright.hardware_db.errors import InputError, UsageError
from edgewright.tools import check_constraints, read_budget

LIMITS = {"latency_ms": 300}


def test_an_answer_names_its_figures() -> None:
    assert check_constraints("kws", "nrf52840", LIMITS, remedies=False).figures == RELEASE
    assert load_coefficients().release == RELEASE


def test_other_figures_than_those_asked_for_are_refused() -> None:
    check_constraints("kws", "nrf52840", LIMITS, remedies=False, figures=RELEASE)
    with pytest.raises(UsageError, match=RELEASE):
        check_constraints("kws", "nrf52840", LIMITS, remedies=False, figures="2020.01")


def test_a_budget_pins_its_figures(tmp_path: Path) -> None:
    file = tmp_path / "budget.yaml"
    file.write_text(f'limits: {{latency: 300ms}}\nfigures: "{RELEASE}"\n', encoding="utf-8")
    assert read_budget(file).latency_ms == 300
    file.write_text('limits: {latency: 300ms}\nfigures: "2020.01"\n', encoding="utf-8")
    with pytest.raises(UsageError, match=r"2020\.01"):
        read_budget(file)


def test_the_verdicts_that_turned_since_a_former_report_are_named(tmp_path: Path) -> None:
    now = check_constraints("kws", "nrf52840", LIMITS, remedies=False)
    former = now.to_dict() | {"figures": "2026.11"}
    latency = next(check for check in former["checks"] if check["name"] == "latency")
    latency["verdict"] = "FAIL"
    file = tmp_path / "former.json"
    file.write_text(json.dumps({"result": former}), encoding="utf-8")
    changed = check_constraints("kws", "nrf52840", LIMITS, remedies=False, former=file).changed
    assert changed is not None
    assert (changed.figures_before, changed.figures_after) == ("2026.11", RELEASE)
    assert [(t.name, t.before.value) for t in changed.turned] == [("latency", "FAIL")]
    assert changed.same == len(now.checks) - 1


@pytest.mark.parametrize("text", ["", "{}", '{"result": {"checks": [1]}}', '{"checks": []}', "[]"])
def test_what_is_no_former_report_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "former.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="no report"):
        check_constraints("kws", "nrf52840", LIMITS, remedies=False, former=file)
