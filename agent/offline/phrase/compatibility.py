"""Which operators run where."""

from __future__ import annotations

from collections.abc import Iterable

from ....tools.compatibility_scorer.report import CompatibilityReport
from ....tools.core.units import digits, show
from ....tools.placement.report import OpPlacement
from ....tools.verdicts.verdict import Verdict
from ..reading import Reading
from ..turns import Outcome
from .figures import bullets, count, listed, operator
from .subject import model_of, place_of

_LEADS = {
    Verdict.PASS: "every operator of {it} runs on {place}",
    Verdict.MARGINAL: "{it} runs on {place}, not all of it on fast kernels",
    Verdict.FAIL: "{it} does not run on {place}",
    Verdict.UNKNOWN: "whether {it} runs on {place} is not told by its sources",
}
_REASONS = 6
_SIMULATED = 2


def phrase(outcome: Outcome, _asked: Reading) -> list[str]:
    report = CompatibilityReport.model_validate(outcome.result)
    told = _LEADS[report.verdict].format(it=model_of(outcome), place=place_of(report.deployment))
    lead = f"**{report.verdict}**: {told}; score {digits(report.score)} of 100."
    told_first = [_counts(report), *_penalties(report), *_price(report), *_remedies(report)]
    return [lead, bullets(told_first), *_concerned(report)]


def _counts(report: CompatibilityReport) -> str:
    processors = sorted({op.processor for op in report.ops if op.processor})
    where = f" on {listed(processors)}" if processors else ""
    told = [
        f"{count(report.supported_ops)} operators supported{where}",
        f"{count(report.optimized_ops)} of them on optimised kernels",
        f"{count(report.fallback_ops)} falling back to the CPU or to portable code",
        f"{count(report.unsupported_ops)} unsupported",
        f"{count(report.unknown_ops)} unknown",
    ]
    return ", ".join(told)


def _penalties(report: CompatibilityReport) -> list[str]:
    return [
        f"{p.name}, {digits(p.points)} points: {p.reason}"
        for p in report.penalties
        if "CUSTOM:" not in p.reason
    ]


def _price(report: CompatibilityReport) -> list[str]:
    """What the operators cost that the accelerator does not get."""
    cost, placed, ideal = report.fallback_cost, report.latency_ms, report.accelerated_latency_ms
    if not report.fallback_ops or cost is None or cost.value is None or placed is None or ideal is None:
        return []
    whole, all_of_it = show(placed.value, "ms"), show(ideal.value, "ms")
    return [
        f"what falls back makes it take {digits(cost.value)} times as long: {whole} as placed, {all_of_it} "
        "if the accelerator took every operator"
    ]


def _remedies(report: CompatibilityReport) -> list[str]:
    """The best changes that were simulated."""
    return [
        f"simulated: {remedy.change}: {show(remedy.latency_ms.value, 'ms')}, score {digits(remedy.score)}"
        for remedy in report.remedies[:_SIMULATED]
    ]


def _concerned(report: CompatibilityReport) -> list[str]:
    """The operators that do not run, or not on fast kernels, by the rule that decided."""
    troubled = [op for op in report.ops if op.supported is not True or not op.optimized]
    groups: dict[tuple[str, str, str], list[int]] = {}
    for op in sorted(troubled, key=_trouble):
        reason = op.reason if "CUSTOM:" not in op.reason else "it is a custom operator"
        groups.setdefault((operator(op.op), reason, op.remedy), []).append(op.index)
    lines = [_group(name, reason, remedy, indices) for (name, reason, remedy), indices in groups.items()]
    if not lines:
        return []
    return ["The operators concerned:\n" + bullets(lines[:_REASONS])]


def _trouble(op: OpPlacement) -> tuple[int, int]:
    return (0 if op.supported is False else 1 if op.supported is None else 2, op.index)


def _group(name: str, reason: str, remedy: str, indices: Iterable[int]) -> str:
    shown = sorted(indices)
    where = f"layer{'s' if len(shown) > 1 else ''} {listed([str(i) for i in shown])}"
    mend = f". Remedy: {remedy.rstrip('.')}" if remedy else ""
    return f"{where} {name}: {reason.rstrip('.')}{mend}"
