"""What is asked of the catalogue."""

from ..spelling import Arguments, arg
from . import POWER, RUNTIME, Count, ModelArguments, Name, Positive, ShapeArguments, Text, TopArguments


class InspectArguments(ModelArguments, ShapeArguments, TopArguments): ...


class TargetArguments(Arguments):
    target: Text = arg(
        "chip or board, by id or nickname; leave out for the target of the context",
        "name", "A target.", required=True, completes="targets",
    )  # fmt: skip


class DiffTargetsArguments(Arguments):
    one: Name = arg(
        "a chip or board, by id or nickname", "one", "A target.", default=..., completes="targets"
    )
    other: Name = arg("the one to compare it with", "other", "Another.", default=..., completes="targets")


class ListTargetsArguments(Arguments):
    target_class: Text = arg("mcu, dsp, npu, mpu, gpu-soc, gpu or cpu", "--class", "Such as mcu, npu or gpu.")
    core: Text = arg("part of the name of its cores' instruction set", "--core", "Such as cortex-m7 or rv32.")
    runtime: Text = arg("kernel library that has to run there", "--runtime -r", RUNTIME, completes="runtimes")
    min_ram_bytes: Count = arg("least RAM, in bytes", "--min-ram", "Such as 256KiB, all regions added up.")
    min_flash_bytes: Count = arg("least flash, in bytes", "--min-flash", "Such as 1MiB.")
    max_power_mw: Positive = arg("most power while computing, in mW", "--max-power", POWER)
    max_price_usd: Positive = arg("most price, in US dollars", "--max-price", "In US dollars.", kind=float)


class PublishedArguments(Arguments):
    models: list[Name] = arg("networks by name, such as mobilenet_v2:0.5", default=...)
    dtype: Text = arg("type that accuracies are looked for in first: int8, float16 or float32")


class SystemArguments(Arguments):
    system: Name = arg(
        "operating system or radio stack, by name",
        "name",
        "Such as freertos, zephyr or esp-wifi.",
        default=...,
    )
    target: Text = arg("chip or board that it runs on", "--target -t", "Id, nickname or part number.")


class RuntimeArguments(Arguments):
    runtime: Name = arg(
        "kernel library, by id or nickname", "name", "A runtime.", default=..., completes="runtimes"
    )
