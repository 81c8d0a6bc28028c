import json
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from edgewright.cli import whole_app
from edgewright.hardware_db.errors import EdgewrightError, LimitsError, UsageError

PLACE = ("-t", "stm32l4r5zi", "-r", "tflm-cmsis-nn")


def run(*words: str) -> Result:
    return CliRunner().invoke(whole_app(), list(words))


def document(*words: str) -> dict[str, Any]:
    return dict(json.loads(run(*words, "--json").stdout))


def test_optimize_tells_the_front_and_what_would_make_it_fit() -> None:
    found = run("optimize", "kws", *PLACE, "--max-latency", "30ms")
    assert found.exit_code == 0
    assert "No other combination beats" in found.stdout
    assert "To fit: it meets the limits with" in found.stdout
    assert found.stderr == ""


def test_optimize_prints_the_fields_that_scripts_rely_on() -> None:
    found = document("optimize", "kws:int8", *PLACE, "--technique", "prune-50", "--technique", "input-75",
                     "--search", "grid", "--sensitivity")  # fmt: skip
    assert found["tool"] == "simulate_optimizations"
    result = found["result"]
    assert {option["technique"] for option in result["options"]} == {"prune-50", "input-75"}
    assert {"effort", "before", "after", "applicable", "reason"} <= set(result["options"][0])
    assert result["combined"]["after"]["macs"] < result["combined"]["before"]["macs"]
    assert [s["technique"] for s in result["front"][0]["changes"]]
    assert result["fit"]["feasible"] is True
    assert result["search"]["possible"] == 4
    assert result["sensitivity"]


def test_a_table_is_cut_to_the_rows_asked_for_and_says_so() -> None:
    text = run("optimize", "kws", *PLACE, "--top", "2", "--sensitivity").stdout
    assert "2 of 10 layers" in text
    assert "more with --top" in text


def test_limit_tells_the_value_the_binding_limit_and_what_lies_beyond() -> None:
    found = document("limit", "kws", *PLACE, "--variable", "clock", "--max-latency", "200ms")
    assert found["tool"] == "find_limit"
    result = found["result"]
    assert {"variable", "value", "unit", "binding", "feasible", "relaxations"} <= set(result)
    assert (result["variable"], result["unit"], result["binding"]) == ("clock", "MHz", "latency")
    assert result["beyond"]["value"] == result["value"] - 1
    assert "latency" in result["beyond"]["fails"]


def test_limit_exits_with_10_where_nothing_meets_and_names_what_would_give() -> None:
    found = run("limit", "kws", *PLACE, "--variable", "rate", "--max-latency", "10ms")
    assert found.exit_code == 10
    assert "One limit alone would have to give" in found.stdout
    assert "To fit:" in found.stdout


def test_limit_exits_with_11_where_it_cannot_be_known() -> None:
    words = ("limit", "kws", *PLACE, "--variable", "input", "--max-price", "1USD")
    assert run(*words).exit_code == 2  # price is no limit of one deployment
    found = run("limit", "kws", "-t", "host-x86-64", "--variable", "batch", "--max-energy", "1uJ")
    assert found.exit_code == 11


@pytest.mark.parametrize(
    ("words", "error", "told"),
    [
        (("limit", "kws", "--variable", "widht"), UsageError, "width"),
        (("limit", "kws", "--variable", "input", "--max-latency", "50"), LimitsError, "no unit"),
        (("limit", "kws", "--variable", "clock"), UsageError, "max-latency"),
        (("limit", "ad", "--variable", "input"), UsageError, "image"),
        (("limit", "kws", "--variable", "battery-life", "--battery", "CR2032"), UsageError, "rate"),
        (("optimize", "kws", "--search", "grids"), UsageError, "grid"),
        (("optimize", "kws", "--changes", "0"), UsageError, "1 or more"),
        (("optimize", "kws", "--technique", "int9"), UsageError, "int8"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_what_can(
    words: tuple[str, ...], error: type[EdgewrightError], told: str
) -> None:
    found = run(*words, *PLACE)
    assert isinstance(found.exception, error)
    assert told in str(found.exception)


def test_check_names_the_list_that_closes_all_gaps_where_no_single_change_does() -> None:
    found = document("check", "kws:float32", *PLACE, "--max-latency", "40ms", "--max-ram", "12KiB")["result"]
    assert found["verdict"] == "FAIL"
    changes = found["fit"]["changes"]
    assert len(changes["changes"]) > 1
    text = run("check", "kws:float32", *PLACE, "--max-latency", "40ms", "--max-ram", "12KiB")
    assert text.exit_code == 10
    assert all(step["technique"] in text.stdout for step in changes["changes"])
