import contextlib
import math
import random
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from edgewright.tools import ModelFileError, UsageError, parse_model
from edgewright.tools.core.document import describe
from edgewright.tools.core.render.markdown import plain
from edgewright.tools.graph import DType, ModelGraph
from edgewright.tools.graph.costs.table import layer_table
from edgewright.tools.graph.shapes.propagate import propagate_shapes
from edgewright.tools.graph.summarize import summarize_model

onnx = pytest.importorskip("onnx")
from onnx import TensorProto, helper, numpy_helper  # noqa: E402

LIGHT = sorted((Path(onnx.__file__).parent / "backend" / "test" / "data" / "light").glob("*.onnx"))


def weights(name: str, *shape: int, dtype: type = np.float32) -> onnx.TensorProto:
    return numpy_helper.from_array(np.ones(shape, dtype), name)


def numbers(name: str, *values: int) -> onnx.TensorProto:
    return numpy_helper.from_array(np.array(values, np.int64), name)


def scalar(name: str, value: float, dtype: type = np.float32) -> onnx.TensorProto:
    return numpy_helper.from_array(np.array(value, dtype), name)


def model(
    nodes: list[onnx.NodeProto],
    shape: tuple[int | str, ...],
    constants: list[onnx.TensorProto],
    *,
    outputs: int = 1,
    opset: int = 20,
) -> bytes:
    made = [
        helper.make_tensor_value_info(f"y{i}" if i else "y", TensorProto.FLOAT, None) for i in range(outputs)
    ]
    graph = helper.make_graph(
        nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)], made, constants
    )
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10).SerializeToString()


def node(kind: str, inputs: str, output: str, **attributes: object) -> onnx.NodeProto:
    return helper.make_node(kind, inputs.split(), output.split(), **attributes)


def kinds(graph: ModelGraph) -> list[str]:
    return [op.label for op in graph.ops]


def test_a_convolution_has_images_channels_last_and_weights_as_tflite_reads_them() -> None:
    graph = parse_model(
        model(
            [node("Conv", "x w b", "y", pads=[1, 1, 1, 1])],
            (1, 3, 32, 24),
            [weights("w", 8, 3, 3, 3), weights("b", 8)],
        )
    )
    (op,) = graph.ops
    assert op.kind == "CONV_2D"
    assert graph.inputs[0].shape == (1, 32, 24, 3)
    assert graph.outputs[0].shape == (1, 32, 24, 8)
    assert graph.tensors[op.inputs[1]].shape == (8, 3, 3, 3)
    assert op.options["padding"] == "SAME"
    assert layer_table(graph).total_macs == 32 * 24 * 8 * 27


def test_a_convolution_of_each_channel_alone_is_depthwise() -> None:
    graph = parse_model(
        model(
            [node("Conv", "x w", "y", group=4, strides=[2, 2], pads=[1, 1, 1, 1])],
            (1, 4, 16, 16),
            [weights("w", 8, 1, 3, 3)],
        )
    )
    assert kinds(graph) == ["DEPTHWISE_CONV_2D"]
    assert graph.ops[0].options["depth_multiplier"] == 2
    assert layer_table(graph).total_macs == 8 * 8 * 8 * 9


def test_a_signal_is_an_image_one_pixel_high() -> None:
    graph = parse_model(model([node("Conv", "x w", "y", pads=[2, 2])], (1, 6, 100), [weights("w", 12, 6, 5)]))
    assert graph.outputs[0].shape == (1, 1, 100, 12)
    assert layer_table(graph).total_macs == 100 * 12 * 6 * 5


def test_padding_that_is_neither_same_nor_valid_is_an_operator() -> None:
    graph = parse_model(
        model([node("Conv", "x w", "y", pads=[3, 3, 3, 3])], (1, 1, 8, 8), [weights("w", 1, 1, 3, 3)])
    )
    assert kinds(graph) == ["PAD", "CONV_2D"]
    assert graph.outputs[0].shape == (1, 12, 12, 1)
    assert propagate_shapes(graph)[graph.main.outputs[0]] == (1, 12, 12, 1)


def test_norm_and_activation_fold_into_the_convolution_before() -> None:
    nodes = [
        node("Conv", "x w", "a"),
        node("BatchNormalization", "a s b m v", "c"),
        node("Clip", "c lo hi", "y"),
    ]
    constants = [
        weights("w", 8, 3, 1, 1),
        *(weights(name, 8) for name in "sbmv"),
        scalar("lo", 0.0),
        scalar("hi", 6.0),
    ]
    graph = parse_model(model(nodes, (1, 3, 8, 8), constants))
    assert kinds(graph) == ["CONV_2D"]
    assert graph.ops[0].options["fused_activation_function"] == "RELU6"
    assert graph.parameter_bytes == 4 * (8 * 3 + 8)


