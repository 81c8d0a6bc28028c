"""How the RAM that a model needs compares with what there is, what is wrong, and what would help."""

from collections.abc import Iterable
from enum import StrEnum

from ..constraint_checker.constraint_report import Check, ConstraintReport, Lever
from ..core.quantity import Result
from ..optimization_simulator.levers import with_levers
from ..optimization_simulator.optimization_report import Option
from ..verdicts.verdict import Verdict

EXCESSIVE = 0.9
"""Share of the RAM from which use is excessive: stack, heap and application want some of it too."""


class MemoryStatus(StrEnum):
    """Whether the RAM suffices."""

    OK = "OK"
    EXCESSIVE = "excessive"
    """It fits, and leaves little to anything else."""
    OVER = "not enough"
    UNKNOWN = "unknown"


class MemoryAnalysis(Result):
    """RAM needed against RAM that there is, with issues and simulated remedies where there are any."""

    status: MemoryStatus
    """OK, excessive, not enough or unknown."""
    required_bytes: int | None
    """Arena and reserve at the peak; null where it is not known."""
    available_bytes: int | None
    """RAM that can hold it in one piece."""
    utilization: float | None
    """Needed over available, 0 to 1 and beyond."""
    missing_bytes: int | None
    """What is lacking; null where nothing is."""
    missing_share: float | None
    """The same over what is available: 4.74 is 474 % more."""
    issues: tuple[str, ...]
    """What does not fit, or hardly does, in sentences."""
    recommendations: tuple[Lever, ...]
    """Simulated changes of what is at fault, those that close the gap first."""


def memory_analysis(checks: ConstraintReport, options: Iterable[Option]) -> MemoryAnalysis:
    """Out of the checks of what the target itself has.

    Args:
        checks: of a model without further limits.
        options: changes that were simulated.
    """
    by_name = {check.name: check for check in checks.checks}
    ram, options = by_name["ram"], tuple(options)
    use = ram.demand / ram.bound if ram.demand is not None and ram.bound else None
    over = ram.gap if ram.gap is not None and ram.gap > 0 else None
    status = _status(ram, use)
    batch = checks.deployment.batch
    faults = [
        check for name, check in by_name.items() if name in ("ram", "flash") and _is_at_fault(check, use)
    ]
    return MemoryAnalysis(
        status=status,
        required_bytes=None if ram.demand is None else round(ram.demand),
        available_bytes=None if ram.bound is None else round(ram.bound),
        utilization=use,
        missing_bytes=None if over is None else round(over),
        missing_share=None if over is None or not ram.bound else over / ram.bound,
        issues=tuple(check.statement for check in faults),
        recommendations=tuple(lever for check in faults for lever in _levers(check, options, batch)),
    )


def _status(ram: Check, use: float | None) -> MemoryStatus:
    if ram.verdict is Verdict.FAIL:
        return MemoryStatus.OVER
    if ram.verdict is Verdict.UNKNOWN or use is None:
        return MemoryStatus.UNKNOWN
    return MemoryStatus.EXCESSIVE if use > EXCESSIVE else MemoryStatus.OK


def _levers(check: Check, options: Iterable[Option], batch: int) -> tuple[Lever, ...]:
    """What would help, also where use is excessive and the check does not fail."""
    return with_levers(check.model_copy(update={"verdict": Verdict.FAIL}), options, batch).levers


def _is_at_fault(check: Check, use: float | None) -> bool:
    excessive = check.name == "ram" and use is not None and use > EXCESSIVE
    return check.verdict is Verdict.FAIL or excessive
