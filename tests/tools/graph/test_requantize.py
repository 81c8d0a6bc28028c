from dataclasses import replace

import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools.graph import DType, ModelGraph, Quantization, Signature
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.graph.costs.table import layer_table
from edgewright.tools.graph.requantize import to_float16, to_int8
from edgewright.tools.graph.serialize import graph_from_json, graph_sha256, graph_to_json


def small() -> ModelGraph:
    b = GraphBuilder("small")
    x = b.input((1, 8, 8, 3))
    x = b.conv2d(x, 16, 3, activation="RELU")
    x = b.depthwise_conv2d(x, 3, activation="RELU6")
    x = b.average_pool2d(x, 8)
    return b.build([b.softmax(b.fully_connected(b.flatten(x), 10))])


def scale(graph: ModelGraph, tensor: int) -> Quantization:
    found = graph.tensors[tensor].quantization
    assert found is not None
    return found


def kinds(graph: ModelGraph) -> list[str]:
    return [op.kind for op in graph.ops]


def test_weights_are_per_output_channel_in_convolutions_and_per_tensor_in_dense_layers() -> None:
    graph = to_int8(small())
    conv, depthwise, dense = (next(op for op in graph.ops if op.kind == kind) for kind in
                              ("CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED"))  # fmt: skip
    assert (len(scale(graph, conv.inputs[1]).scales), scale(graph, conv.inputs[1]).axis) == (16, 0)
    assert (len(scale(graph, depthwise.inputs[1]).scales), scale(graph, depthwise.inputs[1]).axis) == (16, 3)
    assert len(scale(graph, dense.inputs[1]).scales) == 1
    assert all(graph.tensors[op.inputs[1]].dtype is DType.INT8 for op in (conv, depthwise, dense))


def test_a_bias_is_int32_at_the_product_of_the_scales_of_data_and_weights() -> None:
    graph = to_int8(small())
    conv = graph.ops[0]
    data, weights, bias = (scale(graph, i) for i in conv.inputs)
    assert graph.tensors[conv.inputs[2]].dtype is DType.INT32
    assert bias.scales == pytest.approx([data.scales[0] * s for s in weights.scales], rel=1e-6)
    assert set(bias.zero_points) == {0}


def test_outputs_of_known_range_have_the_scale_of_the_specification() -> None:
    b = GraphBuilder("ranges")
    x = b.input((1, 10))
    graph = to_int8(b.build([b.softmax(x), b.unary("LOGISTIC", x), b.unary("TANH", x)]))
    found = [scale(graph, i) for i in graph.main.outputs]
    assert [(s.scales, s.zero_points) for s in found] == [
        ((1 / 256,), (-128,)), ((1 / 256,), (-128,)), ((1 / 128,), (0,)),
    ]  # fmt: skip


def test_pooling_and_reshaping_carry_their_input_s_scale() -> None:
    graph = to_int8(small())
    for op in graph.ops:
        if op.kind in {"AVERAGE_POOL_2D", "RESHAPE"}:
            assert scale(graph, op.inputs[0]) == scale(graph, op.outputs[0])


def test_all_parts_of_a_concatenation_get_one_scale() -> None:
    b = GraphBuilder("concat")
    x = b.input((1, 8, 8, 3))
    parts = [b.conv2d(x, 4, 1), b.conv2d(x, 4, 1, activation="RELU"), b.unary("LOGISTIC", b.conv2d(x, 4, 1))]
    graph = to_int8(b.build([b.concat(parts)]))
    concat = graph.ops[-1]
    assert {scale(graph, i) for i in concat.inputs} == {scale(graph, concat.outputs[0])}
    assert "QUANTIZE" not in kinds(graph)


def test_two_fixed_ranges_meet_through_a_requantisation() -> None:
    b = GraphBuilder("fixed")
    x = b.input((1, 8))
    graph = to_int8(b.build([b.concat([b.unary("LOGISTIC", x), b.unary("TANH", x)])]))
    assert kinds(graph) == ["LOGISTIC", "TANH", "QUANTIZE", "CONCATENATION"]
    assert len({scale(graph, i) for i in graph.ops[-1].inputs}) == 1


