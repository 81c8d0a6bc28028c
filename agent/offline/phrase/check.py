"""Verdicts against limits."""

from __future__ import annotations

from ....tools.constraint_checker.report import Check, ConstraintReport
from ....tools.core.numbers import interval
from ....tools.core.paths import Value
from ....tools.core.quantity import Basis
from ....tools.verdicts.verdict import Verdict
from ..intents import Intent
from ..reading import Reading
from ..turns import Outcome
from .figures import bullets, listed, plain
from .subject import model_of, place_of

_LEADS = {
    Verdict.PASS: "**PASS**: {it} fits on {place}{met}.",
    Verdict.MARGINAL: "**MARGINAL**: {it} goes on {place}, but it is tight on {names}.",
    Verdict.FAIL: "**FAIL**: {it} on {place}: {names}.",
    Verdict.UNKNOWN: "**UNKNOWN**: whether {it} goes on {place} cannot be said for {names}.",
}
_WHAT = {
    "operators": "operators without a kernel",
    "ram": "too little RAM",
    "flash": "too little flash",
    "latency": "too slow",
    "rate": "too slow for the rate",
    "energy": "too much energy",
    "power": "too much power",
    "dtype": "the wrong type",
}


def phrase(outcome: Outcome, asked: Reading) -> list[str]:
    report = ConstraintReport.model_validate(outcome.result)
    deciding = [check for check in report.checks if check.verdict is report.verdict]
    names = listed([_named(check) for check in deciding])
    lead = _LEADS[report.verdict].format(
        it=model_of(outcome),
        place=place_of(report.deployment),
        names=names,
        met=" and meets what was asked" if asked.demands.limits else "",
    )
    levers = [] if Intent.OPTIMISE in asked.intents else _levers(report)
    return [lead, bullets([_line(check) for check in report.checks]), *levers]


def _named(check: Check) -> str:
    return _WHAT.get(check.name, check.name) if check.verdict is Verdict.FAIL else check.name


def _line(check: Check) -> str:
    soft = " (soft)" if check.soft else ""
    return f"{check.name}{soft} {check.verdict}: {_statement(check)}{_basis(check)}{_terms(check)}"


def _statement(check: Check) -> str:
    """The checker's sentence, unless a custom operator's name stands in it."""
    if "CUSTOM:" in check.statement:
        return "custom operators have no kernel in the runtime"
    return check.statement


def _basis(check: Check) -> str:
    """What the demand rests on; of bytes also how many, and between which, as rounding hides that."""
    if check.demand is None or check.name in ("operators", "dtype"):
        return ""
    basis = check.basis if check.basis is not Basis.UNKNOWN else "basis unknown"
    if check.unit not in ("B", "bytes"):
        return f" ({basis})"
    ends = interval(Value(check.demand, "bytes", check.demand_low, check.demand_high), unit="bytes")
    return f" ({check.demand:,.0f} bytes, {f'90 % interval {ends}, ' if ends else ''}{basis})"


def _terms(check: Check) -> str:
    if check.verdict is Verdict.PASS or any("CUSTOM:" in term.name for term in check.terms):
        return ""
    told = [f"{term.name} {plain(term.value, term.unit)}" for term in check.terms]
    return f"; of it {listed(told)}" if told else ""


def _levers(report: ConstraintReport) -> list[str]:
    lines = [
        f"{check.name}: {lever.change} ({lever.effort}) {plain(lever.before, lever.unit)} → "
        f"{plain(lever.after, lever.unit)}{'' if lever.closes_gap else ', not enough alone'}"
        for check in report.checks
        for lever in check.levers
    ]
    if lines:
        return ["What would help, simulated on this model:\n" + bullets(lines)]
    if report.verdict is Verdict.FAIL:
        return ["None of the changes that I simulate lowers what fails."]
    return []
