"""Rankings and comparisons in words and tables."""

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
from ..verdicts.describe import listed, relaxations
from ..verdicts.verdict import Verdict
from .hardware_ranking import Cause, Comparison, Difference, HardwareRanking, RankedDeployment

_PASSING = (Verdict.PASS, Verdict.MARGINAL)
_TOP = 10
_MOST_TABLES = 3
"""Slower deployments of which each has a table of causes; of more, each has a sentence."""


@described.register
def ranking(report: HardwareRanking, *, top: int = _TOP, every: bool = False) -> Document:
    """The best runtime of the best targets, why the next ones fail, and what would have to give.

    Args:
        report: the ranking.
        top: rows of each table.
        every: all rows, with every runtime of a target.
    """
    blocks = tuple(_blocks(report, top, every=every))
    return Document(report, _headline(report), (Section("", blocks),), notes=notes(report))


def _headline(report: HardwareRanking) -> Text:
    total = report.passing + report.unknown + report.failing
    if not report.passing:
        return f"{report.model}: none of {total} deployments is known to meet the limits."
    first = text("{target} with {runtime} ranks first", "ranking[#0]")
    counts = text(
        f" of {total:,} deployments; {{passing}} pass, {{unknown}} cannot be judged, {{failing}} fail."
    )
    return joined(f"{report.model}: ", first, counts)


def _blocks(report: HardwareRanking, top: int, *, every: bool) -> Iterator[Block]:
    shown = [at for at, row in enumerate(report.ranking) if every or row.best_of_target]
    most = len(shown) if every else top
    passing = [at for at in shown if report.ranking[at].verdict in _PASSING]
    if passing:
        header = (
            "Rank", "Target", "Runtime", "Type", "Verdict", "Latency", "Energy", "Power", "Arena", "Price",
            "Score",
        )  # fmt: skip
        rows = tuple(_ranked(report.ranking[at], f"ranking[#{at}]") for at in passing[:most])
        yield Table(header, rows, spare=("Type", "Score", "Power", "Arena", "Energy"))
        yield Paragraph(
            "* none is as good in latency, energy and power and better in one. = tied within its interval."
        )
    for verdict, title in ((Verdict.UNKNOWN, "Cannot be judged"), (Verdict.FAIL, "Fail")):
        judged = [at for at in shown if report.ranking[at].verdict is verdict]
        if judged:
            more = f" ({most} of {len(judged)})" if len(judged) > most else ""
            refused = tuple(_refused(report.ranking[at], f"ranking[#{at}]") for at in judged[:most])
            yield Table((f"{title}{more}", "Runtime", "Why"), refused)
    yield from relaxations(report.relaxations, report.relaxed_pairs)
    for at, change in enumerate(report.changes):
        left = change.count - len(change.admits)
        more = f" and {left} more" if left > 0 else ""
        yield Paragraph(text(f"{{technique}} ({{effort}}) admits {{admits}}{more}.", f"changes[#{at}]"))


def _ranked(row: RankedDeployment, at: str) -> tuple[Text, ...]:
    marks = f"{'=' if row.tied else ''}{' *' if row.pareto else ''}"
    cells = (
        "{target}", "{runtime}", "{dtype}", "{verdict}", "{latency_ms}", "{energy_uj}", "{power_mw}",
        "{arena_bytes}", "{price_usd}", "{score:-}",
    )  # fmt: skip
    return (joined(text("{rank}", at), marks), *(text(cell, at) for cell in cells))


def _refused(row: RankedDeployment, at: str) -> tuple[Text, ...]:
    reasons = listed([text(f"{{reasons[#{n}]}}", at) for n in range(len(row.reasons))], "; ")
    return (text("{target}", at), text("{runtime}", at), reasons)


@described.register
def comparison(report: Comparison) -> Document:
    names = [text("{target} {runtime}", f"deployments[#{at}]") for at in range(len(report.deployments))]
    by_name = {(row.target, row.runtime): at for at, row in enumerate(report.ranking)}
    ranked = [by_name[ref.target, ref.runtime] for ref in report.deployments]
    verdicts = ("verdict", *(text(f"{{ranking[#{at}].verdict}}") for at in ranked))
    rows = [_difference(line, f"differences[#{at}]") for at, line in enumerate(report.differences)]
    blocks: list[Block] = [Table(("Figure", *names), (verdicts, *rows))]
    verdicts_found = {row.verdict for row in report.ranking}
    only = " of those that do not fail" if Verdict.FAIL in verdicts_found and len(verdicts_found) > 1 else ""
    blocks.append(Paragraph(f"* best{only}, = its 90 % interval overlaps the best's."))
    for at, cause in enumerate(report.causes):
        blocks += _cause(cause, f"causes[#{at}]", names, alone=len(report.causes) <= _MOST_TABLES)
    title = f"{report.model} side by side"
    return Document(report, title, (Section("", tuple(blocks)),), notes=notes(report))


def _difference(line: Difference, at: str) -> tuple[Text, ...]:
    marks = dict.fromkeys((line.winner,), " *") | dict.fromkeys(line.tied_with, " =")
    values = [joined(text(f"{{values[#{n}]~}}", at), marks.get(n, "")) for n in range(len(line.values))]
    return (text("{figure}", at), *values)


def _cause(cause: Cause, at: str, names: list[Text], *, alone: bool) -> Iterator[Block]:
    mine, best = names[cause.deployment], names[cause.against]
    slower = joined(text("{slower_by|} times the latency of ", at), best) if cause.slower_by else best
    if not (alone and cause.factors and cause.slower_by):
        yield Paragraph(joined(mine, ": ", slower, ": ", text("{why}.", at)))
        return
    rows = [n for n, each in enumerate(cause.factors) if each.share_percent != 0]
    share = " or {share_percent}" if cause.factors[0].share_percent is not None else ""
    lines = tuple(text(f"{{factor|}}{share}: {{cause}}, {{what}}", f"{at}.factors[#{n}]") for n in rows)
    yield Paragraph(joined(mine, ": ", slower, ", the product of"))
    yield Items(lines)
