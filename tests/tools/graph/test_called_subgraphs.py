from __future__ import annotations

from collections.abc import Sequence

import pytest

from edgewright.tools.graph import DType, ModelGraph, Op, Subgraph, Tensor
from edgewright.tools.graph.costs.table import layer_table
from edgewright.tools.graph.layer_table import LayerTable
from stubs.work import calls_in

TENSORS = (Tensor(0, "x", (1, 4), DType.INT8), Tensor(1, "y", (1, 4), DType.INT8))


def subgraph(*ops: Op) -> Subgraph:
    return Subgraph("", TENSORS, ops, (0,), (1,))


def call(index: int, number: int) -> Op:
    return Op(index, "CALL", (0,), (1,), options={"subgraph": number})


def table_of(subgraphs: Sequence[Subgraph]) -> LayerTable:
    return layer_table(ModelGraph("calls", "architecture", "", None, tuple(subgraphs)))


def negation(index: int) -> Op:
    return Op(index, "NEG", (0,), (1,))


def test_a_call_costs_what_its_subgraph_does() -> None:
    table = table_of([subgraph(call(0, 1)), subgraph(negation(0), negation(1))])
    assert table.element_ops[0] == 8
    assert (table.input_bytes[0], table.output_bytes[0]) == (8, 8)


def test_what_is_called_once_costs_an_inference_nothing() -> None:
    once = Op(0, "CALL_ONCE", (), (), options={"init_subgraph_index": 1})
    table = table_of([subgraph(once), subgraph(negation(0))])
    assert table.counted[0]
    assert table.traffic_bytes[0] == table.element_ops[0] == 0


@pytest.mark.parametrize(
    ("kind", "reason"), [("IF", "branch"), ("WHILE", "how often"), ("TOPK_V2", "the data")]
)
def test_work_that_the_run_decides_is_not_counted(kind: str, reason: str) -> None:
    table = table_of([subgraph(Op(0, kind, (0,), (1,)))])
    assert not table.counted[0]
    assert reason in table.uncounted[0][1]


def test_a_call_of_something_uncountable_names_the_operator_in_it() -> None:
    table = table_of([subgraph(call(0, 1)), subgraph(negation(0), Op(1, "WHILE", (0,), (1,)))])
    assert "operator 1 of subgraph 1" in table.uncounted[0][1]


@pytest.mark.parametrize("number", [-1, 0, 7])
def test_a_call_that_leads_nowhere_is_not_counted(number: int) -> None:
    assert not table_of([subgraph(call(0, number))]).counted[0]


def test_subgraphs_that_call_each_other_are_not_counted() -> None:
    table = table_of([subgraph(call(0, 1)), subgraph(call(0, 2)), subgraph(call(0, 1))])
    assert "calls itself" in table.uncounted[0][1]


def test_a_tree_of_calls_is_costed_without_walking_all_its_paths() -> None:
    chain = [subgraph(call(0, i + 1), call(1, i + 1)) for i in range(20)]
    tree = [*chain, subgraph(negation(0))]
    table = table_of(tree)
    assert calls_in(lambda: table_of(tree)) < 5_000
    assert table.element_ops.sum() == 4 * 2**20


def test_calls_without_end_are_not_followed() -> None:
    table = table_of([subgraph(call(0, i + 1)) for i in range(5000)])
    assert "deep" in table.uncounted[0][1]


def test_shapes_beyond_belief_are_not_counted() -> None:
    huge = (2**31 - 1,) * 4
    tensors = (Tensor(0, "x", huge, DType.INT8), Tensor(1, "y", huge, DType.INT8))
    graph = ModelGraph("huge", "architecture", "", None, (Subgraph("", tensors, (negation(0),), (0,), (1,)),))
    table = layer_table(graph)
    assert not table.counted[0]
    assert table.traffic_bytes[0] == 0


def counter(limit: int, step: int = 1, test: str = "LESS") -> Sequence[Subgraph]:
    """A loop of TFLite that counts from 0 to `limit` and negates four numbers on each turn."""

    def number(index: int, *values: int) -> Tensor:
        return Tensor(index, "", (), DType.INT32, is_constant=bool(values), values=values or None)

    go = Tensor(2, "", (), DType.BOOL)
    loop = Op(0, "WHILE", (0, 1), (2, 3), options={"cond_subgraph_index": 1, "body_subgraph_index": 2})
    data, made = (Tensor(i, "", (1, 4), DType.INT8) for i in (1, 3))
    return (
        Subgraph("", (number(0, 0), data, number(2), made), (loop,), (1,), (3,)),
        Subgraph("", (number(0), data, go, number(3, limit)), (Op(0, test, (0, 3), (2,)),), (0, 1), (2,)),
        Subgraph(
            "",
            (number(0), data, number(2), made, number(4, step)),
            (Op(0, "ADD", (0, 4), (2,)), Op(1, "NEG", (1,), (3,))),
            (0, 1),
            (2, 3),
        ),
    )


@pytest.mark.parametrize(("test", "turns"), [("LESS", 10), ("LESS_EQUAL", 11)])
def test_a_loop_that_counts_to_a_constant_costs_its_body_so_many_times(test: str, turns: int) -> None:
    table = table_of(counter(10, test=test))
    assert table.counted[0]
    assert table.element_ops[0] == turns * (4 + 1 + 1)


def test_a_loop_that_counts_otherwise_says_what_a_turn_costs() -> None:
    table = table_of(counter(10, step=3))
    assert "known only at run time; a turn is 6 operations" in table.uncounted[0][1]


def test_of_a_branch_the_larger_is_counted_and_the_range_is_said() -> None:
    either = Op(0, "IF", (0,), (1,), options={"then_subgraph_index": 1, "else_subgraph_index": 2})
    table = table_of([subgraph(either), subgraph(negation(0)), subgraph(negation(0), negation(1))])
    assert table.element_ops[0] == 8
    assert table.notes == ((0, "a branch of 4 to 8 operations on elements: the larger is counted"),)
