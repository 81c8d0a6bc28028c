import math
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools import deployment, plan_memory
from edgewright.tools.graph import ModelGraph, Op
from edgewright.tools.graph.costs.table import layer_table
from edgewright.tools.graph.shapes.propagate import propagate_shapes
from edgewright.tools.model_formats.source import parse_model
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.model_zoo.named import build_architecture
from edgewright.tools.optimization_simulator.techniques.names import technique

NAMES = (
    "prune-30", "width-50", "width-75", "width-150", "align-16", "fuse", "relu6", "separable", "low-rank-25",
    "groups-2", "input-75", "drop-block", "drop-layer", "exit", "student",
)  # fmt: skip
MANY = (
    "kws", "vww", "ic", "ad", "mobilenet_v1", "mobilenet_v2:0.35:96:int8", "mobilenet_v3_small",
    "mobilenet_v3_large:int8", "efficientnet_b0", "resnet18", "resnet50", "densenet121", "shufflenet_v2_x1_0",
    "squeezenet_1_1", "inception_v3", "nasnet_mobile", "yolov5n", "yolov8n", "ssd_mobilenet_v1",
    "vit_tiny_patch16", "efficientvit_b2", "mobilevit_s", "convnext_tiny", "mixnet_s", "regnety_004",
)  # fmt: skip
RUN = ("kws", "ic:float32", "ad", "vww", "mobilenet_v3_small", "mobilenet_v2:0.35:96:int8")
KEEP_THE_INPUT = tuple(name for name in NAMES if not name.startswith("input"))
BOARD = deployment("stm32h743zi", "tflm-cmsis-nn")

Array = np.ndarray[Any, Any]


def multiplied(graph: ModelGraph, op: Op) -> int:
    """MACs by hand: each output element takes one for each weight of its filter."""
    filters, made = graph.tensors[op.inputs[1]].shape, graph.tensors[op.outputs[0]].shape
    return math.prod(made) * math.prod(filters[PER_OUTPUT[op.kind]])


PER_OUTPUT = {"CONV_2D": slice(1, 4), "DEPTHWISE_CONV_2D": slice(1, 3), "FULLY_CONNECTED": slice(1, 2)}
"""Dimensions of the weights that one output element is made of."""


def changed(graph: ModelGraph) -> Mapping[str, ModelGraph]:
    """By every technique that applies."""
    found = {}
    for name in NAMES:
        try:
            found[name] = technique(name, BOARD).apply(graph, BOARD)[0]
        except UsageError:
            continue
    return found


@pytest.mark.parametrize("spec", MANY)
def test_every_change_leaves_a_graph_whose_shapes_follow_from_its_inputs(spec: str) -> None:
    graph = build_architecture(spec)
    found = changed(graph)
    assert len(found) >= 4
    for name, made in found.items():
        assert propagate_shapes(made) == tuple(t.shape for t in made.tensors), name
        assert [t.shape for t in made.outputs] == [t.shape for t in graph.outputs] or name == "input-75", name
        if name in KEEP_THE_INPUT:
            assert [t.shape for t in made.inputs] == [t.shape for t in graph.inputs], name
        for op, macs in zip(made.ops, layer_table(made).macs.tolist(), strict=True):
            if op.kind in PER_OUTPUT:
                assert macs == multiplied(made, op), (name, op.index)
        assert made.sha256 != graph.sha256 or name.startswith("prune"), name
        stored = [t for t in made.parameters if t.sparsity is None]
        assert all(t.bytes == t.stored_bytes for t in stored), name


@pytest.mark.parametrize("spec", RUN)
def test_every_changed_graph_is_written_and_run_and_gives_the_output_promised(
    spec: str, run_litert: Callable[[bytes], list[Array]]
) -> None:
    for name, made in changed(build_architecture(spec)).items():
        outputs = run_litert(write_tflite(made))
        assert [o.shape for o in outputs] == [t.shape for t in made.outputs], name
        assert all(np.isfinite(o.astype(float)).all() for o in outputs), name


@pytest.mark.parametrize("spec", ["kws", "ic", "ad"])
def test_every_changed_graph_takes_the_arena_planned_for_it(
    spec: str, tflm_arena: Callable[[bytes], int]
) -> None:
    for name, made in changed(build_architecture(spec)).items():
        written = write_tflite(made)
        planned = plan_memory(parse_model(written), deployment("host-x86-64", "tflm-reference"))
        assert planned.arena_nonpersistent_bytes == tflm_arena(written), name


@pytest.fixture(scope="session")
def run_litert() -> Callable[[bytes], list[Array]]:
    interpreter = pytest.importorskip("ai_edge_litert.interpreter")

    def run(model: bytes) -> list[Array]:
        loaded = interpreter.Interpreter(model_content=model, num_threads=1)
        loaded.allocate_tensors()
        for told in loaded.get_input_details():
            drawn = np.random.default_rng(7).standard_normal(tuple(told["shape"]))
            whole = told["dtype"] == np.int8
            loaded.set_tensor(
                told["index"],
                np.clip(drawn * 40, -128, 127).astype(np.int8) if whole else drawn.astype(told["dtype"]),
            )
        loaded.invoke()
        return [loaded.get_tensor(told["index"]) for told in loaded.get_output_details()]

    return run


@pytest.fixture
def tflm_arena(capfd: pytest.CaptureFixture[str]) -> Callable[[bytes], int]:
    """Bytes of the arena's head, as TensorFlow Lite Micro tells them."""
    runtime = pytest.importorskip("tflite_micro").runtime

    def arena(model: bytes) -> int:
        loaded = runtime.Interpreter.from_bytes(model, arena_size=4_000_000)
        capfd.readouterr()
        loaded.print_allocations()
        told = "".join(capfd.readouterr())
        return int(re.search(r"Arena allocation head (\d+) bytes", told)[1])

    return arena
