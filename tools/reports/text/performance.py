"""An estimate as text."""

from __future__ import annotations

from ...cost_model.report import PerformanceEstimate
from ..table import pipe_table
from .common import notes, quantity, where


def performance_text(report: PerformanceEstimate) -> str:
    head = pipe_table(
        ("Metric", "Value"),
        (
            ("Latency", quantity(report.latency_ms)),
            ("Rate", quantity(report.inferences_per_second)),
            ("Cycles", "unknown" if report.cycles is None else f"{report.cycles:,.0f}"),
            ("Energy", quantity(report.energy_uj)),
            ("Power", quantity(report.power_mw)),
            ("Accelerated layers", f"{report.accelerated_layers}"),
            ("CPU-only layers", f"{report.cpu_only_layers}"),
        ),
    )
    return f"Performance on {where(report.deployment)}\n\n{head}\n\n{layer_table_text(report)}" + notes(
        report.assumptions, report.warnings
    )


def layer_table_text(report: PerformanceEstimate) -> str:
    return pipe_table(
        ("Layer", "Operator", "Cycles", "Latency ms", "Energy uJ", "Power mW", "MACs", "Memory KiB", "Accel"),
        ((x.index, x.op, None if x.cycles is None else round(x.cycles), x.latency_ms, x.energy_uj, x.power_mw,
          x.macs, x.memory_bytes / 1024, "yes" if x.accelerated else "no") for x in report.layers),
    )  # fmt: skip
