"""What is asked of changes to a model, and of two versions of one."""

from pathlib import Path
from typing import Literal

from ..spelling import Arguments, arg, share_from
from . import BudgetedLimits, Count, DeploymentArguments, Name, Names, Placed, Text

HEAVY = "Share of the parameters or MACs from which a layer is listed as heavy, such as 5%."


class AnalyzeArguments(Placed):
    heavy_share: float | None = arg(None, "--heavy-share", HEAVY, kind=str, read=share_from)
    data: Path | None = arg(None, "--data", "Labelled samples: the file's accuracy, run here.")
    metric: Text = arg(None, "--metric", "MODULE:FUNCTION of outputs and labels; else top-1.")


class OptimizeArguments(Placed, BudgetedLimits):
    technique: Text = arg(
        "simulate this change alone: a type, prune-PERCENT, width-PERCENT, input-HEIGHTxWIDTH or "
        "clock-FREQUENCY; leave out for all",
        "--technique", "Only these, alone and in this order, such as prune-30@4,7: see --list.",
        kind=list[str], completes="techniques",
    )  # fmt: skip
    exclude: Names | None = arg(
        "not these changes: retraining, redesign, a family such as resolution or pruning, or a name",
        "--exclude", "No such changes: retraining, redesign, resolution, pruning, runtime, or by name.",
    )  # fmt: skip
    goal: Literal["latency", "energy", "ram", "flash"] = arg(
        "the quantity that the changes are ranked by",
        "--goal", "latency, energy, ram or flash.", default="latency",
    )  # fmt: skip
    search: str = arg(
        None, "--search", "greedy, beam or grid: which combinations are tried.", default="greedy"
    )
    most_changes: Count = arg(None, "--changes", "No longer combinations than this.")
    sensitivity: bool = arg(None, "--sensitivity", "Also change each layer alone.", default=False)
    heavy_share: float | None = arg(None, "--heavy-share", HEAVY, kind=str, read=share_from)


class ApplyArguments(Placed):
    technique: str = arg(
        None, help="A type, such as int8, or another change that can be written: see optimize.", default=...
    )
    output: Path = arg(None, help="A new .tflite or .onnx file for the changed model.", default=...)
    data: Path | None = arg(None, help="Samples of inputs, with labels or not; else random ones.")
    force: bool = arg(None, help="Overwrite the file of the changed model.", default=False)
    metric: Text = arg(None, help="MODULE:FUNCTION of outputs and labels; else top-1.")


class ConvertArguments(Arguments):
    source: Text = arg(
        None, "model", "A .pt2, .onnx, .keras or .h5 file, or the folder of a SavedModel.", completes="models"
    )
    output: Path | None = arg(None, "--output -o", "The new .tflite file.")
    int8: bool = arg(None, "--int8", "Quantise it to int8, which takes the extra apply.", default=False)
    data: Path | None = arg(
        None, "--data", "Samples to compare on and to calibrate with, labelled or not; else random ones."
    )
    force: bool = arg(None, "--force", "Overwrite the file.", default=False)


class DiffModelsArguments(DeploymentArguments):
    before: Name = arg("the version to compare with, a file or an architecture", default=...)
    after: Name = arg("the new version, likewise", default=...)
