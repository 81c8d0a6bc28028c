"""A validation as text."""

from __future__ import annotations

from collections.abc import Sequence

from ...calibration.validation.report import SUMS, ErrorGroup, LeftOut, ValidationReport
from ..table import pipe_table
from .common import notes

FEW = 4
"""Rows of fewer measurements are no summary."""


def validation_text(report: ValidationReport) -> str:
    if not report.groups:
        return "No measurement could be compared." + _left(report)
    summary = [group for group in report.groups if group.runtime in SUMS]
    detail = [group for group in report.groups if group.runtime not in SUMS]
    parts = [
        f"Errors of estimates against the measurements: {report.measurements}.",
        _worst(detail),
        groups_table(summary),
        groups_table(detail),
        *(f"Written: {name}" for name in report.written),
    ]
    return "\n\n".join(part for part in parts if part) + _left(report)


def groups_table(groups: Sequence[ErrorGroup]) -> str:
    """Worst median last within its class, so that it is what stays on the screen."""
    header = ("Class", "Runtime", "Quantity", "Scheme", "n", "Models", "Boards", "Median %", "Mean %",
              "±10 %", "±25 %", "In 90 % interval", "Rank")  # fmt: skip
    ordered = sorted(groups, key=lambda g: (g.device_class, g.quantity, g.scheme, g.median_ape))
    return pipe_table(
        header,
        ((g.device_class.value, g.runtime, g.quantity.value, g.scheme.value, g.n, g.models, g.boards,
          _digit(100 * g.median_ape), _digit(100 * g.mean_ape), _share(g.within_10), _share(g.within_25),
          _share(g.coverage), None if g.rank_correlation is None else round(g.rank_correlation, 2))
         for g in ordered),
    )  # fmt: skip


def _worst(groups: Sequence[ErrorGroup]) -> str:
    counted = [group for group in groups if group.n >= FEW] or groups
    if not counted:
        return ""
    worst = max(counted, key=lambda group: group.median_ape)
    return (
        f"Worst row of {FEW} measurements or more: {worst.device_class} with {worst.runtime}, "
        f"{worst.quantity}, {worst.scheme}: median error {100 * worst.median_ape:,.0f} %, "
        f"n = {worst.n}."
    )


def _left(report: ValidationReport) -> str:
    return notes(
        *((_told("no prediction for", left),) for left in report.unpredicted),
        *((_told("refused", left),) for left in report.refused),
        report.assumptions,
        report.warnings,
    )


def _told(what: str, left: LeftOut) -> str:
    more = ", …" if left.n > len(left.ids) else ""
    return f"{what} {left.n:,}: {left.reason} ({', '.join(left.ids)}{more})"


def _digit(value: float) -> float:
    return round(value, 1)


def _share(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.0f} %"
