"""What is asked of memory, placement and code."""

from typing import Literal

from ..spelling import arg, penalties_from
from . import Count, OnDeployment, Placed, Positive, Weights


class MemoryArguments(OnDeployment):
    reserve_bytes: Count = arg(None, "--reserve", "RAM for stack, heap, application, such as 64KiB.")


class OrderArguments(Placed):
    time_limit_s: Positive = arg(None, help="Longest time to search for an order, in seconds.")


class TimelineArguments(OnDeployment):
    levers: bool = arg(
        None, "--levers/--no-levers", "Simulate what would lower the peak of memory.", default=True
    )


class CompatibilityArguments(OnDeployment):
    weights: Weights = arg(
        None, "--weight", "Points of a penalty, such as cpu_fallback=80.", read=penalties_from
    )


class CodeArguments(Placed):
    one_type: bool = arg(
        None, "--one-type", "Link kernels of the model's own type alone (CMSIS-NN).", default=False
    )
    project: Literal["esp-idf", "platformio", "zephyr"] | None = arg(
        None, "--project", "Write a whole project that it builds; for an ESP32 esp-idf anyway."
    )
    instrument: bool = arg(
        None,
        "--instrument",
        "Firmware that times its operators over a serial line and proves its outputs (docs/board.md).",
        default=False,
    )