def test_a_norm_whose_input_is_read_twice_stays() -> None:
    nodes = [node("Conv", "x w", "a"), node("BatchNormalization", "a s b m v", "c"), node("Add", "a c", "y")]
    graph = parse_model(
        model(nodes, (1, 3, 8, 8), [weights("w", 8, 3, 1, 1), *(weights(n, 8) for n in "sbmv")])
    )
    assert kinds(graph) == ["CONV_2D", "MUL", "ADD", "ADD"]


def test_gelu_written_out_is_gelu() -> None:
    nodes = [
        node("Div", "x root", "a"), node("Erf", "a", "b"), node("Add", "b one", "c"),
        node("Mul", "x c", "d"), node("Mul", "d half", "y"),
    ]  # fmt: skip
    constants = [scalar("root", math.sqrt(2)), scalar("one", 1.0), scalar("half", 0.5)]
    assert kinds(parse_model(model(nodes, (1, 16, 64), constants))) == ["GELU"]


def test_a_sigmoid_gate_with_the_slope_of_a_sixth_is_hard_swish() -> None:
    nodes = [node("HardSigmoid", "x", "a", alpha=1 / 6), node("Mul", "x a", "y")]
    assert kinds(parse_model(model(nodes, (1, 8), []))) == ["HARD_SWISH"]


def test_a_product_with_constant_weights_and_a_vector_is_a_dense_layer() -> None:
    nodes = [node("MatMul", "x w", "a"), node("Add", "b a", "c"), node("Relu", "c", "y")]
    graph = parse_model(model(nodes, (1, 7, 16), [weights("w", 16, 10), weights("b", 10)]))
    (op,) = graph.ops
    assert (op.kind, op.options["fused_activation_function"]) == ("FULLY_CONNECTED", "RELU")
    assert graph.tensors[op.inputs[1]].shape == (10, 16)
    assert layer_table(graph).total_macs == 7 * 160


def test_arithmetic_on_shapes_disappears() -> None:
    nodes = [
        node("Shape", "x", "s"), node("Gather", "s zero", "n", axis=0), node("Unsqueeze", "n zero1", "n1"),
        node("Concat", "n1 rest", "shape", axis=0), node("Reshape", "x shape", "y"),
    ]  # fmt: skip
    constants = [
        numpy_helper.from_array(np.array(0, np.int64), "zero"),
        numbers("zero1", 0),
        numbers("rest", -1),
    ]
    graph = parse_model(model(nodes, (2, 3, 4), constants))
    assert kinds(graph) == ["RESHAPE"]
    assert graph.outputs[0].shape == (2, 12)


def test_transposition_to_channels_last_costs_nothing_where_images_are_stored_so() -> None:
    nodes = [
        node("Conv", "x w", "a"),
        node("Transpose", "a", "b", perm=[0, 2, 3, 1]),
        node("Reshape", "b s", "y"),
    ]
    graph = parse_model(model(nodes, (1, 3, 8, 8), [weights("w", 4, 3, 1, 1), numbers("s", 1, 64, 4)]))
    assert kinds(graph) == ["CONV_2D", "RESHAPE", "RESHAPE"]


def test_an_axis_of_channels_is_the_last_one_here() -> None:
    nodes = [node("Conv", "x w", "a"), node("Concat", "a x", "y", axis=1)]
    graph = parse_model(model(nodes, (1, 3, 8, 8), [weights("w", 5, 3, 1, 1)]))
    assert graph.ops[1].options["axis"] == 3
    assert graph.outputs[0].shape == (1, 8, 8, 8)


