"""Rankings and comparisons as text."""

from __future__ import annotations

from ...core.units import show
from ...hardware_selector.report import Comparison, HardwareRanking, RankedDeployment
from ...verdicts.verdict import Verdict
from ..table import pipe_table
from .common import notes
from .relaxations import pair_text, relaxation_text

PASSING = (Verdict.PASS, Verdict.MARGINAL)
TOP = 10
_LONGEST_REASON = 100


def ranking_text(report: HardwareRanking, *, top: int = TOP, every: bool = False) -> str:
    """The best runtime of the best targets, why the next ones fail, and what would have to give.

    Args:
        report: the ranking.
        top: rows of each table.
        every: all rows, with every runtime of a target.
    """
    shown = report.ranking if every else [row for row in report.ranking if row.best_of_target]
    parts = [_headline(report)]
    passing = [row for row in shown if row.verdict in PASSING]
    if passing:
        parts.append(_table(passing if every else passing[:top]))
        parts.append(
            "* none is as good in latency, energy and power and better in one. = tied within its interval."
        )
    for verdict, title in ((Verdict.UNKNOWN, "Cannot be judged"), (Verdict.FAIL, "Fail")):
        rows = [row for row in shown if row.verdict is verdict]
        if rows:
            parts.append(_refused(title, rows if every else rows[:top], len(rows)))
    if report.relaxations:
        parts.append(
            "One limit alone would have to give:\n" + "\n".join(map(relaxation_text, report.relaxations))
        )
    if report.relaxed_pairs:
        parts.append(
            "No limit alone suffices; two would have to give together:\n"
            + "\n".join(map(pair_text, report.relaxed_pairs[:3]))
        )
    for change in report.changes:
        more = f" and {change.count - len(change.admits)} more" if change.count > len(change.admits) else ""
        parts.append(f"{change.technique} ({change.effort}) admits {', '.join(change.admits)}{more}.")
    return "\n\n".join(parts) + notes(report.assumptions, report.warnings)


def comparison_text(report: Comparison) -> str:
    names = [f"{ref.target} {ref.runtime}" for ref in report.deployments]
    rows = []
    for line in report.differences:
        cells = [show(value.value, line.unit) for value in line.values]
        for at in line.tied_with:
            cells[at] += " ="
        if line.winner is not None:
            cells[line.winner] += " *"
        rows.append((line.figure, *cells))
    by_name = {(row.target, row.runtime): row for row in report.ranking}
    verdicts = [by_name[ref.target, ref.runtime].verdict.value for ref in report.deployments]
    table = pipe_table(("Figure", *names), [("verdict", *verdicts), *rows])
    causes = [
        f"{names[cause.deployment]}: "
        + (f"{cause.slower_by:.3g} times the fastest: {cause.why}." if cause.slower_by else f"{cause.why}.")
        for cause in report.causes
    ]
    legend = "* best, = its 90 % interval overlaps the best's."
    return "\n\n".join((f"{report.model} side by side", table, legend, "\n".join(causes))) + notes(
        report.assumptions
    )


def _headline(report: HardwareRanking) -> str:
    total = report.passing + report.unknown + report.failing
    best = report.ranking[0]
    if not report.passing:
        return f"{report.model}: none of {total} deployments is known to meet the limits."
    return (
        f"{report.model}: {best.target} with {best.runtime} ranks first of {total} deployments; "
        f"{report.passing} pass, {report.unknown} cannot be judged, {report.failing} fail."
    )


def _table(rows: list[RankedDeployment]) -> str:
    header = (
        "Rank", "Target", "Runtime", "Type", "Verdict",
        "Latency", "Energy", "Power", "Arena", "Price", "Score",
    )  # fmt: skip
    return pipe_table(header, [(*_place(row), *_figures(row), row.score) for row in rows])


def _place(row: RankedDeployment) -> tuple[str, ...]:
    rank = f"{row.rank}{'=' if row.tied else ''}{' *' if row.pareto else ''}"
    return (rank, row.target, row.runtime, row.dtype, row.verdict.value)


def _figures(row: RankedDeployment) -> tuple[str, ...]:
    shown = [show(q.value, q.unit) for q in (row.latency_ms, row.energy_uj, row.power_mw, row.arena_bytes)]
    return (*shown, "unknown" if row.price_usd is None else f"{row.price_usd:g} USD")


def _refused(title: str, rows: list[RankedDeployment], total: int) -> str:
    body = [(row.target, row.runtime, _short("; ".join(row.reasons))) for row in rows]
    more = f" ({len(rows)} of {total})" if total > len(rows) else ""
    return pipe_table((f"{title}{more}", "Runtime", "Why"), body)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_REASON else f"{text[: _LONGEST_REASON - 1]}…"
