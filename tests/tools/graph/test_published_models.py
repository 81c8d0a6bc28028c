from __future__ import annotations

import csv
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from edgewright.tools.graph import ModelGraph
from edgewright.tools.graph.costs.table import layer_table
from edgewright.tools.graph.layer_table import OpClass
from edgewright.tools.graph.shapes.change import with_batch, with_input_shapes
from edgewright.tools.graph.shapes.propagate import propagate_shapes
from edgewright.tools.graph.summarize import summarize_model
from edgewright.tools.model_formats.source import parse_model

TINY = {
    "ad01_int8": 264_192,
    "kws_ref_model": 2_656_768,
    "pretrainedResnet_quant": 12_501_632,
    "vww_96_int8": 7_489_664,
}
"""MACs of MLPerf Tiny's reference models, in convolutions and dense layers."""
_COMPUTED = {"CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "TRANSPOSE_CONV"}


@cache
def model(path: Path) -> ModelGraph:
    return parse_model(str(path))


def files(models: Path) -> list[Path]:
    return sorted(models.rglob("*.tflite"))


@pytest.mark.parametrize("name", TINY)
def test_mlperf_tiny_models_have_their_published_macs(shared_models: Path, name: str) -> None:
    assert summarize_model(model(shared_models / f"mlperf-tiny/{name}.tflite")).macs == TINY[name]


def test_mlperf_tiny_image_classification_has_its_parameters(shared_models: Path) -> None:
    summary = summarize_model(model(shared_models / "mlperf-tiny/pretrainedResnet_quant.tflite"))
    assert summary.parameter_count == 77_706


def test_macs_agree_with_those_computed_for_every_measured_model(shared_models: Path) -> None:
    with (shared_models.parent / "measurements.csv").open(newline="") as rows:
        published = {
            row["local_model"]: int(float(row["macs_computed"]))
            for row in csv.DictReader(rows)
            if row["local_model"].endswith(".tflite") and row["macs_computed"]
        }
    assert len(published) > 200
    found = {}
    for path in published:
        table = layer_table(model(shared_models.parent / path))
        found[path] = int(sum(table.macs[[kind in _COMPUTED for kind in table.kinds]]))
    assert found == published


def test_only_custom_operators_of_published_models_are_uncounted(shared_models: Path) -> None:
    tables = [layer_table(model(path)) for path in files(shared_models)]
    uncounted = [table.kinds[i] for table in tables for i, _ in table.uncounted]
    assert set(uncounted) <= {"CUSTOM"}
    assert any(table.uncounted for table in tables)


@pytest.mark.parametrize("name", TINY)
def test_vela_counts_the_same_macs_and_its_pools_as_macs_too(
    shared_models: Path, tmp_path: Path, name: str
) -> None:
    vela = Path(sys.executable).parent / "vela"
    if not vela.is_file():
        pytest.skip("ethos-u-vela is not installed")
    file = shared_models / f"mlperf-tiny/{name}.tflite"
    said = subprocess.run(
        [str(vela), str(file), "--output-dir", str(tmp_path)], capture_output=True, text=True, check=True
    ).stdout
    counted = re.search(r"Neural network macs\s+(\d+)", said)
    assert counted is not None
    table = layer_table(model(file))
    pools = int(table.element_ops[[c is OpClass.POOL for c in table.classes]].sum())
    softmax = int(table.element_ops[[c is OpClass.SOFTMAX for c in table.classes]].sum())
    assert int(counted[1]) == table.total_macs + pools + 2 * softmax


def test_every_recorded_shape_follows_from_the_inputs(shared_models: Path) -> None:
    for path in files(shared_models):
        graph = model(path)
        if "CUSTOM" not in {op.kind for op in graph.ops}:
            assert list(propagate_shapes(graph)) == [t.shape for t in graph.tensors], path.name


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("mlperf-tiny/ad01_int8", (3, 640)),
        ("mlperf-tiny/pretrainedResnet_quant", (3, 32, 32, 3)),
        ("mlperf-tiny/vww_96_int8", (2, 96, 96, 3)),
        ("mlperf-tiny/kws_ref_model", (5, 49, 10, 1)),
        ("edgemark_reconstructed/CNN_4__q_full_int", None),
    ],
)
def test_another_batch_has_the_shapes_that_litert_allocates(
    shared_models: Path, name: str, shape: tuple[int, ...] | None
) -> None:
    litert = pytest.importorskip("ai_edge_litert.interpreter")
    file = shared_models / f"{name}.tflite"
    graph = model(file)
    shape = shape or (4, *graph.inputs[0].shape[1:])
    interpreter = litert.Interpreter(
        model_path=str(file),
        experimental_op_resolver_type=litert.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
    )
    interpreter.resize_tensor_input(graph.main.inputs[0], shape)
    interpreter.allocate_tensors()
    allocated = {t["index"]: tuple(int(d) for d in t["shape"]) for t in interpreter.get_tensor_details()}
    changed = with_input_shapes(graph, {graph.main.inputs[0]: shape})
    activations = {t.index: t.shape for t in changed.tensors if not t.is_constant}
    assert activations == {index: allocated[index] for index in activations}


def test_a_batch_multiplies_the_macs_of_published_models(shared_models: Path) -> None:
    for name, macs in TINY.items():
        graph = model(shared_models / f"mlperf-tiny/{name}.tflite")
        assert layer_table(with_batch(graph, 4)).total_macs == 4 * macs


def test_a_table_says_what_moves_as_well(shared_models: Path) -> None:
    for path in files(shared_models):
        table = layer_table(model(path))
        assert np.all(table.traffic_bytes[table.counted] > 0), path.name
