"""Accuracy as an axis of a sweep: what can be applied is made, run on labelled data and timed here."""

from __future__ import annotations

import csv
import os
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ...hardware_db.errors import EdgewrightError, UsageError
from ..core.files import whole_file
from ..core.isolated import worker_folder
from ..core.records import dataclass
from ..core.render.csv_lines import csv_lines, number
from ..core.settings import Settings
from ..model_formats.source import parse_model
from ..optimization_simulator.applied.accuracy import (
    accuracy_in,
    changed_content,
    labelled_samples,
    model_file,
)
from ..optimization_simulator.applied.process import workplace
from ..optimization_simulator.applied.samples import inputs_of, samples_for
from ..sweep.plan import SweepPlan, read_plan
from ..traces.run_times import RunTimes
from .host import times_on_host
from .measured_candidates import AccuracyPoint, MeasuredCandidate, MeasuredCandidates

RUNS = 100
FIGURES = ("latency_ms", "energy_uj")
_HEADER = (
    "model", "transform", "file_bytes", "metric", "accuracy", "accuracy_low", "accuracy_high", "samples",
    "host_mean_ms", "host_deviation_ms", "host_p95_ms", "host_window_deviation_ms", "host_runs", "reason",
)  # fmt: skip
_FRONT_HEADER = ("model", "transform", "accuracy", "target", "runtime")


@dataclass(frozen=True)
class _Asked:
    data: Path | None
    metric: str | None
    host: bool
    settings: Settings


def measure_candidates(
    plan: SweepPlan | str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    data: str | os.PathLike[str] | None = None,
    metric: str | None = None,
    host: bool = False,
    settings: Settings | None = None,
) -> MeasuredCandidates:
    """Make the candidates of a finished sweep that can be made, and measure them on this machine.

    Args:
        plan: the plan of the sweep, or its file.
        output: folder of the sweep; candidates.csv and the fronts of accuracy go into it.
        data: labelled samples, as `apply_optimization` takes them; None measures no accuracy.
        metric: MODULE:FUNCTION, called with outputs and labels; None counts top-1.
        host: whether to time each candidate here: mean, deviation and 95th percentile.
        settings: what of the user's environment counts; None reads it.

    Raises:
        UsageError: neither data nor times asked for, a metric without data, or a folder without results.
        EdgewrightError: the disk is full.

    Example:
        >>> _ = Path("plan.yaml").write_text("{models: [kws.tflite], targets: [nrf52840]}")
        >>> _ = run_sweep("plan.yaml", "timed")
        >>> measure_candidates("plan.yaml", "timed", host=True).files
        ('candidates.csv',)
    """
    if data is None and not host:
        raise UsageError("There is nothing to measure.", hint="Give labelled data, or ask for times here.")
    if data is None and metric is not None:
        raise UsageError("A metric needs data.", hint="Give labelled samples: --data FILE.npz.")
    read = plan if isinstance(plan, SweepPlan) else read_plan(plan)
    folder = Path.cwd() if isinstance(plan, SweepPlan) else Path(plan).parent
    results = Path(output, "results.csv")
    if not results.is_file():
        raise UsageError(f"{str(output)!r} holds no results of a sweep.", hint="Run the sweep first.")
    settings = Settings.from_environment() if settings is None else settings
    asked = _Asked(None if data is None else Path(data), metric, host, settings)
    found = tuple(
        _measured(folder / os.path.expanduser(model), model, transform, asked)
        for model in dict.fromkeys(read.models)
        for transform in dict.fromkeys(read.transforms)
    )
    fronts = tuple(_fronts(results, found))
    _write(Path(output, "candidates.csv"), _HEADER, (_row(one) for one in found))
    files = ["candidates.csv"]
    if asked.data is not None:
        for figure in FIGURES:
            files.append(f"pareto_accuracy_{figure.partition('_')[0]}.csv")
            rows = [_point(point, figure) for point in fronts if getattr(point, figure) is not None]
            _write(Path(output, files[-1]), (*_FRONT_HEADER, figure), rows)
        _fill_tradeoffs(Path(output, "precision_tradeoffs.csv"), results, found)
    return MeasuredCandidates(
        output=str(output),
        candidates=found,
        fronts=fronts,
        files=tuple(files),
        assumptions=("accuracy is that of the file as it runs here, whatever target it is for",),
        warnings=("times are of this machine, which say nothing of a board",) if host else (),
    )


