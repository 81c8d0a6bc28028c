"""The one registry of tools that the assistant, the terminal and other front ends offer."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from ..hardware_db.errors import EdgewrightError, UnknownNameError
from ..prompts import tool_description
from . import arguments as a
from . import runs
from .compaction import DEFAULT_TOP, compact
from .workspace import Workspace, cleaned_name

if TYPE_CHECKING:
    from langchain_core.tools import StructuredTool

    from ..tools.core.quantity import Result

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
        from ..tools.core.envelope import envelope

        checked = self.arguments.model_validate(arguments)
        inputs = checked.model_dump(mode="json", exclude_none=True)
        pinned = {**workspace.context, **workspace.limits}
        defaults = {k: v for k, v in pinned.items() if k in self.arguments.model_fields}
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


def _spec(name: str, arguments: type[A], run: Callable[[A, Workspace], Result]) -> ToolSpec[A]:
    return ToolSpec(name, tool_description(name), arguments, run)


TOOLS: tuple[ToolSpec[Any], ...] = (
    _spec("parse_model", a.InspectArguments, runs.parse_model),
    _spec("check_constraints", a.CheckArguments, runs.check_constraints),
    _spec("plan_memory", a.OnDeployment, runs.plan_memory),
    _spec("analyze_roofline", a.OnDeployment, runs.analyze_roofline),
    _spec("estimate_performance", a.OnDeployment, runs.estimate_performance),
    _spec("estimate_energy_budget", a.BudgetArguments, runs.estimate_energy_budget),
    _spec("sweep_frequency", a.SweepArguments, runs.sweep_frequency),
    _spec("score_compatibility", a.OnDeployment, runs.score_compatibility),
    _spec("simulate_optimizations", a.OptimizeArguments, runs.simulate_optimizations),
    _spec("recommend_hardware", a.RecommendArguments, runs.recommend_hardware),
    _spec("compare_deployments", a.CompareArguments, runs.compare_deployments),
    _spec("find_limit", a.FindLimitArguments, runs.find_limit),
    _spec("trace_timeline", a.OnDeployment, runs.trace_timeline),
    _spec("best_memory_order", a.Placed, runs.best_memory_order),
    _spec("firmware_code", a.Placed, runs.firmware_code),
    _spec("diff_models", a.DiffModelsArguments, runs.diff_models),
    _spec("import_profile", a.ImportArguments, runs.import_profile),
    _spec("evidence", a.Placed, runs.evidence),
    _spec("validate", a.ValidateArguments, runs.validate),
    _spec("get_target", a.TargetArguments, runs.get_target),
    _spec("list_targets", a.ListTargetsArguments, runs.list_targets),
    _spec("diff_targets", a.DiffTargetsArguments, runs.diff_targets),
    _spec("get_runtime", a.RuntimeArguments, runs.get_runtime),
    _spec("list_runtimes", a.NoArguments, runs.list_runtimes),
)
