"""From results to the document that says them."""

from __future__ import annotations

from .... import __version__
from ...verdicts.verdict import Verdict
from ..text.common import where
from . import grounds, memory, model, placement, time, verdict
from .blocks import Document, KeyFigure, Section
from .figures import key_figure
from .results import Results
from .time import per_batch


def document_of(results: Results) -> Document:
    sections = (
        Section("Verdict", verdict.blocks(results)),
        Section("Time and energy", time.blocks(results)),
        Section("What holds it back", time.roofline_blocks(results)),
        Section("Time of each layer", time.layer_blocks(results)),
        Section("Memory", memory.blocks(results)),
        Section("Where operators run", placement.blocks(results)),
        Section("What would help", placement.option_blocks(results)),
        Section("The model", model.blocks(results)),
        Section("What the estimates stand on", grounds.evidence_blocks(results)),
        Section("Assumptions and warnings", grounds.note_blocks(results)),
        Section("Sources of the hardware's figures", grounds.source_blocks(results)),
    )
    return Document(
        title=results.analysis.model.name,
        place=where(results.checks.deployment),
        verdict=results.checks.verdict.value,
        summary=_summary(results),
        figures=_key_figures(results),
        sections=tuple(section for section in sections if section.blocks),
        footer=(
            f"edgewright {__version__}, model SHA-256 {results.analysis.model.sha256}",
            "Intervals are 90 % intervals. MAC: multiply-accumulate, 2 FLOP; 1 KiB is 1,024 bytes.",
        ),
    )


def _key_figures(results: Results) -> tuple[KeyFigure, ...]:
    estimate, plan = results.analysis.performance, results.memory
    return (
        key_figure(per_batch("Latency", estimate), estimate.latency_ms),
        key_figure(per_batch("Energy", estimate), estimate.energy_uj),
        key_figure("RAM (arena)", plan.arena),
        key_figure("Flash", plan.flash),
    )


def _summary(results: Results) -> str:
    checks = results.checks.checks
    failed = [check.statement for check in checks if check.verdict is Verdict.FAIL and not check.soft]
    untold = [check.name for check in checks if check.verdict is Verdict.UNKNOWN and not check.soft]
    bound = results.analysis.roofline.bound
    held = "What holds it back is not known." if bound == "unknown" else f"It is {bound}-bound."
    parts = [f"{'; '.join(failed)}." if failed else "", held]
    if untold:
        parts.insert(1, f"Not known: {', '.join(untold)}.")
    if not failed and not untold:
        parts.insert(0, f"It meets what was asked: {', '.join(check.name for check in checks)}.")
    return " ".join(part for part in parts if part)
