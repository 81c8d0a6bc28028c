from __future__ import annotations

from collections.abc import Callable

import pytest

from edgewright.hardware_db import Accelerator, Runtime
from edgewright.tools.core.deployment import Deployment
from edgewright.tools.graph import DType, ModelGraph, Op, Subgraph, Tensor
from edgewright.tools.placement.operators import Placed, place_operators

Graph = Callable[..., ModelGraph]
Place = Callable[..., Deployment]
Kernels = Callable[..., Runtime]

F32, F64, I8, I16, I32 = DType.FLOAT32, DType.FLOAT64, DType.INT8, DType.INT16, DType.INT32
IMAGE = (1, 4, 4, 2)


def convolution(one_op: Graph, dtype: DType) -> ModelGraph:
    made = ((dtype, IMAGE), (DType.INT8 if dtype is I16 else dtype, (3, 1, 1, 2), True))
    return one_op("CONV_2D", made, ((dtype, (1, 4, 4, 3)),), padding="SAME")


def decided(graph: ModelGraph, deployment: Deployment) -> Placed:
    (placed,) = place_operators(graph, deployment)
    return placed


@pytest.mark.parametrize("dtype", [I8, I16])
@pytest.mark.parametrize("isa", ["cortex-m4", "cortex-m7"])
def test_cmsis_nn_convolves_integers_with_kernels_written_for_the_core(
    one_op: Graph, place: Place, dtype: DType, isa: str
) -> None:
    placed = decided(convolution(one_op, dtype), place("tflm-cmsis-nn", isa=isa))
    assert (placed.cause, placed.placement.optimized) == ("written_kernel", True)
    assert placed.placement.processor == "cpu"


def test_cmsis_nn_convolves_floats_with_portable_code(one_op: Graph, place: Place) -> None:
    placed = decided(convolution(one_op, F32), place("tflm-cmsis-nn"))
    assert (placed.cause, placed.placement.optimized) == ("portable_kernel", False)
    assert placed.placement.supported is True
    assert placed.placement.remedy == "compute in int8"


def test_the_reference_kernels_are_portable_for_every_type(one_op: Graph, place: Place) -> None:
    for dtype in (F32, I8, I16):
        assert decided(convolution(one_op, dtype), place("tflm-reference")).cause == "portable_kernel"


@pytest.mark.parametrize("isa", ["cortex-m0plus", "cortex-m3"])
def test_cmsis_nn_is_plain_c_on_a_core_without_simd(one_op: Graph, place: Place, isa: str) -> None:
    placed = decided(convolution(one_op, I8), place("tflm-cmsis-nn", isa=isa))
    assert (placed.cause, placed.placement.optimized) == ("instructions", False)
    assert f"needs dsp or mve, {isa} has none" in placed.placement.reason


def test_a_cortex_m33_has_the_dsp_extension_where_its_source_says_so(one_op: Graph, place: Place) -> None:
    graph = convolution(one_op, I8)
    with_dsp = place("tflm-cmsis-nn", isa="cortex-m33", dsp=True)
    without = place("tflm-cmsis-nn", isa="cortex-m33", dsp=False)
    assert decided(graph, with_dsp).cause == "written_kernel"
    assert decided(graph, without).cause == "instructions"


def test_transposition_is_written_for_helium_alone(one_op: Graph, place: Place) -> None:
    graph = one_op("TRANSPOSE", ((I8, (2, 3)), (I32, (2,), True)), ((I8, (3, 2)),))
    assert decided(graph, place("tflm-cmsis-nn", isa="cortex-m7")).cause == "instructions"
    helium = place("tflm-cmsis-nn", isa="cortex-m55", dsp=True, vector="mve")
    assert decided(graph, helium).cause == "written_kernel"


def test_floats_are_computed_in_software_on_a_core_without_fpu(one_op: Graph, place: Place) -> None:
    placed = decided(convolution(one_op, F32), place("tflm-reference", isa="cortex-m0plus", fpu="none"))
    assert (placed.cause, placed.placement.supported) == ("float_unit", True)
    assert decided(convolution(one_op, I8), place("tflm-reference", fpu="none")).cause == "portable_kernel"


