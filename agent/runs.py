"""From flat arguments, in a workspace, to a call of a function of `edgewright.tools`.

A function that takes `model`, `deployment`, `limits` and its other arguments by name needs nothing here.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from .. import tools
from ..hardware_db.errors import UsageError
from . import arguments as a
from .workspace import Workspace, cleaned_name

if TYPE_CHECKING:
    from ..tools.core.deployment import Deployment
    from ..tools.core.quantity import Result
    from ..tools.graph import ModelGraph
    from ..tools.verdicts.limits import Limits
    from .arguments import catalog, changes, checking, energy, limits, measuring
    from .spelling import Arguments


DEFAULT_TOP = 8
"""Hardware that passes, and as much that does not, of a ranking of all."""


def run(function: str, args: Arguments, workspace: Workspace, **more: Any) -> Result:
    """What the function makes of its arguments, those that were not given left to its own defaults."""
    called = getattr(tools, function)
    if workspace.settings is not None and "settings" in inspect.signature(called).parameters:
        more["settings"] = workspace.settings
    result: Result = called(**_keywords(args, workspace), **more)
    return result


def brief(function: str, result: Any, args: Any) -> Result:
    """Of a result with a row for each of hundreds, what a conversation can show."""
    shown: Result = result
    match function:
        case "simulate_optimizations":
            shown = result.without_front()
        case "recommend_hardware" | "recommend_model" | "rank_generation":
            shown = result.shortened(args.top or DEFAULT_TOP)
    return shown


_GROUPS: tuple[type[Arguments], ...] = (
    a.ModelArguments,
    a.ShapeArguments,
    a.DeploymentArguments,
    a.OwnFigureArguments,
    a.PricedLimits,
    a.BudgetedLimits,
    a.LimitArguments,
    a.TopArguments,
)
"""Arguments that become one object, or that only what is shown depends on."""


def _keywords(args: Arguments, workspace: Workspace) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if isinstance(args, a.ModelArguments):
        found["model"] = model_of(args, workspace)
    if isinstance(args, a.DeploymentArguments):
        found["deployment"] = _deployment(args, workspace)
    if isinstance(args, a.LimitArguments):
        found["limits"] = limits_of(dict(args), workspace)
    return found | _own(args)


def _own(args: Arguments) -> dict[str, Any]:
    """The arguments that stand in no group."""
    grouped = {name for group in _GROUPS if isinstance(args, group) for name in group.model_fields}
    return {name: value for name, value in args if name not in grouped and value is not None}


def model_of(args: a.ModelArguments, workspace: Workspace) -> str | ModelGraph:
    """A path, or an architecture with what was asked of it, as in `mobilenet_v2:0.35:int8`."""
    source = workspace.model_source(args.model)
    asked = [str(field) for field in (args.width, args.input_size, args.dtype) if field is not None]
    if asked:
        if not workspace.knows_architecture(source):
            shown = cleaned_name(source)
            raise UsageError(
                f"{shown} is no named architecture, so its dtype, width and input are what they are.",
                hint="Leave them out; simulate_optimizations tells what another type would bring.",
            )
        source = ":".join((source, *asked))
    shape = args.shape if isinstance(args, a.ShapeArguments) else None
    if isinstance(args, a.ShapeArguments) and args.signature is not None:
        source = f"{source}#{args.signature}"
    return source if shape is None else tools.parse_model(source, shape=shape, settings=workspace.settings)


def _deployment(args: a.DeploymentArguments, workspace: Workspace) -> Deployment:
    place = tools.deployment(
        workspace.target_name(args.target),
        args.runtime or workspace.runtime,
        clock_mhz=args.clock_mhz,
        batch=1 if args.batch is None else args.batch,
        threads=1 if args.threads is None else args.threads,
        settings=workspace.settings,
    )
    return _own_board(place, args) if isinstance(args, a.OwnFigureArguments) else place


def _own_board(place: Deployment, args: a.OwnFigureArguments) -> Deployment:
    return place.with_figures(
        price_usd=args.own_price_usd, active_mw=args.own_active_mw, sleep_ua=args.own_sleep_ua,
        external_ram_bytes=args.own_external_ram_bytes,
    )  # fmt: skip


def limits_of(arguments: Mapping[str, Any], workspace: Workspace) -> Limits:
    """Those of the call or of its budget file, and the pinned ones of the kinds that the call leaves out."""
    given = {name: value for name, value in arguments.items() if value is not None}
    named = {name: given[name] for name in tools.Limits.model_fields if name in given and name != "dtype"}
    if "only_dtype" in given:
        named["dtype"] = given["only_dtype"]
    if "budget" not in given:
        return tools.limits_from_text({}, **{**workspace.limits, **named})
    if named:
        raise UsageError("Limits come from --budget or from flags, not from both.", hint="Drop one of them.")
    return tools.read_budget(given["budget"], any_figures="figures" in arguments)


def parse_model(args: catalog.InspectArguments, workspace: Workspace) -> Result:
    return tools.summarize_model(tools.parse_model(model_of(args, workspace), settings=workspace.settings))


def sweep_frequency(args: energy.FrequencyArguments, workspace: Workspace) -> Result:
    given = _keywords(args, workspace)
    named = {
        name: given.pop(name, workspace.limits.get(name)) for name in ("latency_ms", "power_mw", "rate_hz")
    }
    return tools.sweep_frequency(**given, limits=tools.Limits(**named))


def analyze_pipeline(args: energy.PipelineArguments, workspace: Workspace) -> Result:
    given = _own(args)
    bounds = {name: given.pop(name, None) for name in _PIPELINE_LIMITS}
    plan = given.pop("plan")
    if len(plan) == 1 and plan[0].endswith((".yaml", ".yml")):
        plan = [str(workspace.file(plan[0]))]
    else:
        plan = [_found(network, workspace) for network in plan]
    limits = tools.Limits(**{name: value for name, value in bounds.items() if value is not None})
    return tools.analyze_pipeline(plan, _deployment(args, workspace), limits, **given)


def _found(network: str, workspace: Workspace) -> str:
    """MODEL@RATE, a file by the path that it has in the workspace."""
    model, at, rate = network.rpartition("@")
    return f"{workspace.model_source(model.strip())}@{rate}" if at and model.strip() else network


_PIPELINE_LIMITS = ("latency_ms", "ram_bytes", "reserve_bytes", "flash_bytes", "power_mw")


def check_constraints(args: checking.CheckArguments, workspace: Workspace) -> Result:
    given = _keywords(args, workspace)
    percent = given.pop("max_regression", None)
    if percent is not None:
        if args.baseline is None:
            raise UsageError(
                "--max-regression compares with nothing.", hint="Name the version before: --baseline."
            )
        given["limits"] = given["limits"].allowing_percent(percent)
    if args.budget is not None and args.figures is None:
        given["figures"] = tools.pinned_figures(args.budget)
    kept = given.pop("keep_figures", None)
    if kept is not None:
        tools.keep_figures(kept)
    return tools.check_constraints(**given)


def recommend_hardware(args: limits.RecommendArguments, workspace: Workspace) -> Result:
    """A goal is the only figure that counts; one class or runtime is a choice of one."""
    weights = None if args.goal == "balance" else {"latency": 0, "energy": 0, "power": 0, args.goal: 1}
    return tools.recommend_hardware(
        model_of(args, workspace),
        limits_of(dict(args), workspace),
        template=args.template,
        weights=args.weights or weights,
        targets=args.targets,
        classes=args.classes if args.target_class is None else [args.target_class],
        runtimes=args.runtimes if args.runtime is None else [args.runtime],
        without=args.without,
        threads=1 if args.threads is None else args.threads,
        settings=workspace.settings,
    )


def compare_deployments(args: limits.CompareArguments, workspace: Workspace) -> Result:
    pairs = [text.partition("/") for text in args.targets or ()]
    compared = [
        tools.deployment(
            target,
            runtime or args.runtime,
            clock_mhz=args.clock_mhz,
            batch=args.batch or 1,
            threads=1 if args.threads is None else args.threads,
            settings=workspace.settings,
        )
        for target, _, runtime in pairs
    ]
    limits = limits_of(dict(args), workspace)
    return tools.compare_deployments(model_of(args, workspace), compared, limits, weights=args.weights)


def places_of(args: limits.PageArguments, workspace: Workspace) -> list[Deployment]:
    """Every target with every runtime, clock and batch. Raises EdgewrightError."""
    runtimes: Sequence[str | None] = args.runtimes or (None,)
    clocks: Sequence[float | None] = args.clocks or (None,)
    return [
        _own_board(_named(target, runtime, clock, batch, args.threads, workspace), args)
        for target, runtime, clock, batch in product(args.targets, runtimes, clocks, args.batches or (1,))
    ]


def hardware_guide(args: limits.GuideArguments, workspace: Workspace, **more: Any) -> Result:
    models = [workspace.model_source(name) for name in args.models or ()]
    return tools.hardware_guide(models, **more) if models else tools.hardware_guide(**more)


def write_node_data(args: limits.NodeDataArguments, workspace: Workspace) -> Result:
    return tools.write_node_data(
        model_of(args, workspace), places_of(args, workspace), args.folder, trace=args.trace, force=args.force
    )


def write_report(args: limits.ReportArguments, workspace: Workspace) -> Result:
    """Of every target with every runtime, clock and batch that was given."""
    output = args.bundle or args.output
    if output is None or (args.bundle is not None and args.output is not None):
        raise UsageError("A report is written to one file.", hint="Give -o FILE.html or --bundle FILE.zip.")
    if args.bundle is not None and args.bundle.suffix.lower() != ".zip":
        raise UsageError(f"{args.bundle.name!r} is no .zip.", hint="--bundle out.zip")
    return tools.write_report(
        model_of(args, workspace),
        places_of(args, workspace),
        output,
        limits_of(dict(args), workspace),
        transforms=args.transforms or (),
        in_depth=True if args.in_depth else None,
        charts=args.charts,
        force=args.force,
    )


def _named(
    target: str,
    runtime: str | None,
    clock_mhz: float | None,
    batch: int,
    threads: int | None,
    workspace: Workspace,
) -> Deployment:
    """TARGET or TARGET/RUNTIME, as one may name each of several."""
    name, _, kernels = target.partition("/")
    return tools.deployment(
        workspace.target_name(name),
        kernels or runtime or workspace.runtime,
        clock_mhz=clock_mhz,
        batch=batch,
        threads=threads or 1,
        settings=workspace.settings,
    )


def apply_optimization(args: changes.ApplyArguments, workspace: Workspace, **more: Any) -> Result:
    """Of a file, with the shapes that it has."""
    given = _own(args) | {"deployment": _deployment(args, workspace)}
    return tools.apply_optimization(workspace.model_source(args.model), **given, **more)


def run_sweep(args: measuring.SweepArguments, workspace: Workspace, **more: Any) -> Result:
    """As many processes as the sweep is worth, unless a number is given."""
    return tools.run_sweep(**_own(args) | {"workers": args.workers}, settings=workspace.settings, **more)


def diff_models(args: changes.DiffModelsArguments, workspace: Workspace) -> Result:
    before, after = workspace.model_source(args.before), workspace.model_source(args.after)
    return tools.diff_models(before, after, _deployment(args, workspace))


def estimate_generation(args: energy.GenerationArguments, workspace: Workspace) -> Result:
    """Of a language model, which is no network of layers that run once: by name, on the silicon alone."""
    return tools.estimate_generation(**_of_writer(args, workspace), settings=workspace.settings)


def estimate_finetuning(args: energy.FinetuningArguments, workspace: Workspace) -> Result:
    """Likewise."""
    return tools.estimate_finetuning(**_of_writer(args, workspace), settings=workspace.settings)


def _of_writer(
    args: energy.GenerationArguments | energy.FinetuningArguments, workspace: Workspace
) -> dict[str, Any]:
    given = _own(args) | {"model": workspace.model_source(args.model)}
    given["deployment"] = workspace.target_name(given.pop("target", None))
    return given


def rank_generation(args: energy.RankGenerationArguments, workspace: Workspace) -> Result:
    """Of models on the target that was named, or of targets for the model that was."""
    given = {name: value for name, value in _own(args).items() if name != "top"}
    target = given.pop("target", None)
    model = None if args.model is None else workspace.model_source(args.model)
    ranked = given | {"model": model, "deployment": target}
    return tools.rank_generation(**ranked, settings=workspace.settings)


def import_profile(args: measuring.ImportArguments, workspace: Workspace) -> Result:
    alone = ("against", "beside", "rules", "supply_v")
    given = {name: value for name, value in _keywords(args, workspace).items() if name not in alone}
    return tools.import_profile(**given | {"path": workspace.file(args.path)})


def explain_trace(args: measuring.ExplainArguments, workspace: Workspace) -> Result:
    """Of one file, and of those that were taken in the same measurement."""
    files = [workspace.file(name) for name in (args.path, *(args.beside or ()))]
    rules = None if args.rules is None else workspace.file(args.rules)
    return tools.explain_trace(*files, clock_mhz=args.clock_mhz, rules=rules, supply_v=args.supply_v)


def explain_firmware(args: measuring.FirmwareArguments, workspace: Workspace) -> Result:
    """Of the file alone, or against the plan where a model and a place are named."""
    path = workspace.file(args.path)
    if args.model is None or args.target is None:
        return tools.explain_firmware(path)
    return tools.explain_firmware(**_keywords(args, workspace) | {"path": path})


def compare_runs(args: measuring.CompareRunsArguments, workspace: Workspace) -> Result:
    rules = None if args.rules is None else workspace.file(args.rules)
    files = (workspace.file(args.before), workspace.file(args.after))
    return tools.compare_runs(*files, clock_mhz=args.clock_mhz, rules=rules, supply_v=args.supply_v)


def calibrate_target(args: measuring.CalibrateArguments, workspace: Workspace) -> Result:
    """From a file, or from one measurement that the user gave."""
    if args.path is not None:
        file = workspace.file(str(args.path))
        return tools.calibrate_target(file, share=args.share, keep=args.keep, settings=workspace.settings)
    if args.latency_ms is None:
        raise UsageError(
            "There is nothing to learn from.", hint="Name a CSV of measurements, or what was measured."
        )
    return tools.calibrate_target(
        model=model_of(args, workspace),
        deployment=_deployment(args, workspace),
        latency_ms=args.latency_ms,
        share=args.share,
        keep=args.keep,
        then=[workspace.model_source(other) for other in args.then or ()],
        settings=workspace.settings,
    )


def validate(args: measuring.ValidateArguments, workspace: Workspace) -> Result:
    return tools.validate(**_own(args), settings=workspace.settings)


def list_model_files(_args: a.NoArguments, workspace: Workspace) -> Result:
    return tools.list_model_files(workspace.directory)


def get_target(args: catalog.TargetArguments, workspace: Workspace) -> Result:
    return tools.get_target(workspace.target_name(args.target), settings=workspace.settings)


def get_runtime(args: catalog.RuntimeArguments, workspace: Workspace) -> Result:
    return tools.get_runtime(args.runtime, settings=workspace.settings)
