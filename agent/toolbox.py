"""The one registry of tools that the assistant, the terminal and other front ends offer."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from ..hardware_db.errors import EdgewrightError, UnknownNameError, UsageError
from ..prompts import tool_description
from . import arguments as a
from .compaction import DEFAULT_TOP, compact
from .workspace import Workspace, cleaned_name

if TYPE_CHECKING:
    from langchain_core.tools import StructuredTool

    from ..tools.constraint_checker import Limits
    from ..tools.deployments import Deployment
    from ..tools.quantity import Result

A = TypeVar("A", bound=BaseModel)


@dataclass(frozen=True)
class ToolSpec(Generic[A]):
    """A tool as every front end sees it. `arguments` is flat and closed; `run` raises EdgewrightError
    where the user or the model can mend the call."""

    name: str
    description: str
    arguments: type[A]
    run: Callable[[A, Workspace], Result]

    @property
    def schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments in its plainest form: an optional one is one that is not required."""
        schema = self.arguments.model_json_schema()
        plain = {name: _plain(field) for name, field in schema.get("properties", {}).items()}
        required = {"required": schema["required"]} if "required" in schema else {}
        return {"type": "object", "properties": plain, **required, "additionalProperties": False}

    def call(self, arguments: dict[str, Any], workspace: Workspace) -> dict[str, Any]:
        """The tool's whole document, as JSON-able data.

        Raises:
            pydantic.ValidationError: arguments that do not fit the schema.
            EdgewrightError: arguments that name something impossible.
        """
        from ..tools.reports.envelope import envelope

        checked = self.arguments.model_validate(arguments)
        inputs = checked.model_dump(mode="json", exclude_none=True)
        defaults = {k: v for k, v in workspace.context.items() if k in self.arguments.model_fields}
        try:
            result = self.run(checked, workspace)
        except ValidationError as error:
            raise RuntimeError(f"{self.name} made a result that its own schema forbids") from error
        return envelope(self.name, defaults | inputs, result)


def as_langchain_tools(specs: Sequence[ToolSpec[Any]], workspace: Workspace) -> list[StructuredTool]:
    """Tools whose content is compacted JSON for the model and whose artifact is the whole document."""
    return [_as_langchain_tool(spec, workspace) for spec in specs]


def _as_langchain_tool(spec: ToolSpec[Any], workspace: Workspace) -> StructuredTool:
    from langchain_core.tools import StructuredTool

    def run(**arguments: Any) -> tuple[str, dict[str, Any]]:
        document = spec.call(arguments, workspace)
        return compact(document, arguments.get("top") or DEFAULT_TOP), document

    return StructuredTool(
        name=spec.name,
        description=spec.description,
        # A dictionary: of a class, LangGraph would take the field `runtime` for its own and overwrite it.
        args_schema=spec.schema,
        func=run,
        response_format="content_and_artifact",
        handle_validation_error=lambda error: error_text(spec.name, error),
    )


def _plain(field: dict[str, Any]) -> dict[str, Any]:
    kinds = [kind for kind in field.get("anyOf", ()) if kind != {"type": "null"}]
    merged = {**field, **kinds[0]} if len(kinds) == 1 else field
    dropped = {"title", "anyOf", "maxLength"} | ({"default"} if field.get("default") is None else set())
    return {name: value for name, value in merged.items() if name not in dropped}


def error_text(tool: str, error: Exception) -> str:
    """What the model reads where a call failed, as JSON: why, which names it may have meant, what next."""
    told: dict[str, Any] = {"type": type(error).__name__, "message": str(error)}
    match error:
        case ValidationError():
            told = {"type": "ArgumentsError", "message": _what_is_wrong(error)}
        case UnknownNameError():
            told |= {"message": error.message, "hint": error.hint, "candidates": list(error.candidates)}
        case EdgewrightError():
            told |= {"message": error.message, "hint": error.hint}
    return json.dumps({"tool": tool, "error": told}, ensure_ascii=False)


def _what_is_wrong(error: ValidationError) -> str:
    """Each wrong argument with the reason; a name that the model made up is cleaned, a value not repeated."""
    return "; ".join(
        f"{cleaned_name('.'.join(map(str, item['loc'])))}: {item['msg']}"
        for item in error.errors(include_url=False)
    )


def _model(args: a.ModelArguments, workspace: Workspace) -> str:
    """A path, or an architecture with what was asked of it, as in `mobilenet_v2:0.35:int8`."""
    source = workspace.model_source(args.model)
    asked = [str(field) for field in (args.width, args.input_size, args.dtype) if field is not None]
    if not asked:
        return source
    from ..tools.model_parser.architectures import is_architecture

    if not is_architecture(source):
        shown = cleaned_name(source)
        raise UsageError(
            f"{shown} is no named architecture, so its dtype, width and input are what they are.",
            hint="Leave them out; simulate_optimizations tells what another type would bring.",
        )
    return ":".join((source, *asked))


def _deployment(args: a.DeploymentArguments, workspace: Workspace) -> Deployment:
    from ..tools import deployment

    return deployment(
        workspace.target_name(args.target),
        args.runtime or workspace.runtime,
        clock_mhz=args.clock_mhz,
        batch=args.batch or 1,
        threads=args.threads or 1,
    )


def _limits(args: a.LimitArguments) -> Limits:
    from ..tools.constraint_checker import Limits

    return Limits(**{name: getattr(args, name) for name in a.LimitArguments.model_fields})


