"""Arenas that are stored are those that are planned, and only for what plans today."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.hardware_db import coefficients
from edgewright.hardware_db.measurements import rows
from edgewright.tools.calibration import arenas
from edgewright.tools.calibration.validation.activations import activation_cases, planned_arena


def test_a_stored_arena_is_what_is_planned() -> None:
    for case in activation_cases(rows()):
        assert arenas.stored_arena(case, planned_arena) == planned_arena(*case), case


def test_what_another_planner_stored_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = ("network", "target", "runtime")
    monkeypatch.setattr(coefficients, "__file__", str(tmp_path / "__init__.py"))
    monkeypatch.setattr(arenas, "fingerprint", lambda: "of this planner")
    arenas._stored.cache_clear()
    try:
        arenas.write_arenas(tmp_path, [case], lambda *_: "planned then")
        assert arenas.stored_arena(case, lambda *_: "planned now") == "planned then"
        arenas._stored.cache_clear()
        monkeypatch.setattr(arenas, "fingerprint", lambda: "of another planner")
        assert arenas.stored_arena(case, lambda *_: "planned now") == "planned now"
    finally:
        arenas._stored.cache_clear()
