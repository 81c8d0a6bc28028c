"""Predict, change, read again, run beside the original, compare; then let the file appear."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from ....hardware_db.errors import EdgewrightError, UsageError
from ...core.deployment import Deployment, as_deployment
from ...core.files import save_whole
from ...core.isolated import FailedError
from ...core.sanitize import clean_text
from ...graph import ModelGraph
from ...graph.costs.table import layer_table
from ...memory_planner.arena import plain_liveness
from ...memory_planner.reporting import plan
from ...model_formats.source import parse_model
from .accuracy import TOP1, scored
from .applied_optimization import AppliedOptimization, FileFigures, LayerError
from .drift import drift_of
from .kinds import KINDS
from .layer_errors import layer_errors
from .measured_accuracy import MeasuredAccuracy
from .process import HostRun, run_both, workplace
from .samples import Samples, inputs_of, samples_for
from .steps import Changed, changed_by, is_integer, predicted_file_bytes, settled, steps_of, told

Progress = Callable[[str], None]


def applied(
    path: str | os.PathLike[str],
    technique: str,
    output: str | os.PathLike[str],
    *,
    deployment: Deployment | str | None,
    data: str | os.PathLike[str] | None,
    force: bool,
    progress: Progress | None,
    metric: str | None = None,
) -> AppliedOptimization:
    job = _Job(Path(path), technique, Path(output), deployment, data, progress or (lambda _: None), metric)
    save_whole(job.content, output, force=force)
    return job.report()


class _Job:
    def __init__(
        self,
        path: Path,
        technique: str,
        output: Path,
        deployment: Deployment | str | None,
        data: str | os.PathLike[str] | None,
        progress: Progress,
        metric: str | None,
    ) -> None:
        self._suffix = _suffix(path, output)
        self._path, self._output, self._progress = path, output, progress
        self._place = None if deployment is None else as_deployment(deployment)
        self._content = path.read_bytes()
        self._graph = parse_model(path)
        self._samples: Samples = samples_for(inputs_of(self._graph, self._content), data)
        if metric is not None and self._samples.labels is None:
            raise UsageError("A metric needs labels.", hint="Save them as `labels` in the .npz of --data.")
        self._metric = metric or TOP1
        given = Changed(self._content, self._graph, self._samples)
        technique = settled(technique, self._suffix, given, self._progress)
        self._steps = steps_of(technique, self._suffix, self._place)
        self._names, self._libraries, self._risks = told(self._steps)
        self._predicted = self._graph
        for step in self._steps:
            self._predicted = step.predict(self._predicted)
        self._run: HostRun | None = None
        self._layers: tuple[LayerError, ...] = ()
        self._changed: Changed | None = None
        self._warnings: list[str] = []

    def content(self) -> bytes:
        """The changed file; by then it was read again and run."""
        made = changed_by(self._steps, self._content, self._graph, self._samples, self._progress)
        self._changed = made
        self._progress(f"running both on this machine, {self._samples.size} samples each")
        with workplace(self._content, self._samples, made.content, made.samples) as folder:
            try:
                self._run = run_both(folder, self._suffix)
                if self._suffix == ".tflite" and len(self._steps) == 1 and is_integer(self._steps[0]):
                    self._layers = layer_errors(self._graph, folder)
            except FailedError as error:
                self._warnings.append(f"the two could not be run beside each other here: {error}")
        self._progress(f"writing {len(made.content):,} bytes")
        return made.content

    def report(self) -> AppliedOptimization:
        assert self._changed is not None
        run = self._run
        drift = None if run is None else drift_of(run.reference, run.changed)
        if run is not None and drift is None:
            self._warnings.append(
                "no drift: outputs are of other shapes, or hold numbers that are not finite"
            )
        if drift is not None and drift.sqnr_db is not None and drift.sqnr_db < 0:
            self._warnings.append("the outputs differ by more than they are: do not use the result as it is")
        obtained = self._figures(self._changed.graph, run and run.changed_ms)
        size = predicted_file_bytes(self._steps, self._predicted, self._graph, self._suffix)
        predicted = self._figures(self._predicted, None).model_copy(update={"file_bytes": size})
        before, after = self._accuracies()
        return AppliedOptimization(
            accuracy_before=before,
            accuracy_after=after,
            technique=self._names,
            model=clean_text(self._path.name),
            output=str(self._output),
            quantizer=self._libraries,
            data=self._samples.description,
            arena_basis=_basis(self._place),
            before=self._figures(self._graph, run and run.reference_ms),
            predicted=predicted,
            obtained=obtained,
            errors=_errors(predicted, obtained),
            drift=drift,
            layers=self._layers,
            accuracy_risk=self._risks,
            assumptions=self._assumptions(),
            warnings=tuple(self._warnings),
        )

    def _accuracies(self) -> tuple[MeasuredAccuracy, MeasuredAccuracy] | tuple[None, None]:
        """Of both files on the labelled samples; none where there are no labels, or nothing was run."""
        run, labels = self._run, self._samples.labels
        if run is None or labels is None:
            return None, None
        before, after = (scored(outputs, labels, self._metric) for outputs in (run.reference, run.changed))
        return before, after

    def _figures(self, graph: ModelGraph, latency_ms: float | None) -> FileFigures:
        return FileFigures(
            file_bytes=graph.file_bytes or 0,
            arena_bytes=_arena_bytes(graph, self._place),
            macs=layer_table(graph).total_macs,
            host_latency_ms=latency_ms,
        )

    def _assumptions(self) -> tuple[str, ...]:
        notes = list(self._place.assumptions) if self._place else []
        if self._suffix == ".onnx":
            notes.append(
                "the predicted file size counts what becomes of the weights, not the nodes that are added"
            )
        if self._suffix == ".tflite" and any(step.name == "float16" for step in self._steps):
            notes.append("stored in float16: GPU delegates compute in it, CPUs unpack the weights to float32")
        return tuple(notes)


def _suffix(path: Path, output: Path) -> str:
    suffix = path.suffix.casefold()
    if suffix not in KINDS or not path.is_file():
        raise UsageError(
            f"{str(path)!r} is no .tflite or .onnx file, and only such a file can be changed.",
            hint="Write one with `edgewright models write`.",
        )
    if output.suffix.casefold() != suffix:
        raise UsageError(f"The result is a {suffix} file, not {output.name!r}.", hint=f"Name it …{suffix}.")
    return suffix


def _arena_bytes(graph: ModelGraph, place: Deployment | None) -> int | None:
    try:
        if place is not None:
            return plan(graph, place).arena_bytes
        return int(plain_liveness(graph).live_bytes().max(initial=0))
    except EdgewrightError:
        return None


def _basis(place: Deployment | None) -> str:
    if place is None:
        return "peak of the tensors that live at once; no target was named"
    return f"planned as {place.runtime.id} does on {place.target.id}"


def _errors(predicted: FileFigures, obtained: FileFigures) -> dict[str, float]:
    pairs = {
        name: (getattr(predicted, name), getattr(obtained, name))
        for name in ("file_bytes", "arena_bytes", "macs")
    }
    return {name: one / other - 1 for name, (one, other) in pairs.items() if one is not None and other}
