"""Layouts of structures and buffer sizes of CMSIS-NN."""

import struct as native

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewright.tools.api.memory import plan_memory
from edgewright.tools.core.deployment import deployment
from edgewright.tools.graph import ModelGraph
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.graph.requantize import to_int8
from edgewright.tools.memory_planner.kernels.abi import Abi, Struct, abi_of, struct
from edgewright.tools.memory_planner.kernels.cmsis_nn_buffers import (
    Isa,
    convolve_s8,
    convolve_s16,
    depthwise_s4,
    depthwise_s8,
    kernel_sums,
    transpose_convolve_s8,
)
from edgewright.tools.memory_planner.kernels.kernel_library import library_of
from edgewright.tools.memory_planner.kernels.tflm_structs import (
    EVAL_TENSOR,
    NODE_AND_REGISTRATION,
    SOFTMAX_DATA,
    TENSOR,
)
from edgewright.tools.memory_planner.kernels.windows import Window
from edgewright.tools.memory_planner.memory_plan import MemoryPlan
from edgewright.tools.model_zoo.named import build_architecture

NATIVE = {"p": "P", "i": "i", "e": "i", "d": "d", "h": "h", "b": "b"}


@pytest.mark.skipif(native.calcsize("P") != 8, reason="compares with the layout of a 64-bit machine")
@given(st.lists(st.sampled_from("piedhb"), min_size=1, max_size=12))
def test_a_structure_is_laid_out_as_the_machines_compiler_does(members: list[str]) -> None:
    layout = Abi(pointer_bytes=8).layout(struct(*members))
    widest = max(members, key=lambda m: native.calcsize(NATIVE[m]))
    assert layout.size == native.calcsize("@" + "".join(NATIVE[m] for m in members) + "0" + NATIVE[widest])


def test_a_structure_within_a_structure_keeps_its_own_padding() -> None:
    assert Abi(8).sizeof(struct(struct("d i"), "3i")) == 32


# sizeof in tensorflow/tflite-micro 90b983c2 as GCC 12 compiles it: x86-64, 32 bits, 32 bits with -fshort-enums.
@pytest.mark.parametrize(
    ("record", "sizes"),
    [
        (EVAL_TENSOR, (24, 12, 12)),
        (TENSOR, (64, 40, 32)),
        (NODE_AND_REGISTRATION, (64, 32, 32)),
        (SOFTMAX_DATA, (80, 56, 56)),
    ],
)
def test_the_interpreters_structures_have_their_compiled_sizes(
    record: Struct, sizes: tuple[int, int, int]
) -> None:
    assert tuple(abi.sizeof(record) for abi in (Abi(8), Abi(4), Abi(4, 1))) == sizes


@pytest.mark.parametrize(
    ("target", "abi"),
    [
        ("stm32h743zi", Abi(4, 1)),
        ("esp32-s3", Abi(4, 4)),
        ("host-x86-64", Abi(8, 4)),
        ("jetson-agx-orin-64gb", Abi(8, 4)),
    ],
)
def test_the_core_says_how_its_compiler_lays_structures_out(target: str, abi: Abi) -> None:
    assert abi_of(deployment(target).core) == abi


RGB = Window(1, (96, 96), 3, (3, 3), 3, (48, 48), 8, (2, 2), (1, 1), True)
POINTWISE = Window(1, (24, 24), 16, (1, 1), 16, (24, 24), 32, (1, 1), (1, 1), True)
KEYWORDS = Window(1, (49, 10), 1, (10, 4), 1, (25, 5), 64, (2, 2), (1, 1), True)
ROW = Window(1, (1, 64), 8, (1, 5), 8, (1, 64), 16, (1, 1), (1, 1), True)
DILATED = Window(1, (20, 20), 12, (3, 3), 12, (16, 16), 12, (1, 1), (2, 2), False)
DEPTHWISE_3X3 = Window(1, (25, 5), 64, (3, 3), 64, (25, 5), 64, (1, 1), (1, 1), True)
DEPTHWISE_5X5 = Window(1, (14, 14), 40, (5, 5), 40, (14, 14), 40, (1, 1), (1, 1), True)
TWO = Window(2, (14, 14), 40, (5, 5), 40, (14, 14), 40, (1, 1), (1, 1), True)


