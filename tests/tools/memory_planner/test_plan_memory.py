from pathlib import Path

import pytest

from edgewright.tools.api.memory import plan_memory
from edgewright.tools.core.deployment import Deployment, deployment
from edgewright.tools.core.quantity import Basis
from edgewright.tools.graph import DType, ModelGraph, Op, Subgraph, Tensor
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.graph.requantize import to_int8
from edgewright.tools.model_formats.source import parse_model
from edgewright.tools.model_zoo.named import build_architecture

H743 = deployment("stm32h743zi", "tflm-cmsis-nn")
EVERY_PLANNER = [
    deployment("stm32h743zi", "tflm-cmsis-nn"),
    deployment("stm32h743zi", "x-cube-ai"),
    deployment("host-x86-64", "litert-xnnpack"),
    deployment("a100-sxm4-80gb", "tensorrt"),
]


def graph(tensors: list[Tensor], ops: list[Op], inputs: list[int], outputs: list[int]) -> ModelGraph:
    sub = Subgraph("", tuple(tensors), tuple(ops), tuple(inputs), tuple(outputs))
    return ModelGraph("made", "tflite", "0", 1000, (sub,))


def relu(*shape: int, kind: str = "RELU", **more: str) -> ModelGraph:
    tensors = [Tensor(i, "t", shape, DType.INT8) for i in range(2)]
    return graph(tensors, [Op(0, kind, (0,), (1,), **more)], [0], [1])


def test_the_peak_names_its_layer_and_its_tensors_largest_first() -> None:
    plan = plan_memory(build_architecture("kws", dtype="int8"), H743)
    assert plan.peak_layer is not None
    assert plan.timeline[plan.peak_layer.index].live_bytes == plan.lower_bound_bytes
    sizes = [tensor.bytes for tensor in plan.peak_tensors]
    assert sizes == sorted(sizes, reverse=True)
    assert sum(sizes) == plan.lower_bound_bytes


@pytest.mark.parametrize("deployment", EVERY_PLANNER, ids=lambda deployment: deployment.runtime.id)
def test_no_plan_is_below_what_must_be_held_at_once(deployment: Deployment) -> None:
    for name in ("ad", "kws", "ic", "vww"):
        plan = plan_memory(build_architecture(name, dtype="int8"), deployment)
        assert plan.arena_nonpersistent_bytes is not None
        assert plan.lower_bound_bytes is not None
        assert plan.arena_nonpersistent_bytes >= plan.lower_bound_bytes
        assert plan.lower_bound_bytes == max(layer.live_bytes for layer in plan.timeline)


def test_operators_in_place_need_less_than_operators_apart() -> None:
    net = build_architecture("ic", dtype="int8")
    apart, in_place = plan_memory(net, H743), plan_memory(net, deployment("stm32h743zi", "x-cube-ai"))
    assert (in_place.lower_bound_bytes or 0) < (apart.lower_bound_bytes or 0)
    assert in_place.arena.basis is Basis.FITTED


# Activations of X-CUBE-AI 7.3 to 10.2 for MLPerf Tiny's reference models: results of mlcommons/tiny, STMicroelectronics.
@pytest.mark.parametrize(("name", "published_kib"), [("ad", 2.0), ("kws", 21.75), ("ic", 55.34)])
def test_the_interval_of_an_in_place_plan_holds_the_published_activations(
    name: str, published_kib: float
) -> None:
    plan = plan_memory(build_architecture(name, dtype="int8"), deployment("stm32h743zi", "x-cube-ai"))
    assert (plan.arena.low or 0) <= published_kib * 1024 <= (plan.arena.high or 0)


def test_the_arena_is_head_and_tail() -> None:
    plan = plan_memory(build_architecture("vww", dtype="int8"), H743)
    assert plan.arena_bytes == (plan.arena_nonpersistent_bytes or 0) + (plan.arena_persistent_bytes or 0)
    assert plan.arena_persistent_bytes == sum(part.bytes for part in plan.arena_persistent_parts)
    assert plan.arena.value == plan.arena_bytes
    assert plan.arena_basis is Basis.DERIVED


def test_a_32_bit_interpreter_keeps_less_than_a_64_bit_one() -> None:
    net = build_architecture("kws", dtype="int8")
    small = plan_memory(net, deployment("stm32h743zi", "tflm-reference"))
    large = plan_memory(net, deployment("host-x86-64", "tflm-reference"))
    assert small.arena_nonpersistent_bytes == large.arena_nonpersistent_bytes
    assert (small.arena_persistent_bytes or 0) < 0.9 * (large.arena_persistent_bytes or 0)


