import pytest

from edgewright.tools.graph import DType, ModelGraph, Op, Subgraph, Tensor
from edgewright.tools.memory_planner.kernels.kernel_call import UnplannableError
from edgewright.tools.memory_planner.liveness import Liveness, liveness


def tensor(index: int, size: int = 4, **more: bool) -> Tensor:
    return Tensor(index, f"t{index}", (size,), DType.INT8, **more)


def subgraph(
    count: int, ops: list[Op], inputs: list[int], outputs: list[int], **kinds: list[int]
) -> Subgraph:
    constants, variables = kinds.get("constants", []), kinds.get("variables", [])
    tensors = tuple(tensor(i, is_constant=i in constants, is_variable=i in variables) for i in range(count))
    return Subgraph("", tensors, tuple(ops), tuple(inputs), tuple(outputs))


def lives(*subgraphs: Subgraph, variables: bool = False) -> Liveness:
    graph = ModelGraph("", "tflite", "", None, subgraphs)
    return liveness(graph, lambda t: t.bytes, variables=variables)


def spans(found: Liveness, of: int = 0) -> dict[int | None, tuple[int, int]]:
    return {b.tensor: (b.first, b.last) for b in found.buffers if b.subgraph == of}


def test_inputs_live_from_the_start_and_outputs_to_the_end() -> None:
    chain = subgraph(
        4, [Op(0, "RELU", (0,), (1,)), Op(1, "RELU", (1,), (2,)), Op(2, "RELU", (2,), (3,))], [0], [1, 3]
    )
    assert spans(lives(chain)) == {0: (0, 1), 1: (1, 3), 2: (2, 3), 3: (3, 3)}


def test_an_input_that_nothing_reads_is_alive_at_the_start_alone() -> None:
    assert spans(lives(subgraph(3, [Op(0, "RELU", (1,), (2,))], [0, 1], [2])))[0] == (0, 0)


def test_constants_and_variables_are_not_planned() -> None:
    found = lives(subgraph(4, [Op(0, "SVDF", (0, 1, 2), (3,))], [0], [3], constants=[1], variables=[2]))
    assert set(spans(found)) == {0, 3}


def test_a_variable_lives_for_good_where_it_is_planned() -> None:
    net = subgraph(4, [Op(0, "RELU", (0,), (1,)), Op(1, "SVDF", (1, 2), (3,))], [0], [3], variables=[2])
    assert spans(lives(net, variables=True))[2] == (0, 2)


def test_a_tensor_that_nothing_touches_counts_for_no_step() -> None:
    found = lives(subgraph(3, [Op(0, "RELU", (0,), (1,))], [0], [1]))
    assert spans(found)[2] == (-1, -1)
    assert found.live_bytes().tolist() == [4, 8]


def test_optional_inputs_are_skipped() -> None:
    assert spans(lives(subgraph(2, [Op(0, "CONV_2D", (0, -1), (1,))], [0], [1]))) == {0: (0, 1), 1: (1, 1)}


def test_what_a_branch_needs_is_alive_while_the_operator_that_calls_it_runs() -> None:
    inner = subgraph(2, [Op(0, "RELU", (0,), (1,))], [0], [1])
    options = {"then_subgraph_index": 1, "else_subgraph_index": 1}
    outer = subgraph(3, [Op(0, "IF", (0, 1), (2,), options=options)], [0, 1], [2])
    found = lives(outer, inner)
    assert spans(found)[1] == (0, 5)
    assert spans(found, of=1) == {0: (2, 5), 1: (3, 5)}
    assert found.op_of_step == (0, 0, 0, 0, 0, 0)


def test_a_subgraph_that_calls_itself_is_no_plan() -> None:
    again = subgraph(1, [Op(0, "CALL_ONCE", (), (), options={"init_subgraph_index": 0})], [0], [0])
    with pytest.raises(UnplannableError, match="subgraph 0 calls itself"):
        lives(again)


def test_calls_that_multiply_end_early() -> None:
    def caller(of: int) -> Subgraph:
        ops = [Op(i, "CALL_ONCE", (), (), options={"init_subgraph_index": of}) for i in range(10)]
        return subgraph(1, ops, [0], [0])

    with pytest.raises(UnplannableError, match="call each other"):
        lives(*(caller(i + 1) for i in range(8)), subgraph(1, [], [0], [0]))


def test_a_call_of_a_subgraph_that_is_not_there_is_no_plan() -> None:
    with pytest.raises(UnplannableError, match="subgraph 7"):
        lives(subgraph(1, [Op(0, "CALL_ONCE", (), (), options={"init_subgraph_index": 7})], [0], [0]))


def test_a_circular_graph_is_no_plan() -> None:
    circle = subgraph(3, [Op(0, "ADD", (0, 2), (1,)), Op(1, "RELU", (1,), (2,))], [0], [2])
    with pytest.raises(UnplannableError, match="operator 0 reads what operator 1 computes later"):
        lives(circle)


def test_a_shape_that_is_open_until_run_time_is_no_plan() -> None:
    unknown = Tensor(1, "", (-1, 8), DType.INT8)
    net = Subgraph("", (tensor(0), unknown), (Op(0, "RELU", (0,), (1,)),), (0,), (1,))
    with pytest.raises(UnplannableError, match=r"tensor 1, \[-1, 8\]"):
        lives(net)


def test_text_has_no_size_to_plan() -> None:
    net = Subgraph("", (Tensor(0, "", (3,), DType.STRING),), (), (0,), (0,))
    with pytest.raises(UnplannableError, match="string"):
        lives(net)
