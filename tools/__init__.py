"""The analysis: typed pure functions. No LLM, no terminal, no network.

A model is a path, the name of an architecture or a `ModelGraph`; a deployment is made by `deployment()`
or is a target's name. Names are loaded on first use, so that importing this costs nothing.
    >>> estimate = estimate_performance("kws", deployment("stm32h743zi", "tflm-cmsis-nn"))
    >>> estimate.latency_ms < 50
    True

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
    workload                streams and jobs: devices, time, energy, money
    generation              language models: what they take, tokens a second
    constraint_checker      one rule a kind of limit
    pipeline                several models and other steps at their rates, on one core
    optimization_simulator  techniques, searches, and really applying them
    conversion              models of other frameworks made into .tflite files
    timeline                memory and time, operator by operator
    hardware_selector       which hardware, how far one can go
    sweep                   many models on many deployments
    codegen                 code that runs a model
    traces                  times measured elsewhere
    host_runs               models run on this machine
    calibration             measurements, scores, the fit
    api                     the public functions, one module a question
    model_choice            which published model for a task
    reports                 results as documents
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..hardware_db import Runtime, Target
    from ..hardware_db.errors import (
        AmbiguousNameError,
        EdgewrightError,
        InputError,
        LimitsError,
        ModelFileError,
        UnknownFigureError,
        UnknownNameError,
        UsageError,
    )
    from .api.analysis import AnalysisReport, analyze_model
    from .api.applying import apply_optimization
    from .api.calibrating import calibrate_target, calibration_anchors, list_calibrations, remove_calibration
    from .api.code import firmware_code
    from .api.compatibility import score_compatibility
    from .api.constraints import check_constraints
    from .api.energy import estimate_energy_budget, sweep_frequency
    from .api.explaining import (
        compare_runs,
        explain_counters,
        explain_firmware,
        explain_message,
        explain_trace,
        predict_cache,
    )
    from .api.generation import estimate_finetuning, estimate_generation, rank_generation
    from .api.limits import find_limit
    from .api.memory import best_memory_order, plan_memory
    from .api.model_diff import diff_models
    from .api.optimizations import simulate_optimizations
    from .api.own_figures import add_up_loads, compare_figures
    from .api.pipelines import analyze_pipeline
    from .api.profiles import import_profile, profile_on_board, profile_on_host, profile_with
    from .api.published import published_accuracy
    from .api.roofline import analyze_roofline, estimate_performance
    from .api.timeline import trace_timeline
    from .api.validation import validate
    from .api.workloads import estimate_workload
    from .calibration.boards.anchor_set import AnchorModel, AnchorSet
    from .calibration.boards.calibration import Calibration, CalibrationList, CalibrationRow, LearnedBoard
    from .calibration.validation.evidence import Evidence, EvidenceReport, evidence
    from .calibration.validation.validation_report import ErrorGroup, ValidationReport
    from .codegen.firmware_code import FirmwareCode
    from .codegen.write import write_firmware
    from .compare.model_diff import FigureChange, ModelDiff
    from .compatibility_scorer.compatibility_report import CompatibilityReport, Penalty
    from .constraint_checker.constraint_report import Check, ConstraintReport, Lever, Term
    from .conversion.convert import convert_model
    from .conversion.converted_model import ConversionStage, ConvertedModel, ConverterSetup
    from .conversion.environment import set_up_converter
    from .core.calibrations import BoardCalibration
    from .core.deployment import Deployment, DeploymentRef, deployment
    from .core.deployment_table import DeploymentTable, all_deployments
    from .core.quantity import Basis, Quantity, Result
    from .core.settings import Settings, Vela
    from .cost_model.anchor import MeasuredCase
    from .cost_model.audit import Violation, audit
    from .cost_model.estimate_table import EstimateTable
    from .cost_model.performance_estimate import Bound, LayerEstimate, PerformanceEstimate
    from .cost_model.table import estimate_many
    from .energy.energy_budget import BatteryLife, ClockStep, Drain, EnergyBudget, FrequencySweep
    from .energy.load import Load
    from .energy.load_budget import Allowance, FigureComparison, LoadBudget, LoadShare, OwnBattery
    from .generation.finetuning import FinetuningEstimate
    from .generation.generation_estimate import Accepted, Crowd, Draft, GenerationEstimate, Offloaded
    from .generation.ranking import GenerationRanking, RankedGeneration
    from .generation.remedy import Remedy
    from .graph import ModelGraph
    from .graph.summarize import summarize_model
    from .graph.summary import LayerSummary, ModelSummary
    from .hardware_catalog.additions import OwnFigures, add_target
    from .hardware_catalog.architectures import list_architectures
    from .hardware_catalog.batteries import BatteryEntry, BatteryList, list_batteries
    from .hardware_catalog.own_accelerator import OwnAccelerator
    from .hardware_catalog.pages import (
        ArchitectureList,
        RuntimeEntry,
        RuntimeList,
        RuntimePage,
        TargetDiff,
        TargetEntry,
        TargetList,
        TargetPage,
    )
    from .hardware_catalog.runtimes import get_runtime, list_runtimes
    from .hardware_catalog.systems import SystemShare, system_share
    from .hardware_catalog.targets import diff_targets, get_target, list_targets
    from .hardware_selector.compare import compare_deployments
    from .hardware_selector.hardware_ranking import Comparison, HardwareRanking, RankedDeployment
    from .hardware_selector.inverse.limit_answer import LimitAnswer
    from .hardware_selector.recommend import recommend_hardware
    from .host_runs.backend import Backend, Runs
    from .host_runs.candidates import measure_candidates
    from .host_runs.ceilings import HostCeilings, TypePeak, measure_ceilings
    from .host_runs.gpu_meter import GpuMeter
    from .host_runs.measured_candidates import AccuracyPoint, MeasuredCandidate, MeasuredCandidates
    from .host_runs.variants import MeasuredVariant, MeasuredVariants, measure_variants
    from .memory_planner.memory_plan import LayerMemory, MemoryPlan, PlannedTensor
    from .memory_planner.order.order_report import OrderReport
    from .memory_planner.plan_parts import RegionUse
    from .model_choice.model_ranking import ModelRanking, RankedModel
    from .model_choice.recommend import recommend_model
    from .model_formats.listing import FoundModelFile, ModelFileList, list_model_files
    from .model_formats.source import parse_model
    from .model_zoo.published_accuracy import AccuracyRow, ComparedAccuracy, PublishedAccuracy
    from .optimization_simulator.applied.accuracy import measured_accuracy
    from .optimization_simulator.applied.applied_optimization import AppliedOptimization
    from .optimization_simulator.applied.measured_accuracy import MeasuredAccuracy
    from .optimization_simulator.optimization_report import OptimizationReport, Option
    from .pipeline.pipeline_report import PipelineReport, PipelineStep
    from .pipeline.plan import PipelinePlan, read_pipeline
    from .placement.op_placement import OpPlacement
    from .reports.artifacts import WrittenArtifacts, write_artifacts
    from .reports.bundle_diff import BundleDiff, ChangedFigure, compare_bundles
    from .reports.guide.guide_report import Guide
    from .reports.guide.make import hardware_guide
    from .reports.guide.write import write_guide
    from .reports.node_data import WrittenNodeData, write_node_data
    from .reports.pictures import write_pictures
    from .reports.sweep_artifacts import write_sweep_artifacts
    from .reports.tables import write_tables
    from .reports.write import WrittenReport, write_report
    from .roofline.roofline_report import LayerRoofline, RooflineReport
    from .sweep.plan import SweepPlan, read_plan
    from .sweep.run import run_sweep
    from .sweep.sweep_report import SweepReport
    from .timeline.timeline import Timeline, TimelineOp
    from .traces.counters.cache_prediction import CachePrediction, LayerCache
    from .traces.counters.counter_report import CounterMetric, CounterReport, CycleShare, FiredRule
    from .traces.explained.trace_report import Advice, OperatorTime, TraceReport
    from .traces.linked.firmware_report import FirmwareReport, FirmwareSymbol, PlannedPart
    from .traces.measured_profile import (
        AttainedRates,
        BoardFacts,
        MeasuredEnergy,
        MeasuredLayer,
        MeasuredProfile,
    )
    from .traces.messages.message_report import MessageReport
    from .traces.run_times import RunTimes, ThermalState
    from .traces.runs.run_comparison import DifferenceCause, LayerPair, RunComparison
    from .verdicts.changes import Combination, Figures, Fit
    from .verdicts.figures_release import keep_figures
    from .verdicts.limits import Limits, limits_from_text, pinned_figures, read_budget
    from .verdicts.relaxation import Relaxation
    from .verdicts.verdict import Verdict
    from .workload.workload_estimate import WorkloadEstimate

_NAMES_BY_MODULE = {
    "..hardware_db": "Runtime Target",
    "..hardware_db.errors": "AmbiguousNameError EdgewrightError InputError LimitsError ModelFileError"
    " UnknownFigureError UnknownNameError UsageError",
    ".api.analysis": "AnalysisReport analyze_model",
    ".api.applying": "apply_optimization",
    ".api.code": "firmware_code",
    ".api.compatibility": "score_compatibility",
    ".api.constraints": "check_constraints",
    ".api.energy": "estimate_energy_budget sweep_frequency",
    ".api.explaining": "compare_runs explain_counters explain_firmware explain_message explain_trace"
    " predict_cache",
    ".api.generation": "estimate_finetuning estimate_generation rank_generation",
    ".api.limits": "find_limit",
    ".api.memory": "best_memory_order plan_memory",
    ".api.model_diff": "diff_models",
    ".api.optimizations": "simulate_optimizations",
    ".api.own_figures": "add_up_loads compare_figures",
    ".api.pipelines": "analyze_pipeline",
    ".api.profiles": "import_profile profile_on_board profile_on_host profile_with",
    ".api.published": "published_accuracy",
    ".api.roofline": "analyze_roofline estimate_performance",
    ".api.timeline": "trace_timeline",
    ".api.validation": "validate",
    ".api.workloads": "estimate_workload",
    ".api.calibrating": "calibrate_target calibration_anchors list_calibrations remove_calibration",
    ".calibration.boards.anchor_set": "AnchorModel AnchorSet",
    ".calibration.boards.calibration": "Calibration CalibrationList CalibrationRow LearnedBoard",
    ".calibration.validation.validation_report": "ErrorGroup ValidationReport",
    ".calibration.validation.evidence": "Evidence EvidenceReport evidence",
    ".codegen.firmware_code": "FirmwareCode",
    ".codegen.write": "write_firmware",
    ".compare.model_diff": "FigureChange ModelDiff",
    ".compatibility_scorer.compatibility_report": "CompatibilityReport Penalty",
    ".constraint_checker.constraint_report": "Check ConstraintReport Lever Term",
    ".conversion.convert": "convert_model",
    ".conversion.converted_model": "ConversionStage ConvertedModel ConverterSetup",
    ".conversion.environment": "set_up_converter",
    ".core.calibrations": "BoardCalibration",
    ".core.deployment": "Deployment DeploymentRef deployment",
    ".core.deployment_table": "DeploymentTable all_deployments",
    ".core.quantity": "Basis Quantity Result",
    ".core.settings": "Settings Vela",
    ".cost_model.audit": "Violation audit",
    ".cost_model.anchor": "MeasuredCase",
    ".cost_model.estimate_table": "EstimateTable",
    ".cost_model.performance_estimate": "Bound LayerEstimate PerformanceEstimate",
    ".cost_model.table": "estimate_many",
    ".energy.energy_budget": "BatteryLife ClockStep Drain EnergyBudget FrequencySweep",
    ".energy.load": "Load",
    ".energy.load_budget": "Allowance FigureComparison LoadBudget LoadShare OwnBattery",
    ".generation.ranking": "GenerationRanking RankedGeneration",
    ".generation.finetuning": "FinetuningEstimate",
    ".generation.generation_estimate": "Accepted Crowd Draft GenerationEstimate Offloaded",
    ".generation.remedy": "Remedy",
    ".graph": "ModelGraph",
    ".graph.summarize": "summarize_model",
    ".graph.summary": "LayerSummary ModelSummary",
    ".hardware_catalog.additions": "OwnFigures add_target",
    ".hardware_catalog.architectures": "list_architectures",
    ".hardware_catalog.batteries": "BatteryEntry BatteryList list_batteries",
    ".hardware_catalog.own_accelerator": "OwnAccelerator",
    ".hardware_catalog.pages": "ArchitectureList RuntimeEntry RuntimeList RuntimePage TargetDiff TargetEntry"
    " TargetList TargetPage",
    ".hardware_catalog.runtimes": "get_runtime list_runtimes",
    ".hardware_catalog.systems": "SystemShare system_share",
    ".hardware_catalog.targets": "diff_targets get_target list_targets",
    ".hardware_selector.compare": "compare_deployments",
    ".hardware_selector.inverse.limit_answer": "LimitAnswer",
    ".hardware_selector.recommend": "recommend_hardware",
    ".hardware_selector.hardware_ranking": "Comparison HardwareRanking RankedDeployment",
    ".memory_planner.order.order_report": "OrderReport",
    ".host_runs.backend": "Backend Runs",
    ".host_runs.candidates": "measure_candidates",
    ".host_runs.ceilings": "HostCeilings TypePeak measure_ceilings",
    ".host_runs.gpu_meter": "GpuMeter",
    ".host_runs.variants": "MeasuredVariant MeasuredVariants measure_variants",
    ".host_runs.measured_candidates": "AccuracyPoint MeasuredCandidate MeasuredCandidates",
    ".memory_planner.memory_plan": "LayerMemory MemoryPlan PlannedTensor",
    ".memory_planner.plan_parts": "RegionUse",
    ".model_choice.recommend": "recommend_model",
    ".model_choice.model_ranking": "ModelRanking RankedModel",
    ".model_formats.listing": "FoundModelFile ModelFileList list_model_files",
    ".model_formats.source": "parse_model",
    ".model_zoo.published_accuracy": "AccuracyRow ComparedAccuracy PublishedAccuracy",
    ".optimization_simulator.applied.applied_optimization": "AppliedOptimization",
    ".optimization_simulator.applied.accuracy": "measured_accuracy",
    ".optimization_simulator.applied.measured_accuracy": "MeasuredAccuracy",
    ".optimization_simulator.optimization_report": "OptimizationReport Option",
    ".pipeline.pipeline_report": "PipelineReport PipelineStep",
    ".pipeline.plan": "PipelinePlan read_pipeline",
    ".placement.op_placement": "OpPlacement",
    ".reports.artifacts": "WrittenArtifacts write_artifacts",
    ".reports.bundle_diff": "BundleDiff ChangedFigure compare_bundles",
    ".reports.node_data": "WrittenNodeData write_node_data",
    ".reports.sweep_artifacts": "write_sweep_artifacts",
    ".reports.guide.guide_report": "Guide",
    ".reports.guide.make": "hardware_guide",
    ".reports.guide.write": "write_guide",
    ".reports.pictures": "write_pictures",
    ".reports.tables": "write_tables",
    ".reports.write": "WrittenReport write_report",
    ".roofline.roofline_report": "LayerRoofline RooflineReport",
    ".sweep.plan": "SweepPlan read_plan",
    ".sweep.sweep_report": "SweepReport",
    ".sweep.run": "run_sweep",
    ".timeline.timeline": "Timeline TimelineOp",
    ".traces.counters.cache_prediction": "CachePrediction LayerCache",
    ".traces.counters.counter_report": "CounterMetric CounterReport CycleShare FiredRule",
    ".traces.explained.trace_report": "Advice OperatorTime TraceReport",
    ".traces.linked.firmware_report": "FirmwareReport FirmwareSymbol PlannedPart",
    ".traces.messages.message_report": "MessageReport",
    ".traces.runs.run_comparison": "DifferenceCause LayerPair RunComparison",
    ".traces.measured_profile": "AttainedRates BoardFacts MeasuredEnergy MeasuredLayer MeasuredProfile",
    ".traces.run_times": "RunTimes ThermalState",
    ".verdicts.changes": "Combination Figures Fit",
    ".verdicts.figures_release": "keep_figures",
    ".verdicts.limits": "Limits limits_from_text pinned_figures read_budget",
    ".verdicts.relaxation": "Relaxation",
    ".verdicts.verdict": "Verdict",
    ".workload.workload_estimate": "WorkloadEstimate",
}
_MODULES = {name: module for module, names in _NAMES_BY_MODULE.items() for name in names.split()}

# Core functions
__all__ = [
    "analyze_model", "analyze_roofline", "check_constraints", "compare_deployments", "deployment",
    "estimate_performance", "find_limit", "parse_model", "plan_memory", "recommend_hardware",
    "score_compatibility", "simulate_optimizations",
]  # fmt: skip

# Further functions
__all__ += [
    "add_target", "add_up_loads", "all_deployments", "analyze_pipeline", "apply_optimization", "audit",
    "best_memory_order", "calibrate_target", "calibration_anchors", "compare_bundles", "compare_figures",
    "compare_runs", "convert_model", "diff_models", "diff_targets", "estimate_energy_budget",
    "estimate_finetuning", "estimate_generation", "estimate_many", "estimate_workload", "evidence",
    "explain_counters", "explain_firmware", "explain_message", "explain_trace", "firmware_code",
    "get_runtime", "get_target", "hardware_guide", "import_profile", "keep_figures", "limits_from_text",
    "list_architectures", "list_batteries", "list_calibrations", "list_model_files", "list_runtimes",
    "list_targets", "measure_candidates", "measure_ceilings", "measure_variants", "measured_accuracy",
    "pinned_figures", "predict_cache", "profile_on_board", "profile_on_host", "profile_with",
    "published_accuracy", "rank_generation", "read_budget", "read_pipeline", "read_plan", "recommend_model",
    "remove_calibration", "run_sweep", "set_up_converter", "summarize_model", "sweep_frequency",
    "system_share", "trace_timeline", "validate", "write_artifacts", "write_firmware", "write_guide",
    "write_node_data", "write_pictures", "write_report", "write_sweep_artifacts", "write_tables",
]  # fmt: skip

# What functions take
__all__ += [
    "Backend", "Deployment", "DeploymentTable", "GpuMeter", "Limits", "Load", "ModelGraph", "OwnAccelerator",
    "OwnFigures", "PipelinePlan", "Runs", "Runtime", "Settings", "SweepPlan", "Target",
]  # fmt: skip

# Figures
__all__ += ["Basis", "Bound", "DeploymentRef", "Quantity", "Result", "Vela", "Verdict"]

# Results
__all__ += [
    "AnalysisReport", "AnchorSet", "AppliedOptimization", "ArchitectureList", "BatteryList", "BundleDiff",
    "CachePrediction", "Calibration", "CalibrationList", "Comparison", "CompatibilityReport",
    "ConstraintReport", "ConvertedModel", "ConverterSetup", "CounterReport", "EnergyBudget", "EstimateTable",
    "EvidenceReport", "FigureComparison", "FinetuningEstimate", "FirmwareCode", "FirmwareReport",
    "FrequencySweep", "GenerationEstimate", "GenerationRanking", "Guide", "HardwareRanking", "HostCeilings",
    "LimitAnswer", "LoadBudget", "MeasuredAccuracy", "MeasuredCandidates", "MeasuredProfile",
    "MeasuredVariants", "MemoryPlan", "MessageReport", "ModelDiff", "ModelFileList", "ModelRanking",
    "ModelSummary", "OptimizationReport", "OrderReport", "PerformanceEstimate", "PipelineReport",
    "PublishedAccuracy", "RooflineReport", "RunComparison", "RunTimes", "RuntimeList", "RuntimePage",
    "SweepReport", "SystemShare", "TargetDiff", "TargetList", "TargetPage", "Timeline", "TraceReport",
    "ValidationReport", "Violation", "WorkloadEstimate", "WrittenArtifacts", "WrittenNodeData",
    "WrittenReport",
]  # fmt: skip

# Their rows
__all__ += [
    "Accepted", "AccuracyPoint", "AccuracyRow", "Advice", "Allowance", "AnchorModel", "AttainedRates",
    "BatteryEntry", "BatteryLife", "BoardCalibration", "BoardFacts", "CalibrationRow", "ChangedFigure",
    "Check", "ClockStep", "Combination", "ComparedAccuracy", "ConversionStage", "CounterMetric", "Crowd",
    "CycleShare", "DifferenceCause", "Draft", "Drain", "ErrorGroup", "Evidence", "FigureChange", "Figures",
    "FiredRule", "FirmwareSymbol", "Fit", "FoundModelFile", "LayerCache", "LayerEstimate", "LayerMemory",
    "LayerPair", "LayerRoofline", "LayerSummary", "LearnedBoard", "Lever", "LoadShare", "MeasuredCandidate",
    "MeasuredCase", "MeasuredEnergy", "MeasuredLayer", "MeasuredVariant", "Offloaded", "OpPlacement",
    "OperatorTime", "Option", "OwnBattery", "Penalty", "PipelineStep", "PlannedPart", "PlannedTensor",
    "RankedDeployment", "RankedGeneration", "RankedModel", "RegionUse", "Relaxation", "Remedy",
    "RuntimeEntry", "TargetEntry", "Term", "ThermalState", "TimelineOp", "TypePeak",
]  # fmt: skip

# Errors
__all__ += [
    "AmbiguousNameError", "EdgewrightError", "InputError", "LimitsError", "ModelFileError",
    "UnknownFigureError", "UnknownNameError", "UsageError",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_MODULES[name], __name__), name)


def __dir__() -> list[str]:
    return __all__
