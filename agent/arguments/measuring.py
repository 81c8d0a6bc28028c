"""What is asked of measurements, and of many estimates at once."""

from pathlib import Path
from typing import Literal

from ..spelling import Arguments, arg
from . import (
    MODEL,
    RUNTIME,
    TARGET,
    THREADS,
    Count,
    DeploymentArguments,
    ModelArguments,
    Name,
    NewFile,
    OnDeployment,
    Placed,
    Positive,
    Text,
    Threads,
)


class ImportArguments(OnDeployment):
    path: Name = arg(
        "file with the trace, as the user named it",
        "trace", "What a profiler or a linker wrote: a log, CSV, JSON, ELF or map.", default=..., kind=Path,
    )  # fmt: skip
    model: Text = arg(
        "path of a model file, or the name of a known architecture; leave out for the model of the context",
        "--model -m", "The model that was running.", completes="models",
    )  # fmt: skip
    target: Text = arg(
        "chip or board, by id or nickname; leave out for the target of the context",
        "--target -t", "Where it ran. Without --model and --target the trace is explained by itself.",
        required=False, completes="targets",
    )  # fmt: skip
    beside: list[Name] | None = arg(
        "further files of the same measurement",
        "--with", "Another file of the same measurement: compile-time trace, power, source. May be repeated.",
    )  # fmt: skip
    against: Name | None = arg(
        None, "--against", "An earlier run to compare it with, layer by layer.", kind=Path
    )
    supply_v: Positive = arg(None, "--supply", "Volts of a power trace that has a current alone: 3.3.")
    rules: Name | None = arg(
        None, "--rules", "A TOML like tools/traces/counters/rules.toml, to judge counters by.", kind=Path
    )
    unit: Text = arg(
        "what the trace counts in, if the user said it: cycles, s, ms, us, ns or a timer's rate",
        "--unit", "What the trace counts in: cycles, s, ms, us, ns or a timer's rate (1MHz).",
    )  # fmt: skip


class ExplainArguments(Arguments):
    path: Name = arg("file with the trace, as the user named it", default=...)
    beside: list[Name] | None = arg("further files of the same measurement")
    clock_mhz: Positive = arg("clock of the unit that cycles are counted in, in MHz")
    rules: Name | None = arg(None, help="A TOML to judge counters by.")
    supply_v: Positive = arg("supply of a power trace that has a current alone, in volts")


class FirmwareArguments(OnDeployment):
    path: Name = arg("ELF file or linker's map, as the user named it", default=...)
    model: Text = arg("model that is linked into it; leave out to explain the file alone")
    target: Text = arg("chip or board that it was linked for", required=False)


class CompareRunsArguments(Arguments):
    before: Name = arg("file with the earlier run", default=...)
    after: Name = arg("file with the later run", default=...)
    clock_mhz: Positive = arg("clock of both, where they count cycles, in MHz")
    rules: Name | None = arg(None, help="A TOML to judge counters by.")
    supply_v: Positive = arg("supply of a power trace that has a current alone, in volts")


class CountersArguments(Arguments):
    ipc: Positive = arg("instructions a cycle")
    cache_miss_rate: float | None = arg("misses over accesses, as a share")
    branch_miss_rate: float | None = arg("misses over branches, as a share")
    bandwidth_share: float | None = arg("of the memory's bandwidth, as a share")
    stall_share: float | None = arg("of the cycles, as a share")
    npu_idle_share: float | None = arg("of the NPU's cycles, as a share")
    mac_utilization: float | None = arg("of the cycles, those in which the MAC unit works, as a share")


class MessageArguments(Arguments):
    text: Text = arg("the message, as a runtime, a linker or a compiler printed it", default=...)
    target: Text = arg("chip or board that it comes from", required=False)


class CacheArguments(Placed):
    rules: Name | None = arg(None, "--rules", "A TOML like tools/traces/counters/rules.toml.", kind=Path)


