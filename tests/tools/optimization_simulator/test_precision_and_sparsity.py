import re

import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools import deployment, plan_memory, simulate_optimizations
from edgewright.tools.graph import DType, ModelGraph
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.graph.costs.table import layer_table
from edgewright.tools.graph.integer_schemes import QUANTIZER_INT8, QUANTIZER_INT16X8
from edgewright.tools.graph.requantize import to_int8
from edgewright.tools.graph.stored_weights import (
    DYNAMIC_RANGE,
    WEIGHTS_FLOAT16,
    WEIGHTS_INT4,
    WEIGHTS_INT8,
    WeightScheme,
    with_stored_weights,
)
from edgewright.tools.model_formats.writer.file_size import converted_bytes, tflite_bytes
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.model_zoo.named import build_architecture
from edgewright.tools.optimization_simulator.optimization_report import Option
from edgewright.tools.optimization_simulator.techniques.names import technique


def small() -> ModelGraph:
    b = GraphBuilder("small")
    x = b.conv2d(b.input((1, 8, 8, 3)), 16, 3, activation="RELU")
    x = b.average_pool2d(b.depthwise_conv2d(x, 3, activation="RELU6"), 8)
    return b.build([b.softmax(b.fully_connected(b.flatten(x), 10))])


def options(target: str, runtime: str) -> dict[str, Option]:
    model = build_architecture("kws", dtype="float32")
    return {o.technique: o for o in simulate_optimizations(model, deployment(target, runtime)).options}


@pytest.fixture(scope="module")
def on_microcontroller() -> dict[str, Option]:
    return options("stm32h743zi", "tflm-cmsis-nn")


@pytest.fixture(scope="module")
def on_board() -> dict[str, Option]:
    return options("raspberry-pi-4b", "litert-xnnpack")


@pytest.mark.parametrize(
    ("scheme", "bits"), [(DYNAMIC_RANGE, 8), (WEIGHTS_INT8, 8), (WEIGHTS_INT4, 4), (WEIGHTS_FLOAT16, 16)]
)
def test_only_weights_get_smaller_and_biases_stay(scheme: WeightScheme, bits: int) -> None:
    before, after = small(), with_stored_weights(small(), scheme)
    conv = next(op for op in after.ops if op.kind == "CONV_2D")
    stored = next(t for t in after.tensors if t.is_constant and t.name_untrusted == "conv2d/kernel")
    assert stored.stored_bytes == 16 * 3 * 3 * 3 * bits // 8
    assert after.tensors[conv.inputs[2]].dtype is DType.FLOAT32
    assert after.dtype is DType.FLOAT32
    assert layer_table(after).total_macs == layer_table(before).total_macs
    assert [op.kind for op in after.ops if op.kind != "DEQUANTIZE"] == [op.kind for op in before.ops]
    assert any(op.kind == "DEQUANTIZE" for op in after.ops) == scheme.unpacks


def test_weights_that_several_operators_read_are_unpacked_once() -> None:
    b = GraphBuilder("shared")
    x = b.input((1, 8))
    weights = b.constant("w", (8, 8))
    for _ in range(3):
        x = b.op("FULLY_CONNECTED", (x, weights, -1), (1, 8), {"keep_num_dims": False})
    after = with_stored_weights(b.build([x]), WEIGHTS_INT8)
    assert [op.kind for op in after.ops].count("DEQUANTIZE") == 1


def test_int16_activations_are_symmetric_and_biases_have_64_bits() -> None:
    graph = to_int8(small(), scheme=QUANTIZER_INT16X8)
    conv = graph.ops[0]
    types = [graph.tensors[i].dtype for i in conv.inputs]
    assert types == [DType.INT16, DType.INT8, DType.INT64]
    activations = [t for t in graph.tensors if t.dtype is DType.INT16 and t.quantization]
    assert all(t.quantization is not None and t.quantization.zero_points == (0,) for t in activations)


def test_the_quantizer_gives_each_output_of_a_dense_layer_a_scale() -> None:
    graph = to_int8(small(), scheme=QUANTIZER_INT8)
    dense = next(op for op in graph.ops if op.kind == "FULLY_CONNECTED")
    quantization = graph.tensors[dense.inputs[1]].quantization
    assert quantization is not None
    assert len(quantization.scales) == 10


