"""What each tool does with its checked arguments, in a workspace."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from .. import tools
from ..hardware_db.errors import UsageError
from . import arguments as a
from .compaction import DEFAULT_TOP
from .workspace import Workspace, cleaned_name

if TYPE_CHECKING:
    from ..tools.calibration.validation.report import ValidationReport
    from ..tools.core.deployment import Deployment
    from ..tools.core.quantity import Result
    from ..tools.verdicts.limits import Limits


def _model(args: a.ModelArguments, workspace: Workspace) -> str:
    """A path, or an architecture with what was asked of it, as in `mobilenet_v2:0.35:int8`."""
    source = workspace.model_source(args.model)
    asked = [str(field) for field in (args.width, args.input_size, args.dtype) if field is not None]
    if not asked:
        return source
    from ..tools.model_zoo.named import is_architecture

    if not is_architecture(source):
        shown = cleaned_name(source)
        raise UsageError(
            f"{shown} is no named architecture, so its dtype, width and input are what they are.",
            hint="Leave them out; simulate_optimizations tells what another type would bring.",
        )
    return ":".join((source, *asked))


def _deployment(args: a.DeploymentArguments, workspace: Workspace) -> Deployment:
    return tools.deployment(
        workspace.target_name(args.target),
        args.runtime or workspace.runtime,
        clock_mhz=args.clock_mhz,
        batch=args.batch or 1,
        threads=args.threads or 1,
    )


def _limits(args: a.LimitArguments, workspace: Workspace) -> Limits:
    """Those of the call, and the pinned ones of the kinds that the call leaves out."""
    from ..tools.verdicts.limits import Limits

    named = {name: getattr(args, name) for name in a.LimitArguments.model_fields}
    pinned: dict[str, Any] = dict(workspace.limits)
    return Limits(**(pinned | {name: value for name, value in named.items() if value is not None}))


def parse_model(args: a.InspectArguments, workspace: Workspace) -> Result:
    return tools.summarize_model(tools.parse_model(_model(args, workspace)))


def plan_memory(args: a.OnDeployment, workspace: Workspace) -> Result:
    return tools.plan_memory(_model(args, workspace), _deployment(args, workspace))


def analyze_roofline(args: a.OnDeployment, workspace: Workspace) -> Result:
    return tools.analyze_roofline(_model(args, workspace), _deployment(args, workspace))


def estimate_performance(args: a.OnDeployment, workspace: Workspace) -> Result:
    return tools.estimate_performance(_model(args, workspace), _deployment(args, workspace))


def estimate_energy_budget(args: a.BudgetArguments, workspace: Workspace) -> Result:
    asked = args.model_dump(include={*a.BudgetArguments.model_fields} - {*a.OnDeployment.model_fields})
    return tools.estimate_energy_budget(_model(args, workspace), _deployment(args, workspace), **asked)


def sweep_frequency(args: a.SweepArguments, workspace: Workspace) -> Result:
    pinned = workspace.limits
    limits = tools.Limits(
        latency_ms=args.latency_ms or pinned.get("latency_ms"),
        power_mw=args.power_mw or pinned.get("power_mw"),
    )
    return tools.sweep_frequency(_model(args, workspace), _deployment(args, workspace), limits=limits)


def check_constraints(args: a.CheckArguments, workspace: Workspace) -> Result:
    model, place = _model(args, workspace), _deployment(args, workspace)
    return tools.check_constraints(model, place, _limits(args, workspace))


def score_compatibility(args: a.OnDeployment, workspace: Workspace) -> Result:
    return tools.score_compatibility(_model(args, workspace), _deployment(args, workspace))


def simulate_optimizations(args: a.OptimizeArguments, workspace: Workspace) -> Result:
    model, place = _model(args, workspace), _deployment(args, workspace)
    report = tools.simulate_optimizations(model, place, goal=args.goal, technique=args.technique)
    return report.without_front()


def recommend_hardware(args: a.RecommendArguments, workspace: Workspace) -> Result:
    """The best runtime of each target: the whole ranking has a row for each pair."""
    price = {} if args.price_usd is None else {"price_usd": args.price_usd}
    weights = None if args.goal == "balance" else {"latency": 0, "energy": 0, "power": 0, args.goal: 1}
    report = tools.recommend_hardware(
        _model(args, workspace),
        _limits(args, workspace).model_copy(update=price),
        template=args.template,
        weights=weights,
        classes=None if args.target_class is None else [args.target_class],
        runtimes=None if args.runtime is None else [args.runtime],
    )
    return report.shortened(args.top or DEFAULT_TOP)


def compare_deployments(args: a.CompareArguments, workspace: Workspace) -> Result:
    pairs = [text.partition("/") for text in args.targets]
    places = [tools.deployment(target, runtime or None) for target, _, runtime in pairs]
    return tools.compare_deployments(_model(args, workspace), places, _limits(args, workspace))


def find_limit(args: a.FindLimitArguments, workspace: Workspace) -> Result:
    return tools.find_limit(
        _model(args, workspace),
        _deployment(args, workspace),
        _limits(args, workspace),
        args.variable,
        battery=args.battery,
        battery_mah=args.battery_mah,
        sleep_ua=args.sleep_ua,
    )


def trace_timeline(args: a.OnDeployment, workspace: Workspace) -> Result:
    return tools.trace_timeline(_model(args, workspace), _deployment(args, workspace))


def best_memory_order(args: a.Placed, workspace: Workspace) -> Result:
    return tools.best_memory_order(_model(args, workspace), _deployment(args, workspace))


def firmware_code(args: a.Placed, workspace: Workspace) -> Result:
    return tools.firmware_code(_model(args, workspace), _deployment(args, workspace))


def diff_models(args: a.DiffModelsArguments, workspace: Workspace) -> Result:
    from ..tools.api.model_diff import diff_models as compared

    before, after = workspace.model_source(args.before), workspace.model_source(args.after)
    return compared(before, after, _deployment(args, workspace))


def import_profile(args: a.ImportArguments, workspace: Workspace) -> Result:
    path = workspace.file(args.path)
    return tools.import_profile(path, _model(args, workspace), _deployment(args, workspace), unit=args.unit)


def evidence(args: a.Placed, workspace: Workspace) -> Result:
    return tools.evidence(_model(args, workspace), _deployment(args, workspace))


def validate(args: a.ValidateArguments, _workspace: Workspace) -> Result:
    return _validated(args.device_class, args.runtime)


@cache
def _validated(device_class: str | None, runtime: str | None) -> ValidationReport:
    """Of what ships with the product, which no call changes."""
    return tools.validate(device_class=device_class, runtime=runtime)


def get_target(args: a.TargetArguments, workspace: Workspace) -> Result:
    return tools.get_target(workspace.target_name(args.target))


def list_targets(args: a.ListTargetsArguments, _workspace: Workspace) -> Result:
    return tools.list_targets(**args.model_dump())


def diff_targets(args: a.DiffTargetsArguments, _workspace: Workspace) -> Result:
    return tools.diff_targets(args.one, args.other)


def get_runtime(args: a.RuntimeArguments, _workspace: Workspace) -> Result:
    return tools.get_runtime(args.runtime)


def list_runtimes(_args: a.NoArguments, _workspace: Workspace) -> Result:
    return tools.list_runtimes()