def test_activations_grow_with_the_batch_and_weights_do_not() -> None:
    one = plan_memory("kws", deployment("a100-sxm4-80gb", "tensorrt"))
    eight = plan_memory("kws", deployment("a100-sxm4-80gb", "tensorrt", batch=8))
    assert eight.arena_bytes == 8 * (one.arena_bytes or 0)
    assert eight.model_bytes == one.model_bytes


def test_flash_keeps_file_and_code_apart() -> None:
    plan = plan_memory(relu(1, 8), H743)
    assert plan.model_bytes == 1000
    assert plan.flash_bytes == plan.model_bytes + (plan.code_bytes or 0)
    assert plan.flash.basis is Basis.FITTED


def test_a_compiled_model_leaves_its_parameters_alone_in_flash() -> None:
    net = build_architecture("ad", dtype="int8")
    assert plan_memory(net, deployment("stm32h743zi", "x-cube-ai")).model_bytes == net.parameter_bytes


def test_the_size_of_a_model_without_a_file_is_near_that_of_the_file(shared_models: Path) -> None:
    for name in ("kws_ref_model", "vww_96_int8", "pretrainedResnet_quant"):
        read = parse_model(shared_models / "mlperf-tiny" / f"{name}.tflite")
        built = ModelGraph(read.name, "architecture", read.sha256, None, read.subgraphs)
        plan = plan_memory(built, H743)
        assert plan.model_bytes == pytest.approx(read.file_bytes, rel=0.2)


def test_code_of_unknown_size_leaves_the_flash_unknown() -> None:
    plan = plan_memory("kws", deployment("a100-sxm4-80gb", "tensorrt"))
    assert plan.flash_bytes is None
    assert plan.code_bytes is None
    assert plan.flash.basis is Basis.UNKNOWN
    assert any(f"{plan.model_bytes} bytes" in told for told in plan.assumptions)


def test_an_arena_larger_than_any_run_of_memory_does_not_fit() -> None:
    plan = plan_memory("resnet50", H743)
    assert plan.fits is False
    assert "the largest contiguous RAM is" in plan.why_not


@pytest.mark.parametrize("deployment", EVERY_PLANNER, ids=lambda deployment: deployment.runtime.id)
def test_a_tensor_of_a_tebibyte_gets_a_reason_and_no_number(deployment: Deployment) -> None:
    plan = plan_memory(relu(2**20, 2**20), deployment)
    assert plan.arena_bytes is None
    assert plan.arena.value is None
    assert plan.arena_basis is Basis.UNKNOWN
    assert plan.fits is False
    assert "at least" in plan.why_not
    assert str(2**40) in plan.warnings[0] or str(2**41) in plan.warnings[0]


@pytest.mark.parametrize("deployment", EVERY_PLANNER, ids=lambda deployment: deployment.runtime.id)
def test_an_open_shape_gets_a_reason_and_no_number(deployment: Deployment) -> None:
    plan = plan_memory(relu(-1, 8), deployment)
    assert (plan.arena_bytes, plan.lower_bound_bytes, plan.fits) == (None, None, None)
    assert "not known before the model runs" in plan.warnings[0]


def test_a_custom_operator_leaves_the_arena_unknown_but_not_what_must_be_held() -> None:
    plan = plan_memory(relu(1, 8, kind="CUSTOM", custom_code_untrusted="mine"), H743)
    assert plan.arena_bytes is None
    assert plan.lower_bound_bytes == 16
    assert "custom" in plan.warnings[0]


def test_an_operator_without_a_kernel_weakens_the_figure_and_is_named() -> None:
    plan = plan_memory(relu(1, 8, kind="TILE"), H743)
    assert plan.arena_basis is Basis.ASSUMED
    assert any("TILE" in warning for warning in plan.warnings)


def test_a_model_without_operators_holds_its_inputs() -> None:
    plan = plan_memory(graph([Tensor(0, "", (1, 10), DType.INT8)], [], [0], [0]), H743)
    assert plan.lower_bound_bytes == 10
    assert plan.arena_nonpersistent_bytes == 16
    assert (plan.peak_layer, plan.timeline) == (None, ())


def test_padding_before_a_window_is_never_stored_by_a_compiler() -> None:
    b = GraphBuilder("padded")
    x = b.pad(b.input((1, 16, 16, 8)), [(0, 0), (1, 1), (1, 1), (0, 0)])
    net = to_int8(b.build([b.conv2d(x, 8, 3, padding="VALID")]))
    plan = plan_memory(net, deployment("stm32h743zi", "x-cube-ai"))
    assert plan.lower_bound_bytes == 16 * 16 * 8
