"""Settings and types that interpreters refuse while they prepare, held against the interpreters themselves."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpora.litert_agreement import interpreted
from corpora.tflm_comparison import written
from corpora.tflm_graphs import rows
from corpora.tflm_operators import single
from corpora.tflm_oracle import outcomes
from corpora.tflm_parts import data, graph, integers, model

from edgewright.tools import deployment, parse_model, plan_memory, score_compatibility
from edgewright.tools.graph import DType, ModelGraph, Op, Tensor
from edgewright.tools.verdicts.verdict import Verdict

RUNS = {Verdict.PASS, Verdict.MARGINAL}
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
    return score_compatibility(parse_model(path), deployment("host-x86-64", runtime)).verdict in RUNS


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
