"""ONNX Runtime's operators are those that the installed library registers."""

import pytest
import yaml

from edgewright.hardware_db import load_runtime
from edgewright.hardware_db.loader import RUNTIMES_DIR
from edgewright.tools import check_constraints, deployment, parse_model

onnxruntime = pytest.importorskip("onnxruntime")
onnx = pytest.importorskip("onnx")
from onnx import TensorProto, helper  # noqa: E402


def test_the_file_holds_what_the_library_registers() -> None:
    document = yaml.safe_load((RUNTIMES_DIR / "onnxruntime.yaml").read_text(encoding="utf-8"))
    if onnxruntime.__version__ != document["sources"]["registered"]["version"]:
        pytest.skip("another version than the file was written from")
    from edgewright.hardware_db.registered_onnxruntime import operators

    assert operators(document["operators"]) == document["operators"]


def model(
    kind: str, shape: list[int], dtype: int = TensorProto.FLOAT, domain: str = "", **attributes: object
) -> bytes:
    node = helper.make_node(kind, ["x"], ["y"], domain=domain, **attributes)
    graph = helper.make_graph(
        [node], "g",
        [helper.make_tensor_value_info("x", dtype, shape)], [helper.make_tensor_value_info("y", dtype, None)],
    )  # fmt: skip
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("my", 1)]
    return bytes(helper.make_model(graph, opset_imports=opsets, ir_version=10).SerializeToString())


def verdict(data: bytes) -> str:
    report = check_constraints(
        parse_model(data), deployment("raspberry-pi-5", "onnxruntime"), {"latency_ms": 1e9}
    )
    return next(check.verdict for check in report.checks if check.name == "operators").name


@pytest.mark.parametrize(
    ("kind", "dtype", "attributes"),
    [
        ("Einsum", TensorProto.FLOAT, {"equation": "ij->ji"}),
        ("Trilu", TensorProto.INT64, {}),
        ("ReduceL1", TensorProto.FLOAT, {}),
        ("Acosh", TensorProto.FLOAT16, {}),
        ("Celu", TensorProto.FLOAT, {}),
        ("Relu", TensorProto.INT32, {}),
        ("Erf", TensorProto.INT32, {}),
    ],
)
def test_a_verdict_is_what_the_library_does(kind: str, dtype: int, attributes: dict[str, object]) -> None:
    data = model(kind, [4, 4], dtype, **attributes)
    try:
        onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
        expected = "PASS"
    except Exception:
        expected = "FAIL"
    assert verdict(data) == expected


def test_an_operator_of_a_library_that_is_absent_does_not_run() -> None:
    data = model("Einsum", [4, 4], domain="my", equation="ij->ji")
    with pytest.raises(Exception, match="my"):
        onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    assert verdict(data) == "FAIL"


def test_a_recurrent_layer_in_half_precision_is_computed_in_single() -> None:
    runtime = load_runtime("onnxruntime")
    assert runtime.wider is not None
    assert runtime.wider.instead["float16"] == ("float32",)
    assert "float32" in runtime.operators["CUSTOM:GRU"].dtypes
