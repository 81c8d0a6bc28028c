"""The analysis: typed pure functions. No LLM, no terminal, no network.

A model is a path, the name of an architecture or a `ModelGraph`; a deployment is made by `deployment()`
or is a target's name. Names are loaded on first use, so that importing this costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..hardware_db.errors import (
        AmbiguousNameError,
        EdgewrightError,
        InputError,
        ModelFileError,
        UnknownNameError,
        UsageError,
    )
    from .applied import apply_optimization
    from .catalog import diff_targets, get_runtime, get_target, list_runtimes, list_targets
    from .compatibility_scorer import score_compatibility
    from .constraint_checker import Limits, check_constraints, limits_from_text, read_budget
    from .deployment_table import DeploymentTable, all_deployments
    from .deployments import Deployment, deployment
    from .energy import estimate_energy_budget, sweep_frequency
    from .firmware import firmware_code, write_firmware
    from .graph import ModelGraph
    from .graph.summarize import summarize_model
    from .hardware_selector import compare_deployments, recommend_hardware
    from .hardware_selector.inverse import find_limit
    from .memory_planner import best_memory_order, plan_memory
    from .model_parser import parse_model
    from .optimization_simulator import simulate_optimizations
    from .profiler import MeasuredProfile, import_profile, profile_on_host
    from .quantity import Basis, Quantity
    from .reports import analyze_model
    from .roofline import analyze_roofline, estimate_performance
    from .roofline.estimate_table import EstimateTable
    from .roofline.many import estimate_many
    from .sweep import SweepPlan, SweepReport, read_plan, run_sweep
    from .timeline import trace_timeline
    from .validator import audit, evidence, validate
    from .verdict import Verdict

_HOMES = {
    "AmbiguousNameError": "..hardware_db.errors",
    "Basis": ".quantity",
    "Deployment": ".deployments",
    "DeploymentTable": ".deployment_table",
    "EdgewrightError": "..hardware_db.errors",
    "EstimateTable": ".roofline.estimate_table",
    "InputError": "..hardware_db.errors",
    "Limits": ".constraint_checker",
    "MeasuredProfile": ".profiler",
    "ModelFileError": "..hardware_db.errors",
    "ModelGraph": ".graph",
    "Quantity": ".quantity",
    "SweepPlan": ".sweep",
    "SweepReport": ".sweep",
    "UnknownNameError": "..hardware_db.errors",
    "UsageError": "..hardware_db.errors",
    "Verdict": ".verdict",
    "all_deployments": ".deployment_table",
    "analyze_model": ".reports",
    "analyze_roofline": ".roofline",
    "apply_optimization": ".applied",
    "audit": ".validator",
    "best_memory_order": ".memory_planner",
    "check_constraints": ".constraint_checker",
    "compare_deployments": ".hardware_selector",
    "deployment": ".deployments",
    "diff_targets": ".catalog",
    "estimate_energy_budget": ".energy",
    "estimate_many": ".roofline.many",
    "estimate_performance": ".roofline",
    "evidence": ".validator",
    "find_limit": ".hardware_selector.inverse",
    "firmware_code": ".firmware",
    "get_runtime": ".catalog",
    "get_target": ".catalog",
    "import_profile": ".profiler",
    "limits_from_text": ".constraint_checker",
    "list_runtimes": ".catalog",
    "list_targets": ".catalog",
    "parse_model": ".model_parser",
    "plan_memory": ".memory_planner",
    "profile_on_host": ".profiler",
    "read_budget": ".constraint_checker",
    "read_plan": ".sweep",
    "recommend_hardware": ".hardware_selector",
    "run_sweep": ".sweep",
    "score_compatibility": ".compatibility_scorer",
    "simulate_optimizations": ".optimization_simulator",
    "summarize_model": ".graph.summarize",
    "sweep_frequency": ".energy",
    "trace_timeline": ".timeline",
    "validate": ".validator",
    "write_firmware": ".firmware",
}

__all__ = [
    "AmbiguousNameError",
    "Basis",
    "Deployment",
    "DeploymentTable",
    "EdgewrightError",
    "EstimateTable",
    "InputError",
    "Limits",
    "MeasuredProfile",
    "ModelFileError",
    "ModelGraph",
    "Quantity",
    "SweepPlan",
    "SweepReport",
    "UnknownNameError",
    "UsageError",
    "Verdict",
    "all_deployments",
    "analyze_model",
    "analyze_roofline",
    "apply_optimization",
    "audit",
    "best_memory_order",
    "check_constraints",
    "compare_deployments",
    "deployment",
    "diff_targets",
    "estimate_energy_budget",
    "estimate_many",
    "estimate_performance",
    "evidence",
    "find_limit",
    "firmware_code",
    "get_runtime",
    "get_target",
    "import_profile",
    "limits_from_text",
    "list_runtimes",
    "list_targets",
    "parse_model",
    "plan_memory",
    "profile_on_host",
    "read_budget",
    "read_plan",
    "recommend_hardware",
    "run_sweep",
    "score_compatibility",
    "simulate_optimizations",
    "summarize_model",
    "sweep_frequency",
    "trace_timeline",
    "validate",
    "write_firmware",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name], __name__), name)


def __dir__() -> list[str]:
    return __all__
