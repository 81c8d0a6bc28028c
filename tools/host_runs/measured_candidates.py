"""Candidates of a sweep that were really made and run on this machine."""

from typing import ClassVar

from ..core.quantity import Result
from ..optimization_simulator.applied.measured_accuracy import MeasuredAccuracy
from ..traces.run_times import RunTimes


class MeasuredCandidate(Result):
    """A model with what it was changed by."""

    model: str
    transform: str
    """Technique that was applied, or none."""
    file_bytes: int | None
    """Of the file that was made; null where none was."""
    accuracy: MeasuredAccuracy | None
    """Null where it could not be measured, or no data were given."""
    host: RunTimes | None
    """Times on this machine, which say nothing of a board; null unless asked for."""
    reason: str = ""
    """Why it was not measured."""


class AccuracyPoint(Result):
    """On a front: no other candidate of the model is as accurate and as good in the figure."""

    model: str
    transform: str
    """Technique that was applied, or none."""
    accuracy: float
    """As measured."""
    latency_ms: float | None
    """Of one inference, the least of the accepted evaluations; null on the front of energy."""
    energy_uj: float | None
    """Likewise; null on the front of latency."""
    target: str
    """Of that evaluation, as is the runtime."""
    runtime: str


class MeasuredCandidates(Result):
    """What was measured of the candidates of a sweep, and their fronts."""

    main_rows: ClassVar[str] = "candidates"

    schema_version: str = "1.0"
    output: str
    """Folder of the sweep."""
    candidates: tuple[MeasuredCandidate, ...]
    """Every model with every transform of the plan."""
    fronts: tuple[AccuracyPoint, ...]
    """Accuracy against latency and against energy, of each model."""
    files: tuple[str, ...]
    """Files that were written beside the results."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        measured = sum(one.accuracy is not None or one.host is not None for one in self.candidates)
        return f"{measured} of {len(self.candidates)} candidates measured on this machine"
