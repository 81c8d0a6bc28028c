"""Many models on many deployments: a plan becomes a table, whatever stops it half-way."""

from __future__ import annotations

from .plan import PlanError, SweepPlan, read_plan
from .report import SweepReport
from .run import run_sweep

__all__ = ["PlanError", "SweepPlan", "SweepReport", "read_plan", "run_sweep"]
