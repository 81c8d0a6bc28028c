"""Buffers that overlap, held against C code that X-CUBE-AI generated and against published activation sizes."""

import pytest

from edgewright.hardware_db import resolve_target
from edgewright.hardware_db.derived import largest_ram_run_bytes
from edgewright.hardware_db.measurements import networks, rows
from edgewright.tools.api.memory import plan_memory
from edgewright.tools.core.deployment import deployment
from edgewright.tools.graph import DType, ModelGraph, Op, Subgraph, Tensor
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.graph.requantize import to_int8
from edgewright.tools.graph.serialize import graph_from_json
from edgewright.tools.memory_planner.compiled_steps import compiled_steps, folded_lives
from edgewright.tools.memory_planner.kernels.cube_scratch import scratch_bytes
from edgewright.tools.memory_planner.overlap import overlapped_bytes
from edgewright.tools.model_zoo.named import build_architecture

CUBE = deployment("stm32h743zi", "x-cube-ai@8.1")


def convolution(channels: int, filters: int, kernel: int, *, depthwise: bool = False) -> ModelGraph:
    shapes = [(1, 24, 24, channels), (filters, kernel, kernel, channels), (1, 24, 24, filters)]
    if depthwise:
        shapes[1] = (1, kernel, kernel, channels)
    tensors = tuple(Tensor(i, "", shape, DType.INT8, is_constant=i == 1) for i, shape in enumerate(shapes))
    kind = "DEPTHWISE_CONV_2D" if depthwise else "CONV_2D"
    op = Op(0, kind, (0, 1), (2,), options={"padding": "SAME", "stride_h": 1, "stride_w": 1})
    return ModelGraph("", "tflite", "", 1, (Subgraph("", tensors, (op,), (0,), (2,)),))


def scratch(graph: ModelGraph) -> int:
    return scratch_bytes(compiled_steps(graph.main)[0], graph.tensors)


# Channels, filters, kernel and scratch0 of layers in network.c of the projects that cube_scratch names.
@pytest.mark.parametrize(
    ("channels", "filters", "kernel", "declared"),
    [
        (16, 8, 1, 144), (48, 8, 1, 272), (8, 48, 1, 512), (24, 144, 1, 1536), (40, 64, 1, 800), (32, 3, 1, 158),
        (3, 16, 3, 1196), (3, 32, 3, 2284), (1, 16, 3, 548), (16, 32, 3, 6144), (32, 64, 3, 7168),
        (64, 128, 3, 9216),
    ],
)  # fmt: skip
def test_scratch_of_a_convolution_is_what_generated_code_declares(
    channels: int, filters: int, kernel: int, declared: int
) -> None:
    assert scratch(convolution(channels, filters, kernel)) == declared


@pytest.mark.parametrize(
    ("channels", "declared"), [(16, 593), (40, 1481), (48, 1777), (96, 3553), (144, 5329)]
)
def test_scratch_of_a_depthwise_convolution_is_what_generated_code_declares(
    channels: int, declared: int
) -> None:
    assert scratch(convolution(channels, channels, 3, depthwise=True)) == declared


# fingercount_ai, layer conv2d_0: 94 columns of 16 channels, two rows of which make one of the pooling.
def test_a_convolution_before_pooling_keeps_the_rows_of_one_window() -> None:
    b = GraphBuilder("pooled")
    y = b.conv2d(b.input((1, 96, 96, 1)), 16, 3, padding="VALID")
    graph = to_int8(b.build([b.max_pool2d(y, 2, stride=2)]))
    assert scratch(graph) == 548 + 94 * 2 * 16


# ST model zoo and MLPerf Tiny results, rows of hardware_db/measurements/rows.csv; their KiB have two decimals.
@pytest.mark.parametrize(
    ("network", "published_kib"),
    [
        ("mlperf-tiny/ad01_int8.tflite", 2.0),
        ("mlperf-tiny/pretrainedResnet_quant.tflite", 55.34),
        ("st-modelzoo-2023/mobilenet_v2_0.35_128_int8.tflite", 224.5),
        ("st-modelzoo-2024/mobilenet_v2_0.35_224_tfs_int8.tflite", 686.5),
        ("st-modelzoo-2023/squeezenet_v1.0_128_int8.tflite", 450.0),
        ("st-modelzoo-2024/st_yolo_lc_v1_224_int8.tflite", 210.81),
        ("st-modelzoo-2024/miniresnet_2stacks_64x50_tl_int8.tflite", 59.89),
        ("st-modelzoo-2024/yamnet_256_64x96_tl_int8.tflite", 109.57),
    ],
)
def test_published_activations_are_met_to_the_published_digit(network: str, published_kib: float) -> None:
    plan = plan_memory(graph_from_json(networks()[network]), CUBE)
    assert (plan.arena_bytes or 0) / 1024 == pytest.approx(published_kib, abs=0.011)


