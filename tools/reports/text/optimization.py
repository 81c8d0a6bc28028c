"""Simulated changes as text."""

from __future__ import annotations

from ...optimization_simulator.report import OptimizationReport
from ..table import pipe_table
from .common import change, notes, where


def optimization_text(report: OptimizationReport) -> str:
    rows = []
    for option in (*report.options, *((report.combined,) if report.combined else ())):
        after = option.after
        if after is None:
            rows.append((option.technique, "no", option.effort, "", "", "", "", option.reason))
            continue
        before = option.before
        rows.append((
            option.technique, "yes", option.effort,
            change(before.latency_ms.value, after.latency_ms.value, "ms"),
            change(before.energy_uj.value, after.energy_uj.value, "uJ"),
            change(before.arena_bytes, after.arena_bytes, "bytes"),
            change(before.flash_bytes, after.flash_bytes, "bytes"), option.reason,
        ))  # fmt: skip
    options = pipe_table(("Change", "Applies", "Effort", "Latency", "Energy", "Arena", "Flash", "Why"), rows)
    heavy = pipe_table(
        ("Layer", "Operator", "Param KiB", "MACs", "Kernels", "Share", "Suggestion"),
        ((x.index, x.op, x.parameter_bytes / 1024, x.macs, str([list(s) for s in x.kernel_shapes]),
          f"{x.share:.0%} of {x.of}", x.suggestion) for x in report.heavy_layers),
    )  # fmt: skip
    return (
        f"Changes simulated for {report.goal} on {where(report.deployment)}\n\n{options}\n\n{heavy}"
        + notes(report.assumptions, report.warnings)
    )