def test_the_size_of_a_file_follows_from_its_graph() -> None:
    graph = build_architecture("kws", dtype="float32")
    assert tflite_bytes(graph) == pytest.approx(len(write_tflite(graph)), rel=0.01)
    assert converted_bytes(graph, graph) == tflite_bytes(graph)


def test_each_kind_of_weights_is_smaller_than_the_one_before() -> None:
    graph = build_architecture("ic", dtype="float32")
    schemes = (WEIGHTS_FLOAT16, WEIGHTS_INT8, WEIGHTS_INT4)
    sizes = [tflite_bytes(graph), *(tflite_bytes(with_stored_weights(graph, s)) for s in schemes)]
    assert sizes == sorted(sizes, reverse=True)


def test_microcontrollers_take_integers_but_no_hybrid_kernels(on_microcontroller: dict[str, Option]) -> None:
    for name in ("int8", "int8-float-io", "int16x8"):
        assert on_microcontroller[name].applicable, name
    for name in ("float16", "dynamic-range", "weights-int4"):
        assert not on_microcontroller[name].applicable, name
    assert "Weights are int8" in on_microcontroller["dynamic-range"].reason


def test_boards_take_weights_of_other_types(on_board: dict[str, Option]) -> None:
    for name in ("int8", "dynamic-range", "weights-int8", "weights-int4", "float16-weights"):
        assert on_board[name].applicable, name
        after = on_board[name].after
        assert after is not None
        assert after.parameter_bytes < on_board[name].before.parameter_bytes


def test_float_ends_cost_more_memory_than_integer_ones(on_microcontroller: dict[str, Option]) -> None:
    whole, ends = on_microcontroller["int8"].after, on_microcontroller["int8-float-io"].after
    assert whole is not None
    assert ends is not None
    assert whole.arena_bytes is not None
    assert ends.arena_bytes is not None
    assert ends.arena_bytes > whole.arena_bytes


def test_zeros_bring_nothing_without_sparse_kernels_but_a_smaller_download(
    on_microcontroller: dict[str, Option], on_board: dict[str, Option]
) -> None:
    for name in ("sparse-50", "sparse-80", "sparse-2:4", "cluster-16"):
        assert not on_microcontroller[name].applicable
        assert "compressed for download" in on_microcontroller[name].reason
    assert "tells of sparse kernels" in on_microcontroller["sparse-80"].reason
    assert "no measurement" in on_board["sparse-80"].reason
    assert "other patterns" in on_board["sparse-50"].reason


def test_ranges_of_accuracy_name_their_source_or_are_left_out(on_board: dict[str, Option]) -> None:
    for name in ("int8", "int16x8", "sparse-80", "cluster-32"):
        assert re.search(r"points|top-1 .* instead of", on_board[name].accuracy_risk)
        assert "(" in on_board[name].accuracy_risk
    assert "no published figure" in on_board["weights-int4"].accuracy_risk


def test_any_share_pattern_or_number_of_clusters_can_be_named() -> None:
    place = deployment("raspberry-pi-4b", "litert-xnnpack")
    assert [technique(name, place).name for name in ("sparse-70", "sparse-1:4", "cluster-8")] == [
        "sparse-70", "sparse-1:4", "cluster-8",
    ]  # fmt: skip
    for name in ("sparse-120", "sparse-4:4", "cluster-1"):
        with pytest.raises(UsageError):
            technique(name, place)


def test_a_quantised_network_in_float32_is_the_float_one() -> None:
    board = deployment("stm32h743zi")
    twin = (
        simulate_optimizations(build_architecture("vww", dtype="int8"), board, technique="float32")
        .options[0]
        .after
    )
    plain = plan_memory(build_architecture("vww", dtype="float32"), board)
    assert twin is not None
    assert twin.arena_bytes == plain.arena_bytes
    assert twin.flash_bytes == pytest.approx(plain.flash_bytes, rel=0.02)


def test_what_is_in_float32_already_has_no_float_twin() -> None:
    option = simulate_optimizations(
        build_architecture("kws", dtype="float32"), deployment("nrf52840"), technique="float32"
    )
    assert not option.options[0].applicable
