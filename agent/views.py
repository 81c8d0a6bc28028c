"""What chat models and MCP clients see: a view has a name and a text, and runs records of the registry."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError, create_model

from ..hardware_db.errors import EdgewrightError, UnknownNameError
from ..prompts import described_tools, tool_description
from .arguments import LimitArguments, NoArguments
from .compaction import DEFAULT_TOP, compact
from .registry import TOOLS, Tool
from .spelling import Arguments
from .workspace import Workspace, cleaned_name

if TYPE_CHECKING:
    from langchain_core.tools import StructuredTool

    from ..tools.core.quantity import Result


@dataclass(frozen=True)
class View:
    """Its arguments are those of its records that have a description, less those that it hides."""

    name: str
    tools: tuple[Tool, ...]
    hides: type[Arguments] = NoArguments

    @property
    def description(self) -> str:
        return tool_description(self.name)

    @cached_property
    def arguments(self) -> type[Arguments]:
        offered: dict[str, Any] = {
            name: (field.annotation, field)
            for tool in self.tools
            for name, field in tool.arguments.model_fields.items()
            if field.description and name not in self.hides.model_fields
        }
        return create_model(self.name, __base__=Arguments, **offered)

    @property
    def schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments in its plainest form: an optional one is one that is not required."""
        schema = self.arguments.model_json_schema()
        plain = {name: _plain(field) for name, field in schema.get("properties", {}).items()}
        required = {"required": schema["required"]} if "required" in schema else {}
        return {"type": "object", "properties": plain, **required, "additionalProperties": False}

    def call(self, arguments: dict[str, Any], workspace: Workspace) -> dict[str, Any]:
        """The whole document of the one function that ran, as JSON-able data.

        Raises:
            pydantic.ValidationError: arguments that do not fit the schema.
            EdgewrightError: arguments that name something impossible.
        """
        from ..tools.core.envelope import envelope

        checked = self.arguments.model_validate(arguments)
        inputs = checked.model_dump(mode="json", exclude_none=True)
        pinned = {**workspace.context, **workspace.limits}
        defaults = {k: v for k, v in pinned.items() if k in self.arguments.model_fields}
        (tool,) = self.tools
        try:
            result = self._run(tool, checked, workspace)
        except ValidationError as error:
            raise RuntimeError(f"{tool.function} made a result that its own schema forbids") from error
        return envelope(tool.function, defaults | inputs, result)

    def _run(self, tool: Tool, checked: Arguments, workspace: Workspace) -> Result:
        kind = tool.arguments
        given = kind.model_construct(**{name: value for name, value in checked if name in kind.model_fields})
        return tool.brief(tool.run(given, workspace), given)


def as_langchain_tools(views: Sequence[View], workspace: Workspace) -> list[StructuredTool]:
    """Tools whose content is compacted JSON for the model and whose artifact is the whole document."""
    return [_as_langchain_tool(view, workspace) for view in views]


def _as_langchain_tool(view: View, workspace: Workspace) -> StructuredTool:
    from langchain_core.tools import StructuredTool

    def run(**arguments: Any) -> tuple[str, dict[str, Any]]:
        document = view.call(arguments, workspace)
        return compact(document, arguments.get("top") or DEFAULT_TOP), document

    return StructuredTool(
        name=view.name,
        description=view.description,
        # A dictionary: of a class, LangGraph would take the field `runtime` for its own and overwrite it.
        args_schema=view.schema,
        func=run,
        response_format="content_and_artifact",
        handle_validation_error=lambda error: error_text(view.name, error),
    )


def _plain(field: dict[str, Any]) -> dict[str, Any]:
    kinds = [kind for kind in field.get("anyOf", ()) if kind != {"type": "null"}]
    merged = {**field, **kinds[0]} if len(kinds) == 1 else field
    dropped = {"title", "anyOf", "maxLength"} | ({"default"} if field.get("default") is None else set())
    return {name: value for name, value in merged.items() if name not in dropped}


def error_text(tool: str, error: Exception) -> str:
    """What the model reads where a call failed, as JSON: why, which names it may have meant, what next."""
    known: dict[str, Any] = {"type": type(error).__name__, "message": str(error)}
    match error:
        case ValidationError():
            known = {"type": "ArgumentsError", "message": _what_is_wrong(error)}
        case UnknownNameError():
            known |= {"message": error.message, "hint": error.hint, "candidates": list(error.candidates)}
        case EdgewrightError():
            known |= {"message": error.message, "hint": error.hint}
    return json.dumps({"tool": tool, "error": known}, ensure_ascii=False)


def _what_is_wrong(error: ValidationError) -> str:
    """Each wrong argument with the reason; a name that the model made up is cleaned, a value not repeated."""
    return "; ".join(
        f"{cleaned_name('.'.join(map(str, item['loc'])))}: {item['msg']}"
        for item in error.errors(include_url=False)
    )


_HIDDEN: dict[str, type[Arguments]] = {"simulate_optimizations": LimitArguments}

VIEWS: tuple[View, ...] = tuple(
    View(tool.function, (tool,), _HIDDEN.get(tool.function, NoArguments))
    for tool in TOOLS
    if tool.function in described_tools()
)
"""One for each record that has a text in `prompts/tools`."""
