"""Buffer sizes of ESP-NN's kernels, as espressif/esp-nn d45b843c returns them, compiled for the host."""

import pytest

from edgewright.tools.api.memory import plan_memory
from edgewright.tools.core.deployment import deployment
from edgewright.tools.core.quantity import Basis
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.graph.requantize import to_int8
from edgewright.tools.memory_planner.kernels.esp_nn_buffers import Chip, convolve, depthwise, softmax
from edgewright.tools.memory_planner.kernels.scratch_esp_nn import chip_of
from edgewright.tools.memory_planner.kernels.windows import Window
from edgewright.tools.memory_planner.memory_plan import MemoryPlan

SAME, VALID = True, False


@pytest.mark.parametrize(
    ("window", "s3", "p4"),
    [
        (Window(1, (96, 96), 3, (3, 3), 3, (48, 48), 8, (2, 2), (1, 1), SAME), 416, 91),
        (Window(1, (24, 24), 16, (1, 1), 16, (24, 24), 32, (1, 1), (1, 1), SAME), 832, 800),
        (Window(1, (24, 24), 12, (1, 1), 12, (24, 24), 32, (1, 1), (1, 1), SAME), 10048, 704),
        (Window(1, (49, 10), 1, (10, 4), 1, (25, 5), 64, (2, 2), (1, 1), SAME), 3472, 328),
        (Window(1, (96, 96), 1, (3, 3), 1, (48, 48), 8, (2, 2), (1, 1), SAME), 11236, 148672),
        (Window(1, (240, 240), 1, (3, 3), 1, (120, 120), 8, (2, 2), (1, 1), SAME), 60196, 922816),
        (Window(1, (20, 20), 12, (3, 3), 12, (9, 9), 12, (2, 2), (1, 1), VALID), 3568, 1808),
        (Window(1, (20, 20), 1, (3, 3), 1, (18, 18), 4, (1, 1), (1, 1), VALID), 848, 7024),
    ],
)
def test_convolutions_take_the_buffer_that_esp_nn_asks_for(window: Window, s3: int, p4: int) -> None:
    assert [convolve(window, chip) for chip in (Chip.GENERIC, Chip.S3, Chip.P4)] == [0, s3, p4]


@pytest.mark.parametrize(
    ("side", "channels", "kernel", "multiplier", "stride", "padding", "s3"),
    [
        (24, 16, 3, 1, 1, SAME, 10976),
        (96, 32, 3, 1, 1, SAME, 9712),
        (24, 24, 3, 1, 1, SAME, 43872),
        (24, 8, 3, 1, 1, SAME, 9392),
        (24, 16, 5, 1, 1, SAME, 19264),
        (96, 32, 5, 1, 1, SAME, 32352),
        (24, 12, 3, 1, 1, SAME, 28144),
        (24, 3, 3, 1, 1, SAME, 32),
        (24, 4, 3, 4, 1, SAME, 4928),
        (25, 16, 3, 1, 2, VALID, 10976),
        (24, 16, 1, 1, 1, VALID, 18496),
    ],
)
def test_depthwise_convolutions_take_the_buffer_that_esp_nn_asks_for(
    side: int, channels: int, kernel: int, multiplier: int, stride: int, padding: bool, s3: int
) -> None:
    made = -(-side // stride) if padding is SAME else (side - kernel) // stride + 1
    window = Window(
        1, (side, side), channels, (kernel, kernel), channels * multiplier, (made, made),
        channels * multiplier, (stride, stride), (1, 1), padding,
    )  # fmt: skip
    assert [depthwise(window, multiplier, chip) for chip in (Chip.GENERIC, Chip.S3, Chip.P4)] == [0, s3, 0]


def network() -> MemoryPlan:
    b = GraphBuilder("small")
    x = b.depthwise_conv2d(b.conv2d(b.input((1, 16, 16, 3)), 16, 3), 3)
    return plan_memory(to_int8(b.build([b.softmax(b.fully_connected(b.flatten(x), 10))])), "esp32-s3")


def test_the_arena_of_an_esp32_s3_holds_the_buffers_of_its_kernels() -> None:
    plan = network()
    assert [t.bytes for t in plan.tensors if t.tensor is None] == [704, 5344, softmax(10)]
    assert plan.arena_basis is Basis.DERIVED
    assert any("ESP32-S3" in told for told in plan.assumptions)


@pytest.mark.parametrize(
    ("target", "chip"), [("esp32", Chip.GENERIC), ("esp32-c3", Chip.GENERIC), ("esp32-s3", Chip.S3), ("esp32-p4", Chip.P4)]
)  # fmt: skip
def test_the_chip_says_which_kernels_esp_nn_compiles(target: str, chip: Chip) -> None:
    assert chip_of(deployment(target).core) is chip
