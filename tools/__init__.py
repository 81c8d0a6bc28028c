"""The analysis: typed pure functions. No LLM, no terminal, no network.

A model is a path, the name of an architecture or a `ModelGraph`; a deployment is made by `deployment()`
or is a target's name. Names are loaded on first use, so that importing this costs nothing.

The floors, bottom up; each imports only what stands below it:

    core                    quantities, units, deployments, errors, isolated processes, files
    graph                   what a model is; MACs and bytes of each operator
    model_zoo               networks that are known by name
    hardware_catalog        pages about targets, runtimes and architectures
    model_formats           model files → graphs, and graphs → .tflite
    ethos_u                 what Arm's compiler makes of a model
    placement               where each operator runs
    memory_planner          liveness, arenas, flash, regions
    cost_model              times, power and energy, as tables; one deployment is one row
    roofline                what binds
    verdicts                limits, capacity, judge, Pareto
    compare                 two versions of a model
    compatibility_scorer    points off 100
    energy                  duty cycle, battery, clock
    constraint_checker      one rule a kind of limit
    optimization_simulator  techniques, searches, and really applying them
    timeline                memory and time, operator by operator
    hardware_selector       which hardware, how far one can go
    sweep                   many models on many deployments
    codegen                 code that runs a model
    traces                  times measured elsewhere
    host_runs               models run on this machine
    calibration             measurements, scores, the fit
    api                     the public functions, one module a question
    reports                 results as documents
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
    from .api.analysis import analyze_model
    from .api.applying import apply_optimization
    from .api.code import firmware_code
    from .api.compatibility import score_compatibility
    from .api.constraints import check_constraints
    from .api.energy import estimate_energy_budget, sweep_frequency
    from .api.limits import find_limit
    from .api.memory import best_memory_order, plan_memory
    from .api.optimizations import simulate_optimizations
    from .api.profiles import import_profile, profile_on_host
    from .api.roofline import analyze_roofline, estimate_performance
    from .api.timeline import trace_timeline
    from .api.validation import validate
    from .calibration.validation.self_audit import audit
    from .calibration.validation.stands_on import evidence
    from .codegen.write import write_firmware
    from .core.deployment import Deployment, deployment
    from .core.deployment_table import DeploymentTable, all_deployments
    from .core.quantity import Basis, Quantity
    from .cost_model.estimate_table import EstimateTable
    from .cost_model.table import estimate_many
    from .graph import ModelGraph
    from .graph.summarize import summarize_model
    from .hardware_catalog.runtimes import get_runtime, list_runtimes
    from .hardware_catalog.targets import diff_targets, get_target, list_targets
    from .hardware_selector.compare import compare_deployments
    from .hardware_selector.recommend import recommend_hardware
    from .model_formats.source import parse_model
    from .sweep.plan import SweepPlan, read_plan
    from .sweep.report import SweepReport
    from .sweep.run import run_sweep
    from .traces.report import MeasuredProfile
    from .verdicts.limits import Limits, limits_from_text, read_budget
    from .verdicts.verdict import Verdict

_HOMES = {
    "AmbiguousNameError": "..hardware_db.errors",
    "Basis": ".core.quantity",
    "Deployment": ".core.deployment",
    "DeploymentTable": ".core.deployment_table",
    "EdgewrightError": "..hardware_db.errors",
    "EstimateTable": ".cost_model.estimate_table",
    "InputError": "..hardware_db.errors",
    "Limits": ".verdicts.limits",
    "MeasuredProfile": ".traces.report",
    "ModelFileError": "..hardware_db.errors",
    "ModelGraph": ".graph",
    "Quantity": ".core.quantity",
    "SweepPlan": ".sweep.plan",
    "SweepReport": ".sweep.report",
    "UnknownNameError": "..hardware_db.errors",
    "UsageError": "..hardware_db.errors",
    "Verdict": ".verdicts.verdict",
    "all_deployments": ".core.deployment_table",
    "analyze_model": ".api.analysis",
    "analyze_roofline": ".api.roofline",
    "apply_optimization": ".api.applying",
    "audit": ".calibration.validation.self_audit",
    "best_memory_order": ".api.memory",
    "check_constraints": ".api.constraints",
    "compare_deployments": ".hardware_selector.compare",
    "deployment": ".core.deployment",
    "diff_targets": ".hardware_catalog.targets",
    "estimate_energy_budget": ".api.energy",
    "estimate_many": ".cost_model.table",
    "estimate_performance": ".api.roofline",
    "evidence": ".calibration.validation.stands_on",
    "find_limit": ".api.limits",
    "firmware_code": ".api.code",
    "get_runtime": ".hardware_catalog.runtimes",
    "get_target": ".hardware_catalog.targets",
    "import_profile": ".api.profiles",
    "limits_from_text": ".verdicts.limits",
    "list_runtimes": ".hardware_catalog.runtimes",
    "list_targets": ".hardware_catalog.targets",
    "parse_model": ".model_formats.source",
    "plan_memory": ".api.memory",
    "profile_on_host": ".api.profiles",
    "read_budget": ".verdicts.limits",
    "read_plan": ".sweep.plan",
    "recommend_hardware": ".hardware_selector.recommend",
    "run_sweep": ".sweep.run",
    "score_compatibility": ".api.compatibility",
    "simulate_optimizations": ".api.optimizations",
    "summarize_model": ".graph.summarize",
    "sweep_frequency": ".api.energy",
    "trace_timeline": ".api.timeline",
    "validate": ".api.validation",
    "write_firmware": ".codegen.write",
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
