"""A roofline in words and tables."""

from __future__ import annotations

from ..core.document import Document, Section, Table, described, figures, joined, notes, place, table_of
from .report import RooflineReport


@described.register
def roofline(report: RooflineReport) -> Document:
    layers = table_of(
        report.layers, "layers",
        ("Layer", "{index}"), ("Operator", "{op}"), ("Bound", "{bound}"), ("Latency", "{latency_ms}"),
        ("Share", "{share}"), ("FLOP/byte", "{arithmetic_intensity|}"), ("Data in", "{memory_level}"),
    )  # fmt: skip
    return Document(
        report,
        joined("Roofline on ", place(report.deployment)),
        (Section("", (head(report), layers)),),
        notes=notes(report),
    )


def head(report: RooflineReport) -> Table:
    """Under which roof the whole lies."""
    shares = ", ".join(f"{bound} {{bound_shares.{bound}}}" for bound in report.bound_shares)
    return figures(
        "Roofline",
        ("Bound", f"{{bound}} ({shares} of the time)" if shares else "{bound}"),
        ("Arithmetic intensity", "{arithmetic_intensity}"),
        ("Ridge point", "{ridge_point}"),
        ("Compute utilization", "{compute_utilization}"),
        ("Memory utilization", "{memory_utilization} of {memory_level}"),
        ("Peak", "{peak_gops} {dtype}"),
        ("Bandwidth", "{bandwidth_gb_s}"),
        ("Latency", "{latency_ms~!}"),
    )