def _parse_model(args: a.InspectArguments, workspace: Workspace) -> Result:
    from ..tools import parse_model, summarize_model

    return summarize_model(parse_model(_model(args, workspace)))


def _plan_memory(args: a.OnDeployment, workspace: Workspace) -> Result:
    from ..tools import plan_memory

    return plan_memory(_model(args, workspace), _deployment(args, workspace))


def _analyze_roofline(args: a.OnDeployment, workspace: Workspace) -> Result:
    from ..tools import analyze_roofline

    return analyze_roofline(_model(args, workspace), _deployment(args, workspace))


def _estimate_performance(args: a.OnDeployment, workspace: Workspace) -> Result:
    from ..tools import estimate_performance

    return estimate_performance(_model(args, workspace), _deployment(args, workspace))


def _estimate_energy_budget(args: a.BudgetArguments, workspace: Workspace) -> Result:
    from ..tools import estimate_energy_budget

    asked = args.model_dump(include={*a.BudgetArguments.model_fields} - {*a.OnDeployment.model_fields})
    return estimate_energy_budget(_model(args, workspace), _deployment(args, workspace), **asked)


def _sweep_frequency(args: a.SweepArguments, workspace: Workspace) -> Result:
    from ..tools import Limits, sweep_frequency

    limits = Limits(latency_ms=args.latency_ms, power_mw=args.power_mw)
    return sweep_frequency(_model(args, workspace), _deployment(args, workspace), limits=limits)


def _check_constraints(args: a.CheckArguments, workspace: Workspace) -> Result:
    from ..tools import check_constraints

    return check_constraints(_model(args, workspace), _deployment(args, workspace), _limits(args))


def _score_compatibility(args: a.OnDeployment, workspace: Workspace) -> Result:
    from ..tools import score_compatibility

    return score_compatibility(_model(args, workspace), _deployment(args, workspace))


def _simulate_optimizations(args: a.OptimizeArguments, workspace: Workspace) -> Result:
    from ..tools import simulate_optimizations

    model, place = _model(args, workspace), _deployment(args, workspace)
    return simulate_optimizations(model, place, goal=args.goal, technique=args.technique)


def _recommend_hardware(args: a.RecommendArguments, workspace: Workspace) -> Result:
    """The best runtime of each target: the whole ranking has a row for each pair."""
    from ..tools import recommend_hardware

    weights = None if args.goal == "balance" else {"latency": 0, "energy": 0, "power": 0, args.goal: 1}
    report = recommend_hardware(
        _model(args, workspace),
        _limits(args).model_copy(update={"price_usd": args.price_usd}),
        template=args.template,
        weights=weights,
        classes=None if args.target_class is None else [args.target_class],
        runtimes=None if args.runtime is None else [args.runtime],
    )
    return report.shortened(args.top or DEFAULT_TOP)


def _compare_deployments(args: a.CompareArguments, workspace: Workspace) -> Result:
    from ..tools import compare_deployments, deployment

    pairs = [text.partition("/") for text in args.targets]
    places = [deployment(target, runtime or None) for target, _, runtime in pairs]
    return compare_deployments(_model(args, workspace), places, _limits(args))


def _get_target(args: a.TargetArguments, workspace: Workspace) -> Result:
    from ..tools import get_target

    return get_target(workspace.target_name(args.target))


def _list_targets(args: a.ListTargetsArguments, _workspace: Workspace) -> Result:
    from ..tools import list_targets

    return list_targets(**args.model_dump())


def _diff_targets(args: a.DiffTargetsArguments, _workspace: Workspace) -> Result:
    from ..tools import diff_targets

    return diff_targets(args.one, args.other)


def _get_runtime(args: a.RuntimeArguments, _workspace: Workspace) -> Result:
    from ..tools import get_runtime

    return get_runtime(args.runtime)


def _list_runtimes(_args: a.NoArguments, _workspace: Workspace) -> Result:
    from ..tools import list_runtimes

    return list_runtimes()


def _spec(name: str, arguments: type[A], run: Callable[[A, Workspace], Result]) -> ToolSpec[A]:
    return ToolSpec(name, tool_description(name), arguments, run)


TOOLS: tuple[ToolSpec[Any], ...] = (
    _spec("parse_model", a.InspectArguments, _parse_model),
    _spec("check_constraints", a.CheckArguments, _check_constraints),
    _spec("plan_memory", a.OnDeployment, _plan_memory),
    _spec("analyze_roofline", a.OnDeployment, _analyze_roofline),
    _spec("estimate_performance", a.OnDeployment, _estimate_performance),
    _spec("estimate_energy_budget", a.BudgetArguments, _estimate_energy_budget),
    _spec("sweep_frequency", a.SweepArguments, _sweep_frequency),
    _spec("score_compatibility", a.OnDeployment, _score_compatibility),
    _spec("simulate_optimizations", a.OptimizeArguments, _simulate_optimizations),
    _spec("recommend_hardware", a.RecommendArguments, _recommend_hardware),
    _spec("compare_deployments", a.CompareArguments, _compare_deployments),
    _spec("get_target", a.TargetArguments, _get_target),
    _spec("list_targets", a.ListTargetsArguments, _list_targets),
    _spec("diff_targets", a.DiffTargetsArguments, _diff_targets),
    _spec("get_runtime", a.RuntimeArguments, _get_runtime),
    _spec("list_runtimes", a.NoArguments, _list_runtimes),
)
