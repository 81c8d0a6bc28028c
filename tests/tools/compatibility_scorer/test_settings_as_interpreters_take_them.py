"""Settings and types that interpreters refuse while they prepare, held against the interpreters themselves."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpora.litert_agreement import interpreted
from corpora.scaled_operators import scaled_operators
from corpora.tflm_comparison import written
from corpora.tflm_graphs import rows
from corpora.tflm_operators import single
from corpora.tflm_oracle import outcomes
from corpora.tflm_parts import data, graph, integers, model

from edgewright.tools import deployment, parse_model, plan_memory, score_compatibility
from edgewright.tools.graph import DType, ModelGraph, Op, OptionValue, Quantization, Tensor
from edgewright.tools.verdicts.verdict import Verdict

RUNS = {Verdict.PASS, Verdict.MARGINAL}
CONVOLUTION: dict[str, OptionValue] = {
    "padding": "SAME", "stride_h": 1, "stride_w": 1, "dilation_h_factor": 1, "dilation_w_factor": 1,
    "fused_activation_function": "NONE",
}  # fmt: skip
RESIZED_TYPES = (DType.FLOAT32, DType.INT8, DType.INT16, DType.UINT8)


def resized() -> dict[str, ModelGraph]:
    """Both kinds of resizing in four types with every pair of settings."""
    return {
        f"{kind} {dtype} {align} {half}": single(
            kind, dtype, [data(1, 4, 4, 2), integers(7, 9)], [data(1, 7, 9, 2)],
            {"align_corners": align, "half_pixel_centers": half},
        )
        for kind in ("RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR")
        for dtype in RESIZED_TYPES
        for align in (False, True)
        for half in (False, True)
    }  # fmt: skip


def runs_on(path: Path, runtime: str) -> bool:
    target = "rpi4" if runtime == "litert-builtin" else "host-x86-64"
    return score_compatibility(parse_model(path), deployment(target, runtime)).verdict in RUNS


def test_resizing_with_both_settings_runs_on_tflm_where_its_kernels_take_it(tmp_path: Path) -> None:
    pytest.importorskip("tflite_micro")
    files = written(resized(), tmp_path)
    real = outcomes(list(files), invoke=True)
    assert {files[p]: runs_on(p, "tflm-reference") for p in files} == {
        files[p]: real[p].invoked for p in files
    }


def test_resizing_with_both_settings_runs_on_litert_where_xnnpack_takes_it(tmp_path: Path) -> None:
    pytest.importorskip("ai_edge_litert")
    files = written(resized(), tmp_path)
    real = {path: ran for path, ran, _ in interpreted(list(files))}
    assert {files[p]: runs_on(p, "litert-xnnpack") for p in files} == {files[p]: real[p] for p in files}


@pytest.mark.parametrize("dtype", [DType.STRING, DType.VARIANT, DType.INT2, DType.UINT4])
def test_tflm_refuses_a_type_without_size_even_in_a_tensor_that_nothing_reads(
    dtype: DType, tmp_path: Path
) -> None:
    pytest.importorskip("tflite_micro")
    made = graph("", model([*rows(2), Tensor(2, "s", (3,), dtype)], [Op(0, "RELU", (0,), (1,))], [0], [1]))
    (path,) = written({"unread": made}, tmp_path)
    assert not outcomes([path])[path].accepted
    assert score_compatibility(made, deployment("host-x86-64", "tflm-reference")).verdict is Verdict.FAIL
    assert plan_memory(made, deployment("host-x86-64", "tflm-reference")).arena_bytes is None


@pytest.mark.parametrize("kernels", ["xnnpack", "builtin"])
def test_integers_run_on_litert_where_their_scales_are_those_that_kernels_take(
    kernels: str, tmp_path: Path
) -> None:
    pytest.importorskip("ai_edge_litert")
    files = written(scaled_operators(), tmp_path)
    real = {files[path]: ran for path, ran, _ in interpreted(list(files), kernels)}
    ours = {name: runs_on(path, f"litert-{kernels}") for path, name in files.items() if name in real}
    assert ours == real
    assert len(real) > 200 < 2 * sum(real.values()) < 2 * len(real)


def test_integers_run_on_tflm_where_their_scales_are_those_that_kernels_take(tmp_path: Path) -> None:
    pytest.importorskip("tflite_micro")
    files = written(scaled_operators(), tmp_path)
    real = outcomes(list(files), invoke=True)
    assert {files[p]: runs_on(p, "tflm-reference") for p in files} == {
        files[p]: real[p].invoked for p in files
    }


def test_operators_of_two_scales_are_not_alike(tmp_path: Path) -> None:
    """Of two convolutions that differ in scales alone, one is refused."""
    steps = [Quantization((1.0,), (0,)), Quantization((0.5,), (0,)), Quantization((0.001,), (0,))]
    rest = [Tensor(i, f"t{i}", (1, 4, 4, 2), DType.INT8, quantization=q) for i, q in enumerate(steps)]
    weights = Tensor(3, "w", (2, 1, 1, 2), DType.INT8, 4, is_constant=True, quantization=steps[0])
    bias = Tensor(4, "b", (2,), DType.INT32, 8, is_constant=True, quantization=steps[0])
    ops = [Op(n, "CONV_2D", (n, 3, 4), (n + 1,), options=CONVOLUTION) for n in range(2)]
    (path,) = written({"two": graph("", model([*rest, weights, bias], ops, [0], [2]))}, tmp_path)
    report = score_compatibility(parse_model(path), deployment("host-x86-64", "litert-xnnpack"))
    assert [op.supported for op in report.ops] == [True, False]
    assert "500 times" in report.ops[1].reason


def test_scales_lie_along_a_dimension_that_the_tensor_has(tmp_path: Path) -> None:
    pytest.importorskip("ai_edge_litert")

    def scaled(rank: int, axis: int) -> ModelGraph:
        q = Quantization((0.5,), (0,), axis)
        ends = [Tensor(i, f"t{i}", (2,) * rank, DType.INT8, quantization=q) for i in range(2)]
        return graph("", model(ends, [Op(0, "RELU", (0,), (1,))], [0], [1]))

    models = {f"{rank} {axis}": scaled(rank, axis) for rank in (1, 2, 4) for axis in (-1, 0, 1, 3, 4)}
    files = written(models, tmp_path)
    real = {files[path]: ran for path, ran, _ in interpreted(list(files))}
    assert {name: runs_on(path, "litert-xnnpack") for path, name in files.items()} == real
    assert sum(real.values()) == 6
