"""The whole profile of a model as text."""

from __future__ import annotations

from ...api.analysis import AnalysisReport
from .common import percent, where
from .compatibility import score
from .memory import memory_text
from .model import model_summary
from .optimization import optimization_text
from .performance import layer_table_text, performance_text


def analysis_text(report: AnalysisReport) -> str:
    roof = report.roofline
    slowest = max((x for x in roof.layers if x.share), key=lambda x: x.share or 0, default=None)
    dominating = (
        f"Layer {slowest.index} ({slowest.op}) takes {percent(slowest.share)} of the time and is "
        f"{slowest.bound}-bound."
        if slowest
        else "No layer's time is known."
    )
    return "\n\n".join((
        f"== MODEL SUMMARY ==\n{model_summary(report.model)}",
        f"== MEMORY ANALYSIS ==\n{memory_text(report.memory)}",
        f"== HARDWARE PERFORMANCE ==\nThe model is {roof.bound}-bound on {where(roof.deployment)}.\n"
        f"{performance_text(report.performance).split(chr(10) * 2)[1]}",
        f"== PER-LAYER PERFORMANCE ==\n{dominating}\n{layer_table_text(report.performance)}",
        f"== COMPATIBILITY ==\n{score(report.compatibility)}",
        f"== OPTIMIZATION OPPORTUNITIES ==\n{optimization_text(report.optimization)}",
        "== NEXT STEPS ==\nApply the change with the best figures above, then analyze the new file again.",
    ))  # fmt: skip
