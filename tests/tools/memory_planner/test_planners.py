from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgewright.tools.api.memory import plan_memory
from edgewright.tools.core.deployment import deployment
from edgewright.tools.graph import DType, ModelGraph, Op, Subgraph, Tensor
from edgewright.tools.memory_planner.litert.arena import litert_offsets
from edgewright.tools.memory_planner.liveness import Buffer
from edgewright.tools.memory_planner.tflm.greedy import greedy_offsets
from stubs.work import HALF_THE_SQUARE, times_as_long

STEPS = 30


def buffer(size: int, first: int, last: int, tensor: int = 0) -> Buffer:
    return Buffer(0, tensor, -1, size, first, last)


def test_equals_are_placed_last_added_first() -> None:
    assert greedy_offsets([buffer(64, 0, 1), buffer(64, 0, 1), buffer(64, 0, 1)], 16).tolist() == [128, 64, 0]


def test_the_largest_goes_first_and_small_ones_fill_the_gaps() -> None:
    found = greedy_offsets([buffer(10, 0, 2), buffer(100, 0, 0), buffer(30, 1, 1), buffer(50, 1, 2)], 1)
    assert found.tolist() == [100, 0, 50, 0]


def test_offsets_are_multiples_of_the_alignment() -> None:
    assert greedy_offsets([buffer(17, 0, 0), buffer(1, 0, 0)], 16).tolist() == [0, 32]


spans = st.tuples(st.integers(1, 500), st.integers(0, STEPS), st.integers(0, 8)).map(
    lambda drawn: buffer(drawn[0], drawn[1], min(STEPS, drawn[1] + drawn[2]))
)


@settings(max_examples=60, deadline=None)
@given(st.lists(spans, min_size=1, max_size=40), st.sampled_from([1, 16, 64]))
def test_no_two_buffers_share_memory_at_the_same_time(buffers: list[Buffer], alignment: int) -> None:
    graph = ModelGraph("", "tflite", "", None, (Subgraph("", (), (), (), ()),))
    for offsets in (greedy_offsets(buffers, alignment), litert_offsets(graph, buffers, STEPS + 1, alignment)):
        assert not (np.array(offsets) % alignment).any()
        held = np.zeros(
            (STEPS + 1, int(max(o + b.bytes for o, b in zip(offsets, buffers, strict=True)))), dtype=int
        )
        for offset, placed in zip(offsets, buffers, strict=True):
            held[placed.first : placed.last + 1, offset : offset + placed.bytes] += 1
        assert held.max() == 1


def chain(count: int) -> ModelGraph:
    draw = np.random.default_rng(3)
    tensors = tuple(
        Tensor(i, "t", (int(n),), DType.INT8) for i, n in enumerate(draw.integers(1, 3000, count + 1))
    )
    back = draw.integers(0, 40, count)
    ops = tuple(Op(i, "ADD", (i, max(0, i - int(back[i]))), (i + 1,)) for i in range(count))
    return ModelGraph("chain", "tflite", "", 1, (Subgraph("", tensors, ops, (0,), (count,)),))


@pytest.mark.parametrize("runtime", ["tflm-cmsis-nn", "x-cube-ai"])
def test_five_thousand_operators_are_planned_in_linear_time(runtime: str) -> None:
    where = deployment("stm32h743zi", runtime)

    def planning(count: int) -> Callable[[], object]:
        graph = chain(count)
        return lambda: plan_memory(graph, where)

    assert plan_memory(chain(5000), where).arena_nonpersistent_bytes is not None
    assert times_as_long(planning, 5000, HALF_THE_SQUARE) <= HALF_THE_SQUARE


def test_litert_never_overwrites_the_models_inputs() -> None:
    ops = (Op(0, "RELU", (0,), (1,)), Op(1, "RELU", (1,), (2,)), Op(2, "RELU", (2,), (3,)))
    tensors = tuple(Tensor(i, "", (100,), DType.INT8) for i in range(4))
    graph = ModelGraph("", "tflite", "", 1, (Subgraph("", tensors, ops, (0,), (3,)),))
    plan = plan_memory(graph, deployment("host-x86-64", "litert-xnnpack"))
    offsets = {t.tensor: t.offset for t in plan.tensors}
    assert offsets[0] not in (offsets[2], offsets[3])
    assert plan.arena_bytes == 2 * 128 + 100
    assert plan.lower_bound_bytes == 200
