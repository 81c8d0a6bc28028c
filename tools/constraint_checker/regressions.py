"""A new version of a model against the one before it."""

from __future__ import annotations

from collections.abc import Mapping

from ..compare.model_diff import FigureChange, ModelDiff
from ..core.quantity import Basis
from ..core.units import show
from ..verdicts.verdict import Verdict
from .constraint_report import Check


def regression_checks(diff: ModelDiff, allowed_percent: Mapping[str, float]) -> list[Check]:
    """One check for each figure that may grow by so many percent.

    It fails where even the favourable end of the change's 90 % interval is more than is allowed, and is
    MARGINAL where the value is, so that an estimate's noise fails no build.
    """
    changes = {change.name: change for change in diff.figures}
    return [_check(changes[name], allowed) for name, allowed in allowed_percent.items()]


def _check(change: FigureChange, allowed: float) -> Check:
    low, value, high = (_percent(change, amount) for amount in (change.low, change.change, change.high))
    return Check(
        name=f"{change.name} regression",
        verdict=_verdict(low, value, allowed),
        statement=_sentence(change, value, low, high, allowed),
        demand=value,
        demand_low=low,
        demand_high=high,
        bound=allowed,
        gap=None if value is None else value - allowed,
        unit="%",
        basis=change.basis if value is not None else Basis.UNKNOWN,
    )


def _percent(change: FigureChange, amount: float | None) -> float | None:
    return None if amount is None or not change.before else 100 * amount / change.before


def _verdict(low: float | None, value: float | None, allowed: float) -> Verdict:
    if low is None or value is None:
        return Verdict.UNKNOWN
    if low > allowed:
        return Verdict.FAIL
    return Verdict.MARGINAL if value > allowed else Verdict.PASS


def _sentence(
    change: FigureChange, value: float | None, low: float | None, high: float | None, allowed: float
) -> str:
    if value is None or low is None or high is None:
        return f"how {change.name} changes is unknown; {allowed:g} % more is allowed"
    spread = "" if low == high else f" ({low:+.3g} % to {high:+.3g} %)"
    figures = f"{show(change.before, change.unit)} -> {show(change.after, change.unit)}"
    return f"{change.name} {figures}: {value:+.3g} %{spread}, {allowed:g} % more is allowed"