def test_overlapping_never_takes_more_than_apart_nor_less_than_the_bound() -> None:
    for name in ("ad", "kws", "ic", "vww", "mobilenet_v2:int8", "efficientnet_b0"):
        graph = build_architecture(name)
        apart, over = overlapped_bytes(graph, overlapping=False), overlapped_bytes(graph)
        assert int(over.max()) <= int(apart.max())
        plan = plan_memory(graph, CUBE)
        assert (plan.lower_bound_bytes or 0) <= (plan.arena.low or 0) <= (plan.arena_bytes or 0)


def test_an_input_that_is_needed_later_is_not_written_over() -> None:
    shapes = [(1, 8, 8, 16), (16, 1, 1, 16), (1, 8, 8, 16), (1, 8, 8, 16)]
    tensors = tuple(Tensor(i, "", shape, DType.INT8, is_constant=i == 1) for i, shape in enumerate(shapes))
    ops = (Op(0, "CONV_2D", (0, 1), (2,), options={"padding": "SAME"}), Op(1, "ADD", (0, 2), (3,)))
    graph = ModelGraph("", "tflite", "", 1, (Subgraph("", tensors, ops, (0,), (3,)),))
    assert overlapped_bytes(graph).tolist() == [2 * 1024 + 4 * 16 + 10 * 16, 2 * 1024]


def test_views_padding_and_arithmetic_on_shapes_are_no_steps() -> None:
    b = GraphBuilder("folded")
    x = b.pad(b.input((1, 16, 16, 8)), [(0, 0), (1, 1), (1, 1), (0, 0)])
    y = b.reshape(b.conv2d(x, 8, 3, padding="VALID"), (1, 16 * 16 * 8))
    graph = to_int8(b.build([y]))
    steps = compiled_steps(graph.main)
    assert [step.op.kind for step in steps] == ["CONV_2D"]
    assert steps[0].padding is not None


# STM32N6's Neural-ART, ST model zoo: the input of 48 KiB kept or the output of the stride beside 192 KiB.
def test_a_compiler_does_not_store_padding() -> None:
    name = next(n for n in networks() if n.endswith("mobilenet_v2_0.35_128_fft_int8.tflite"))
    plan = plan_memory(graph_from_json(networks()[name]), deployment("stm32n657x0", "neural-art"))
    assert plan.arena_bytes == 240 * 1024


def test_a_folded_tensor_keeps_what_it_shows_alive() -> None:
    from edgewright.tools.memory_planner.arena import plain_liveness

    tensors = tuple(Tensor(i, "", (1, 64), DType.INT8) for i in range(5))
    ops = (
        Op(0, "RELU", (0,), (1,)),
        Op(1, "RESHAPE", (1,), (2,)),
        Op(2, "RELU", (1,), (3,)),
        Op(3, "ADD", (2, 3), (4,)),
    )
    graph = ModelGraph("", "tflite", "", 1, (Subgraph("", tensors, ops, (0,), (4,)),))
    lives = folded_lives(graph, plain_liveness(graph))
    assert {b.tensor: b.last for b in lives.buffers} == {0: 1, 1: 4, 3: 4, 4: 4}


def published_above_internal_ram() -> list[tuple[str, str, str]]:
    """(network, target, runtime) of published activations that no internal memory of the target holds."""
    found = set()
    for row in rows():
        figure, name = row["ram_activation_kib"] or row["ram_total_kib"], row["target"]
        if not figure or not name or row["network"] not in networks():
            continue
        target = resolve_target(name)
        runtime = row["processor"] if row["kind"] == "unit" else row["runtime"]
        inside = largest_ram_run_bytes(target)
        if runtime in target.runtimes and float(figure) * 1024 > inside:
            found.add((row["network"], name, runtime))
    return sorted(found)


def test_what_was_published_above_the_internal_memory_is_never_said_to_fit_inside() -> None:
    above = published_above_internal_ram()
    assert above
    for network, target, runtime in above:
        plan = plan_memory(graph_from_json(networks()[network]), deployment(target, runtime))
        inside = [region for region in plan.regions if "arena" in region.holds and not region.external]
        assert not (plan.fits and inside)
