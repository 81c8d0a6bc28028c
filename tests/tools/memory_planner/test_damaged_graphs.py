"""Graphs that no converter writes: any plan or none, but a reason and never a traceback."""

import random

import pytest

from edgewright.tools.api.memory import plan_memory
from edgewright.tools.core.deployment import Deployment, deployment
from edgewright.tools.graph import DType, ModelGraph, Op, Quantization, Subgraph, Tensor
from edgewright.tools.memory_planner.kernels.tflm_structs import KERNELS

DEPLOYMENTS = [
    deployment("stm32h743zi", "tflm-cmsis-nn"),
    deployment("rp2040", "tflm-reference"),
    deployment("stm32h743zi", "x-cube-ai"),
    deployment("host-x86-64", "litert-xnnpack"),
    deployment("a100-sxm4-80gb", "tensorrt"),
]
KINDS = [*sorted(KERNELS), "CUSTOM", "TILE"]


def damaged(draw: random.Random) -> ModelGraph:
    count = draw.randint(1, 12)
    tensors = tuple(damaged_tensor(i, draw) for i in range(count))
    return ModelGraph(
        "", "tflite", "", 5, tuple(damaged_subgraph(tensors, draw) for _ in range(draw.randint(1, 3)))
    )


def damaged_tensor(index: int, draw: random.Random) -> Tensor:
    return Tensor(
        index,
        "",
        tuple(draw.choice([0, 1, 2, 5, 8, 8, 8, -1]) for _ in range(draw.randint(0, 5))),
        draw.choice(list(DType)) if draw.random() < 0.3 else DType.INT8,
        is_constant=draw.random() < 0.3,
        is_variable=draw.random() < 0.1,
        quantization=Quantization((0.5,) * draw.randint(0, 3), (0,)) if draw.random() < 0.4 else None,
    )


def damaged_subgraph(tensors: tuple[Tensor, ...], draw: random.Random) -> Subgraph:
    def some(most: int, least: int = 0) -> tuple[int, ...]:
        return tuple(draw.randint(least, len(tensors) - 1) for _ in range(draw.randint(0, most)))

    options = (
        "then_subgraph_index",
        "cond_subgraph_index",
        "init_subgraph_index",
        "rank",
        "stride_w",
        "stride_h",
    )
    ops = tuple(
        Op(i, draw.choice(KINDS), some(5, -1), some(2, -1), options={o: draw.randint(-1, 3) for o in options})
        for i in range(draw.randint(0, 6))
    )
    return Subgraph("", tensors, ops, some(2), some(2))


@pytest.mark.parametrize("deployment", DEPLOYMENTS, ids=lambda deployment: deployment.runtime.id)
def test_a_damaged_graph_gets_a_plan_or_a_reason(deployment: Deployment) -> None:
    draw = random.Random(11)
    for _ in range(150):
        plan = plan_memory(damaged(draw), deployment)
        assert (plan.arena_bytes is None) == (plan.arena.value is None)
        assert plan.arena_bytes is not None or plan.warnings
