"""A ranking of models in words and tables."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.document import (
    Block,
    Document,
    Items,
    Paragraph,
    Section,
    Table,
    Text,
    described,
    joined,
    notes,
    text,
)
from ..verdicts.describe import listed
from ..verdicts.verdict import Verdict
from .model_ranking import ModelRanking, RankedModel

_TOP = 10


@described.register
def model_ranking(report: ModelRanking, *, top: int = _TOP, every: bool = False) -> Document:
    """The most accurate models that meet the limits, those nothing beats, and why others fail.

    Args:
        report: the ranking.
        top: rows of each table.
        every: all rows.
    """
    most = len(report.ranking) if every else top
    sections = (*_by_dataset(report, most), Section("", tuple(_others(report, most))))
    return Document(report, _headline(report), sections, notes=notes(report))


def _headline(report: ModelRanking) -> Text:
    counts = text("{passing} meet the limits, {unknown} cannot be judged, {failing} fail.")
    if not report.passing:
        return joined(text("{task} on {deployment.target}: no published model is known to do. "), counts)
    first = text("{model} is the most accurate on {dataset}, {accuracy|%} {metric}", "ranking[#0]")
    return joined(text("{task} on {deployment.target} with {deployment.runtime}: "), first, ". ", counts)


def _by_dataset(report: ModelRanking, most: int) -> Iterator[Section]:
    """A section for each dataset on which models that meet the limits were judged."""
    for dataset in dict.fromkeys(row.dataset for row in report.ranking if row.rank is not None):
        meeting = [
            at for at, row in enumerate(report.ranking) if row.rank is not None and row.dataset == dataset
        ]
        metric = report.ranking[meeting[0]].metric
        more = f" ({most} of {len(meeting)})" if len(meeting) > most else ""
        header = ("Rank", "Model", metric, "Of", "Runs in", "Verdict", "Latency", "Arena", "Flash", "Licence")
        rows = tuple(_row(report.ranking[at], f"ranking[#{at}]") for at in meeting[:most])
        table = Table(header, rows, spare=("Flash", "Arena", "Runs in"))
        yield Section(f"{dataset}{more}", (table,))


def _others(report: ModelRanking, most: int) -> Iterator[Block]:
    """What cannot be judged and what fails, and where the accuracies are from."""
    if report.passing:
        yield Paragraph("* none that meets the limits is as accurate there and faster.")
    for verdict, title in ((Verdict.UNKNOWN, "Cannot be judged"), (Verdict.FAIL, "Fail")):
        refused = [at for at, row in enumerate(report.ranking) if row.verdict is verdict]
        if refused:
            more = f" ({most} of {len(refused)})" if len(refused) > most else ""
            lines = tuple(_refused(report.ranking[at], f"ranking[#{at}]") for at in refused[:most])
            yield Table((f"{title}{more}", "Accuracy", "Why"), lines)
    cited = dict.fromkeys(row.source for row in report.ranking[:most])
    firsts = [next(at for at, row in enumerate(report.ranking) if row.source == source) for source in cited]
    yield Items(tuple(text("{source}", f"ranking[#{at}]") for at in firsts), title="Accuracies from")


def _row(row: RankedModel, at: str) -> tuple[Text, ...]:
    cells = (
        "{architecture}", "{accuracy|%}", "{precision}", "{dtype}", "{verdict}", "{latency_ms}",
        "{arena_bytes}", "{flash_bytes}", "{licence:not stated}",
    )  # fmt: skip
    rank = joined(text("{rank}", at), " *" if row.pareto else "")
    return (rank, *(text(cell, at) for cell in cells))


def _refused(row: RankedModel, at: str) -> tuple[Text, ...]:
    reasons = listed([text(f"{{reasons[#{n}]}}", at) for n in range(len(row.reasons))], "; ")
    return (text("{architecture}", at), text("{accuracy|%}", at), reasons)
