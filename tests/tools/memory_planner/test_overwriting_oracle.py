"""TensorFlow Lite Micro itself runs models whose buffers share a place, and computes the same."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from edgewright.tools import deployment
from edgewright.tools.graph import ModelGraph
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.memory_planner.replanning import Change, concatenating_in_place, overwriting, replanned
from edgewright.tools.memory_planner.reporting import plan
from edgewright.tools.model_formats.writer.tflite import write_tflite

HOST = deployment("host-x86-64", "tflm-reference")


def residual() -> ModelGraph:
    b = GraphBuilder("residual")
    x = b.conv2d(b.input((1, 16, 16, 1)), 8, 3)
    y = b.conv2d(x, 8, 3)
    return b.build([b.mean(b.unary("RELU", b.add(x, y)))])


def joined() -> ModelGraph:
    b = GraphBuilder("joined")
    x = b.input((1, 16, 16, 1))
    return b.build([b.mean(b.concat([b.conv2d(x, 8, 3), b.conv2d(x, 8, 5)], axis=1))])


def shared_places(graph: ModelGraph) -> dict[int, tuple[int, int]]:
    """What has no place of its own → the tensor that it lies in and how many bytes from its beginning."""
    if graph.name == "joined":
        one, other, both = (op.outputs[0] for op in graph.ops[:3])
        return {one: (both, 0), other: (both, graph.tensors[one].bytes or 0)}
    add, relu = graph.ops[2], graph.ops[3]
    return {op.outputs[0]: (add.inputs[0], 0) for op in (add, relu)}


def offline_plan(graph: ModelGraph, change: Change) -> tuple[int, ...]:
    arena = replanned(graph, HOST, change)
    assert arena.offsets is not None
    placed = {b.tensor: int(o) for b, o in zip(arena.buffers, arena.offsets, strict=True) if b.is_used}
    shared = shared_places(graph)
    assert not shared.keys() & placed.keys()
    placed |= {tensor: placed[home] + further for tensor, (home, further) in shared.items()}
    return (1, 0, len(graph.tensors), *(placed.get(t.index, -1) for t in graph.tensors))


def output_of(path: Path) -> np.ndarray:
    runtime = pytest.importorskip("tflite_micro.python.tflite_micro.runtime")
    interpreter = runtime.Interpreter.from_file(str(path), arena_size=1 << 20)
    data = np.random.default_rng(3).normal(size=(1, 16, 16, 1)).astype(np.float32)
    interpreter.set_input(data, 0)
    interpreter.invoke()
    return np.array(interpreter.get_output(0))


@pytest.mark.parametrize(
    ("graph", "change"),
    [(residual(), overwriting), (joined(), concatenating_in_place)],
    ids=["add", "concat"],
)
def test_the_interpreter_computes_in_place_what_it_computes_apart(
    graph: ModelGraph,
    change: Change,
    tmp_path: Path,
    tflm_allocations: Callable[[Sequence[Path]], Mapping[Path, Any]],
) -> None:
    apart, together = tmp_path / "apart.tflite", tmp_path / "together.tflite"
    apart.write_bytes(write_tflite(graph))
    together.write_bytes(write_tflite(replace(graph, offline_plans=(offline_plan(graph, change),))))
    told = tflm_allocations([apart, together])
    heads = [told[path].head for path in (apart, together)]
    assert heads == [
        plan(graph, HOST).arena_nonpersistent_bytes,
        replanned(graph, HOST, change).nonpersistent,
    ]
    assert heads[1] < heads[0]
    np.testing.assert_array_equal(output_of(apart), output_of(together))
