"""A named network without a type is taken in the runtime's usual one, however it is given."""

import json

import pytest
from typer.testing import CliRunner

from edgewright.cli import whole_app
from edgewright.tools import analyze_roofline, compare_deployments, deployment, parse_model
from edgewright.tools.graph.requantize import to_int8

GPU = deployment("a100-sxm4-40gb", "tensorrt", clock_mhz=1410)


@pytest.mark.parametrize(
    "model",
    ["resnet50", parse_model("resnet50"), parse_model("resnet50", shape="1,224,224,3")],
    ids=["name", "graph", "graph of a shape"],
)
def test_python_takes_the_runtimes_usual_type(model: object) -> None:
    report = analyze_roofline(model, GPU)
    assert report.dtype == "float16"
    assert "resnet50 taken as float16, the usual precision with tensorrt" in report.assumptions


@pytest.mark.parametrize("shape", [None, "1,112,112,3"])
def test_the_command_line_gives_the_result_of_the_python_call(shape: str | None) -> None:
    words = ["roofline", "resnet50", "-t", GPU.target.id, "-r", "tensorrt", "--clock", "1410MHz", "--json"]
    run = CliRunner().invoke(whole_app(), words + (["--shape", shape] if shape else []))
    model = parse_model("resnet50", shape=shape) if shape else "resnet50"
    assert json.loads(run.stdout)["result"] == analyze_roofline(model, GPU).to_dict()


def test_a_type_in_the_name_is_kept() -> None:
    report = analyze_roofline(parse_model("resnet50:float32"), GPU)
    assert (report.dtype, report.model) == ("float32", "resnet50:float32")
    assert not [line for line in report.assumptions if "usual precision" in line]


def test_another_input_shape_is_kept_in_the_usual_type() -> None:
    small = analyze_roofline(parse_model("resnet50", shape="1,112,112,3"), GPU)
    whole = analyze_roofline("resnet50", GPU)
    assert small.dtype == "float16"
    assert small.latency_ms < whole.latency_ms


def test_a_graph_is_compared_in_the_usual_type_of_each_runtime() -> None:
    rows = compare_deployments(parse_model("resnet50"), [GPU, deployment("coral-usb")]).ranking
    assert {row.runtime: row.dtype for row in rows} == {"tensorrt": "float16", "edgetpu": "int8"}


def test_a_changed_graph_keeps_its_type() -> None:
    report = analyze_roofline(to_int8(parse_model("resnet50")), GPU)
    assert report.dtype == "int8"
