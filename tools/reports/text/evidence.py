"""The measurements behind an estimate as text."""

from __future__ import annotations

from ...calibration.validation.stands_on import EvidenceReport
from ..table import pipe_table
from .common import notes, where

AKIN = {
    "target": "on this very target with this library",
    "pair": "on other targets with this core and this library",
    "runtime": "of this library on other cores",
    "isa": "on this core with other libraries",
    "nothing": "akin to it",
}


def evidence_text(report: EvidenceReport) -> str:
    place = where(report.deployment)
    akin = AKIN.get(report.akin_by, f"that share its {report.akin_by}")
    head = f"Behind latencies on {place}: {report.measurements:,} measurements {akin}"
    if not report.nearest:
        return head + notes(report.assumptions, report.warnings)
    shown = f", {report.networks} networks; the {len(report.nearest)} most alike:"
    table = pipe_table(
        ("Network", "Type", "Device", "Runtime", "MHz", "Batch", "Latency ms", "Read at"),
        ((e.network, e.dtype, e.device, f"{e.runtime} {e.runtime_version}".strip(), e.clock_mhz, e.batch,
          e.latency_ms, f"{e.repository} {e.path} @{e.commit[:8]} ({e.id})") for e in report.nearest),
    )  # fmt: skip
    return f"{head}{shown}\n\n{table}" + notes(report.assumptions, report.warnings)
