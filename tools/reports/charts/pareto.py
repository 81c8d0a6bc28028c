"""Fronts of what can be chosen: deployments, changes of a model, published models, what a sweep found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.document import Column
from ...host_runs.measured_candidates import MeasuredCandidates
from ...model_choice.model_ranking import ModelRanking
from ...optimization_simulator.optimization_report import OptimizationReport
from .fronts import CAPTION, Axis, absent, front_chart
from .picture import Picture
from .spec import Row, with_words

LATENCY, ENERGY = Axis("latency", "latency", "ms"), Axis("energy", "energy", "uJ")
_ACCURACY = Axis("accuracy", "accuracy", "fraction", more_is_better=True)
_FEW = (
    Column("name", "Choice"), Column("verdict", "Verdict"), Column("latency", "Latency", "ms"),
    Column("energy", "Energy", "uJ"),
)  # fmt: skip
_ACCURATE = (*_FEW, Column("accuracy", "Accuracy", "fraction"))
_LESS_IS_BETTER = ("WER", "LER", "CER")


def front_picture(
    rows: Sequence[Row], columns: tuple[Column, ...], x: Axis, y: Axis, title: str, more: str = ""
) -> Picture | None:
    """Energy over latency, or accuracy over one of them; None where fewer than two choices have both."""
    name = (
        "_".join(("pareto", *sorted((x.field, y.field))))
        if y.more_is_better
        else f"pareto_{x.field}_{y.field}"
    )
    said = f"{y.title.capitalize()} over {x.title} of each choice"
    chart = front_chart(name, said, rows, columns, x, y)
    if chart is None:
        return None
    return Picture(name, title, f"{CAPTION}{absent(rows, x, y)}{more}", (chart,))


def of_changes(report: OptimizationReport) -> Picture | None:
    """Combinations of changes of a model that nothing betters in latency, energy, RAM, flash and effort."""
    rows = with_words([
        {"name": each.name, "verdict": each.verdict.value, "latency": each.after.latency_ms.value,
         "energy": each.after.energy_uj.value}
        for each in report.front
    ], _FEW)  # fmt: skip
    title = f"Changes of {report.model or 'the model'} for {report.deployment.target}"
    return front_picture(rows, _FEW, LATENCY, ENERGY, title)


def of_models(ranking: ModelRanking) -> Iterator[Picture]:
    """Published accuracy over estimated energy and over latency, of the dataset that the most models have."""
    judged = [(row.dataset, row.metric) for row in ranking.ranking if row.metric not in _LESS_IS_BETTER]
    if not judged:
        return
    dataset, metric = max(dict.fromkeys(judged), key=judged.count)
    own = [row for row in ranking.ranking if (row.dataset, row.metric) == (dataset, metric)]
    rows = with_words([
        {"name": row.architecture, "verdict": row.verdict.value, "latency": row.latency_ms.value,
         "energy": row.energy_uj.value, "accuracy": row.accuracy}
        for row in own
    ], _ACCURATE)  # fmt: skip
    others = len(ranking.ranking) - len(own)
    more = f" Left out, as judged on other data than {dataset}: {others:,}." if others else ""
    for x in (ENERGY, LATENCY):
        title = f"{metric} on {dataset} over {x.title} on {ranking.deployment.target}"
        if drawn := front_picture(rows, _ACCURATE, x, _ACCURACY, title, more):
            yield drawn


def of_candidates(measured: MeasuredCandidates) -> Iterator[Picture]:
    """Accuracy as measured over estimated energy and latency, of the points of a sweep's fronts."""
    names = {point.model for point in measured.fronts}
    rows = with_words([
        {"name": point.transform if len(names) == 1 else f"{point.model}, {point.transform}",
         "verdict": "PASS", "latency": point.latency_ms, "energy": point.energy_uj,
         "accuracy": point.accuracy}
        for point in measured.fronts
    ], _ACCURATE)  # fmt: skip
    for x in (ENERGY, LATENCY):
        known = [row for row in rows if row[x.field] is not None]
        title = f"Accuracy of candidates, measured, over {x.title}"
        if drawn := front_picture(known, _ACCURATE, x, _ACCURACY, title):
            yield drawn
