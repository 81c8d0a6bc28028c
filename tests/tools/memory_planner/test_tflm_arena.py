"""Plans held against TensorFlow Lite Micro's own allocations (package tflite-micro, x86-64)."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from edgewright.tools.api.memory import plan_memory
from edgewright.tools.core.deployment import deployment
from edgewright.tools.memory_planner.memory_plan import MemoryPlan
from edgewright.tools.model_formats.source import parse_model
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.model_zoo.named import build_architecture

Allocate = Callable[[Sequence[Path]], Mapping[Path, Any]]
HOST = deployment("host-x86-64", "tflm-reference")
SAMPLED = 60
LARGEST = 4 << 20


def plan(path: Path) -> MemoryPlan:
    return plan_memory(parse_model(path), HOST)


def assert_equal_to_the_byte(paths: Sequence[Path], allocate: Allocate, at_least: int) -> None:
    told = allocate(paths)
    plans = {path: plan(path) for path in told}
    ours = {p.name: (m.arena_nonpersistent_bytes, m.arena_persistent_bytes) for p, m in plans.items()}
    theirs = {path.name: (said.head, said.tail) for path, said in told.items()}
    assert ours == theirs
    assert len(told) >= at_least


def test_the_arena_equals_tflms_on_published_models(shared_models: Path, tflm_allocations: Allocate) -> None:
    paths = sorted(path for path in shared_models.rglob("*.tflite") if path.stat().st_size < LARGEST)
    sample = paths[:: -(-len(paths) // SAMPLED)]
    told = tflm_allocations(sample)
    plans = {path: plan(path) for path in told}
    wrong = [
        path.name
        for path, said in told.items()
        if (plans[path].arena_nonpersistent_bytes, plans[path].arena_persistent_bytes)
        != (said.head, said.tail)
    ]
    assert wrong == []
    assert len(told) >= SAMPLED // 2


def test_the_arena_equals_tflms_on_the_named_architectures(
    tmp_path: Path, tflm_allocations: Allocate
) -> None:
    paths = []
    for name in ("ad", "kws", "ic", "vww", "mobilenet_v2"):
        for dtype in ("int8", "float32"):
            paths.append(tmp_path / f"{name}-{dtype}.tflite")
            paths[-1].write_bytes(write_tflite(build_architecture(name, dtype=dtype)))
    assert_equal_to_the_byte(paths, tflm_allocations, at_least=10)


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
