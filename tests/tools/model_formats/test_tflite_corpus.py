"""Published models, compared with what LiteRT itself reads from them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from edgewright.tools.model_formats.source import parse_model

SAMPLE = (
    "mlperf-tiny/kws_ref_model.tflite",
    "mlperf-tiny/vww_96_int8.tflite",
    "mlperf-tiny/ad01_fp32.tflite",
    "google-coral_test_data/mobilenet_v2_1.0_224_quant.tflite",
    "st-modelzoo-2023/mobilenet_v2_0.35_128_int8.tflite",
    "st-modelzoo-2024/ssd_mobilenet_v2_fpnlite_035_192_int8.tflite",
    "edgemark_reconstructed/GRU__q_full_int_only.tflite",
    "edgemark_reconstructed/LSTM__basic.tflite",
    "edgemark_reconstructed/CNN_1__q_16x8.tflite",
    "edgemark_reconstructed/CNN_1__q_dynamic.tflite",
    "aallan/mobilenet_v1.tflite",
)


@pytest.fixture(scope="module")
def published(shared_models: Path) -> list[Path]:
    return sorted(shared_models.rglob("*.tflite"))


def test_every_published_model_parses(published: list[Path]) -> None:
    assert len(published) > 300
    for path in published:
        graph = parse_model(path)
        assert graph.ops, path
        assert graph.inputs, path
        assert 0 < graph.parameter_bytes < path.stat().st_size, path


@pytest.mark.parametrize("name", SAMPLE)
def test_operators_and_tensors_are_those_that_litert_reads(shared_models: Path, name: str) -> None:
    litert = pytest.importorskip("ai_edge_litert.interpreter", reason="LiteRT is not installed")
    path = shared_models / name
    interpreter = litert.Interpreter(
        model_path=str(path),
        experimental_op_resolver_type=litert.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
    )
    graph = parse_model(path)
    assert [(op.custom_code_untrusted or op.kind, op.inputs, op.outputs) for op in graph.ops] == [
        (op["op_name"], tuple(op["inputs"]), tuple(op["outputs"])) for op in interpreter._get_ops_details()
    ]
    assert [t.index for t in graph.inputs] == [t["index"] for t in interpreter.get_input_details()]
    assert [t.index for t in graph.outputs] == [t["index"] for t in interpreter.get_output_details()]
    for theirs in interpreter.get_tensor_details():
        if theirs["index"] >= len(graph.tensors):
            continue  # scratch tensors of LiteRT's own
        ours = graph.tensors[theirs["index"]]
        quantization = ours.quantization
        assert ours.name_untrusted == theirs["name"] or ours.name_untrusted.endswith("…")
        assert ours.shape[1:] == tuple(theirs["shape_signature"])[1:]
        assert ours.shape[:1] == tuple(theirs["shape"])[:1]
        assert ours.dtype == np.dtype(theirs["dtype"]).name
        scales = theirs["quantization_parameters"]["scales"].tolist()
        assert (list(quantization.scales) if quantization else []) == scales


def test_mlperf_tiny_keyword_spotting_has_the_published_size(shared_models: Path) -> None:
    """53,936 bytes: the file size that MLPerf Tiny states for its reference model."""
    graph = parse_model(shared_models / "mlperf-tiny/kws_ref_model.tflite")
    assert graph.file_bytes == 53_936
    assert [t.shape for t in graph.inputs] == [(1, 49, 10, 1)]
    assert [t.shape for t in graph.outputs] == [(1, 12)]
    assert graph.dtype == "int8"
    assert {op.kind for op in graph.ops} == {
        "CONV_2D", "DEPTHWISE_CONV_2D", "AVERAGE_POOL_2D", "RESHAPE", "FULLY_CONNECTED", "SOFTMAX",
    }  # fmt: skip