def test_between_dequantize_and_quantize_an_operator_computes_in_integers() -> None:
    nodes = [
        node("QuantizeLinear", "x sx zx", "xq"), node("DequantizeLinear", "xq sx zx", "xd"),
        node("DequantizeLinear", "wq sw zw", "wd"), node("DequantizeLinear", "bq sw zb", "bd"),
        node("Conv", "xd wd bd", "a"), node("Relu", "a", "r"),
        node("QuantizeLinear", "r sy zy", "yq"), node("DequantizeLinear", "yq sy zy", "y"),
    ]  # fmt: skip
    constants = [
        weights("wq", 4, 3, 1, 1, dtype=np.int8), weights("bq", 4, dtype=np.int32),
        scalar("sx", 0.1), scalar("zx", 0, np.int8), scalar("sw", 0.1), scalar("zw", 0, np.int8),
        scalar("zb", 0, np.int32), scalar("sy", 0.1), scalar("zy", 0, np.int8),
    ]  # fmt: skip
    graph = parse_model(model(nodes, (1, 3, 8, 8), constants))
    assert kinds(graph) == ["QUANTIZE", "CONV_2D", "DEQUANTIZE"]
    conv = graph.ops[1]
    assert {graph.tensors[i].dtype for i in (*conv.inputs[:2], *conv.outputs)} == {DType.INT8}
    assert graph.tensors[conv.inputs[2]].dtype is DType.INT32
    assert conv.options["fused_activation_function"] == "RELU"


def test_an_operator_with_scales_is_the_plain_one_in_integers() -> None:
    nodes = [
        node("QuantizeLinear", "x s z", "q"),
        node("QLinearConv", "q s z w s z s z", "a"),
        node("QLinearAdd", "a s z a s z s z", "b", domain="com.microsoft"),
        node("DequantizeLinear", "b s z", "y"),
    ]
    constants = [weights("w", 4, 3, 1, 1, dtype=np.int8), scalar("s", 0.1), scalar("z", 0, np.int8)]
    graph = parse_model(model(nodes, (1, 3, 8, 8), constants))
    assert kinds(graph) == ["QUANTIZE", "CONV_2D", "ADD", "DEQUANTIZE"]
    assert graph.tensors[graph.ops[2].outputs[0]].shape == (1, 8, 8, 4)


def test_a_recurrent_layer_counts_every_weight_at_every_step() -> None:
    graph = parse_model(
        model(
            [node("LSTM", "x w r", "y", hidden_size=32)],
            (20, 1, 16),
            [weights("w", 1, 128, 16), weights("r", 1, 128, 32)],
        )
    )
    assert layer_table(graph).total_macs == 20 * 128 * (16 + 32)
    assert graph.outputs[0].shape == (20, 1, 1, 32)


@pytest.mark.parametrize("order", ["a b y c", "c a b y", "y b c a"])
def test_nodes_are_read_in_whatever_order_the_file_lists_them(order: str) -> None:
    """A sum of two products, multiplied: ONNX Runtime runs the second before the sum, wherever it stands."""
    onnxruntime = pytest.importorskip("onnxruntime")
    nodes = {
        "a": node("MatMul", "x w", "a"), "b": node("Add", "a c", "b"),
        "y": node("MatMul", "b v", "y"), "c": node("MatMul", "x u", "c"),
    }  # fmt: skip
    constants = [weights("w", 16, 32), weights("u", 16, 32), weights("v", 32, 8)]
    made = model([nodes[name] for name in order.split()], (1, 16), constants, opset=17)
    shape = onnxruntime.InferenceSession(made).run(None, {"x": np.ones((1, 16), np.float32)})[0].shape
    graph = parse_model(made)
    assert sorted(kinds(graph)) == ["ADD", *["FULLY_CONNECTED"] * 3]
    assert layer_table(graph).total_macs == 2 * 16 * 32 + 32 * 8 == 1280
    assert graph.outputs[0].shape == shape == (1, 8)


def test_peepholes_and_layers_that_tflite_has_no_operator_for_are_counted() -> None:
    given = [weights("w", 1, 12, 2), weights("r", 1, 12, 3), weights("p", 1, 9)]
    layer = node("LSTM", "x w r bias lengths h c p", "y", hidden_size=3)
    layer.input[3:7] = [""] * 4
    graph = parse_model(model([layer], (2, 1, 2), given))
    assert layer_table(graph).total_macs == 2 * (12 * (2 + 3) + 9)
    for kind, gates in (("GRU", 3), ("RNN", 1)):
        made = [weights("w", 2, gates * 3, 4), weights("r", 2, gates * 3, 3)]
        layer = node(kind, "x w r", "y", hidden_size=3, direction="bidirectional")
        table = layer_table(parse_model(model([layer], (5, 2, 4), made)))
        assert table.total_macs == 5 * 2 * 2 * gates * 3 * (4 + 3)
        assert not table.uncounted


def test_a_custom_operator_is_not_counted_by_its_name_alone() -> None:
    layer = node("GRU", "x w r", "y", hidden_size=3)
    table = layer_table(
        parse_model(model([layer], (5, 2, 4), [weights("w", 1, 9, 5), weights("r", 1, 9, 3)]))
    )
    assert len(table.uncounted) == 1


