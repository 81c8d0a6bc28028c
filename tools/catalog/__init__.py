"""The hardware database as results."""

from .pages import RuntimeList, RuntimePage, TargetList, TargetPage
from .runtimes import get_runtime, list_runtimes
from .targets import diff_targets, get_target, list_targets

__all__ = [
    "RuntimeList",
    "RuntimePage",
    "TargetList",
    "TargetPage",
    "diff_targets",
    "get_runtime",
    "get_target",
    "list_runtimes",
    "list_targets",
]
