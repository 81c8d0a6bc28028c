import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools.graph import DType, ModelGraph, Quantization, Tensor
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.model_formats.source import parse_model
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.model_zoo.named import build_architecture

Array = npt.NDArray[Any]
TINY = ("kws", "vww", "ic", "ad")
RUNNABLE = (*TINY, *(f"{name}:float32" for name in TINY), "mobilenet_v2:0.35:96:int8")
ODD_TYPES = (DType.INT4, DType.UINT8, DType.INT16, DType.FLOAT64, DType.BFLOAT16, DType.BOOL)
REFERENCES = {
    "kws": "kws_ref_model.tflite",
    "vww": "vww_96_int8.tflite",
    "ic": "pretrainedResnet_quant.tflite",
    "ad": "ad01_int8.tflite",
}


@pytest.mark.parametrize("spec", RUNNABLE)
def test_litert_and_tflm_run_a_written_architecture_alike(
    spec: str, run_litert: Callable[[bytes], list[Array]], tflm: Callable[[bytes], Any]
) -> None:
    graph = build_architecture(spec)
    model = write_tflite(graph)
    (ours,) = run_litert(model)
    theirs = tflm(model).get_output(0)
    assert ours.shape == theirs.shape == graph.outputs[0].shape
    assert np.isfinite(ours.astype(float)).all()
    kernels_round_apart = 8 if ours.dtype == np.int8 else 1e-4
    np.testing.assert_allclose(ours.astype(float), theirs.astype(float), atol=kernels_round_apart)
    assert len(np.unique(ours)) > 1


@pytest.mark.parametrize("spec", [*RUNNABLE, "mobilenet_v2:0.35:96:float16"])
def test_what_is_written_parses_to_the_same_graph(spec: str) -> None:
    graph = build_architecture(spec)
    back = parse_model(write_tflite(graph))
    assert [_comparable(t) for t in back.tensors] == [_comparable(t) for t in graph.tensors]
    assert (back.main.inputs, back.main.outputs) == (graph.main.inputs, graph.main.outputs)
    for read, meant in zip(back.ops, graph.ops, strict=True):
        assert (read.kind, read.version, read.inputs, read.outputs) == (
            meant.kind, meant.version, meant.inputs, meant.outputs,
        )  # fmt: skip
        assert meant.options.items() <= read.options.items()


def _comparable(tensor: Tensor) -> Tensor:
    """Without the number of its buffer, which only a file has."""
    return replace(tensor, buffer=None)


# Arena of the reference files of github.com/mlcommons/tiny in TensorFlow Lite Micro's greedy planner.
@pytest.mark.parametrize(
    ("name", "nonpersistent"), [("kws", 16_000), ("vww", 73_728), ("ic", 49_152), ("ad", 768)]
)
def test_tiny_networks_take_the_arena_of_the_reference(
    name: str, nonpersistent: int, tflm: Callable[[bytes], Any], capfd: pytest.CaptureFixture[str]
) -> None:
    assert arena(tflm(write_tflite(build_architecture(name))), capfd)["head"] == nonpersistent


@pytest.mark.parametrize("name", TINY)
def test_tiny_networks_take_every_byte_of_arena_that_the_reference_file_takes(
    name: str, tflm: Callable[[bytes], Any], capfd: pytest.CaptureFixture[str], shared_models: Path
) -> None:
    reference = (shared_models / "mlperf-tiny" / REFERENCES[name]).read_bytes()
    theirs = arena(tflm(reference), capfd)
    assert arena(tflm(write_tflite(build_architecture(name))), capfd) == theirs
    assert theirs["total"] > 0


def arena(interpreter: Any, capfd: pytest.CaptureFixture[str]) -> dict[str, int]:
    capfd.readouterr()
    interpreter.print_allocations()
    told = "".join(capfd.readouterr())
    return {part: int(size) for part, size in re.findall(r"Arena allocation (\w+) (\d+) bytes", told)}


# Bytes of the reference files, and of the converter's tensor names in them, which name every fused layer.
@pytest.mark.parametrize(
    ("name", "file_bytes", "name_bytes"),
    [("kws", 53_936, 5_459), ("vww", 333_288, 14_015), ("ic", 98_496, 3_097), ("ad", 276_976, 1_328)],
)
def test_a_written_file_is_as_large_as_the_reference_but_for_tensor_names(
    name: str, file_bytes: int, name_bytes: int
) -> None:
    graph = build_architecture(name)
    names = sum(len(t.name_untrusted) for t in graph.tensors)
    assert len(write_tflite(graph)) - names == pytest.approx(file_bytes - name_bytes, rel=0.03)