# What ARM-software/CMSIS-NN 4ab83cc3 returns, compiled for the host: no extension, DSP, MVE.
@pytest.mark.parametrize(
    ("window", "sizes"),
    [
        (RGB, (112, 112, 128)),
        (POINTWISE, (0, 0, 0)),
        (KEYWORDS, (160, 160, 192)),
        (ROW, (160, 160, 56)),
        (DILATED, (432, 432, 448)),
        (DEPTHWISE_5X5, (4000, 4000, 4032)),
    ],
)
def test_convolutions_take_the_buffer_that_cmsis_nn_asks_for(
    window: Window, sizes: tuple[int, int, int]
) -> None:
    assert tuple(convolve_s8(window, isa) for isa in Isa) == sizes


@pytest.mark.parametrize(("window", "sizes"), [(RGB, (108, 108, 256)), (POINTWISE, (64, 64, 128))])
def test_int16_convolutions_take_wider_rows(window: Window, sizes: tuple[int, int, int]) -> None:
    assert tuple(convolve_s16(window, isa) for isa in Isa) == sizes


@pytest.mark.parametrize(
    ("window", "sizes"),
    [
        (DEPTHWISE_3X3, (0, 0, 4464)),
        (DEPTHWISE_5X5, (0, 2000, 12400)),
        (TWO, (0, 0, 0)),
        (KEYWORDS, (0, 0, 2752)),
    ],
)
def test_depthwise_convolutions_take_the_buffer_that_cmsis_nn_asks_for(
    window: Window, sizes: tuple[int, int, int]
) -> None:
    assert tuple(depthwise_s8(window, isa) for isa in Isa) == sizes


def test_four_bit_weights_take_the_depthwise_buffer_without_an_exception_for_3x3() -> None:
    assert [depthwise_s4(DEPTHWISE_3X3, isa) for isa in (Isa.DSP, Isa.MVE)] == [1152, 4464]


@pytest.mark.parametrize(
    ("window", "sizes"), [(POINTWISE, (3072, 0)), (KEYWORDS, (56320, 0)), (DEPTHWISE_5X5, (4000, 40000))]
)
def test_transposed_convolutions_turn_the_filter_round_for_many_channels(
    window: Window, sizes: tuple[int, int]
) -> None:
    assert transpose_convolve_s8(window, Isa.DSP) == sizes


def test_sums_of_weights_are_kept_for_mve_alone() -> None:
    assert [kernel_sums(10, isa) for isa in Isa] == [0, 0, 40]


def network() -> ModelGraph:
    b = GraphBuilder("average")
    x = b.conv2d(b.input((1, 8, 8, 3)), 6, 3)
    return to_int8(b.build([b.average_pool2d(x, 8)]))


def scratch(plan: MemoryPlan) -> list[int]:
    return [t.bytes for t in plan.tensors if t.tensor is None]


def test_each_kernel_library_asks_for_its_own_scratch_buffers() -> None:
    graph = network()
    assert scratch(plan_memory(graph, deployment("stm32h743zi", "tflm-cmsis-nn"))) == [112, 24]
    assert scratch(plan_memory(graph, deployment("rp2040", "tflm-cmsis-nn"))) == [112]
    assert scratch(plan_memory(graph, deployment("stm32h743zi", "tflm-reference"))) == []


def test_kernels_that_nobody_read_are_taken_for_the_portable_ones_and_said_so() -> None:
    assert not library_of("tflm-mvp", deployment("stm32h743zi").core).known
    assert library_of("tflm-reference@2026-08", deployment("esp32-s3").core).known


# What tensorflow/tflite-micro 90b983c2 with CMSIS-NN 4ab83cc3 allocates for these models on 32-bit Arm: compiled by
# arm-none-eabi-gcc 12.2, run under QEMU; FULLY_CONNECTED's options as in the interpreter of 2026-10-23.
ON_ARM = {
    ("rp2040", "tflm-reference"): ((768, 1604), (16000, 6772), (49152, 5188), (73728, 26932)),
    ("rp2040", "tflm-cmsis-nn"): ((768, 1908), (16000, 6820), (49728, 5252), (73728, 26980)),
    ("stm32h743zi", "tflm-cmsis-nn"): ((768, 1908), (16000, 6820), (49728, 5268), (73728, 26980)),
    ("ra8m1", "tflm-cmsis-nn"): ((768, 8596), (20464, 6884), (49728, 5300), (73728, 27044)),
}


@pytest.mark.parametrize(("target", "runtime"), ON_ARM)
def test_the_arena_on_32_bit_arm_is_what_the_interpreter_allocates_there(target: str, runtime: str) -> None:
    where = deployment(target, runtime)
    plans = [
        plan_memory(build_architecture(name, dtype="int8"), where) for name in ("ad", "kws", "ic", "vww")
    ]
    planned = tuple((plan.arena_nonpersistent_bytes, plan.arena_persistent_bytes) for plan in plans)
    assert planned == ON_ARM[target, runtime]
