"""The best order and packing: against every order of small graphs, and against TensorFlow Lite Micro itself."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgewright.hardware_db.errors import UsageError
from edgewright.tools.api.memory import best_memory_order, plan_memory
from edgewright.tools.core.deployment import deployment
from edgewright.tools.graph import DType, ModelGraph, Op, Quantization, Subgraph, Tensor
from edgewright.tools.memory_planner.arena import plain_liveness
from edgewright.tools.memory_planner.order.best_order import reordered
from edgewright.tools.memory_planner.order.problem import OrderProblem, order_problem
from edgewright.tools.memory_planner.order.search import as_late_as_possible, find_order
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.model_zoo.named import build_architecture

HOST = deployment("host-x86-64", "tflm-reference")
UNIT = Quantization((1.0,), (0,))
EVERY_PLANNER = [
    HOST,
    deployment("stm32h743zi", "x-cube-ai"),
    deployment("host-x86-64", "litert-xnnpack"),
    deployment("a100-sxm4-80gb", "tensorrt"),
]


def graph_of(sizes: Sequence[int], reads: Sequence[tuple[int, ...]], outputs: Sequence[int]) -> ModelGraph:
    """Tensor 0 is the input; operator i concatenates tensors to tensor i + 1."""
    tensors = tuple(Tensor(i, f"t{i}", (1, n), DType.INT8, quantization=UNIT) for i, n in enumerate(sizes))
    ops = tuple(Op(i, "CONCATENATION", read, (i + 1,), options={"axis": 1}) for i, read in enumerate(reads))
    return ModelGraph("made", "architecture", "0", None, (Subgraph("", tensors, ops, (0,), tuple(outputs)),))


def two_branches(narrow: int = 16, wide: int = 4096) -> ModelGraph:
    """Both wide tensors come before either is narrowed: the worst order."""
    tensors = [
        Tensor(0, "x", (1, narrow), DType.INT8, quantization=UNIT),
        *(Tensor(i, "w", (1, wide), DType.INT8, quantization=UNIT) for i in (1, 2)),
        *(Tensor(i, "n", (1, 1), DType.INT8, quantization=UNIT) for i in (3, 4)),
        Tensor(5, "y", (1, 2), DType.INT8, quantization=UNIT),
        Tensor(6, "pads", (2, 2), DType.INT32, 16, is_constant=True, values=(0, 0, 0, wide - narrow)),
        Tensor(7, "begin", (2,), DType.INT32, 8, is_constant=True, values=(0, 0)),
        Tensor(8, "end", (2,), DType.INT32, 8, is_constant=True, values=(1, 1)),
        Tensor(9, "step", (2,), DType.INT32, 8, is_constant=True, values=(1, 1)),
    ]
    ops = (
        Op(0, "PAD", (0, 6), (1,)),
        Op(1, "PAD", (0, 6), (2,)),
        Op(2, "STRIDED_SLICE", (1, 7, 8, 9), (3,)),
        Op(3, "STRIDED_SLICE", (2, 7, 8, 9), (4,)),
        Op(4, "CONCATENATION", (3, 4), (5,), options={"axis": 1}),
    )
    return ModelGraph("branches", "architecture", "0", None, (Subgraph("", tuple(tensors), ops, (0,), (5,)),))


@st.composite
def graphs(draw: st.DrawFn) -> ModelGraph:
    count = draw(st.integers(1, 7))
    sizes = draw(st.lists(st.integers(1, 300), min_size=count + 1, max_size=count + 1))
    reads = [
        tuple(draw(st.lists(st.integers(0, i), min_size=1, max_size=3, unique=True))) for i in range(count)
    ]
    outputs = draw(st.sets(st.integers(1, count), min_size=1, max_size=3))
    return graph_of(sizes, reads, sorted(outputs))


def lowest_peak_of_all_orders(problem: OrderProblem) -> int:
    orders = itertools.permutations(range(len(problem.before)))
    return min(problem.peak(order) for order in orders if problem.is_valid(order))


@settings(max_examples=60, deadline=None)
@given(graphs(), st.booleans())
def test_no_order_of_a_small_graph_needs_less_than_the_one_found(graph: ModelGraph, keeps: bool) -> None:
    problem = order_problem(graph, plain_liveness(graph), 16, keeps_inputs=keeps)
    found = find_order(problem, 10)
    assert problem.is_valid(found.order)
    assert problem.peak(found.order) == found.peak == lowest_peak_of_all_orders(problem)
    assert found.is_proven


@settings(max_examples=40, deadline=None)
@given(graphs())
def test_a_search_without_time_gives_a_valid_order_and_a_true_bound(graph: ModelGraph) -> None:
    problem = order_problem(graph, plain_liveness(graph), 16)
    found = find_order(problem, 1e-9)
    assert problem.is_valid(found.order)
    assert (
        found.bound <= lowest_peak_of_all_orders(problem) <= found.peak <= problem.peak(range(len(graph.ops)))
    )


@settings(max_examples=40, deadline=None)
@given(graphs())
def test_the_peak_of_an_order_is_that_of_the_reordered_graph(graph: ModelGraph) -> None:
    problem = order_problem(graph, plain_liveness(graph), 1)
    order = as_late_as_possible(problem)
    assert problem.is_valid(order)
    assert problem.peak(order) == int(plain_liveness(reordered(graph, order)).live_bytes().max())


def test_wide_branches_are_narrowed_one_after_the_other() -> None:
    report = best_memory_order(two_branches(), HOST)
    assert report.before is not None
    assert report.after is not None
    assert report.before.peak_bytes == 2 * 4096 + 16
    assert report.after.peak_bytes == 4096 + 2 * 16
    assert report.order_is_proven
    assert report.saved_by_order_bytes == report.before.arena_bytes - report.after.arena_bytes > 4000
    assert "would save 3.98 KiB" in report.advice


Allocate = Callable[[Sequence[Path]], Mapping[Path, Any]]


def test_tflite_micro_takes_the_promised_arena_for_the_new_order_and_for_the_plan(
    tmp_path: Path, tflm_allocations: Allocate
) -> None:
    promised: dict[Path, int] = {}
    for name, graph in {"branches": two_branches(), "vww": build_architecture("vww", dtype="int8")}.items():
        report = best_memory_order(graph, HOST)
        assert report.before is not None
        assert report.after is not None
        assert report.after.packed_bytes is not None
        better = replace(reordered(graph, report.order), history=())
        planned = replace(better, offline_plans=(report.offline_plan,) if report.offline_plan else ())
        for kind, variant, arena in (
            ("before", graph, report.before.arena_bytes),
            ("after", better, report.after.arena_bytes),
            ("packed", planned, report.after.packed_bytes),
        ):
            path = tmp_path / f"{name}-{kind}.tflite"
            path.write_bytes(write_tflite(variant))
            promised[path] = arena
    found = tflm_allocations(list(promised))
    assert {path: found[path].head for path in promised} == promised


def test_the_reordered_model_computes_the_same(tmp_path: Path) -> None:
    runtime = pytest.importorskip("tflite_micro.python.tflite_micro.runtime")
    import numpy as np

    graph = two_branches()
    better = reordered(graph, best_memory_order(graph, HOST).order)
    data = np.arange(-8, 8, dtype=np.int8).reshape(1, 16)
    results = []
    for variant in (graph, better):
        interpreter = runtime.Interpreter.from_bytes(write_tflite(variant), arena_size=1 << 20)
        interpreter.set_input(data, 0)
        interpreter.invoke()
        results.append(interpreter.get_output(0).tolist())
    assert results[0] == results[1] == [[-8, -8]]


def test_the_visual_wake_word_network_could_be_packed_a_quarter_lower_than_the_greedy_planner_packs_it() -> (
    None
):
    report = best_memory_order(build_architecture("vww", dtype="int8"), HOST)
    assert report.after is not None
    assert report.after.arena_bytes == 73728
    assert report.after.packed_bytes == report.after.packed_bound_bytes == 55296
    assert report.packing_is_proven
    assert report.offline_plan[:3] == (1, 0, len(report.offline_plan) - 3)
    assert "metadata would save 18 KiB." in report.advice


@pytest.mark.parametrize("where", EVERY_PLANNER, ids=lambda deployment: deployment.runtime.id)
def test_figures_before_are_those_of_the_memory_plan(where: Any) -> None:
    for name in ("kws", "ic"):
        graph = build_architecture(name, dtype="int8")
        report, plan = best_memory_order(graph, where), plan_memory(graph, where)
        assert report.before is not None
        assert report.after is not None
        assert report.before.arena_bytes == plan.arena_nonpersistent_bytes
        assert (report.peak_bound_bytes or 0) <= report.after.peak_bytes <= report.before.peak_bytes
        if report.after.packed_bytes is not None:
            assert report.after.packed_bytes <= report.after.arena_bytes


def test_operators_that_keep_state_stay_in_order() -> None:
    tensors = tuple(Tensor(i, "", (1, 8), DType.INT8, is_variable=i == 3) for i in range(5))
    ops = (
        Op(0, "RELU", (0,), (1,)),
        Op(1, "ASSIGN_VARIABLE", (3, 1), ()),
        Op(2, "READ_VARIABLE", (3,), (2,)),
        Op(3, "ADD", (0, 2), (4,)),
    )
    graph = ModelGraph("", "tflite", "", 1, (Subgraph("", tensors, ops, (0,), (4,)),))
    problem = order_problem(graph, plain_liveness(graph), 1)
    assert problem.before == ((), (0,), (1,), (2,))


def test_hundreds_of_branches_end_within_the_time_limit_with_a_bound() -> None:
    wide = [1 + (37 * i) % 500 for i in range(400)]
    reads: list[tuple[int, ...]] = [(0,)] * 400
    sizes = [100, *wide]
    for i in range(0, 400, 2):
        reads.append((i + 1, (i + 7) % 400 + 1))
        sizes.append(1 + (11 * i) % 90)
    graph = graph_of([*sizes, 10], [*reads, tuple(range(401, 601))], [601])
    report = best_memory_order(graph, HOST, time_limit_s=0.5)
    assert report.after is not None
    assert report.before is not None
    assert (report.peak_bound_bytes or 0) <= report.after.peak_bytes < report.before.peak_bytes


def test_an_interrupt_gives_the_best_found_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("edgewright.tools.memory_planner.order.search._beam", interrupted)
    sizes = [8, 100, 60, 70, 20, 90, 30, 10]
    graph = graph_of(sizes, [(0,), (0,), (1,), (2,), (0, 3), (5, 4), (6,)], [7])
    problem = order_problem(graph, plain_liveness(graph), 1)
    found = find_order(problem, 10)
    assert problem.is_valid(found.order)
    assert found.bound <= found.peak


def test_a_model_that_cannot_be_planned_gets_a_reason_and_no_figure() -> None:
    tensors = (Tensor(0, "", (-1, 8), DType.INT8), Tensor(1, "", (-1, 8), DType.INT8))
    graph = ModelGraph(
        "", "tflite", "0", 1, (Subgraph("", tensors, (Op(0, "RELU", (0,), (1,)),), (0,), (1,)),)
    )
    report = best_memory_order(graph, HOST)
    assert (report.before, report.after, report.peak_bound_bytes) == (None, None, None)
    assert "not known before the model runs" in report.warnings[0]


def test_a_time_limit_of_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="leaves no time"):
        best_memory_order("kws", HOST, time_limit_s=0)


def test_the_search_tells_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    best_memory_order(two_branches(), HOST, progress=told.append)
    assert any("buffers" in line for line in told)
