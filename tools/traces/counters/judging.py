"""Counts to a report: figures, causes, and the rules that hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from ..recording import Counted
from .attribution import Part, attributed
from .counter_report import CounterMetric, CounterReport, CycleShare, FiredRule
from .derived import Derived, derived
from .rules import Rules

_MIXED = "mixed"
_PENALTIES = "penalties of misses are the document's assumptions ({}), not the core's own"


def judged(counted: Sequence[Counted], rules: Rules) -> CounterReport:
    """Of one layer, or of a run; several rows are several runs of it."""
    counts = _means(counted)
    parts, note = attributed(counts, rules)
    metrics = derived(counts, rules)
    figures = {each.name: each.value for each in metrics}
    warnings = tuple(_cannot_be(metrics))
    costs = ", ".join(f"{name.replace('_', ' ')} {cycles:g}" for name, cycles in rules.penalties.items())
    return CounterReport(
        name_untrusted=counted[0].name,
        kind=_MIXED,
        counts=counts,
        runs=len(counted),
        metrics=tuple(CounterMetric(**each._asdict()) for each in metrics),
        causes=tuple(CycleShare(cause=part.words, share=part.share, how=part.how) for part in parts),
        assumptions=(
            *((_PENALTIES.format(costs),) if len(parts) > 1 else ()), *((note,) if note else ()),
        ),
        warnings=warnings,
    ).model_copy(update=_by_rules(figures, parts, rules))  # fmt: skip


def judged_figures(figures: Mapping[str, float], rules: Rules) -> CounterReport:
    """Of figures that are known without their counts."""
    known = dict(figures)
    if "ipc" in known:
        known.setdefault("ipc_of_width", known["ipc"] / rules.issue_width)
    metrics = tuple(
        CounterMetric(name=name, value=value, unit="1", formula="as it was given")
        for name, value in figures.items()
    )
    wide = "ipc" in known
    text = f"instructions a cycle are judged for a core of {rules.issue_width:g} a cycle: name its own width"
    return CounterReport(
        kind=_MIXED, metrics=metrics, assumptions=(text,) if wide else ()
    ).model_copy(update=_by_rules(known, (), rules))  # fmt: skip


def _by_rules(figures: Mapping[str, float], parts: Sequence[Part], rules: Rules) -> dict[str, object]:
    fired = list(_fired(figures, parts, rules))
    kinds = {rule.name: rule.kind for rule in rules.rules}
    return {"rules": tuple(fired), "kind": kinds[fired[0].name] if fired else _MIXED}


def _fired(figures: Mapping[str, float], parts: Sequence[Part], rules: Rules) -> Iterator[FiredRule]:
    """One rule a metric; the praise of the last only where nothing else holds."""
    reported: set[str] = set()
    shares = {part.cause: part.share for part in parts}
    for rule in rules.rules:
        value = figures.get(rule.metric)
        if value is None or rule.metric in reported or not rule.holds(value):
            continue
        share = shares.get(rule.cause)
        if share is not None and share < rules.least_share:
            continue
        if rule.severity == "good" and reported:
            continue
        reported.add(rule.metric)
        yield FiredRule(
            name=rule.name, severity=rule.severity, remedy=rule.remedy, at_most_share=share,
            why=f"{rule.metric.replace('_', ' ')} is {value:.3g}, {rule.limit}",
        )  # fmt: skip


def _means(counted: Sequence[Counted]) -> dict[str, float]:
    names = dict.fromkeys(name for each in counted for name in each.counts)
    return {name: fmean(each.counts[name] for each in counted if name in each.counts) for name in names}


def _cannot_be(metrics: Sequence[Derived]) -> Iterator[str]:
    for each in metrics:
        if each.name.endswith(("_rate", "_share", "_utilization")) and each.value > 1:
            yield (
                f"{each.name.replace('_', ' ')} comes to {each.value:.3g}, more than all: its two counters "
                "do not belong together"
            )
        if each.name == "ipc_of_width" and each.value > 1:
            yield "more instructions a cycle than the core's width allows: name its own width (--rules)"
