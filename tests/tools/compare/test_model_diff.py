import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from edgewright.hardware_db.errors import LimitsError
from edgewright.tools import UsageError, check_constraints, deployment, parse_model, read_budget
from edgewright.tools.api.model_diff import diff_models
from edgewright.tools.compare.alignment import align
from edgewright.tools.compare.model_diff import Direction
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.graph.model import ModelGraph
from edgewright.tools.reports.gate import writer
from edgewright.tools.verdicts.limits import Limits

BOARD = deployment("stm32h743zi", "tflm-cmsis-nn")
NARROW, WIDE = "mobilenet_v2:0.35:96:int8", "mobilenet_v2:0.5:96:int8"


def network(channels: tuple[int, ...], *, side: int = 32, custom: str | None = None) -> ModelGraph:
    build = GraphBuilder("net")
    x = build.input((1, side, side, 3))
    for count in channels:
        x = build.conv2d(x, count, 3, activation="RELU6")
    if custom:
        x = build.op("CUSTOM", (x,), build.shape(x), custom_code=custom)
    return build.build([build.softmax(build.fully_connected(build.flatten(x), 10))])


def figure(diff: object, name: str) -> object:
    return next(change for change in diff.figures if change.name == name)


def test_a_model_compared_with_itself_changed_in_nothing() -> None:
    diff = diff_models("kws", "kws", BOARD)
    assert diff.same_file
    assert diff.layers == ()
    assert {f.direction for f in diff.figures} <= {Direction.SAME, Direction.UNKNOWN}
    assert not diff.peak_moved


def test_a_wider_model_is_worse_in_every_figure_and_beyond_the_noise() -> None:
    diff = diff_models(NARROW, WIDE, BOARD)
    assert {
        name: figure(diff, name).direction for name in ("arena", "model", "macs", "latency")
    } == dict.fromkeys(("arena", "model", "macs", "latency"), Direction.WORSE)
    assert 0 < figure(diff, "latency").low < figure(diff, "latency").change < figure(diff, "latency").high


def test_the_way_back_is_the_same_change_the_other_way_round() -> None:
    there, back = diff_models(NARROW, WIDE, BOARD), diff_models(WIDE, NARROW, BOARD)
    for one, other in zip(there.figures, back.figures, strict=True):
        if one.change is not None:
            assert one.change == pytest.approx(-other.change)


def test_changes_of_the_layers_add_up_to_the_change_of_the_whole() -> None:
    diff = diff_models(network((8, 16, 32)), network((8, 24, 32, 32)), BOARD)
    assert sum(layer.latency_ms for layer in diff.layers) == pytest.approx(figure(diff, "latency").change)
    assert sum(layer.macs for layer in diff.layers) == figure(diff, "macs").change


def test_a_layer_put_in_between_is_one_layer_added() -> None:
    before, after = network((8, 8, 16)), network((8, 8, 8, 16))
    same, other = align(before, after)
    assert len(same) == len(before.ops)
    assert [a for a, _ in other] == [None]


def test_other_widths_pair_layer_by_layer() -> None:
    before, after = parse_model(NARROW), parse_model(WIDE)
    _, other = align(before, after)
    assert all(a == b for a, b in other)


def test_a_new_operator_that_does_not_run_is_named() -> None:
    diff = diff_models(network((8,)), network((8,), custom="Mystery"), BOARD)
    assert diff.operators_added == ("CUSTOM:Mystery",)


def test_more_than_is_allowed_fails_only_beyond_the_interval() -> None:
    diff = diff_models(NARROW, WIDE, BOARD)
    change = figure(diff, "latency")
    low, value, high = (100 * amount / change.before for amount in (change.low, change.change, change.high))

    def verdict(allowed: float) -> str:
        limits = Limits(regression_percent={"latency": allowed})
        report = check_constraints(WIDE, BOARD, limits, baseline=NARROW)
        return next(check.verdict for check in report.checks if check.name == "latency regression")

    assert verdict(low - 1) == "FAIL"
    assert verdict((low + value) / 2) == "MARGINAL"
    assert verdict(high) == "PASS"


def test_a_budget_names_allowances_in_percent(tmp_path: Path) -> None:
    file = tmp_path / "budget.yaml"
    file.write_text("limits: {latency: 50ms}\nregression: {latency: 5%, arena: 0 %}\n")
    assert read_budget(file).regression_percent == {"latency": 5.0, "arena": 0.0}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("regression: {latency: 5}", "'5' is no percentage.*like 5%|5 is no percentage"),
        ("regression: {latnecy: 5%}", "latnecy.*latency"),
        ("regression: [5%]", "regression must be a mapping"),
        ("regressions: {latency: 5%}", "unknown key 'regressions'"),
    ],
)
def test_a_budget_that_cannot_be_meant_is_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "budget.yaml"
    file.write_text(text)
    with pytest.raises(LimitsError, match=message):
        read_budget(file)


def test_one_allowance_for_all_leaves_what_a_budget_names() -> None:
    limits = Limits(regression_percent={"arena": 0.0}).allowing_percent("5%")
    assert limits.regression_percent["arena"] == 0
    assert limits.regression_percent["latency"] == 5


@pytest.fixture(scope="module")
def report() -> object:
    limits = Limits(latency_ms=1.0, energy_uj=1.0, regression_percent={"model": 0.0})
    return check_constraints(network((8, 24), custom="a|b<c>"), BOARD, limits, baseline=network((8, 16)))


def test_junit_tells_failures_and_what_cannot_be_known_apart(report: object) -> None:
    suite = ET.fromstring(writer("junit", "my net.tflite")(report)).find("testsuite")
    assert suite is not None
    cases = {case.get("name"): case for case in suite}
    assert int(suite.get("tests")) == len(report.checks) == len(cases)
    assert cases["latency"].find("error") is not None or cases["latency"].find("failure") is not None
    assert cases["model regression"].find("failure") is not None
    assert int(suite.get("failures")) == sum(case.find("failure") is not None for case in suite)


def test_sarif_has_a_result_for_each_check_that_did_not_pass(report: object) -> None:
    (run,) = json.loads(writer("sarif", "my net.tflite")(report))["runs"]
    assert len(run["results"]) == sum(check.verdict != "PASS" for check in report.checks)
    assert {r["ruleId"] for r in run["results"]} <= {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    location = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert location == "my%20net.tflite"


def test_markdown_shows_names_from_the_model_as_text(report: object) -> None:
    text = writer("markdown", "[x](http://evil)")(report)
    assert "[x](" not in text
    assert "<c>" not in text
    assert text.startswith("### FAIL")


def test_a_format_that_is_not_there_is_named_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"'junitt'.*junit"):
        writer("junitt", "m")