@pytest.mark.parametrize("name", TINY)
def test_a_parsed_file_can_be_written_again_with_random_weights(
    name: str, tflm: Callable[[bytes], Any], capfd: pytest.CaptureFixture[str], shared_models: Path
) -> None:
    path = shared_models / "mlperf-tiny" / REFERENCES[name]
    rewritten = write_tflite(parse_model(path))
    assert arena(tflm(rewritten), capfd) == arena(tflm(path.read_bytes()), capfd)


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others() -> None:
    graph = build_architecture("kws")
    assert write_tflite(graph, seed=3) == write_tflite(graph, seed=3)
    assert write_tflite(graph, seed=3) != write_tflite(graph, seed=4)
    assert len(write_tflite(graph, seed=3)) == len(write_tflite(graph, seed=4))


def test_weights_are_spread_as_an_untrained_network_s(run_litert: Callable[[bytes], list[Array]]) -> None:
    b = GraphBuilder("rectifiers")
    x = b.input((1, 256))
    for _ in range(8):
        x = b.fully_connected(x, 256, activation="RELU")
    (out,) = run_litert(write_tflite(b.build([x])))
    assert 0.1 < out.std() < 10


def test_constant_data_is_aligned_to_16_bytes() -> None:
    graph = build_architecture("kws")
    b = GraphBuilder("odd")
    x = b.fully_connected(b.input((1, 3)), 5)
    odd = b.build([b.fully_connected(b.reshape(x, (1, 5)), 7)])
    for model in (write_tflite(graph), write_tflite(odd)):
        assert all(offset % 16 == 0 for offset in data_offsets(model))


def data_offsets(model: bytes) -> list[int]:
    tflite = pytest.importorskip("tflite")
    read = tflite.Model.GetRootAs(model, 0)
    buffers = [read.Buffers(i) for i in range(read.BuffersLength())]
    return [b._tab.Vector(b._tab.Offset(4)) for b in buffers if b.DataLength()]


def test_an_open_dimension_is_written_as_1_and_left_open() -> None:
    b = GraphBuilder("open batch")
    graph = b.build([b.softmax(b.input((-1, 10)))])
    tflite = pytest.importorskip("tflite")
    tensor = tflite.Model.GetRootAs(write_tflite(graph), 0).Subgraphs(0).Tensors(0)
    assert tensor.ShapeAsNumpy().tolist() == [1, 10]
    assert tensor.ShapeSignatureAsNumpy().tolist() == [-1, 10]


def test_constants_that_share_a_buffer_are_written_once() -> None:
    b = GraphBuilder("siamese")
    x = b.input((1, 64))
    graph = b.build([b.add(b.fully_connected(x, 64), b.fully_connected(x, 64))])
    shared = [replace(t, buffer=9) if t.shape == (64, 64) else t for t in graph.tensors]
    once = replace(graph, subgraphs=(replace(graph.main, tensors=tuple(shared)),))
    model = write_tflite(once)
    assert len(write_tflite(graph)) - len(model) > 64 * 64 * 4
    assert parse_model(model).parameter_bytes == once.parameter_bytes


@pytest.mark.parametrize("dtype", ODD_TYPES)
def test_constants_of_every_type_have_their_size(dtype: DType) -> None:
    b = GraphBuilder("constant")
    x = b.input((1, 9))
    b.constant("odd", (9,), dtype)
    graph = b.build([b.softmax(x)])
    scaled = [
        replace(t, quantization=Quantization((0.1,), (0,))) if dtype in (DType.INT4, DType.UINT8) else t
        for t in graph.tensors
    ]
    back = parse_model(write_tflite(replace(graph, subgraphs=(replace(graph.main, tensors=tuple(scaled)),))))
    assert back.tensors[1].stored_bytes == dtype.storage_bytes(9)


def altered(graph: ModelGraph, **changes: Any) -> ModelGraph:
    op = replace(graph.ops[0], **changes)
    return replace(graph, subgraphs=(replace(graph.main, ops=(op, *graph.ops[1:])),))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"kind": "CONV_2E"}, "CONV_2D"),
        ({"kind": "CUSTOM", "options": {}}, "not part of the graph"),
        ({"options": {"pading": "SAME"}}, "'pading'"),
        ({"options": {"padding": "SAMES"}}, "SAME"),
        ({"options": {"padding": (1, 2)}}, "one number"),
    ],
)
def test_what_the_format_does_not_have_is_refused_by_name(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        write_tflite(altered(build_architecture("kws"), **changes))


def test_weights_beyond_the_format_s_2_gib_are_refused_before_they_are_drawn() -> None:
    b = GraphBuilder("large")
    graph = b.build([b.fully_connected(b.input((1, 40_000)), 40_000)])
    with pytest.raises(UsageError, match="2 GiB"):
        write_tflite(graph)