def _measured(path: Path, model: str, transform: str, asked: _Asked) -> MeasuredCandidate:
    """With the reason where nothing can be measured: an architecture has no weights that were learned."""
    nothing = MeasuredCandidate(model=model, transform=transform, file_bytes=None, accuracy=None, host=None)
    technique = None if transform == "none" else transform
    try:
        file = model_file(path)
        content = file.read_bytes()
        if asked.data is None:
            samples = samples_for(inputs_of(parse_model(file), content), None)
        else:
            samples = labelled_samples(file, asked.data)
        changed, fitting = changed_content(file, samples, technique)
        accuracy = None
        if asked.data is not None:
            with workplace(content, samples, changed, fitting) as folder:
                accuracy = accuracy_in(folder, file, samples, asked.metric)
        return MeasuredCandidate(
            model=model,
            transform=transform,
            file_bytes=len(changed),
            accuracy=accuracy,
            host=_timed(changed, file.suffix.casefold(), asked.settings) if asked.host else None,
        )
    except EdgewrightError as error:
        return nothing.model_copy(update={"reason": error.message})


def _timed(content: bytes, suffix: str, settings: Settings) -> RunTimes:
    with worker_folder("candidate") as folder:
        file = Path(folder, f"candidate{suffix}")
        file.write_bytes(content)
        return times_on_host(file, repeat=RUNS, settings=settings)


def _fronts(results: Path, found: Sequence[MeasuredCandidate]) -> Iterator[AccuracyPoint]:
    """Of each model and figure, candidates that no other beats in accuracy and in the figure.

    Of one candidate only its best accepted evaluation can be on a front, as its accuracy is one.
    """
    accuracies = {(one.model, one.transform): one.accuracy.value for one in found if one.accuracy is not None}
    least: dict[tuple[str, str, str], _Best] = {}
    for row in _rows(results) if accuracies else ():
        key = row["model"], row["transform"]
        if row["accepted"] != "true" or key not in accuracies:
            continue
        for figure in FIGURES:
            if not row[figure]:
                continue
            best = _Best(
                figure, *key, accuracies[key], float(row[figure]) / float(row["batch"]), row["target"],
                row["runtime"],
            )  # fmt: skip
            if (*key, figure) not in least or best.value < least[*key, figure].value:
                least[*key, figure] = best
    points = sorted(least.values(), key=lambda each: (each.figure, each.model, each.value))
    for point in points:
        rivals = (each for each in points if (each.model, each.figure) == (point.model, point.figure))
        if not any(_beats(rival, point) for rival in rivals):
            yield point.result()


@dataclass(frozen=True)
class _Best:
    """The least of a figure that a candidate's accepted evaluations have."""

    figure: str
    model: str
    transform: str
    accuracy: float
    value: float
    target: str
    runtime: str

    def result(self) -> AccuracyPoint:
        return AccuracyPoint(
            model=self.model, transform=self.transform, accuracy=self.accuracy, target=self.target,
            runtime=self.runtime,
            latency_ms=self.value if self.figure == "latency_ms" else None,
            energy_uj=self.value if self.figure == "energy_uj" else None,
        )  # fmt: skip


def _beats(one: _Best, other: _Best) -> bool:
    as_good = one.accuracy >= other.accuracy and one.value <= other.value
    return as_good and (one.accuracy, one.value) != (other.accuracy, other.value)


def _rows(path: Path) -> Iterator[Mapping[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file)


def _fill_tradeoffs(path: Path, results: Path, found: Sequence[MeasuredCandidate]) -> None:
    """The mean accuracy of each precision, over the candidates of it that were measured."""
    precision = {(row["model"], row["transform"]): row["precision"] for row in _rows(results)}
    known: dict[str, list[float]] = {}
    for one in found:
        key = one.model, one.transform
        if one.accuracy is not None and key in precision:
            known.setdefault(precision[key], []).append(one.accuracy.value)
    rows = list(_rows(path))
    filled = [
        {**row, "accuracy_mean": number(statistics.fmean(known[row["precision"]]))}
        if row["precision"] in known
        else row
        for row in rows
    ]
    if filled:
        _write(path, tuple(filled[0]), (tuple(row.values()) for row in filled))


def _row(one: MeasuredCandidate) -> tuple[str, ...]:
    accuracy, host = one.accuracy, one.host
    of_accuracy: tuple[str, ...] = ("",) * 5
    if accuracy is not None:
        ends = ("" if end is None else number(end) for end in (accuracy.low, accuracy.high))
        of_accuracy = (accuracy.metric, number(accuracy.value), *ends, str(accuracy.samples))
    of_host: tuple[str, ...] = ("",) * 5
    if host is not None:
        windows = number(statistics.stdev(host.window_medians)) if host.window_medians else ""
        times = map(number, (host.mean_ms, host.deviation_ms, host.p95_ms))
        of_host = (*times, windows, str(host.runs))
    size = "" if one.file_bytes is None else str(one.file_bytes)
    return one.model, one.transform, size, *of_accuracy, *of_host, one.reason


def _point(point: AccuracyPoint, figure: str) -> tuple[str, ...]:
    value = number(getattr(point, figure))
    return point.model, point.transform, number(point.accuracy), point.target, point.runtime, value


def _write(path: Path, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    with whole_file(path, state="The results of the sweep are kept.") as file:
        file.write(csv_lines([header, *rows]).encode())
