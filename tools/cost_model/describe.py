"""An estimate in words and tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from ..core.document import (
    Bar,
    Document,
    Paragraph,
    Section,
    Table,
    described,
    figures,
    joined,
    notes,
    place,
    table_of,
    text,
)
from .anchor import MeasuredCase
from .performance_estimate import PerformanceEstimate


@described.register
def performance(report: PerformanceEstimate) -> Document:
    return Document(
        report, joined("Performance on ", place(report.deployment)),
        (Section("", (*measured_first(report), head(report), layers(report))),), notes=notes(report),
    )  # fmt: skip


class Measured(Protocol):
    """A result whose latency may start from a measurement."""

    @property
    def measured(self) -> MeasuredCase | None: ...


def measured_first(report: Measured) -> Iterator[Paragraph]:
    """What was measured, before anything that is estimated; nothing where nothing was."""
    case = report.measured
    if case is None:
        return
    last = len(case.releases) - 1
    release = ", release {measured.releases[#0]}" if case.releases else ""
    release += f" to {{measured.releases[#{last}]}}" if last > 0 else ""
    source = f"{release} ({{measured.sources[#0]}}{' and others' if len(case.sources) > 1 else ''})"
    if case.differs_in:
        other = "another board" if case.differs_in == "board" else "with another {measured.differs_in}"
        where = f"{{measured.latency_ms~}} on {{measured.targets[#0]}}, {other}"
        yield Paragraph(text(f"Measured near: {where}{source}; scaled from there."))
        return
    many = "a published measurement" if case.measurements == 1 else "{measured.measurements} measurements"
    yield Paragraph(text(f"Measured: {{measured.latency_ms~}} in {many} of this model here{source}."))


def layers(report: PerformanceEstimate) -> Table:
    times = [layer.latency_ms or 0.0 for layer in report.layers]
    slowest = f"layers[#{times.index(max(times))}].latency_ms" if times else ""
    powers = {layer.power_mw for layer in report.layers}
    power = (("Power", "{power_mw}"),) if len(powers) > 1 else ()
    return table_of(
        report.layers, "layers",
        ("Layer", "{index}"), ("Operator", "{op}"), ("Latency", "{latency_ms}"),
        ("Latency, as a bar", Bar("latency_ms", slowest)), ("Cycles", "{cycles}"),
        ("Energy", "{energy_uj}"), *power, ("MACs", "{macs}"), ("Memory", "{memory_bytes}"),
        ("On", "{processor}"), ("Accelerated", "{accelerated}"), ("Optimised kernel", "{optimized}"),
        spare=("Optimised kernel", "On", "Power", "Cycles", "Memory", "Accelerated"),
    )  # fmt: skip


def power_throughout(report: PerformanceEstimate) -> Iterator[Paragraph]:
    """Says so where one figure stands for all layers, as it then says nothing of any of them."""
    if report.power_mw.value is not None and len({layer.power_mw for layer in report.layers}) == 1:
        yield Paragraph(text(
            "Power is taken as {power_mw} throughout, so that a layer's energy goes by its time: none was "
            "measured layer by layer."
        ))  # fmt: skip


def head(report: PerformanceEstimate) -> Table:
    """What one batch takes."""
    batch = report.deployment.batch
    of_batch = f" of a batch of {batch}" if batch > 1 else ""
    return figures(
        "Performance",
        (f"Latency{of_batch}", "{latency_ms~!}"),
        ("Rate", "{inferences_per_second~!}"),
        *([(f"{report.at_once} at once, one a core", "{at_once_per_second~!}")] * (report.at_once > 1)),
        ("Cycles", "{cycles}"),
        (f"Energy{of_batch}", "{energy_uj~!}"),
        ("Power", "{power_mw~!}"),
        ("Accelerated layers", "{accelerated_layers}"),
        ("CPU-only layers", "{cpu_only_layers}, {optimized_layers} of them on optimised kernels"),
    )
