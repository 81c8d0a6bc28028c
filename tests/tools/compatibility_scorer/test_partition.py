from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from edgewright.hardware_db import Accelerator, Runtime, load_runtime
from edgewright.hardware_db.schema import Mapped, Partition
from edgewright.tools import deployment, score_compatibility
from edgewright.tools.core.deployment import Deployment
from edgewright.tools.graph import DType, ModelGraph, Op, Subgraph, Tensor
from edgewright.tools.placement.op_placement import Runs
from edgewright.tools.placement.operators import Given, place_operators
from edgewright.tools.placement.partition import mapped, pieces, runs_in_order

Place = Callable[..., Deployment]
Kernels = Callable[..., Runtime]

I8 = DType.INT8
NPU = Accelerator(id="npu", name="NPU", kind="npu", family="made-up")
TAKEN = {"dtypes": ("int8",), "optimized": ("int8",)}


def graph_of(edges: Sequence[tuple[str, tuple[int, ...]]]) -> ModelGraph:
    """Operators as (kind, operators that they read); -1 reads the model's input."""
    tensors = tuple(Tensor(i, f"t{i}", (1, 64), I8) for i in range(len(edges) + 1))
    ops = tuple(
        Op(i, kind, tuple(s + 1 for s in sources), (i + 1,)) for i, (kind, sources) in enumerate(edges)
    )
    main = Subgraph("main", tensors, ops, (0,), (len(edges),))
    return ModelGraph("made up", "tflite", "0" * 64, None, (main,))


def chain(*kinds: str) -> ModelGraph:
    return graph_of([(kind, (i - 1,)) for i, kind in enumerate(kinds)])


def split(how: Mapped, most: int | None = None) -> Partition:
    return Partition(mapped=how, most=most, source="made-up", locator="none")


def kinds_of(graph: ModelGraph) -> list[str]:
    return [op.kind for op in graph.ops]


def test_a_chain_is_cut_where_the_kind_changes() -> None:
    graph = chain("A", "A", "B", "A")
    assert pieces(graph.main, kinds_of(graph)) == (("A", (0, 1)), ("B", (2,)), ("A", (3,)))
    assert runs_in_order(kinds_of(graph)) == pieces(graph.main, kinds_of(graph))


def test_a_branch_that_is_ready_joins_the_piece_before_the_cut() -> None:
    # 0 A feeds 1 B and 2 A; 3 A joins both: only 3 has to wait for B.
    graph = graph_of([("A", (-1,)), ("B", (0,)), ("A", (0,)), ("A", (1, 2))])
    assert pieces(graph.main, kinds_of(graph)) == (("A", (0, 2)), ("B", (1,)), ("A", (3,)))
    assert len(runs_in_order(kinds_of(graph))) == 3


def test_operators_of_a_cycle_are_in_no_piece_and_end_nothing() -> None:
    graph = graph_of([("A", (-1,)), ("A", (2,)), ("A", (1,))])
    assert pieces(graph.main, kinds_of(graph)) == (("A", (0,)),)


def test_a_chain_of_5000_alternating_operators_is_split_quickly() -> None:
    graph = chain(*(["A", "B"] * 2500))
    assert len(pieces(graph.main, kinds_of(graph))) == 5000


@pytest.mark.parametrize(
    ("how", "kept"),
    [
        (None, {0, 2, 3, 4, 6, 7}),
        (split(Mapped.EVERY), {0, 2, 3, 4, 6, 7}),
        (split(Mapped.FRONT), {0}),
        (split(Mapped.LARGEST, 1), {2, 3, 4}),
        (split(Mapped.LARGEST, 2), {2, 3, 4, 6, 7}),
        (split(Mapped.LARGEST), {0, 2, 3, 4, 6, 7}),
    ],
)
def test_runtimes_map_the_front_the_largest_pieces_or_every_piece(
    how: Partition | None, kept: set[int]
) -> None:
    taken = [True, False, True, True, True, False, True, True]
    assert mapped(chain(*"ABAAABAA").main, taken, how) == kept


def test_a_front_begins_at_the_first_operator_that_is_taken() -> None:
    assert mapped(chain(*"BAAB").main, [False, True, True, False], split(Mapped.FRONT)) == {1, 2}


def npu_runtime(runtime: Kernels, how: Partition | None = None) -> Runtime:
    return runtime(
        LOGISTIC=TAKEN, fallback="cpu", fallback_runtimes=("tflm-cmsis-nn",), partition=how,
        runs_on_accelerators=("made-up",),
    )  # fmt: skip


