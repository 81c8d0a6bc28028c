"""The tools of the version before: one view a function, still callable by name and listed nowhere."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from pydantic import BaseModel, create_model

from ...prompts import described_tools
from ..registry import Tool, tool_named
from ..spelling import Arguments, Option
from ..workspace import Workspace
from .plans import Call
from .view import View

_FUNCTIONS = (
    "parse_model", "analyze_roofline", "estimate_performance", "evidence", "score_compatibility",
    "plan_memory", "best_memory_order", "trace_timeline", "firmware_code", "check_constraints",
    "simulate_optimizations", "find_limit", "recommend_hardware", "compare_deployments",
    "estimate_energy_budget", "sweep_frequency", "import_profile", "diff_models", "validate",
    "list_targets", "diff_targets", "get_target", "list_runtimes", "get_runtime",
)  # fmt: skip


def view_of(tool: Tool) -> View:
    """A view that runs one function, with its own arguments."""
    arguments = _described(tool.arguments, tool.function)
    about = "" if tool.function in described_tools() else tool.help or tool.function
    return View(tool.function, arguments, _only(tool.function), about)


@cache
def former() -> tuple[View, ...]:
    return tuple(view_of(tool_named(function)) for function in _FUNCTIONS)


def former_view(name: str) -> View | None:
    return next((view for view in former() if view.name == name), None)


def _described(kind: type[Arguments], name: str) -> type[BaseModel]:
    """The arguments that a chat model may give."""
    offered: dict[str, Any] = {
        field: (info.annotation, info)
        for field, info in kind.model_fields.items()
        if isinstance(info.json_schema_extra, Option) and info.json_schema_extra.offered
    }
    return create_model(name, __base__=Arguments, **offered)


def _only(function: str) -> Callable[[Any, Workspace], Iterator[Call]]:
    def plan(args: BaseModel, _workspace: Workspace) -> Iterator[Call]:
        yield Call(function, args.model_dump(exclude_unset=True, exclude_none=True))

    return plan
