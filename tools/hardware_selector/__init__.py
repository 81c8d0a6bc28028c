"""Which hardware to take: every deployment ranked under the same limits, or a few side by side."""

from __future__ import annotations

from ..relaxation import Relaxation
from .compare import compare_deployments
from .recommend import WEIGHTS, recommend_hardware
from .report import Cause, Change, Comparison, Difference, HardwareRanking, RankedDeployment
from .templates import TEMPLATES, Template

__all__ = [
    "TEMPLATES",
    "WEIGHTS",
    "Cause",
    "Change",
    "Comparison",
    "Difference",
    "HardwareRanking",
    "RankedDeployment",
    "Relaxation",
    "Template",
    "compare_deployments",
    "recommend_hardware",
]
