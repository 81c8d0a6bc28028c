from pathlib import Path

import pytest

from edgewright.hardware_db.errors import LimitsError
from edgewright.tools.verdicts.limits import Limits, limits_from_text, read_budget


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ({"latency": "50ms"}, "latency_ms", 50),
        ({"latency": "12,5 ms"}, "latency_ms", 12.5),
        ({"latency": "0.05s"}, "latency_ms", 50),
        ({"rate": "20fps"}, "rate_hz", 20),
        ({"ram": "256KiB"}, "ram_bytes", 262_144),
        ({"ram": "256k"}, "ram_bytes", 262_144),
        ({"flash": "0.5meg"}, "flash_bytes", 524_288),
        ({"flash": "4Mbit"}, "flash_bytes", 524_288),
        ({"energy": "1mJ"}, "energy_uj", 1000),
        ({"power": "0.5W"}, "power_mw", 500),
    ],
)
def test_limits_are_read_as_engineers_write_them(text: dict[str, str], field: str, value: float) -> None:
    assert getattr(limits_from_text(text), field) == pytest.approx(value)


@pytest.mark.parametrize(
    "text",
    [
        {"latency": "50"},
        {"latency": "50mW"},
        {"ram": "100ms"},
        {"ram": "-5KiB"},
        {"power": "0W"},
        {"latency": "soon"},
        {"weight": "3g"},
    ],
)
def test_a_limit_in_the_wrong_unit_is_refused_with_the_right_ones(text: dict[str, str]) -> None:
    with pytest.raises(LimitsError) as caught:
        limits_from_text(text)
    assert caught.value.exit_code == 2
    assert next(iter(text.values())) in str(caught.value) or next(iter(text)) in str(caught.value)


def test_a_budget_file_knows_hard_and_soft_limits(tmp_path: Path) -> None:
    file = tmp_path / "budget.yaml"
    file.write_text("limits: {latency: 50ms, ram: 256KiB}\nsoft: {energy: 1mJ}\nheadroom: 0.3\ndtype: int8\n")
    assert read_budget(file) == Limits(
        latency_ms=50,
        ram_bytes=262_144,
        energy_uj=1000,
        headroom=0.3,
        dtype="int8",
        soft=frozenset({"energy"}),
    )


@pytest.mark.parametrize(
    "text",
    [
        "limits: [1, 2]",
        "hard: {latency: 5ms}",
        "limits: {latency: 5ms}\nsoft: {latency: 5ms}",
        "{",
        "headroom: 7",
    ],
)
def test_a_budget_file_that_cannot_be_meant_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "budget.yaml"
    file.write_text(text)
    with pytest.raises(LimitsError):
        read_budget(file)


def test_a_missing_budget_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(LimitsError, match=r"nowhere\.yaml"):
        read_budget(tmp_path / "nowhere.yaml")
