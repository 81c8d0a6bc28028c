"""The tools: one record for each function, which every front end reads.

A new tool is its function, the `describe` of its result and its text in `prompts/tools`; with a line here and
one in `edgewright.tools`, the command line, the chat, chat models and MCP have it.
"""

from __future__ import annotations

import importlib
import inspect
from typing import TYPE_CHECKING, Any

from ..tools.core.records import dataclass

if TYPE_CHECKING:
    from ..tools.core.document import Document
    from ..tools.core.quantity import Result
    from .spelling import Arguments
    from .workspace import Workspace


@dataclass(frozen=True)
class Tool:
    """A function of `edgewright.tools`. What it names is loaded when asked for; `--help` reads the names."""

    function: str
    takes: str
    """Class of `arguments`, behind its module there where it has one."""
    command: str = ""
    """Its words on the command line; none where it has no command."""
    help: str = ""
    judges: bool = False
    """Whether the verdict of its result is the exit code of its command."""
    writes: bool = False
    """Whether it leaves something behind: a file, or what later answers go by."""

    pictured: bool = False
    """Whether its result can be drawn."""
    returns: str = ""
    """Class of its result, by its name in `edgewright.tools`, where the function's own is another."""

    @property
    def needs_only_a_deployment(self) -> bool:
        """Whether a model and a target are all that has to be named."""
        return self.takes in ("Placed", "OnDeployment", "changes.AnalyzeArguments")

    @property
    def arguments(self) -> type[Arguments]:
        module, _, name = f".arguments.{self.takes}".rpartition(".")
        kind: type[Arguments] = getattr(_module(module), name)
        return kind

    @property
    def result(self) -> type[Result]:
        """What the function says that it returns, by the name that `edgewright.tools` has for it."""
        tools = _module("..tools")
        returned = self.returns or inspect.signature(getattr(tools, self.function)).return_annotation
        kind: type[Result] = getattr(tools, returned)
        return kind

    def run(self, arguments: Arguments, workspace: Workspace, **more: Any) -> Result:
        """The whole result; `more` is what only a program can give, such as `progress`.

        Raises:
            EdgewrightError: arguments that name something impossible.
        """
        runs = _module(".runs")
        special = getattr(runs, self.function, None)
        result: Result = (
            special(arguments, workspace, **more)
            if special
            else runs.run(self.function, arguments, workspace, **more)
        )
        return result

    def describe(self, result: Result, **options: Any) -> Document:
        """What every surface shows of the result, as `describe.py` beside its type has it."""
        document: Document = _module("..tools.core.document").describe(result, **options)
        return document

    def brief(self, result: Result, arguments: Arguments) -> Result:
        """What a conversation shows of the result."""
        shortened: Result = _module(".runs").brief(self.function, result, arguments)
        return shortened


def _module(name: str) -> Any:
    return importlib.import_module(name, __package__)


