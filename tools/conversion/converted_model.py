"""What became of a model that was converted."""

from pathlib import Path

from ..core.quantity import Result
from ..optimization_simulator.applied.applied_optimization import Drift
from ..optimization_simulator.applied.measured_accuracy import MeasuredAccuracy


class ConversionStage(Result):
    """One step on the way: what it made, and how far its outputs are from those of the step before."""

    stage: str
    """source, float32 or int8."""
    made_by: str
    """The library, with its version."""
    file_bytes: int
    """Size of the file; of a folder, of all in it."""
    macs: int | None
    """None where the work cannot be counted."""
    drift: Drift | None = None
    """From the step before, on the same samples; None of the source, or where the two were not run."""
    accuracy: MeasuredAccuracy | None = None
    """On labelled data; None without labels."""


class ConvertedModel(Result):
    """A model of another framework as a .tflite file, with a checkpoint for each step."""

    schema_version: str = "1.0"
    model: str
    """The file that was converted."""
    output: str
    """The file that was written."""
    converter: str
    """The library, with its version."""
    data: str
    """What the steps were compared on, and calibrated with."""
    stages: tuple[ConversionStage, ...]
    """One row a step, in their order."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return f"{self.model} as {Path(self.output).name}"


class ConverterSetup(Result):
    """A converter that is set up."""

    schema_version: str = "1.0"
    converter: str
    """pytorch or tensorflow."""
    packages: tuple[str, ...]
    """With their versions."""
    folder: str
    """Remove it to be rid of the converter."""
    installed_bytes: int
    """Of all files in it."""

    def headline(self) -> str:
        return f"{self.converter} is set up"
