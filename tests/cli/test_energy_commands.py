import json
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from edgewright.cli import whole_app
from edgewright.hardware_db.errors import UsageError


def run(*words: str) -> Result:
    return CliRunner().invoke(whole_app(), list(words))


def document(*words: str) -> dict[str, Any]:
    found = json.loads(run(*words, "--json").stdout)
    assert list(found) == ["schema_version", "tool", "inputs", "result", "assumptions", "warnings"]
    return dict(found)


def test_energy_exits_with_10_where_the_rate_cannot_be_reached() -> None:
    found = run("energy", "vww", "-t", "nrf52840", "--rate", "10/s", "--battery", "CR2032")
    assert found.exit_code == 10
    assert found.stdout.startswith("FAIL")
    assert "cannot be reached" in found.stdout


@pytest.mark.parametrize(
    ("often", "per_second"), [("--rate=0.5/s", 0.5), ("--rate=6/min", 0.1), ("--every=10s", 0.1), ("--every=1h", 1 / 3600)]
)  # fmt: skip
def test_how_often_is_written_as_a_rate_or_as_a_period(often: str, per_second: float) -> None:
    result = document("energy", "kws", "-t", "stm32l4r5zi", often)["result"]
    assert result["rate_hz"] == pytest.approx(per_second)
    assert result["period_s"] == pytest.approx(1 / per_second)


def test_energy_draws_the_split_and_tells_the_life() -> None:
    text = run(
        "energy", "kws", "-t", "stm32l4r5zi", "--every", "10s", "--battery", "CR2032", "--sleep-ua", "2.5"
    )
    assert text.exit_code == 0
    rows = {line.split("|")[1].strip(): line for line in text.stdout.splitlines() if "|" in line}
    assert rows["dynamic"].count("#") > rows["static"].count("#") > 0
    assert "days" in rows["Life"]
    assert "unknown" in run("energy", "kws", "-t", "stm32l4r5zi", "--every", "10s").stdout


def test_frequency_marks_the_clocks_that_meet_the_latency() -> None:
    result = document("frequency", "kws", "-t", "stm32l4r5zi", "--max-latency", "200ms")["result"]
    assert {step["meets_limits"] for step in result["steps"]} == {True, False}
    assert result["latency_limit_ms"] == 200
    text = run("frequency", "kws", "-t", "stm32l4r5zi", "--max-latency", "200ms").stdout
    assert "Lowest clock within 200 ms" in text
    bars = [line.split("|")[-2].strip() for line in text.splitlines() if "##" in line]
    assert len(bars) == 8
    assert max(map(len, bars)) == 24


def test_frequency_takes_the_clocks_named() -> None:
    result = document("frequency", "kws", "-t", "gap9", "--clocks", "370MHz,240MHz")["result"]
    assert [step["clock_mhz"] for step in result["steps"]] == [240, 370]
    refused = run("frequency", "kws", "-t", "stm32l4r5zi", "--clocks", "500MHz")
    assert isinstance(refused.exception, UsageError)
