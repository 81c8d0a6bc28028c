"""Memory plans that a model brings in its metadata, held against TensorFlow Lite Micro's own allocations."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from edgewright.tools.api.memory import plan_memory
from edgewright.tools.core.deployment import deployment
from edgewright.tools.core.quantity import Basis
from edgewright.tools.graph import DType, ModelGraph, Op, Quantization, Subgraph, Tensor
from edgewright.tools.graph.serialize import graph_from_json, graph_to_json
from edgewright.tools.memory_planner.memory_plan import MemoryPlan
from edgewright.tools.model_formats.source import parse_model
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.model_zoo.named import build_architecture

HOST = deployment("host-x86-64", "tflm-reference")
UNIT = Quantization((1.0,), (0,))


def with_plan(graph: ModelGraph, offsets: Sequence[int], count: int | None = None) -> ModelGraph:
    words = (1, 0, len(offsets) if count is None else count, *offsets)
    return replace(graph, offline_plans=(words,))


def tensor_count(graph: ModelGraph) -> int:
    return sum(len(sub.tensors) for sub in graph.subgraphs)


def chain(length: int = 5, side: int = 40) -> ModelGraph:
    tensors = tuple(
        Tensor(i, f"t{i}", (1, side + 7 * i), DType.INT8, quantization=UNIT) for i in range(length + 1)
    )
    ops = tuple(Op(i, "PAD", (i, length + 1 + i), (i + 1,)) for i in range(length))
    pads = tuple(
        Tensor(length + 1 + i, f"p{i}", (2, 2), DType.INT32, 16, is_constant=True, values=(0, 0, 3, 4))
        for i in range(length)
    )
    main = Subgraph("main", tensors + pads, ops, (0,), (length,))
    return ModelGraph("chain", "architecture", "0", None, (main,))


def state(offset_of_state: int) -> ModelGraph:
    """SVDF, whose fifth input is a variable."""
    shapes = [((1, 10), DType.INT8), ((24, 10), DType.INT8), ((24, 5), DType.INT16), ((12,), DType.INT32),
              ((1, 120), DType.INT16), ((1, 12), DType.INT8)]  # fmt: skip
    tensors = tuple(
        Tensor(i, f"t{i}", shape, dtype, 4 * 240 if i in {1, 2, 3} else 0, is_constant=i in {1, 2, 3},
               is_variable=i == 4, quantization=UNIT)
        for i, (shape, dtype) in enumerate(shapes)
    )  # fmt: skip
    op = Op(0, "SVDF", (0, 1, 2, 3, 4), (5,), options={"rank": 2, "fused_activation_function": "NONE"})
    graph = ModelGraph("state", "architecture", "0", None, (Subgraph("", tensors, (op,), (0,), (5,)),))
    return with_plan(graph, [-1, -1, -1, -1, offset_of_state, -1])


def branches() -> ModelGraph:
    def branch(kind: str) -> Subgraph:
        tensors = tuple(Tensor(i, f"b{i}", (1, 40), DType.FLOAT32) for i in range(2))
        return Subgraph(kind, tensors, (Op(0, kind, (0,), (1,)),), (0,), (1,))

    tensors = (
        Tensor(0, "if", (1,), DType.BOOL),
        Tensor(1, "x", (1, 40), DType.FLOAT32),
        Tensor(2, "y", (1, 40), DType.FLOAT32),
    )
    op = Op(0, "IF", (0, 1), (2,), options={"then_subgraph_index": 1, "else_subgraph_index": 2})
    main = Subgraph("main", tensors, (op,), (0, 1), (2,))
    graph = ModelGraph("branches", "architecture", "0", None, (main, branch("RELU"), branch("LOGISTIC")))
    return with_plan(graph, [512, -1, 0, 1024, -1, 160, 320])


def mixed(graph: ModelGraph, seed: int, *, multiple: int = 16) -> ModelGraph:
    draw = random.Random(seed)
    offsets = [draw.choice([-1, -1, multiple * draw.randrange(200)]) for _ in range(tensor_count(graph))]
    return with_plan(graph, offsets)


KWS = build_architecture("kws", dtype="int8")
OBEYED = {
    "all left to the planner": with_plan(KWS, [-1] * tensor_count(KWS)),
    "state in the plan": state(64),
    "state apart": state(-1),
    "subgraphs": branches(),
    "offsets that are no multiple of 16": mixed(chain(), 3, multiple=5),
    "two plans, of which the last holds": replace(
        chain(), offline_plans=((1, 0, 11, *[4096] * 11), (1, 0, 11, *[-1] * 11))
    ),
    **{f"chain {seed}": mixed(chain(3 + seed), seed) for seed in range(8)},
    **{f"keywords {seed}": mixed(KWS, 50 + seed) for seed in range(3)},
}  # fmt: skip


def planned(graph: ModelGraph, folder: Path) -> tuple[Path, MemoryPlan]:
    path = folder / f"{abs(hash(graph.offline_plans))}-{graph.name}.tflite"
    path.write_bytes(write_tflite(graph))
    return path, plan_memory(parse_model(path), HOST)


def test_the_arena_equals_tflms_where_the_model_brings_a_plan(
    tmp_path: Path, tflm_allocations: Callable[[Sequence[Path]], Mapping[Path, Any]]
) -> None:
    made = {name: planned(graph, tmp_path) for name, graph in OBEYED.items()}
    told = tflm_allocations([path for path, _ in made.values()])
    ours = {n: (p.arena_nonpersistent_bytes, p.arena_persistent_bytes) for n, (_, p) in made.items()}
    theirs = {n: (told[path].head, told[path].tail) for n, (path, _) in made.items() if path in told}
    assert ours == theirs


def test_tensors_lie_where_the_plan_puts_them(tmp_path: Path) -> None:
    _, plan = planned(with_plan(chain(1), [320, -1, -1]), tmp_path)
    assert {t.tensor: t.offset for t in plan.tensors} == {0: 320, 1: 0}
    assert plan.arena_nonpersistent_bytes == 320 + 48
    assert plan.arena_basis is Basis.DERIVED
    assert any("1 tensors lie where the memory plan" in told for told in plan.assumptions)


def test_uneven_offsets_are_warned_of(tmp_path: Path) -> None:
    _, plan = planned(with_plan(chain(1), [5, 64, -1]), tmp_path)
    assert any("tensor 0 first" in told and "multiple of 16" in told for told in plan.warnings)


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        ((1, 0), "2 words"),
        ((), "0 words"),
        ((1, 0, 4, 0, 0, 0, 0), "for 4 tensors, the model has 3"),
        ((1, 0, -1, 0, 0, 0), "for -1 tensors"),
        ((1, 0, 3, 0, 0), "ends after 2 of 3 tensors"),
        ((1, 0, 3, -16, 0, 0), "puts tensor 0 at byte -16"),
        ((1, 0, 3, -(2**31), 0, 0), "puts tensor 0 at byte -2147483648"),
        ((1, 0, 3, 2**31 - 16, 0, 0), "counts with 31 bits"),
    ],
)
def test_a_plan_that_cannot_be_obeyed_gets_a_reason_and_no_number(
    plan: tuple[int, ...], reason: str, tmp_path: Path
) -> None:
    _, made = planned(replace(chain(1), offline_plans=(plan,)), tmp_path)
    assert made.arena_bytes is None
    assert made.arena_basis is Basis.UNKNOWN
    assert reason in made.warnings[0]
    assert made.lower_bound_bytes == 40 + 47


def test_a_plan_does_not_hold_for_a_model_that_was_changed() -> None:
    brought = with_plan(chain(1), [320, -1, -1])
    plan = plan_memory(replace(brought, history=("input 1x20",)), HOST)
    assert plan.arena_nonpersistent_bytes == 96
    assert any("does not hold for the changed model" in told for told in plan.assumptions)


def test_a_plan_survives_json_and_an_absent_one_leaves_the_identity_alone() -> None:
    brought = with_plan(chain(1), [320, -1, -1])
    assert graph_from_json(graph_to_json(brought)) == brought
    assert "offline_plans" not in graph_to_json(chain(1))
