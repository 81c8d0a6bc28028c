from __future__ import annotations

import pytest

from edgewright.tools.api.memory import plan_memory
from edgewright.tools.core.deployment import deployment
from edgewright.tools.core.quantity import Basis
from edgewright.tools.graph import DType, ModelGraph, Op, Subgraph, Tensor
from edgewright.tools.memory_planner.memory_plan import MemoryPlan


def chain(*sizes: int) -> ModelGraph:
    tensors = tuple(Tensor(i, "t", (size,), DType.INT8) for i, size in enumerate(sizes))
    ops = tuple(Op(i, "RELU", (i,), (i + 1,)) for i in range(len(sizes) - 1))
    return ModelGraph("chain", "tflite", "", 1, (Subgraph("", tensors, ops, (0,), (len(ops),)),))


def compiled(*sizes: int) -> MemoryPlan:
    return plan_memory(chain(*sizes), deployment("stm32h743zi", "tinyengine"))


def test_a_compilers_arena_lies_between_what_is_live_and_a_packing_with_slack() -> None:
    plan = compiled(100, 400, 200, 50)
    assert plan.lower_bound_bytes == 400  # RELU may write over its input
    assert plan.arena_bytes == 400 + 200
    assert plan.arena.low is not None
    assert plan.arena.high is not None
    assert plan.lower_bound_bytes <= plan.arena.low <= (plan.arena_bytes or 0) < plan.arena.high
    assert plan.arena_basis is Basis.ASSUMED
    assert any("placement is not modelled" in told for told in plan.assumptions)


def test_tensors_that_are_never_live_together_share_memory() -> None:
    assert compiled(300, 300, 300, 300, 300).arena_bytes == 600


def test_code_of_a_compiled_model_is_taken_from_programs_for_microcontrollers_alone() -> None:
    net = chain(8, 8)
    assert compiled(8, 8).code_bytes
    assert plan_memory(net, deployment("rk3588", "rknn")).code_bytes is None


@pytest.mark.parametrize("runtime", ["tinyengine", "microtvm", "edge-impulse-eon", "plumerai"])
def test_whether_a_compiled_model_fits_a_microcontroller_is_decided(runtime: str) -> None:
    where = deployment("stm32h743zi", runtime)
    assert plan_memory("kws", where).fits is True
    assert plan_memory("resnet50", where).fits is False
