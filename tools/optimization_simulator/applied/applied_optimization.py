"""What became of a model file that was changed."""

from pydantic import Field

from ...core.quantity import Result
from .measured_accuracy import MeasuredAccuracy


class FileFigures(Result):
    """Figures of one model file."""

    file_bytes: int
    arena_bytes: int | None
    """None where no plan can be made of it."""
    macs: int
    host_latency_ms: float | None = None
    """Median on this machine with one thread; None where it was not run, as no prediction was."""


class Drift(Result):
    """How far the outputs moved from the original's, on the same samples."""

    sqnr_db: float | None
    """Signal to quantisation noise, 10·log10(Σ reference² / Σ difference²); None where nothing differs."""
    cosine: float | None
    """Of all outputs as one vector; None where one of them is all zeros."""
    top1_agreement: float | None
    """Share of samples with the same largest output; None for a model whose outputs have one element."""
    largest_difference: float
    """Of any output element, in the output's own scale."""
    samples: int
    """Samples that both were run on."""


class LayerError(Result):
    """Of the output of one layer in the changed file, against the same in the file as it was."""

    index: int
    """Operator of the file as it was."""
    op: str
    sqnr_db: float | None
    """Signal to quantisation noise at its output, that of earlier layers included; None for none."""
    own_sqnr_db: float | None
    """The same without what its inputs brought."""


class AppliedOptimization(Result):
    """A change really made to a model file: what was predicted, what came out, how far outputs moved."""

    schema_version: str = "1.0"
    technique: str
    model: str
    """The model file that was changed."""
    output: str
    """The file that was written."""
    quantizer: str
    """The library that made it, with its version."""
    data: str
    """What it was calibrated with and compared on."""
    arena_basis: str
    before: FileFigures
    """Figures of the file as it was."""
    predicted: FileFigures
    """Figures that the simulation gave for the result."""
    obtained: FileFigures
    """Figures of the file that was written."""
    errors: dict[str, float] = Field(default_factory=dict)
    """Relative error of each prediction, predicted / obtained - 1."""
    drift: Drift | None
    """None where one of the two could not be run here."""
    layers: tuple[LayerError, ...] = ()
    """What integers do to each layer's output, the one that adds the most noise first; of .tflite files."""
    accuracy_risk: str
    accuracy_before: MeasuredAccuracy | None = None
    """Of the file as it was, on the labelled samples; null without labels."""
    accuracy_after: MeasuredAccuracy | None = None
    """Of the file that was written, on the same samples."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return f"{self.technique}, written to {self.output}"
