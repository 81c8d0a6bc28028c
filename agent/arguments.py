"""What each tool can be asked with: flat, in fixed units, optional where the conversation has a default."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from .spelling import Arguments, arg, clocks_from, penalties_from, seconds_from, weights_from


def _blank_is_none(value: Any) -> Any:
    return None if isinstance(value, str) and not value.strip() else value


_BLANK = BeforeValidator(_blank_is_none)
_Name = Annotated[str, Field(max_length=4096)]
_Text = Annotated[_Name | None, _BLANK]
_Names = list[_Name]
_Positive = Annotated[Annotated[float, Field(gt=0, allow_inf_nan=False)] | None, _BLANK]
_Count = Annotated[Annotated[int, Field(gt=0)] | None, _BLANK]
_Weights = dict[str, float] | None

_MODEL = "A .tflite or .onnx file, or a name such as mobilenet_v2:int8."
_TARGET = "Id, nickname or part number."
_RUNTIME = "Kernel library; else the usual one."
_LATENCY = "For one inference, such as 50ms."
_POWER = "While computing, such as 0.5W."
_BATTERY = "Such as CR2032, 18650 or 'LiPo 500 mAh'."
_CAPACITY = "Capacity of a battery of your own."
_WEIGHT = "What a figure counts for, such as energy=3."


class ModelArguments(Arguments):
    model: _Text = arg(
        "path of a model file, or the name of a known architecture; leave out for the model of the context",
        "model", _MODEL, required=True, completes="models",
    )  # fmt: skip
    dtype: _Text = arg("type to build a named architecture in: int8, float16 or float32")
    width: _Positive = arg("width multiplier of a named architecture, as a factor")
    input_size: _Count = arg("side of the square input of a named architecture, in pixels")


class ShapeArguments(Arguments):
    shape: _Text = arg(None, "--shape", "Input shape, such as 1,96,96,3.")


class TopArguments(Arguments):
    top: _Count = arg("how many layers or operators to list, the heaviest first, as a count")


class DeploymentArguments(Arguments):
    target: _Text = arg(
        "chip or board, by id or nickname; leave out for the target of the context",
        "--target -t", _TARGET, required=True, completes="targets",
    )  # fmt: skip
    runtime: _Text = arg(
        "kernel library, by id or nickname; leave out for the target's usual one",
        "--runtime -r", _RUNTIME, completes="runtimes",
    )  # fmt: skip
    clock_mhz: _Positive = arg(
        "core clock, in MHz; leave out for the maximum",
        "--clock", "Core clock, such as 80MHz; else the maximum.",
    )  # fmt: skip
    batch: _Count = arg(
        "inferences computed at once, as a count", "--batch", "Inferences computed at once.", shown=1
    )
    threads: _Count = arg("cores used at once, as a count", "--threads", "Cores used at once.", shown=1)


class LimitArguments(Arguments):
    latency_ms: _Positive = arg("longest time of one inference, in milliseconds", "--max-latency", _LATENCY)
    rate_hz: _Positive = arg(
        "least rate of inferences one after the other, per second",
        "--min-rate", "Inferences per second, such as 20fps.",
    )  # fmt: skip
    ram_bytes: _Count = arg("most RAM, in bytes; engineers' k is KiB", "--max-ram", "Such as 256KiB.")
    reserve_bytes: _Count = arg(None, "--reserve", "RAM for stack, heap, application: 64KiB.")
    flash_bytes: _Count = arg("most flash, in bytes; engineers' k is KiB", "--max-flash", "Such as 1MiB.")
    energy_uj: _Positive = arg(
        "most energy of one inference, in microjoules; not power",
        "--max-energy", "For one inference, such as 1mJ.",
    )  # fmt: skip
    power_mw: _Positive = arg("most power while computing, in milliwatts; not energy", "--max-power", _POWER)
    headroom: float | None = arg(None, "--headroom", "Share of the target's memory to keep free.")


class BudgetedLimits(LimitArguments):
    """Limits, or a file of them."""

    only_dtype: _Text = arg(None, "--dtype", "The only type allowed, such as int8.")
    budget: Path | None = arg(None, "--budget", "A YAML file of limits, instead of flags.")


class PricedLimits(BudgetedLimits):
    price_usd: _Positive = arg(None, "--max-price", "Of one target, such as 20USD.")


class InspectArguments(ModelArguments, ShapeArguments, TopArguments): ...


class OwnFigureArguments(Arguments):
    own_price_usd: _Positive = arg(
        "price of the user's own board, in US dollars", "--price", "Of your own board, such as 20USD."
    )
    own_active_mw: _Positive = arg(
        "power of the user's own board while it computes, in milliwatts",
        "--active-power", "Of your own board while it computes, such as 90mW.",
    )  # fmt: skip
    own_sleep_ua: _Positive = arg(
        "current of the user's own board asleep, in microamperes",
        "--sleep-current", "Of your own board asleep, in microamperes.",
    )  # fmt: skip


class Placed(ModelArguments, DeploymentArguments, ShapeArguments, OwnFigureArguments): ...


class OnDeployment(Placed, TopArguments): ...


class MemoryArguments(OnDeployment):
    reserve_bytes: _Count = arg(None, "--reserve", "RAM for stack, heap, application, such as 64KiB.")


class OrderArguments(Placed):
    time_limit_s: _Positive = arg(None)


class TimelineArguments(OnDeployment):
    levers: bool = arg(
        None, "--levers/--no-levers", "Simulate what would lower the peak of memory.", default=True
    )


class CompatibilityArguments(OnDeployment):
    weights: _Weights = arg(
        None, "--weight", "Points of a penalty, such as cpu_fallback=80.", read=penalties_from
    )


class CodeArguments(Placed):
    one_type: bool = arg(
        None, "--one-type", "Link kernels of the model's own type alone (CMSIS-NN).", default=False
    )


class CheckArguments(Placed, PricedLimits):
    baseline: _Text = arg(None, "--baseline", "The version before: tell what changed.")
    max_regression: _Text = arg(
        None, "--max-regression", "How much more than the baseline any figure may take, such as 5%."
    )
    figures: _Text = arg(None, "--figures", "Release of the figures that it must stand on: 2026.12.")
    former: Path | None = arg(None, "--what-changed", "A former report (--json): which verdicts turned.")


class ReportArguments(Placed, PricedLimits):
    output: Path = arg(None, "--output -o", "A new .html or .md file.", default=...)
    force: bool = arg(None, "--force", "Overwrite that file.", default=False)


class BudgetArguments(Placed):
    rate_hz: _Positive = arg(
        "inferences per second; leave out for nonstop",
        "--rate", "How often it runs, such as 10/s; else nonstop.",
    )  # fmt: skip
    period_s: _Positive = arg(
        "seconds from one inference to the next, instead of rate_hz",
        "--every", "Or the time from one to the next, such as 10s.", kind=str, read=seconds_from,
    )  # fmt: skip
    battery: _Text = arg(
        "a battery by its size or kind, with its capacity where it comes in every size", "--battery", _BATTERY
    )
    battery_mah: _Positive = arg("capacity of the battery, in mAh", "--battery-mah", _CAPACITY)
    battery_v: _Positive = arg(
        "nominal voltage of the battery, in volts", "--battery-v", "Its nominal voltage."
    )
    sleep_ua: _Positive = arg(
        "current asleep, in microamperes, only as the user gave it",
        "--sleep-ua", "Current asleep in microamperes.",
    )  # fmt: skip
    wakeup_us: _Positive = arg(
        "time to wake up, in microseconds", "--wakeup-us", "Time to wake up in microseconds."
    )


class FrequencyArguments(Placed):
    latency_ms: _Positive = arg("longest time of one inference, in milliseconds", "--max-latency", _LATENCY)
    power_mw: _Positive = arg("most power while computing, in milliwatts", "--max-power", _POWER)
    clocks_mhz: list[float] | None = arg(
        None, "--clocks", "Such as 48MHz,96MHz; else eight steps.", kind=str, read=clocks_from
    )


class GenerationArguments(Arguments):
    model: _Text = arg(
        "a language model by its name", "model", "A language model, such as llama-3-8b.", required=True
    )
    target: _Text = arg("chip or board", "--target -t", _TARGET, required=True, completes="targets")
    runtime: _Text = arg(None, "--runtime -r", "Such as llama.cpp, vllm or rkllm; else the usual one.")
    weights: _Text = arg("format, as the user named it", "--weights", "Such as Q4_K_M, int8 or F16.")
    kv: _Text = arg(None, "--kv", "Format of the KV cache: f16, fp8, q8_0 or q4_0.")
    context: _Count = arg("tokens", "--context", "Tokens that each session has room for.", shown=4096)
    prompt_tokens: _Count = arg(None, "--prompt", "Tokens of the prompt.", shown=512)
    batch: _Count = arg("sessions at once", "--batch", "Sessions at once.", shown=1)
    bandwidth_gb_s: _Positive = arg(
        None, "--bandwidth", "Of the memory in GB/s; else the database's.", kind=float
    )


class OptimizeArguments(Placed, BudgetedLimits):
    technique: _Text = arg(
        "simulate this change alone: a type, prune-PERCENT, width-PERCENT, input-HEIGHTxWIDTH or "
        "clock-FREQUENCY; leave out for all",
        "--technique", "Only these, alone and in this order, such as prune-30@4,7: see --list.",
        kind=list[str], completes="techniques",
    )  # fmt: skip
    goal: Literal["latency", "energy", "ram", "flash"] = arg(
        "the quantity that the changes are ranked by",
        "--goal", "latency, energy, ram or flash.", default="latency",
    )  # fmt: skip
    search: str = arg(
        None, "--search", "greedy, beam or grid: which combinations are tried.", default="greedy"
    )
    most_changes: _Count = arg(None, "--changes", "No longer combinations than this.")
    sensitivity: bool = arg(None, "--sensitivity", "Also change each layer alone.", default=False)


class ApplyArguments(Placed):
    technique: str = arg(None, default=...)
    output: Path = arg(None, default=...)
    data: Path | None = arg(None)
    force: bool = arg(None, default=False)


class FindLimitArguments(Placed, BudgetedLimits):
    variable: Literal["input", "width", "clock", "ram", "batch", "rate", "battery-life", "depth"] = arg(
        "what to take as far as it goes: the side of the input, the share of the channels, the "
        "lowest clock, least RAM, largest batch, highest rate, longest battery life, most operators run",
        "--variable", "input, width, clock, ram, batch, rate, battery-life or depth.", default=...,
    )  # fmt: skip
    battery: _Text = arg("for battery-life: a battery by its size or kind", "--battery", _BATTERY)
    battery_mah: _Positive = arg("capacity of the battery, in mAh", "--battery-mah", _CAPACITY)
    battery_v: _Positive = arg(None, "--battery-v", "Its nominal voltage.")
    sleep_ua: _Positive = arg(
        "current asleep, in microamperes, as the user gave it",
        "--sleep-ua", "Current asleep in µA; else the database's.",
    )  # fmt: skip
    wakeup_us: _Positive = arg(None, "--wakeup-us", "Time to wake up in µs.")


class RecommendArguments(ModelArguments, PricedLimits, ShapeArguments, TopArguments):
    price_usd: _Positive = arg(
        "most price of one target, in US dollars", "--max-price", "Of one target, such as 20USD."
    )
    template: _Text = arg(
        "limits to start from: keyword-spotting, battery-camera, drone, wearable or gateway",
        "--template", "Start from: keyword-spotting, battery-camera, drone, wearable, gateway.",
    )  # fmt: skip
    target_class: _Text = arg("only mcu, dsp, npu, mpu, gpu-soc, gpu or cpu")
    runtime: _Text = arg("only this kernel library")
    goal: Literal["balance", "latency", "energy", "power", "ram"] = arg(
        "what decides among those that meet the limits", default="balance"
    )
    weights: _Weights = arg(None, "--weight", _WEIGHT, read=weights_from)
    targets: _Names | None = arg(None, "--target -t", _TARGET, completes="targets")
    runtimes: _Names | None = arg(None, "--runtime -r", "Only these.", completes="runtimes")
    classes: _Names | None = arg(None, "--class", "Only these, such as mcu.")


class CompareArguments(ModelArguments, LimitArguments, ShapeArguments):
    targets: _Names = arg(
        "chips or boards, by id or nickname; a slash and a kernel library where not the usual",
        "--target -t", _TARGET, default=..., required=False, completes="targets", min_length=2, max_length=12,
    )  # fmt: skip
    runtime: _Text = arg(None, "--runtime -r", _RUNTIME, completes="runtimes")
    weights: _Weights = arg(None, "--weight", _WEIGHT, read=weights_from)


class DiffModelsArguments(DeploymentArguments):
    before: _Name = arg("the version to compare with, a file or an architecture", default=...)
    after: _Name = arg("the new version, likewise", default=...)


class ImportArguments(OnDeployment):
    path: _Name = arg(
        "file with the trace, as the user named it",
        "trace", "What a profiler wrote: a log, a CSV or a JSON.", default=..., kind=Path,
    )  # fmt: skip
    model: _Text = arg(
        "path of a model file, or the name of a known architecture; leave out for the model of the context",
        "--model -m", "The model that was running.", required=True, completes="models",
    )  # fmt: skip
    unit: _Text = arg(
        "what the trace counts in, if the user said it: cycles, s, ms, us, ns or a timer's rate",
        "--unit", "What the trace counts in: cycles, s, ms, us, ns or a timer's rate (1MHz).",
    )  # fmt: skip


class ProfileArguments(Arguments):
    path: _Name = arg(None, "model", _MODEL, default=..., completes="models")
    runtime: _Text = arg(None, "--runtime -r", _RUNTIME, completes="runtimes")
    repeat: int = arg(None, "--repeat", "Runs that are measured, after some to warm up.", default=50)
    threads: int = arg(None, "--threads", "Cores used at once.", default=1)
    calibrate: bool = arg(
        None, "--calibrate/--no-calibrate", "Let estimates for this machine go by it.", default=True
    )


class CalibrateArguments(ModelArguments, DeploymentArguments):
    path: _Text = arg(
        "CSV as the user named it; else model, target, latency_ms",
        "measurements", "A CSV: model,target,runtime,dtype,batch,threads,clock_mhz,latency_ms.", kind=Path,
    )  # fmt: skip
    model: _Text = arg("model that was measured", "--model -m", _MODEL, completes="models")
    dtype: _Text = arg(None)
    width: _Positive = arg(None)
    input_size: _Count = arg(None)
    target: _Text = arg("board it was measured on", "--target -t", _TARGET, completes="targets")
    runtime: _Text = arg("kernel library", "--runtime -r", _RUNTIME, completes="runtimes")
    clock_mhz: _Positive = arg(
        "core clock, in MHz", "--clock", "Core clock, such as 80MHz; else the maximum."
    )
    batch: _Count = arg(None, "--batch", "Inferences computed at once.", shown=1)
    threads: _Count = arg(None, "--threads", "Cores used at once.", shown=1)
    latency_ms: _Positive = arg(
        "what the user measured, in milliseconds", "--latency", "What was measured, such as 180ms."
    )
    share: Path | None = arg(None, "--share", "Write what was used as a new .yaml for the project.")


class SweepArguments(Arguments):
    plan: Path = arg(None, "plan", "A YAML file: models, targets, transforms … (docs/sweep.md).", default=...)
    output: Path | None = arg(None, "--output -o", "Folder for results; else PLAN-sweep.")
    resume: bool = arg(None, "--resume", "Go on where it stopped.", default=False)
    workers: int | None = arg(
        None, "--workers", "Processes; else one, or one a core for a large plan.", least=1
    )
    scheduler: _Text = arg(None, "--scheduler", "A Dask cluster's, such as tcp://127.0.0.1:8786.")
    force: bool = arg(None, "--force", "Overwrite results.", default=False)
    tree: bool = arg(None, "--tree", "Learn a decision tree and print it.", default=False)


class ValidateArguments(Arguments):
    against: Path | None = arg(None, "--against", "A CSV of measurements of your own.")
    device_class: Literal["mcu", "cpu", "gpu", "npu"] | None = arg(
        "only this class of hardware", "--class", "mcu, cpu, gpu or npu."
    )
    runtime: _Text = arg(
        "only this kernel library", "--runtime -r", "Only of this runtime.", completes="runtimes"
    )
    in_sample: bool = arg(None, "--in-sample", "Also errors on what was fitted.", default=False)
    plot: Path | None = arg(None, "--plot", "Draw predicted against measured: .svg, .html.")
    output: Path | None = arg(None, "--output -o", "Write predictions: .csv.")


class TargetArguments(Arguments):
    target: _Text = arg(
        "chip or board, by id or nickname; leave out for the target of the context",
        "name", "A target.", required=True, completes="targets",
    )  # fmt: skip


class DiffTargetsArguments(Arguments):
    one: _Name = arg(
        "a chip or board, by id or nickname", "one", "A target.", default=..., completes="targets"
    )
    other: _Name = arg("the one to compare it with", "other", "Another.", default=..., completes="targets")


class ListTargetsArguments(Arguments):
    target_class: _Text = arg(
        "mcu, dsp, npu, mpu, gpu-soc, gpu or cpu", "--class", "Such as mcu, npu or gpu."
    )
    core: _Text = arg(
        "part of the name of its cores' instruction set", "--core", "Such as cortex-m7 or rv32."
    )
    runtime: _Text = arg(
        "kernel library that has to run there", "--runtime -r", _RUNTIME, completes="runtimes"
    )
    min_ram_bytes: _Count = arg("least RAM, in bytes", "--min-ram", "Such as 256KiB, all regions added up.")
    min_flash_bytes: _Count = arg("least flash, in bytes", "--min-flash", "Such as 1MiB.")
    max_power_mw: _Positive = arg("most power while computing, in mW", "--max-power", _POWER)
    max_price_usd: _Positive = arg("most price, in US dollars", "--max-price", "In US dollars.", kind=float)


class RuntimeArguments(Arguments):
    runtime: _Name = arg(
        "kernel library, by id or nickname", "name", "A runtime.", default=..., completes="runtimes"
    )


class NoArguments(Arguments): ...