def test_what_lies_behind_the_cut_runs_on_the_cpu_and_says_so(place: Place, runtime: Kernels) -> None:
    where = place(npu_runtime(runtime, split(Mapped.FRONT)), accelerator=NPU)
    placed = place_operators(chain("LOGISTIC", "RELU", "LOGISTIC"), where)
    assert [p.placement.runs for p in placed] == [Runs.ACCELERATED, Runs.FALLBACK, Runs.FALLBACK]
    assert placed[2].placement.reason.endswith("RELU (1) cuts it off.")
    assert "does not take it" not in placed[2].placement.reason
    assert placed[2].placement.processor == "cpu"


def test_segments_hold_every_operator_once_and_shares_that_add_up(place: Place, runtime: Kernels) -> None:
    report = score_compatibility(
        chain("LOGISTIC", "LOGISTIC", "RELU", "LOGISTIC"),
        place(npu_runtime(runtime), accelerator=NPU),
        remedies=False,
    )
    assert [(s.processor, s.first, s.last, s.ops) for s in report.segments] == [
        ("npu", 0, 1, 2), ("cpu", 2, 2, 1), ("npu", 3, 3, 1),
    ]  # fmt: skip


def test_bytes_are_counted_once_for_each_side_that_reads_a_tensor(place: Place, runtime: Kernels) -> None:
    # t1 is made on the NPU and read twice on the CPU; t2 and t3 go back to it.
    graph = graph_of(
        [("LOGISTIC", (-1,)), ("RELU", (0,)), ("RELU", (0,)), ("LOGISTIC", (1,)), ("LOGISTIC", (2,))]
    )
    where = place(npu_runtime(runtime), accelerator=NPU)
    assert score_compatibility(graph, where, remedies=False).transfers_bytes == 3 * 64


def test_without_an_accelerator_nothing_moves_and_nothing_is_compared(place: Place) -> None:
    report = score_compatibility(chain("RELU"), place("tflm-reference"))
    assert (report.transfers_bytes, report.fallback_cost, report.latency_ms) == (0, None, None)
    assert [s.processor for s in report.segments] == ["cpu"]


def test_placements_decided_elsewhere_are_taken_as_they_are(place: Place, runtime: Kernels) -> None:
    where = place(npu_runtime(runtime, split(Mapped.FRONT)), accelerator=NPU)
    given = {0: Given(False, "the window is too wide"), 1: Given(True, "")}
    placed = place_operators(chain("LOGISTIC", "LOGISTIC"), where, given=given)
    assert [p.placement.runs for p in placed] == [Runs.FALLBACK, Runs.ACCELERATED]
    assert "The window is too wide" in placed[0].placement.reason


@pytest.mark.parametrize(
    ("name", "how", "most"),
    [
        ("edgetpu", Mapped.FRONT, None),
        ("tflite-gpu", Mapped.LARGEST, 1),
        ("litert-nnapi", Mapped.LARGEST, 3),
        ("neural-art", Mapped.EVERY, None),
        ("tflm-mvp", Mapped.EVERY, None),
    ],
)
def test_runtimes_split_models_as_their_sources_say(name: str, how: Mapped, most: int | None) -> None:
    partition = load_runtime(name).partition
    assert partition is not None
    assert (partition.mapped, partition.most) == (how, most)
    assert partition.source in load_runtime(name).sources


def test_one_operator_that_the_edge_tpu_refuses_costs_all_that_follows() -> None:
    report = score_compatibility("mobilenet_v3_large", deployment("coral-dev-board", "edgetpu"))
    assert [(s.processor, s.first, s.last) for s in report.segments] == [("npu", 0, 0), ("a53", 1, 132)]
    assert report.fallback_cost is not None
    assert report.fallback_cost.value is not None
    assert report.fallback_cost.value > 10
    best = report.remedies[0]
    assert best.change.startswith("HARD_SWISH: replace it by RELU6")
    assert (best.accelerated, best.fallback_cost.value if best.fallback_cost else None) == (132, 1.0)


def test_what_a_module_leaves_to_its_host_has_no_time_and_names_the_host() -> None:
    report = score_compatibility("mobilenet_v3_large", deployment("coral-usb", "edgetpu"), remedies=False)
    assert report.segments[-1].processor == "host"
    assert report.latency_ms is not None
    assert report.latency_ms.value is None
    assert any("host that is not part of coral-usb" in warning for warning in report.warnings)


def test_the_layers_of_an_estimate_run_where_they_are_placed_and_add_up() -> None:
    from edgewright.tools import estimate_performance

    estimate = estimate_performance("mobilenet_v3_large", deployment("coral-dev-board", "edgetpu"))
    assert {layer.processor for layer in estimate.layers} == {"npu", "a53"}
    assert sum(layer.latency_ms or 0 for layer in estimate.layers) == pytest.approx(estimate.latency_ms.value)
