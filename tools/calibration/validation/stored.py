"""The errors of the shipped fit on the shipped measurements, stored: to compute them takes seconds."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ....hardware_db import coefficients
from ....hardware_db.errors import UnknownNameError, nearest
from .samples import grouped_reasons
from .scores import error_groups
from .shipped import shipped_samples
from .validation_report import ALL, SUMS, ErrorGroup, Scheme, ValidationReport

STORED = Path(coefficients.__file__).parent / "validated.json"


@cache
def stored_report() -> ValidationReport:
    return ValidationReport.model_validate_json(STORED.read_bytes())


def computed_report() -> ValidationReport:
    collected = shipped_samples(in_sample=False)
    return ValidationReport(
        measurements="shipped with the product",
        groups=error_groups(collected.samples),
        refused=grouped_reasons(collected.refused),
        unpredicted=grouped_reasons(collected.reasons),
        assumptions=collected.assumptions,
    )


def narrowed(report: ValidationReport, device_class: str | None, runtime: str | None) -> ValidationReport:
    """The rows of one class and one runtime, which then is all that a sum is over.

    Raises:
        UnknownNameError: nothing was measured there.
    """
    known = {group.runtime for group in report.groups} - set(SUMS)
    check_known("device class", device_class, {group.device_class.value for group in report.groups})
    check_known("runtime", runtime, known)
    groups = [group for group in report.groups if device_class in (None, group.device_class)]
    if runtime is not None:
        own = [group for group in groups if group.runtime == runtime]
        sums = [_of_all(group) for group in own if group.scheme is not Scheme.SOURCE_OUT]
        groups = [*sums, *own]
    return report.model_copy(update={"groups": tuple(groups)})


def check_known(kind: str, name: str | None, known: set[str]) -> None:
    """
    Raises:
        UnknownNameError: it is named and not among them.
    """
    if name is not None and name not in known:
        raise UnknownNameError(
            f"{kind} among the measurements", name, nearest(name, sorted(known)) or sorted(known)[:5]
        )


def _of_all(group: ErrorGroup) -> ErrorGroup:
    return group.model_copy(update={"runtime": ALL})
