"""Rankings of hardware and comparisons."""

from __future__ import annotations

from ....tools.core.units import show
from ....tools.hardware_selector.report import Comparison, HardwareRanking, RankedDeployment
from ....tools.verdicts.relaxation import Relaxation
from ....tools.verdicts.verdict import Verdict
from ..reading import Reading
from ..turns import Outcome
from .figures import bullets, count, listed, plain, quantity
from .subject import model_of, place_of

_SHOWN = 5
_REFUSED = 3


def phrase_ranking(outcome: Outcome, asked: Reading) -> list[str]:
    report = HardwareRanking.model_validate(outcome.result)
    passing = [row for row in report.ranking if row.rank is not None]
    refused = [row for row in report.ranking if row.rank is None]
    tally = (
        f"Of the deployments that I know, {count(report.passing)} pass, {count(report.failing)} fail and "
        f"{count(report.unknown)} cannot be judged."
    )
    unpriced = "price" in asked.demands.limits and "price_usd" not in outcome.arguments
    aside = "Leaving the price aside: " if unpriced else ""
    told = [f"{aside}{_lead(report, passing, model_of(outcome))} {tally}"]
    if passing:
        told.append(bullets([_line(row) for row in passing[:_SHOWN]]))
    if report.relaxations:
        told.append(
            "What would have to give, one limit alone:\n" + bullets([_relaxed(r) for r in report.relaxations])
        )
    if report.changes:
        lines = [
            f"{change.technique} ({change.effort}): {listed(list(change.admits))}"
            for change in report.changes
        ]
        told.append("Changes of the model that let something pass, simulated:\n" + bullets(lines[:_SHOWN]))
    near = [row for row in refused if row.verdict is Verdict.FAIL][:_REFUSED] or refused[:_REFUSED]
    if near:
        told.append("Not among them, the nearest first:\n" + bullets([_why_not(row) for row in near]))
    return told


def phrase_comparison(outcome: Outcome, _asked: Reading) -> list[str]:
    report = Comparison.model_validate(outcome.result)
    names = [place_of(where) for where in report.deployments]
    by_place = {(row.target, row.runtime): row for row in report.ranking}
    lines = [
        f"{name}: {by_place[where.target, where.runtime].verdict}, "
        + ", ".join(f"{line.figure} {quantity(line.values[at])}" for line in report.differences)
        for at, (name, where) in enumerate(zip(names, report.deployments, strict=True))
    ]
    wins = [
        f"{line.figure}: **{names[line.winner]}**" + (", though intervals overlap" if line.tied_with else "")
        for line in report.differences
        if line.winner is not None
    ]
    causes = [f"{names[cause.deployment]} against the fastest: {cause.why}" for cause in report.causes]
    told = [f"{model_of(outcome)} side by side. Best in {'; '.join(wins)}.", bullets(lines)]
    return [*told, "Why the latencies differ:\n" + bullets(causes)] if causes else told


def _lead(report: HardwareRanking, passing: list[RankedDeployment], model: str) -> str:
    if not passing:
        verdict = Verdict.UNKNOWN if report.unknown else Verdict.FAIL
        return f"**{verdict}**: no hardware that I know is known to meet this for {model}."
    first = passing[0]
    tied = [row.target for row in passing[1:_SHOWN] if row.rank == first.rank]
    beside = f", tied within its intervals with {listed(tied)}" if tied else ""
    return f"**{first.verdict}**: for {model} take {first.target} with {first.runtime}{beside}."


def _line(row: RankedDeployment) -> str:
    figures = {"latency": row.latency_ms, "energy": row.energy_uj, "power": row.power_mw}
    told = ", ".join(f"{name} {quantity(figure)}" for name, figure in figures.items())
    front = ", on the Pareto front" if row.pareto else ""
    return f"{row.target} with {row.runtime} {row.verdict}: {told}{front}"


def _why_not(row: RankedDeployment) -> str:
    reasons = "; ".join(reason for reason in row.reasons if "CUSTOM" not in reason)
    return (
        f"{row.target} with {row.runtime} {row.verdict}: {reasons or 'custom operators have no kernel there'}"
    )


def _relaxed(found: Relaxation) -> str:
    change = f"{plain(found.demanded, found.unit)} → {show(found.needed, found.unit)}"
    return f"{found.limit} {change} admits {listed(list(found.admits))}"