TOOLS: tuple[Tool, ...] = (
    Tool("parse_model", "catalog.InspectArguments", "inspect",
         "Show what a model file holds: operators, types, parameters, MACs.", returns="ModelSummary"),
    Tool("analyze_model", "changes.AnalyzeArguments", "analyze",
         "Profile a model on a target: summary, memory, layers, what to change.", pictured=True),
    Tool("write_artifacts", "limits.ArtifactsArguments", writes=True),
    Tool("analyze_roofline", "OnDeployment", "roofline",
         "Tell whether a model is memory- or compute-bound, and where.", pictured=True),
    Tool("estimate_performance", "OnDeployment", "estimate",
         "Estimate latency, energy and power, per layer and in total."),
    Tool("predict_cache", "measuring.CacheArguments", "cache",
         "Set each layer's data against the core's data cache: what fits, and what misses would cost."),
    Tool("evidence", "Placed", "evidence",
         "List the published measurements that stand behind an estimate."),
    Tool("score_compatibility", "memory.CompatibilityArguments", "compat",
         "Tell for every operator whether it runs, where, and why not; what that costs and what would help."),
    Tool("plan_memory", "memory.MemoryArguments", "memory",
         "Plan arena and flash, place them in the target's memory regions, and price other places."),
    Tool("best_memory_order", "memory.OrderArguments"),
    Tool("trace_timeline", "memory.TimelineArguments", "timeline",
         "Show memory and time operator by operator, what makes the peak and what would lower it.",
         pictured=True),
    Tool("firmware_code", "memory.CodeArguments", "code",
         "Write the code that runs a model: arena, operators, interpreter; or the command that makes it."),
    Tool("write_report", "limits.ReportArguments", "report",
         "Write one file with verdict, time, roofline, memory, placement, what would help and the sources."
         "\n\nExit code 0 whatever the verdict is; `check` tells it by its exit code.", writes=True),
    Tool("write_node_data", "limits.NodeDataArguments", writes=True),
    Tool("hardware_guide", "limits.GuideArguments", "guide",
         "When to take which class of hardware, from estimates of reference models on all: trees, cases."),
    Tool("compare_bundles", "limits.BundlesArguments", "bundles",
         "Compare two archives of `report --bundle`: figures, verdicts, versions, model."),
    Tool("check_constraints", "checking.CheckArguments", "check",
         "Check a model against limits: exit code 10 when one fails, 11 when one cannot be known.",
         judges=True),
    Tool("simulate_optimizations", "changes.OptimizeArguments", "optimize",
         "Simulate changes of the model and the deployment, alone and together; or apply one and compare.",
         pictured=True),
    Tool("apply_optimization", "changes.ApplyArguments", writes=True),
    Tool("convert_model", "changes.ConvertArguments", "convert",
         "Make a .tflite file of a .pt2, .onnx, .keras, .h5 or SavedModel, each step compared.", writes=True),
    Tool("find_limit", "limits.FindLimitArguments", "limit",
         "Find how large, slow or often still meets limits, and what binds: exit code 10 where nothing does.",
         judges=True),
    Tool("recommend_hardware", "limits.RecommendArguments", "recommend",
         "Rank all hardware for a model, with a reason for each that fails: exit code 10 if none passes.",
         judges=True, pictured=True),
    Tool("recommend_model", "limits.ModelChoiceArguments", "recommend-model",
         "Rank published models for a task by accuracy under limits: exit code 10 if none passes.",
         judges=True, pictured=True),
    Tool("published_accuracy", "catalog.PublishedArguments"),
    Tool("compare_deployments", "limits.CompareArguments", "compare",
         "Compare targets side by side: who wins in which figure, and why. A target may be TARGET/RUNTIME.",
         pictured=True),
    Tool("run_sweep", "measuring.SweepArguments", "sweep",
         "Evaluate models × targets × runtimes × transforms × clocks × batches into CSV and Parquet.",
         writes=True),
    Tool("estimate_energy_budget", "energy.BudgetArguments", "energy",
         "Tell duty cycle, average power and battery life at a rate: exit code 10 where it cannot be "
         "reached.",
         judges=True),
    Tool("estimate_workload", "energy.WorkloadArguments", "workload",
         "Tell what streams of events or a job take: devices, time, energy, money; exit code 10 if too much.",
         judges=True),
    Tool("add_up_loads", "energy.LoadsArguments", "loads",
         "Add up what you measured: energy, average power, battery life, rate, cost; without a model.",
         judges=True),
    Tool("compare_figures", "energy.ComparedArguments"),
    Tool("analyze_pipeline", "energy.PipelineArguments", "pipeline",
         "Judge several models and other steps at their rates on one core: exit code 10 where that fails.",
         judges=True),
    Tool("sweep_frequency", "energy.FrequencyArguments", "frequency",
         "Sweep the clock: latency, power, energy, energy-delay product, and the clock that needs least."),
    Tool("estimate_generation", "energy.GenerationArguments", "generation",
         "Tell whether a language model fits, and its tokens a second: exit code 10 where it does not fit."
         "\n\nWithout a model it ranks those that run well on the target; without a target it ranks targets, "
         "the cheapest first.",
         judges=True),
    Tool("rank_generation", "energy.RankGenerationArguments"),
    Tool("estimate_finetuning", "energy.FinetuningArguments", "finetuning",
         "Tell whether fine-tuning a language model fits a card, and its hours: exit code 10 where not.",
         judges=True),
    Tool("profile_on_host", "measuring.ProfileArguments", "profile",
         "Run a model here, or on a board (--port): median, percentiles, operators, energy.",
         writes=True, pictured=True),
    Tool("measure_variants", "measuring.VariantsArguments"),
    Tool("profile_on_board", "measuring.BoardProfileArguments"),
    Tool("calibrate_target", "measuring.CalibrateArguments", "calibrate",
         "Learn from measurements of your boards how far estimates are off there, and keep it for every "
         "answer.", writes=True),
    Tool("import_profile", "measuring.ImportArguments", "import",
         "Read a trace: what takes the time and why; with a model and a target, against the estimate.",
         pictured=True),
    Tool("explain_trace", "measuring.ExplainArguments"),
    Tool("explain_firmware", "measuring.FirmwareArguments"),
    Tool("compare_runs", "measuring.CompareRunsArguments"),
    Tool("explain_message", "measuring.MessageArguments"),
    Tool("explain_counters", "measuring.CountersArguments"),
    Tool("diff_models", "changes.DiffModelsArguments"),
    Tool("validate", "measuring.ValidateArguments", "validate",
         "Tell how far estimates are from measurements that they were not fitted to."),
    Tool("list_targets", "catalog.ListTargetsArguments", "targets list",
         "List the targets; one whose figure is not known does not meet a condition on it."),
    Tool("diff_targets", "catalog.DiffTargetsArguments", "targets diff",
         "Show the figures in which two targets differ."),
    Tool("get_target", "catalog.TargetArguments", "targets show",
         "Show regions, peaks, conflicts and sources of a target."),
    Tool("list_runtimes", "NoArguments", "runtimes list", "List the runtimes."),
    Tool("get_runtime", "catalog.RuntimeArguments", "runtimes show",
         "Show operators, types and sources of a runtime."),
    Tool("list_architectures", "NoArguments", "models list", "List the architectures that need no file."),
    Tool("list_model_files", "NoArguments"),
    Tool("list_batteries", "NoArguments"),
    Tool("system_share", "catalog.SystemArguments", "system",
         "Tell what an operating system or a radio stack takes of the memory."),
)  # fmt: skip


def tool_named(function: str) -> Tool:
    return next(tool for tool in TOOLS if tool.function == function)
