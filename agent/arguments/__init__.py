"""What each tool can be asked with: flat, in fixed units, optional where the conversation has a default."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from ..spelling import Arguments, arg


def _blank_is_none(value: Any) -> Any:
    return None if isinstance(value, str) and not value.strip() else value


_BLANK = BeforeValidator(_blank_is_none)
Name = Annotated[str, Field(max_length=4096)]
Text = Annotated[Name | None, _BLANK]
Names = list[Name]
Positive = Annotated[Annotated[float, Field(gt=0, allow_inf_nan=False)] | None, _BLANK]
Count = Annotated[Annotated[int, Field(gt=0)] | None, _BLANK]
Threads = Annotated[Annotated[int, Field(ge=0)] | None, _BLANK]
THREADS = "Cores used at once; 0 for all."
Weights = dict[str, float] | None
WRITTEN = "written"
"""Marks an argument that names a file to write."""
NewFile = Annotated[Path | None, WRITTEN]

MODEL = "A .tflite or .onnx file, or a name such as mobilenet_v2:int8."
TARGET = "Id, nickname or part number."
RUNTIME = "Kernel library; else the usual one."
LATENCY = "For one inference, such as 50ms."
POWER = "While computing, such as 0.5W; with a rate on average."
BATTERY = "Such as CR2032, 18650 or 'LiPo 500 mAh'."
CAPACITY = "Capacity of a battery of your own."
WEIGHT = "What a figure counts for, such as energy=3."


class ModelArguments(Arguments):
    model: Text = arg(
        "path of a model file, or the name of a known architecture; leave out for the model of the context",
        "model", MODEL, required=True, completes="models",
    )  # fmt: skip
    dtype: Text = arg("type to build a named architecture in: int8, float16 or float32")
    width: Positive = arg("width multiplier of a named architecture, as a factor")
    input_size: Count = arg("side of the square input of a named architecture, in pixels")


class ShapeArguments(Arguments):
    shape: Text = arg(None, "--shape", "Input shape, such as 1,96,96,3.")
    signature: Text = arg(None, "--signature", "Signature of a .tflite file that has several.")


class TopArguments(Arguments):
    top: Count = arg("how many layers or operators to list, the heaviest first, as a count")


class DeploymentArguments(Arguments):
    target: Text = arg(
        "chip or board, by id or nickname; leave out for the target of the context",
        "--target -t", TARGET, required=True, completes="targets",
    )  # fmt: skip
    runtime: Text = arg(
        "kernel library, by id or nickname; leave out for the target's usual one",
        "--runtime -r", RUNTIME, completes="runtimes",
    )  # fmt: skip
    clock_mhz: Positive = arg(
        "core clock, in MHz; leave out for the maximum",
        "--clock", "Core clock, such as 80MHz; else the maximum.",
    )  # fmt: skip
    batch: Count = arg(
        "inferences computed at once, as a count", "--batch", "Inferences computed at once.", shown=1
    )
    threads: Threads = arg("cores used at once, as a count; 0 for all", "--threads", THREADS, shown=1)


class _TimeLimits(Arguments):
    latency_ms: Positive = arg("longest time of one inference, in milliseconds", "--max-latency", LATENCY)
    rate_hz: Positive = arg(
        "least rate of inferences one after the other, per second",
        "--min-rate", "Inferences per second, such as 20fps.",
    )  # fmt: skip


class MemoryLimits(Arguments):
    ram_bytes: Count = arg("most RAM, in bytes; engineers' k is KiB", "--max-ram", "Such as 256KiB.")
    reserve_bytes: Count = arg(None, "--reserve", "RAM for stack, heap, application: 64KiB.")
    flash_bytes: Count = arg("most flash, in bytes; engineers' k is KiB", "--max-flash", "Such as 1MiB.")


class LimitArguments(_TimeLimits, MemoryLimits):
    energy_uj: Positive = arg(
        "most energy of one inference, in microjoules; not power",
        "--max-energy", "For one inference, such as 1mJ.",
    )  # fmt: skip
    power_mw: Positive = arg("most power while computing, in milliwatts; not energy", "--max-power", POWER)
    headroom: float | None = arg(None, "--headroom", "Share of the target's memory to keep free.")


class BudgetedLimits(LimitArguments):
    """Limits, or a file of them."""

    only_dtype: Text = arg(None, "--dtype", "The only type allowed, such as int8.")
    budget: Path | None = arg(None, "--budget", "A YAML file of limits, instead of flags.")


class PricedLimits(BudgetedLimits):
    price_usd: Positive = arg(None, "--max-price", "Of one target, such as 20USD.")


class OwnFigureArguments(Arguments):
    own_price_usd: Positive = arg(
        "price of the user's own board, in US dollars", "--price", "Of your own board, such as 20USD."
    )
    own_active_mw: Positive = arg(
        "power of the user's own board while it computes, in milliwatts",
        "--active-power", "Of your own board while it computes, such as 90mW.",
    )  # fmt: skip
    own_sleep_ua: Positive = arg(
        "current of the user's own board asleep, in microamperes",
        "--sleep-current", "Of your own board asleep, in microamperes.",
    )  # fmt: skip
    own_external_ram_bytes: Positive = arg(
        "PSRAM or SDRAM on the user's own board, in bytes",
        "--external-ram", "PSRAM or SDRAM on your own board, such as 8MiB.",
    )  # fmt: skip


class Placed(ModelArguments, DeploymentArguments, ShapeArguments, OwnFigureArguments): ...


class OnDeployment(Placed, TopArguments): ...


class NoArguments(Arguments): ...