def test_an_operator_that_nobody_knows_is_custom_and_not_counted() -> None:
    graph = parse_model(model([node("Secret\x1b[31m", "x", "y", domain="my")], (1, 8), []))
    assert graph.ops[0].kind == "CUSTOM"
    assert "\x1b" not in graph.ops[0].label
    assert not layer_table(graph).counted.any()


def test_a_batch_left_open_is_one_and_other_dimensions_are_unknown_until_told() -> None:
    data = model([node("Relu", "x", "y")], ("N", "T", 8), [])
    assert parse_model(data).inputs[0].shape == (1, -1, 8)
    assert parse_model(data, shape="4,20,8").outputs[0].shape == (4, 20, 8)
    assert parse_model(data, shape={"x": (2, 3, 8)}).outputs[0].shape == (2, 3, 8)


def test_open_dimensions_go_by_the_names_that_the_file_gives_them() -> None:
    data = model([node("MatMul", "x w", "y")], ("batch", "seq", 8), [weights("w", 8, 4)])
    graph = parse_model(data, shape="batch=8,seq=384")
    assert graph.outputs[0].shape == (8, 384, 4)
    assert layer_table(graph).total_macs == 8 * 384 * 8 * 4
    assert parse_model(data, shape="seq = 16").outputs[0].shape == (1, 16, 4)
    assert parse_model(data, shape="batch=2").inputs[0].shape == (2, -1, 8)
    assert parse_model(data, shape="x=4,5,8").inputs[0].shape == (4, 5, 8)


@pytest.mark.parametrize(
    ("shape", "why"),
    [("btch=8", r"'btch'.*'batch'"), ("batch=0", "dimension"), ("batch=99999999999", "no tensor has")],
)
def test_a_dimension_that_the_file_does_not_leave_open_is_named(shape: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        parse_model(model([node("Relu", "x", "y")], ("batch", 8), []), shape=shape)


def test_a_shape_suits_the_model_that_an_archive_holds(tmp_path: Path) -> None:
    file = tmp_path / "net.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("net.onnx", model([node("Relu", "x", "y")], ("batch", 8), []))
    for source in (file, file.read_bytes()):
        assert parse_model(source, shape="3,8").outputs[0].shape == (3, 8)
        assert parse_model(source, shape="batch=3").outputs[0].shape == (3, 8)


def test_no_macs_are_unknown_where_nothing_was_counted_and_a_lower_bound_where_some_was() -> None:
    own = node("Mine{op}", "x", "y", domain="acme")
    nothing = summarize_model(parse_model(model([own], (1, 8), [])))
    assert "unknown MACs" in nothing.headline()
    both = [node("MatMul", "x w", "h"), node("Mine{op}", "h", "y", domain="acme")]
    some = summarize_model(parse_model(model(both, (1, 8), [weights("w", 8, 4)])))
    assert "at least 32 MACs" in some.headline()
    text = plain(describe(some))
    assert "at least 32: 1 of 2 operators not counted" in text
    assert "operator 1 (CUSTOM:acme.Mine{op}) is not counted" in text
    assert some.not_counted[0].name_untrusted == "acme.Mine{op}"


def test_a_shape_is_given_as_the_file_orders_it(tmp_path: Path) -> None:
    file = tmp_path / "net.onnx"
    file.write_bytes(model([node("Conv", "x w", "y")], (1, 3, 32, 32), [weights("w", 8, 3, 1, 1)]))
    assert parse_model(file, shape="1,3,64,16").inputs[0].shape == (1, 64, 16, 3)


def test_an_input_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(UsageError, match=r"no input 'z'.*'x'"):
        parse_model(model([node("Relu", "x", "y")], (1, 8), []), shape={"z": (1, 8)})


@pytest.mark.parametrize("file", LIGHT, ids=lambda f: f.stem)
def test_macs_of_public_networks_are_those_of_their_weights_and_shapes(file: Path) -> None:
    loaded = onnx.shape_inference.infer_shapes(onnx.load(file))
    shapes = {
        v.name: [d.dim_value for d in v.type.tensor_type.shape.dim]
        for v in (*loaded.graph.value_info, *loaded.graph.output, *loaded.graph.input)
    }
    macs = 0
    for n in loaded.graph.node:
        if n.op_type in {"Conv", "Gemm"}:
            taps = shapes[n.input[1]][1:] if n.op_type == "Conv" else shapes[n.input[0]][1:]
            macs += math.prod(shapes[n.output[0]]) * math.prod(taps)
    graph = parse_model(file)
    assert layer_table(graph).total_macs == macs > 0
    assert layer_table(graph).counted.all()
    assert [t.shape for t in graph.tensors] == list(propagate_shapes(graph))


def test_a_quantised_network_of_onnxruntime_reads_as_integers(tmp_path: Path) -> None:
    quantization = pytest.importorskip("onnxruntime.quantization")
    nodes = [
        node("Conv", "x w b", "a", pads=[1, 1, 1, 1]), node("Relu", "a", "c"), node("GlobalAveragePool", "c", "d"),
        node("Flatten", "d", "e"), node("Gemm", "e v u", "y", transB=1),
    ]  # fmt: skip
    constants = [weights("w", 8, 3, 3, 3), weights("b", 8), weights("v", 10, 8), weights("u", 10)]
    plain, made = tmp_path / "plain.onnx", tmp_path / "int8.onnx"
    plain.write_bytes(model(nodes, (1, 3, 16, 16), constants))

    class Data(quantization.CalibrationDataReader):
        def __init__(self) -> None:
            self.left = [{"x": np.ones((1, 3, 16, 16), np.float32)}]

        def get_next(self) -> dict[str, np.ndarray] | None:
            return self.left.pop() if self.left else None

    for form in (quantization.QuantFormat.QDQ, quantization.QuantFormat.QOperator):
        quantization.quantize_static(plain, made, Data(), quant_format=form)
        graph = parse_model(made)
        assert layer_table(graph).total_macs == layer_table(parse_model(plain)).total_macs
        dtypes = {op.kind: graph.tensors[op.outputs[0]].dtype for op in graph.ops}
        assert dtypes["CONV_2D"] in {DType.INT8, DType.UINT8}
        assert dtypes["FULLY_CONNECTED"] in {DType.INT8, DType.UINT8}


def test_damaged_bytes_are_one_line_and_never_a_traceback() -> None:
    whole = bytearray(LIGHT[-1].read_bytes())
    chance = random.Random(7)
    for _ in range(150):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 20)):
            data[chance.randrange(2, len(data))] = chance.randrange(256)
        data = data[: chance.randrange(64, len(data))] if chance.random() < 0.3 else data
        with contextlib.suppress(ModelFileError):
            layer_table(parse_model(bytes(data)))


