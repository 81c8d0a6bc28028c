"""An estimate in words and tables."""

from __future__ import annotations

from ..core.document import Bar, Document, Section, Table, described, figures, joined, notes, place, table_of
from .report import PerformanceEstimate


@described.register
def performance(report: PerformanceEstimate) -> Document:
    return Document(
        report, joined("Performance on ", place(report.deployment)),
        (Section("", (head(report), layers(report))),), notes=notes(report),
    )  # fmt: skip


def layers(report: PerformanceEstimate) -> Table:
    times = [layer.latency_ms or 0.0 for layer in report.layers]
    slowest = f"layers[#{times.index(max(times))}].latency_ms" if times else ""
    return table_of(
        report.layers, "layers",
        ("Layer", "{index}"), ("Operator", "{op}"), ("Latency", "{latency_ms}"),
        ("Latency, as a bar", Bar("latency_ms", slowest)), ("Cycles", "{cycles}"),
        ("Energy", "{energy_uj}"), ("Power", "{power_mw}"), ("MACs", "{macs}"), ("Memory", "{memory_bytes}"),
        ("On", "{processor}"), ("Accelerated", "{accelerated}"),
        spare=("On", "Power", "Cycles", "Memory", "Accelerated"),
    )  # fmt: skip


def head(report: PerformanceEstimate) -> Table:
    """What one batch takes."""
    batch = report.deployment.batch
    of_batch = f" of a batch of {batch}" if batch > 1 else ""
    return figures(
        "Performance",
        (f"Latency{of_batch}", "{latency_ms~!}"),
        ("Rate", "{inferences_per_second~!}"),
        ("Cycles", "{cycles}"),
        (f"Energy{of_batch}", "{energy_uj~!}"),
        ("Power", "{power_mw~!}"),
        ("Accelerated layers", "{accelerated_layers}"),
        ("CPU-only layers", "{cpu_only_layers}"),
    )
