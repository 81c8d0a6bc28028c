"""A roofline as text."""

from __future__ import annotations

from ...roofline.report import RooflineReport
from ..table import pipe_table
from .common import notes, per_byte, percent, quantity, where


def roofline_text(report: RooflineReport) -> str:
    shares = ", ".join(f"{bound} {share:.0%}" for bound, share in report.bound_shares.items())
    head = pipe_table(
        ("Roofline", "Value"),
        (
            ("Bound", f"{report.bound} ({shares} of the time)"),
            ("Arithmetic intensity", per_byte(report.arithmetic_intensity)),
            ("Ridge point", per_byte(report.ridge_point)),
            ("Compute utilization", percent(report.compute_utilization)),
            ("Memory utilization", f"{percent(report.memory_utilization)} of {report.memory_level}"),
            (
                "Peak",
                "unknown" if report.peak_gops is None else f"{report.peak_gops:,.4g} GOP/s {report.dtype}",
            ),
            (
                "Bandwidth",
                "unknown" if report.bandwidth_gb_s is None else f"{report.bandwidth_gb_s:,.4g} GB/s",
            ),
            ("Latency", quantity(report.latency_ms)),
        ),
    )
    layers = pipe_table(
        ("Layer", "Operator", "Bound", "Latency ms", "Share %", "FLOP/byte", "Data in"),
        ((x.index, x.op, x.bound.value, x.latency_ms, None if x.share is None else 100 * x.share,
          x.arithmetic_intensity, x.memory_level) for x in report.layers),
    )  # fmt: skip
    return f"Roofline on {where(report.deployment)}\n\n{head}\n\n{layers}" + notes(
        report.assumptions, report.warnings
    )
