import json
import re

import pytest
from typer.testing import CliRunner, Result

from edgewright.cli import whole_app
from edgewright.hardware_db.errors import UsageError
from edgewright.tools.optimization_simulator.techniques.names import forms

PLACE = ("-t", "stm32h743zi", "-r", "tflm-cmsis-nn")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(whole_app(), ["optimize", *arguments])


def options(*arguments: str) -> dict[str, dict[str, object]]:
    told = json.loads(run(*arguments, "--json").stdout)["result"]
    return {o["technique"]: o for o in told["options"]} | {"all": told["combined"]}


def test_the_list_needs_no_model_and_names_every_form() -> None:
    told = run("--list")
    assert told.exit_code == 0
    assert all(form.written in told.stdout for form in forms())


def test_named_techniques_are_shown_alone_and_all_in_the_order_named() -> None:
    found = options("mobilenet_v2:int8", *PLACE, "--technique", "exit-40", "--technique", "input-96x96")
    assert set(found) == {"exit-40", "input-96x96", "all"}
    together = found["all"]
    assert together["technique"] == "exit-40 + input-96x96"
    alone = [found[name]["after"]["latency_ms"]["value"] for name in ("exit-40", "input-96x96")]
    assert together["after"]["latency_ms"]["value"] < min(alone)


def test_what_the_first_change_makes_impossible_for_the_second_is_told() -> None:
    found = options("mobilenet_v2:int8", *PLACE, "--technique", "exit-12", "--technique", "exit-40")
    assert found["exit-40"]["applicable"]
    assert not found["all"]["applicable"]
    assert "exit-40 after exit-12: There is no layer 40" in found["all"]["reason"]


def test_a_layer_of_the_wrong_kind_is_an_answer_with_the_nearest_that_would_do() -> None:
    refused = options("mobilenet_v2:int8", *PLACE, "--technique", "separable@1")["separable@1"]
    assert not refused["applicable"]
    assert refused["reason"].startswith("Layer 1 is depthwise: it cannot be separated.")
    assert "layer 0 (CONV_2D)" in refused["reason"]


@pytest.mark.parametrize("name", ["prune-130", "pruen-30", "input-0x0x0", "groups-1"])
def test_a_name_that_is_none_is_a_usage_error_that_repeats_it(name: str) -> None:
    error = run("kws", *PLACE, "--technique", name).exception
    assert isinstance(error, UsageError)
    assert name in error.message
    assert error.exit_code == 2


def test_the_text_shows_what_is_worth_trying_and_counts_the_rest() -> None:
    few, every = run("mobilenet_v2:int8", *PLACE).stdout, run("mobilenet_v2:int8", *PLACE, "--all").stdout
    assert "does not apply" not in few
    assert re.search(r"Not shown: .* that do not apply; --all", few)
    assert re.search(r"^\| relu6 +\| \w+ +\| does not apply ", every, re.MULTILINE)
    assert "Accuracy:" in few
    assert "github.com/tensorflow/models" in few


def test_changes_that_cost_less_effort_for_the_same_gain_come_first() -> None:
    names = re.findall(r"^\| (\S+) +\| \w+ ", run("mobilenet_v2:int8", *PLACE).stdout, re.MULTILINE)
    assert names.index("runtime-plumerai") < names.index("exit")