def test_an_operator_without_int8_kernel_stays_in_float_between_conversions() -> None:
    b = GraphBuilder("cosine")
    x = b.conv2d(b.input((1, 8, 8, 3)), 4, 1)
    graph = to_int8(b.build([b.conv2d(b.unary("COS", x), 2, 1)]))
    assert kinds(graph) == ["CONV_2D", "DEQUANTIZE", "COS", "QUANTIZE", "CONV_2D"]
    cosine = graph.ops[2]
    assert {graph.tensors[i].dtype for i in (*cosine.inputs, *cosine.outputs)} == {DType.FLOAT32}


def test_float_inputs_and_outputs_cost_a_conversion_at_each_end() -> None:
    graph = to_int8(small(), float_io=True)
    assert kinds(graph)[0] == "QUANTIZE"
    assert kinds(graph)[-1] == "DEQUANTIZE"
    assert graph.inputs[0].dtype is graph.outputs[0].dtype is DType.FLOAT32
    assert len(graph.ops) == len(small().ops) + 2


def test_a_signature_follows_the_output_to_its_conversion() -> None:
    graph = small()
    named = Signature("serving", 0, (("x", graph.main.inputs[0]),), (("y", graph.main.outputs[0]),))
    quantized = to_int8(replace(graph, signatures=(named,)), float_io=True)
    assert quantized.signatures[0].outputs_untrusted == (("y", quantized.main.outputs[0]),)


def test_a_constant_that_a_float_operator_reads_too_is_kept_in_both_types() -> None:
    b = GraphBuilder("shared")
    x = b.input((1, 4))
    factor = b.constant("factor", (1, 4))
    product = b.arithmetic("MUL", x, factor)
    power = b.op("POW", (x, factor), (1, 4))
    graph = to_int8(b.build([b.add(product, power)]))
    by_kind = {op.kind: op for op in graph.ops}
    assert graph.tensors[by_kind["POW"].inputs[1]].dtype is DType.FLOAT32
    assert graph.tensors[by_kind["MUL"].inputs[1]].dtype is DType.INT8


def test_a_constant_that_is_a_bias_here_and_an_operand_there_is_quantised_for_each() -> None:
    b = GraphBuilder("two roles")
    x = b.fully_connected(b.input((1, 4)), 4)
    dense = b.build([x]).ops[0]
    graph = to_int8(b.build([b.add(x, dense.inputs[2])]))
    bias, operand = graph.ops[0].inputs[2], graph.ops[1].inputs[1]
    assert (graph.tensors[bias].dtype, graph.tensors[operand].dtype) == (DType.INT32, DType.INT8)
    assert graph.tensors[operand].shape == (4,)


def test_quantisation_changes_neither_work_nor_the_graph_it_was_given() -> None:
    graph = small()
    before = graph_to_json(graph)
    quantized = to_int8(graph)
    assert graph_to_json(graph) == before
    assert layer_table(quantized).total_macs == layer_table(graph).total_macs
    assert quantized.dtype is DType.INT8
    assert quantized.history == ("int8",)
    assert quantized.sha256 == graph_sha256(quantized) != graph.sha256


@pytest.mark.parametrize("float_io", [False, True])
def test_a_changed_graph_is_whole(float_io: bool) -> None:
    for changed in (to_int8(small(), float_io=float_io), to_float16(small(), native=not float_io)):
        assert graph_from_json(graph_to_json(changed)) == changed


def test_native_half_precision_leaves_no_float32() -> None:
    graph = to_float16(small())
    assert {t.dtype for t in graph.tensors} == {DType.FLOAT16, DType.INT32}
    assert kinds(graph) == kinds(small())


def test_stored_half_precision_computes_in_float32_behind_a_dequantize() -> None:
    graph = to_float16(small(), native=False)
    assert kinds(graph).count("DEQUANTIZE") == 6
    assert graph.dtype is DType.FLOAT32
    assert graph.parameter_bytes < 0.51 * small().parameter_bytes + 8


def test_weights_stored_in_half_precision_quantise_as_if_they_were_not() -> None:
    stored = to_float16(small(), native=False)
    assert kinds(to_int8(stored)) == kinds(to_int8(small()))
    assert to_int8(stored).parameter_bytes == to_int8(small()).parameter_bytes
    assert DType.FLOAT32 not in {t.dtype for t in to_float16(stored).tensors}


def test_what_has_nothing_to_change_is_refused() -> None:
    with pytest.raises(UsageError, match="small"):
        to_int8(to_int8(small()))
    with pytest.raises(UsageError, match="small"):
        to_float16(to_float16(small()))