def test_without_the_package_the_reader_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(UsageError, match=r"\.\[onnx\]"):
        parse_model(LIGHT[0])


def test_hard_swish_written_out_is_hard_swish() -> None:
    nodes = [
        node("Add", "x three", "a"), node("Clip", "a lo hi", "b"), node("Mul", "x b", "c"), node("Div", "c hi", "y"),
    ]  # fmt: skip
    constants = [scalar("three", 3.0), scalar("lo", 0.0), scalar("hi", 6.0)]
    assert kinds(parse_model(model(nodes, (1, 8, 4, 4), constants))) == ["HARD_SWISH"]


def test_shapes_that_several_operators_compute_are_known() -> None:
    nodes = [
        node("Shape", "x", "s"), node("Slice", "s two four", "hw"), node("Mul", "hw double", "big"),
        node("Cast", "big", "f", to=TensorProto.FLOAT), node("Cast", "f", "i", to=TensorProto.INT64),
        node("Slice", "s zero two", "nc"), node("Concat", "nc i", "size", axis=0), node("Expand", "one size", "y"),
    ]  # fmt: skip
    constants = [
        numbers("two", 2),
        numbers("four", 4),
        numbers("double", 2),
        numbers("zero", 0),
        weights("one", 1),
    ]
    assert parse_model(model(nodes, (1, 3, 8, 8), constants)).outputs[0].shape == (1, 3, 16, 16)


def test_an_output_that_is_another_tensor_costs_nothing() -> None:
    assert kinds(parse_model(model([node("Relu", "x", "a"), node("Identity", "a", "y")], (1, 8), []))) == [
        "RELU"
    ]


def test_weights_that_lie_beside_the_file_take_their_room_in_flash_all_the_same() -> None:
    from edgewright.tools import deployment, plan_memory

    beside = onnx.TensorProto(name="w", data_type=TensorProto.FLOAT, data_location=TensorProto.EXTERNAL)
    beside.dims.extend([1024, 1024, 3, 3])
    graph = parse_model(model([node("Conv", "x w", "y")], (1, 1024, 8, 8), [beside]))
    plan = plan_memory(graph, deployment("stm32h743zi", "tflm-cmsis-nn"))
    assert plan.model_bytes >= 4 * 9 * 1024**2 > (graph.file_bytes or 0)
    assert plan.fits is False
