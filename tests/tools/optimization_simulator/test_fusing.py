import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools.graph import ModelGraph
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.graph.costs.table import layer_table
from edgewright.tools.graph.shapes.propagate import propagate_shapes
from edgewright.tools.optimization_simulator.techniques.structure.activations import rectified
from edgewright.tools.optimization_simulator.techniques.structure.fusing import fused


def kinds(graph: ModelGraph) -> list[str]:
    assert propagate_shapes(graph) == tuple(t.shape for t in graph.tensors)
    return [op.kind for op in graph.ops]


def activation(graph: ModelGraph, op: int = 0) -> str:
    return graph.ops[op].option_str("fused_activation_function", "NONE")


def test_batch_normalisation_and_the_rectifier_after_it_go_into_the_convolution() -> None:
    b = GraphBuilder("bn")
    x = b.conv2d(b.input((1, 8, 8, 3)), 16, 3)
    scaled = b.arithmetic("MUL", x, b.constant("gamma", (16,)))
    shifted = b.arithmetic("ADD", scaled, b.constant("beta", (16,)))
    graph = b.build([b.unary("RELU6", shifted)])
    made = fused(graph)
    assert kinds(made) == ["CONV_2D"]
    assert activation(made) == "RELU6"
    assert layer_table(made).total_macs == layer_table(graph).total_macs
    assert made.outputs[0].name_untrusted == graph.outputs[0].name_untrusted


def test_a_folded_addition_gives_a_layer_without_bias_one() -> None:
    b = GraphBuilder("no bias")
    x = b.input((1, 8, 8, 3))
    w = b.constant("w", (16, 1, 1, 3))
    options = {"padding": "SAME", "stride_h": 1, "stride_w": 1, "fused_activation_function": "NONE"}
    y = b.op("CONV_2D", (x, w), (1, 8, 8, 16), options)
    made = fused(b.build([b.arithmetic("ADD", y, b.constant("beta", (16,)))]), "bn")
    assert kinds(made) == ["CONV_2D"]
    assert made.tensors[made.ops[0].inputs[2]].shape == (16,)


def test_a_constant_that_differs_from_pixel_to_pixel_is_not_folded() -> None:
    b = GraphBuilder("positions")
    x = b.conv2d(b.input((1, 8, 8, 3)), 16, 3)
    with pytest.raises(UsageError, match="nothing to fuse"):
        fused(b.build([b.arithmetic("ADD", x, b.constant("position", (1, 8, 8, 16)))]))


def test_what_is_read_twice_is_not_folded() -> None:
    b = GraphBuilder("twice")
    x = b.conv2d(b.input((1, 8, 8, 3)), 16, 3)
    graph = b.build([b.add(x, b.unary("RELU", x))])
    with pytest.raises(UsageError, match="nothing to fuse"):
        fused(graph)


def test_a_rectifier_after_another_activation_stays() -> None:
    b = GraphBuilder("clamped")
    x = b.conv2d(b.input((1, 8, 8, 3)), 16, 3, activation="RELU")
    with pytest.raises(UsageError, match="nothing to fuse"):
        fused(b.build([b.unary("RELU6", x)]), "activations")


@pytest.mark.parametrize(
    ("side", "pads", "is_same"), [(8, (0, 1), True), (8, (1, 1), False), (9, (1, 1), True)]
)
def test_padding_goes_only_where_it_is_that_of_same(side: int, pads: tuple[int, int], is_same: bool) -> None:
    b = GraphBuilder("padded")
    x = b.input((1, side, side, 3))
    padded = b.pad(x, ((0, 0), pads, pads, (0, 0)))
    graph = b.build([b.conv2d(padded, 8, 3, stride=2, padding="VALID")])
    if not is_same:
        with pytest.raises(UsageError, match="equals SAME"):
            fused(graph, "pad")
        return
    made = fused(graph, "pad")
    assert kinds(made) == ["CONV_2D"]
    assert made.outputs[0].shape == graph.outputs[0].shape


def test_reshapes_that_follow_each_other_become_one() -> None:
    b = GraphBuilder("reshapes")
    x = b.unary("RELU", b.input((1, 4, 4, 6)))
    graph = b.build([b.reshape(b.reshape(x, (1, 16, 6)), (1, 96))])
    made = fused(graph)
    assert kinds(made) == ["RELU", "RESHAPE"]
    assert made.outputs[0].shape == (1, 96)


def test_transposes_that_undo_each_other_go_and_others_become_one() -> None:
    b = GraphBuilder("transposes")
    x = b.unary("RELU", b.input((1, 4, 5, 6)))
    there = b.transpose(x, (0, 3, 1, 2))
    assert kinds(fused(b.build([b.unary("ABS", b.transpose(there, (0, 2, 3, 1)))]))) == ["RELU", "ABS"]
    b = GraphBuilder("transposes")
    x = b.unary("RELU", b.input((1, 4, 5, 6)))
    made = fused(b.build([b.transpose(b.transpose(x, (0, 3, 1, 2)), (0, 3, 1, 2))]))
    assert kinds(made) == ["RELU", "TRANSPOSE"]
    assert made.outputs[0].shape == (1, 5, 6, 4)


def test_a_swish_of_two_operators_becomes_a_rectifier_done_by_the_layer_before_it() -> None:
    b = GraphBuilder("swish")
    x = b.conv2d(b.input((1, 8, 8, 3)), 16, 3)
    graph = b.build([b.arithmetic("MUL", x, b.unary("LOGISTIC", x))])
    made = rectified(graph, "RELU6")
    assert kinds(made) == ["CONV_2D"]
    assert activation(made) == "RELU6"


def test_a_gate_of_squeeze_and_excitation_is_no_swish() -> None:
    b = GraphBuilder("gate")
    x = b.conv2d(b.input((1, 8, 8, 3)), 16, 3)
    gate = b.unary("LOGISTIC", b.conv2d(b.mean(x, keep_dims=True), 16, 1))
    with pytest.raises(UsageError, match="no HARD_SWISH"):
        rectified(b.build([b.arithmetic("MUL", x, gate)]), "RELU6")


def test_a_named_activation_alone_is_replaced() -> None:
    b = GraphBuilder("two")
    x = b.unary("HARD_SWISH", b.conv2d(b.input((1, 8, 8, 3)), 16, 3))
    graph = b.build([b.unary("HARD_SWISH", b.conv2d(x, 16, 3))])
    assert kinds(rectified(graph, "RELU", (3,))) == ["CONV_2D", "HARD_SWISH", "CONV_2D"]
    with pytest.raises(UsageError, match=r"Layer 2 is a CONV_2D.*layer 1 \(HARD_SWISH\), 3"):
        rectified(graph, "RELU", (2,))