class ProfileArguments(Arguments):
    path: Name = arg(None, "model", MODEL, default=..., completes="models")
    runtime: Text = arg(None, "--runtime -r", RUNTIME, completes="runtimes")
    repeat: int = arg(None, "--repeat", "Runs that are measured, after some to warm up.", default=100)
    threads: int = arg(None, "--threads", "Cores used at once.", default=1)
    calibrate: bool = arg(
        None, "--calibrate/--no-calibrate", "Let estimates for this machine go by it.", default=True
    )
    ceilings: bool = arg(
        None, "--ceilings", "Measure this machine's roofline too, and what the model reaches.", default=False
    )


class VariantsArguments(Arguments):
    path: Name = arg("a .tflite or .onnx file, or an architecture", default=...)
    repeat: int = arg("runs of each variant in each of two rounds", default=50)


class BoardProfileArguments(Placed):
    port: Name = arg("serial line of the board, such as /dev/ttyACM0", default=...)
    repeat: int = arg("runs that are measured", default=100)
    baud: int = arg("rate of the line", default=115_200)
    wait_s: Positive = arg("longest time without a line, in seconds")


class CalibrateArguments(ModelArguments, DeploymentArguments):
    path: Text = arg(
        "CSV as the user named it; else model, target, latency_ms",
        "measurements", "A CSV: model,target,runtime,dtype,batch,threads,clock_mhz,latency_ms.", kind=Path,
    )  # fmt: skip
    model: Text = arg("model that was measured", "--model -m", MODEL, completes="models")
    dtype: Text = arg(None, help="Type of a named architecture that was measured: int8, float16 or float32.")
    width: Positive = arg(None, help="Its width multiplier, as a factor.")
    input_size: Count = arg(None, help="Side of its square input, in pixels.")
    target: Text = arg("board it was measured on", "--target -t", TARGET, completes="targets")
    runtime: Text = arg("kernel library", "--runtime -r", RUNTIME, completes="runtimes")
    clock_mhz: Positive = arg("core clock, in MHz", "--clock", "Core clock, such as 80MHz; else the maximum.")
    batch: Count = arg(None, "--batch", "Inferences computed at once.", shown=1)
    threads: Threads = arg(None, "--threads", THREADS, shown=1)
    latency_ms: Positive = arg(
        "what the user measured, in milliseconds", "--latency", "What was measured, such as 180ms."
    )
    share: Path | None = arg(None, "--share", "Write what was used as a new .yaml for the project.")
    then: list[Name] | None = arg(None, "--then", "Another model to estimate by it.", completes="models")
    keep: bool = arg(None, "--keep/--no-keep", "Let every answer go by it; else only tell.", default=True)


class SweepArguments(Arguments):
    plan: Path = arg(None, "plan", "A YAML file: models, targets, transforms … (docs/sweep.md).", default=...)
    output: Path | None = arg(None, "--output -o", "Folder for results; else PLAN-sweep.")
    resume: bool = arg(None, "--resume", "Go on where it stopped.", default=False)
    workers: int | None = arg(
        None, "--workers", "Processes; else one, or one a core for a large plan.", least=1
    )
    scheduler: Text = arg(None, "--scheduler", "A Dask cluster's, such as tcp://127.0.0.1:8786.")
    force: bool = arg(None, "--force", "Overwrite results.", default=False)
    tree: bool = arg(None, "--tree", "Learn a decision tree and print it.", default=False)


class ValidateArguments(Arguments):
    against: Path | None = arg(None, "--against", "A CSV of measurements of your own.")
    device_class: Literal["mcu", "cpu", "gpu", "npu"] | None = arg(
        "only this class of hardware", "--class", "mcu, cpu, gpu or npu."
    )
    runtime: Text = arg(
        "only this kernel library", "--runtime -r", "Only of this runtime.", completes="runtimes"
    )
    in_sample: bool = arg(None, "--in-sample", "Also errors on what was fitted.", default=False)
    plot: NewFile = arg(None, "--plot", "Draw predicted against measured: .svg, .html.")
    output: NewFile = arg(None, "--output -o", "Write predictions: .csv.")
