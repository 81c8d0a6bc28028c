"""What is asked where limits are looked for, pages shown or hardware ranked."""

from pathlib import Path
from typing import Literal

from ..spelling import Arguments, arg, clocks_from, weights_from
from . import (
    BATTERY,
    CAPACITY,
    MODEL,
    RUNTIME,
    TARGET,
    WEIGHT,
    BudgetedLimits,
    Count,
    DeploymentArguments,
    LimitArguments,
    ModelArguments,
    Names,
    NewFile,
    OwnFigureArguments,
    Placed,
    Positive,
    PricedLimits,
    ShapeArguments,
    Text,
    Threads,
    TopArguments,
    Weights,
)


class PageArguments(ModelArguments, PricedLimits, ShapeArguments, OwnFigureArguments):
    """What stands on a page."""

    targets: Names = arg(
        None, "--target -t", "Id, nickname or TARGET/RUNTIME; again for each that the page shows.",
        default=..., completes="targets",
    )  # fmt: skip
    runtimes: Names | None = arg(None, "--runtime -r", f"{RUNTIME} Again for each.", completes="runtimes")
    clocks: list[float] | None = arg(
        None, "--clock", "Core clocks, such as 80MHz,160MHz; else the maximum.", kind=str, read=clocks_from
    )
    batches: list[int] | None = arg(
        None, "--batch", "Inferences computed at once; again for each.", kind=list[int]
    )
    threads: Count = arg(None, "--threads", "Cores used at once.", shown=1)
    transforms: Names | None = arg(
        None, "--transform", "Also show the model so changed, such as int8; again for each.",
        completes="techniques",
    )  # fmt: skip
    in_depth: bool = arg(
        None, "--in-depth", "Simulate changes for every deployment, not for the first alone.", default=False
    )
    charts: bool = arg(
        None, "--charts/--no-charts", "Let the page carry the charting library, 0.9 MB.", default=True
    )


class ReportArguments(PageArguments):
    output: NewFile = arg(None, "--output -o", "A new .html, .md or .zip file.")
    bundle: NewFile = arg(
        None, "--bundle", "A new .zip: page, tables, results, versions, hashes, a script that makes it again."
    )
    force: bool = arg(None, "--force", "Overwrite that file.", default=False)


class NodeDataArguments(PageArguments):
    folder: Path = arg(None, help="Folder for the files; made if it is not there.", default=...)
    trace: Path | None = arg(None, help="What a profiler wrote on the first deployment.")
    force: bool = arg(None, help="Overwrite files that are there.", default=False)


class ServeArguments(PageArguments):
    model: Text = arg(None, "model", f"{MODEL} The page asks for it where it is left out.",
                      required=False, completes="models")  # fmt: skip
    targets: Names = arg(
        None, "--target -t", "Id, nickname or TARGET/RUNTIME; again for each.", default=[],
        completes="targets",
    )  # fmt: skip


class GuideArguments(Arguments):
    models: Names | None = arg(
        "models that stand for what is to be run; leave out for the usual ones", "--model",
        "Architecture or file that the guide is computed with; again for each.", completes="models",
    )  # fmt: skip


class ArtifactsArguments(Placed):
    folder: Path = arg(None, help="Folder for the files; made if it is not there.", default=...)
    memory_bandwidth_gb_s: Positive = arg(None, help="What the use of memory is measured by, in GB/s.")
    force: bool = arg(None, help="Overwrite files that are there.", default=False)


class BundlesArguments(Arguments):
    before: Path = arg(None, "before", "A .zip that `report --bundle` wrote.", default=...)
    after: Path = arg(None, "after", "Another.", default=...)


class FindLimitArguments(Placed, BudgetedLimits):
    variable: Literal["input", "width", "clock", "ram", "batch", "rate", "battery-life", "depth"] = arg(
        "what to take as far as it goes: the side of the input, the share of the channels, the "
        "lowest clock, least RAM, largest batch, highest rate, longest battery life, most operators run",
        "--variable", "input, width, clock, ram, batch, rate, battery-life or depth.", default=...,
    )  # fmt: skip
    battery: Text = arg("for battery-life: a battery by its size or kind", "--battery", BATTERY)
    battery_mah: Positive = arg("capacity of the battery, in mAh", "--battery-mah", CAPACITY)
    battery_v: Positive = arg(None, "--battery-v", "Its nominal voltage.")
    sleep_ua: Positive = arg(
        "current asleep, in microamperes, as the user gave it",
        "--sleep-ua", "Current asleep in µA; else the database's.",
    )  # fmt: skip
    wakeup_us: Positive = arg(None, "--wakeup-us", "Time to wake up in µs.")


class RecommendArguments(ModelArguments, PricedLimits, ShapeArguments, TopArguments):
    price_usd: Positive = arg(
        "most price of one target, in US dollars", "--max-price", "Of one target, such as 20USD."
    )
    template: Text = arg(
        "limits to start from: keyword-spotting, battery-camera, drone, wearable or gateway",
        "--template", "Start from: keyword-spotting, battery-camera, drone, wearable, gateway.",
    )  # fmt: skip
    target_class: Text = arg("only mcu, dsp, npu, mpu, gpu-soc, gpu or cpu")
    runtime: Text = arg("only this kernel library")
    goal: Literal["balance", "latency", "energy", "power", "ram", "price"] = arg(
        "what decides among those that meet the limits", default="balance"
    )
    weights: Weights = arg(None, "--weight", WEIGHT, read=weights_from)
    targets: Names | None = arg(None, "--target -t", TARGET, completes="targets")
    runtimes: Names | None = arg(None, "--runtime -r", "Only these.", completes="runtimes")
    classes: Names | None = arg(None, "--class", "Only these, such as mcu.")
    threads: Threads = arg(
        "1, or 0 for all cores of each", "--threads", "1; 0 for all cores of each.", shown=1
    )
    without: Names | None = arg(
        "not these: makers, classes, targets or runtimes",
        "--without", "Not these makers, classes, targets or runtimes, such as nvidia or linux.",
    )  # fmt: skip


class ModelChoiceArguments(DeploymentArguments, BudgetedLimits, TopArguments):
    task: Text = arg(
        "keyword-spotting, image-classification, person-detection, object-detection, segmentation, asr, "
        "anomaly or text-generation",
        "--task", "Such as image-classification or keyword-spotting.", required=True,
    )  # fmt: skip
    dataset: Text = arg(None, "--dataset", "Only accuracies on this one, such as ImageNet-1k.")


class CompareArguments(ModelArguments, LimitArguments, ShapeArguments):
    targets: Names = arg(
        "chips or boards, by id or nickname; a slash and a kernel library where not the usual",
        "--target -t", TARGET, default=..., required=False, completes="targets", min_length=2, max_length=12,
    )  # fmt: skip
    runtime: Text = arg(None, "--runtime -r", RUNTIME, completes="runtimes")
    clock_mhz: Positive = arg("core clock of all, in MHz; leave out for the maximum of each")
    batch: Count = arg("inferences computed at once, as a count")
    threads: Threads = arg("cores used at once, as a count; 0 for all")
    weights: Weights = arg(None, "--weight", WEIGHT, read=weights_from)