def test_a_single_precision_unit_computes_float32_but_not_float64(
    one_op: Graph, place: Place, runtime: Kernels
) -> None:
    kernels = runtime(ADD={"dtypes": ("float32", "float64"), "optimized": ("float32", "float64")})
    where = place(kernels, fpu="sp")
    assert decided(one_op("ADD", ((F32, (4,)),) * 2), where).cause == "written_kernel"
    assert decided(one_op("ADD", ((F64, (4,)),) * 2), where).cause == "float_unit"


def accelerator(*dtypes: str) -> Accelerator:
    rates = {dtype: {"value": 64, "unit": "MAC/cycle", "source": "s", "locator": "l"} for dtype in dtypes}
    return Accelerator.model_validate({"id": "npu", "name": "NPU", "kind": "npu", "macs_per_cycle": rates})


def test_what_the_accelerator_takes_runs_on_it(one_op: Graph, place: Place, runtime: Kernels) -> None:
    kernels = runtime(CONV_2D={"dtypes": ("int8",), "optimized": ("int8",)}, fallback="cpu")
    placed = decided(convolution(one_op, I8), place(kernels, accelerator=accelerator("int8")))
    assert (placed.placement.processor, placed.placement.optimized) == ("npu", True)


def test_what_the_accelerator_refuses_falls_back_to_the_cpu(
    one_op: Graph, place: Place, runtime: Kernels
) -> None:
    kernels = runtime(CONV_2D={"dtypes": ("int8",), "optimized": ("int8",)}, fallback="cpu")
    placed = decided(one_op("SOFTMAX"), place(kernels, accelerator=accelerator("int8")))
    assert placed.cause == "fallback"
    assert (placed.placement.supported, placed.placement.processor) == (True, "cpu")
    assert placed.placement.optimized is False


def test_without_fallback_what_the_accelerator_refuses_does_not_run(
    one_op: Graph, place: Place, runtime: Kernels
) -> None:
    kernels = runtime(CONV_2D={"dtypes": ("int8",)})
    assert (
        decided(one_op("SOFTMAX"), place(kernels, accelerator=accelerator("int8"))).placement.supported
        is False
    )


def test_whether_an_integer_accelerator_computes_floats_too_is_unknown(
    one_op: Graph, place: Place, runtime: Kernels
) -> None:
    both = {"dtypes": ("int8", "float32"), "optimized": ("int8", "float32")}
    where = place(runtime(CONV_2D=both, RELU=both), accelerator=accelerator("int8"))
    placed = decided(convolution(one_op, F32), where)
    assert placed.cause == "accelerator_computes"
    assert placed.placement.supported is None
    assert placed.placement.reason.endswith("Input is float32, npu is known to compute int8.")
    assert decided(one_op("RELU", ((F32, (4,)),)), where).placement.supported is True


def shape_arithmetic() -> ModelGraph:
    tensors = (
        Tensor(0, "x", (1, 4), F32),
        Tensor(1, "shape", (2,), I32),
        Tensor(2, "begin", (1,), I32, 4, is_constant=True, values=(0,)),
        Tensor(3, "batch", (1,), I32),
        Tensor(4, "computed", (1,), I32),
    )
    ops = (
        Op(0, "SHAPE", (0,), (1,)),
        Op(1, "STRIDED_SLICE", (1, 2, 2, 2), (3,)),
        Op(2, "STRIDED_SLICE", (0, 2, 2, 2), (4,)),
    )
    return ModelGraph("m", "tflite", "0" * 64, None, (Subgraph("main", tensors, ops, (0,), (3, 4)),))


def test_a_compiler_computes_shapes_ahead_and_an_interpreter_does_not(place: Place, runtime: Kernels) -> None:
    integer_slices = {"STRIDED_SLICE": {"dtypes": ("float32",)}}
    compiled = place_operators(
        shape_arithmetic(), place(runtime(**integer_slices, complete=False, folds_constants=True))
    )
    assert [p.cause for p in compiled] == ["computed_ahead", "computed_ahead", "portable_kernel"]
    interpreted = place_operators(shape_arithmetic(), place(runtime(**integer_slices, complete=False)))
    assert [p.cause for p in interpreted] == ["operator_known", "type_supported", "portable_kernel"]
