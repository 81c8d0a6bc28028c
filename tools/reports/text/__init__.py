"""Results as text for a terminal: verdict or headline first, then tables.

A renderer is loaded when its result is printed, so that one command does not pay for all.
"""

from __future__ import annotations

import importlib

from ...core.document import Document, describe
from ...core.quantity import Result
from ...core.render.markdown import plain

RENDERERS = {
    "AppliedOptimization": (".applied", "applied_text"),
    "EnergyBudget": (".energy", "budget_text"),
    "FirmwareCode": (".firmware", "firmware_text"),
    "FrequencySweep": (".energy", "sweep_text"),
    "Comparison": (".selection", "comparison_text"),
    "HardwareRanking": (".selection", "ranking_text"),
    "MeasuredProfile": (".profile", "profile_text"),
    "OrderReport": (".order", "order_text"),
    "ArchitectureList": (".hardware", "architecture_list"),
    "RuntimeList": (".hardware", "runtime_list"),
    "RuntimePage": (".hardware", "runtime_page"),
    "TargetDiff": (".hardware", "target_diff"),
    "TargetList": (".hardware", "target_list"),
    "TargetPage": (".hardware", "target_page"),
    "SweepReport": (".sweeping", "sweep_report_text"),
    "Timeline": (".timeline", "timeline_text"),
}
"""Class of the result → module and function that write it."""


def as_text(result: Result) -> str:
    """The result as people read it."""
    shown = document_or_text(result)
    return shown if isinstance(shown, str) else plain(shown)


def document_or_text(result: Result) -> Document | str:
    """Text for those that have no document yet."""
    if type(result).__name__ not in RENDERERS:
        return describe(result)
    module, function = RENDERERS[type(result).__name__]
    text: str = getattr(importlib.import_module(module, __name__), function)(result)
    return text
