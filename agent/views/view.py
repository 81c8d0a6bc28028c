"""A view: what chat models and MCP clients call. It runs one or more functions of the registry."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Iterable
from typing import Any, cast

from pydantic import BaseModel, ValidationError

from ...hardware_db.errors import EdgewrightError
from ...prompts import tool_description
from ...tools.core.envelope import envelope
from ...tools.core.records import dataclass
from ..answer import ToolCallRecord
from ..registry import Tool, tool_named
from ..spelling import Arguments
from ..workspace import Workspace
from .plans import Call


@dataclass(frozen=True)
class View:
    name: str
    arguments: type[BaseModel]
    plan: Callable[[Any, Workspace], Iterable[Call]]
    """The calls that answer arguments of the view, in order."""
    about: str = ""
    """What it does, where no text of `prompts/tools` says it."""

    @property
    def description(self) -> str:
        return self.about or tool_description(self.name)

    @property
    def schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments in its plainest form: an optional one is one that is not required."""
        return copy.deepcopy(_schema(self.arguments))

    def call(self, arguments: dict[str, Any], workspace: Workspace) -> list[ToolCallRecord]:
        """A record of every function that ran, with the whole result and an id.

        One that failed among several has an error and no id.

        Raises:
            pydantic.ValidationError: arguments that do not fit the schema.
            EdgewrightError: arguments that name something impossible, in all that would have run.
        """
        checked = self.arguments.model_validate(arguments)
        records: list[ToolCallRecord] = []
        failures: list[EdgewrightError] = []
        for function, given in self.plan(checked, workspace):
            try:
                records.append(self._ran(function, given, workspace))
            except EdgewrightError as error:
                failures.append(error)
                failed = {"id": "", "name": function, "arguments": given, "result": None, "error": str(error)}
                records.append(cast("ToolCallRecord", failed))
        if failures and len(failures) == len(records):
            raise failures[0]
        return records

    def tool(self, function: str) -> Tool:
        return tool_named(function)

    def _ran(self, function: str, given: dict[str, Any], workspace: Workspace) -> ToolCallRecord:
        tool = self.tool(function)
        checked = tool.arguments.model_validate(given)
        try:
            result = tool.brief(tool.run(checked, workspace), checked)
        except ValidationError as error:
            raise RuntimeError(f"{function} made a result that its own schema forbids") from error
        inputs = _defaults(tool.arguments, workspace) | checked.model_dump(
            mode="json", exclude_none=True, exclude_unset=True
        )
        return workspace.record(function, inputs, envelope(function, {}, result)["result"])


def _defaults(kind: type[Arguments], workspace: Workspace) -> dict[str, Any]:
    pinned = {**workspace.context, **workspace.limits}
    return {k: v for k, v in pinned.items() if k in kind.model_fields and v is not None}


@functools.cache
def _schema(arguments: type[BaseModel]) -> dict[str, Any]:
    """Made once, as every conversation asks for that of every view."""
    schema = arguments.model_json_schema()
    return _object(schema, schema.get("$defs", {}))


def _object(schema: dict[str, Any], shared: dict[str, Any]) -> dict[str, Any]:
    plain = {name: _plain(field, shared) for name, field in schema.get("properties", {}).items()}
    required = {"required": schema["required"]} if "required" in schema else {}
    return {"type": "object", "properties": plain, **required, "additionalProperties": False}


_LEFT_OUT = frozenset({"title", "anyOf", "maxLength", "exclusiveMinimum", "$ref"})


def _plain(field: dict[str, Any], shared: dict[str, Any]) -> dict[str, Any]:
    """Without titles, nulls and references to definitions."""
    kinds = [kind for kind in field.get("anyOf", ()) if kind != {"type": "null"}]
    merged = {**kinds[0], **field} if len(kinds) == 1 else dict(field)
    if "$ref" in merged:
        definition = shared[merged["$ref"].rpartition("/")[2]]
        merged = {**_object(definition, shared), **merged}
    if "items" in merged:
        merged["items"] = _plain(merged["items"], shared)
    if not isinstance(merged.get("default"), str | int | float):
        merged.pop("default", None)
    return {name: value for name, value in merged.items() if name not in _LEFT_OUT}
