"""Plans held against TensorFlow Lite Micro's own allocations (package tflite-micro, x86-64)."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from edgewright.tools.deployments import deployment
from edgewright.tools.graph import ModelGraph
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.graph.requantize import to_int8
from edgewright.tools.memory_planner import MemoryPlan, plan_memory
from edgewright.tools.model_parser import parse_model
from edgewright.tools.model_parser.architectures import build_architecture
from edgewright.tools.model_writer import write_tflite

Allocate = Callable[[Sequence[Path]], Mapping[Path, Any]]
HOST = deployment("host-x86-64", "tflm-reference")
PUBLISHED_MODELS_THAT_TFLM_ACCEPTS = 290


def plan(path: Path) -> MemoryPlan:
    return plan_memory(parse_model(path), HOST)


def assert_equal_to_the_byte(paths: Sequence[Path], allocate: Allocate, at_least: int) -> None:
    told = allocate(paths)
    plans = {path: plan(path) for path in told}
    ours = {p.name: (m.arena_nonpersistent_bytes, m.arena_persistent_bytes) for p, m in plans.items()}
    theirs = {path.name: (said.head, said.tail) for path, said in told.items()}
    assert ours == theirs
    assert len(told) >= at_least


def test_the_arena_equals_tflms_on_every_published_model(
    shared_models: Path, tflm_allocations: Allocate
) -> None:
    paths = sorted(shared_models.rglob("*.tflite"))
    told = tflm_allocations(paths)
    plans = {path: plan(path) for path in told}
    wrong = [
        path.name
        for path, said in told.items()
        if (plans[path].arena_nonpersistent_bytes, plans[path].arena_persistent_bytes)
        != (said.head, said.tail)
    ]
    assert wrong == []
    assert len(told) >= PUBLISHED_MODELS_THAT_TFLM_ACCEPTS


def test_the_arena_equals_tflms_on_the_named_architectures(
    tmp_path: Path, tflm_allocations: Allocate
) -> None:
    paths = []
    for name in ("ad", "kws", "ic", "vww", "mobilenet_v2"):
        for dtype in ("int8", "float32"):
            paths.append(tmp_path / f"{name}-{dtype}.tflite")
            paths[-1].write_bytes(write_tflite(build_architecture(name, dtype=dtype)))
    assert_equal_to_the_byte(paths, tflm_allocations, at_least=10)


def random_network(seed: int) -> ModelGraph:
    """Convolutions, residuals and branches of random width and depth, in one chain."""
    draw = np.random.default_rng(seed)
    b = GraphBuilder(f"random {seed}")
    side, channels = (int(n) for n in draw.integers((6, 1), (24, 6)))
    x = b.input((1, side, side, channels))
    seen: list[int] = []
    for _ in range(int(draw.integers(2, 12))):
        seen.append(x)
        x = random_layer(b, x, seen, draw)
    return b.build([b.softmax(b.fully_connected(b.flatten(x), int(draw.integers(2, 20))))])


def random_layer(b: GraphBuilder, x: int, seen: list[int], draw: np.random.Generator) -> int:
    height, width, channels = b.shape(x)[1:]
    alike = [t for t in seen if b.shape(t) == b.shape(x)]
    flat = [t for t in seen if b.shape(t)[1:3] == (height, width)]
    match draw.choice(["conv", "point", "depthwise", "add", "concat", "pool", "mean", "transpose", "pad"]):
        case "point":
            return b.conv2d(x, int(draw.integers(1, 24)), 1, activation="RELU")
        case "depthwise":
            return b.depthwise_conv2d(x, 3, stride=int(draw.integers(1, 3)) if height > 3 else 1)
        case "add":
            return b.add(x, alike[int(draw.integers(len(alike)))])
        case "concat":
            return b.concat([x, flat[int(draw.integers(len(flat)))]])
        case "pool" if height > 2 and width > 2:
            return b.average_pool2d(x, 2) if draw.integers(2) else b.max_pool2d(x, 2, stride=1)
        case "mean":
            return b.arithmetic("MUL", x, b.mean(x, keep_dims=True))
        case "transpose" if channels * height < 100:
            return b.transpose_conv2d(x, int(draw.integers(1, 6)), 3, stride=2)
        case "pad":
            return b.pad(x, [(0, 0), (1, 1), (0, 2), (0, 0)])
        case _:
            return b.conv2d(
                x, int(draw.integers(1, 16)), 3, stride=int(draw.integers(1, 3)), activation="RELU6"
            )


def test_the_arena_equals_tflms_on_random_networks(tmp_path: Path, tflm_allocations: Allocate) -> None:
    paths = []
    for seed in range(40):
        graph = random_network(seed)
        for variant, made in (
            ("float", graph),
            ("int8", to_int8(graph)),
            ("mixed", to_int8(graph, float_io=True)),
        ):
            paths.append(tmp_path / f"{seed}-{variant}.tflite")
            paths[-1].write_bytes(write_tflite(made))
    assert_equal_to_the_byte(paths, tflm_allocations, at_least=115)


@pytest.mark.parametrize("name", ["ad", "kws"])
def test_the_interpreter_starts_in_an_arena_of_the_planned_size_and_in_none_smaller(
    name: str, tmp_path: Path, tflm_accepts: Callable[[Path, int], bool]
) -> None:
    path = tmp_path / "model.tflite"
    path.write_bytes(write_tflite(build_architecture(name, dtype="int8")))
    made = plan(path)
    needed = max(made.arena_bytes or 0, made.arena_set_up_bytes or 0)
    assert tflm_accepts(path, needed)
    assert not tflm_accepts(path, needed - 16)


def test_what_setting_up_takes_beyond_the_arena_is_told(tmp_path: Path) -> None:
    path = tmp_path / "model.tflite"
    path.write_bytes(write_tflite(build_architecture("ad", dtype="int8")))
    made = plan(path)
    set_up = made.arena_set_up_bytes or 0
    assert set_up > (made.arena_bytes or 0)
    assert (made.arena.high or 0) >= set_up
    assert any(str(set_up) in warning for warning in made.warnings)
