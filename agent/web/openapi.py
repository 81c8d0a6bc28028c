"""What is served, as OpenAPI 3.1: schemas out of the classes of arguments and results, and nothing beside."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, get_origin

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from ... import __version__
from ..registry import Tool
from ..spelling import Option
from .calls import offered

Mode = Literal["validation", "serialization"]
_AT = "#/components/schemas/"
_JSON = "application/json"
_ERRORS = {
    "400": "A text that means nothing.", "401": "No token, or a wrong one.",
    "403": "Another host or origin, or a file outside the directory.",
    "413": "The body is too large.", "422": "Wrong arguments, or a model or target that cannot be used.",
    "503": "Busy: ask again in some seconds.", "504": "Not done in time.",
}  # fmt: skip


def openapi(tools: Iterable[Tool]) -> dict[str, Any]:
    """The description of `/v1/TOOL` for each of `tools`; takes a second, as it loads all their results."""
    listed = tuple(tools)
    results = {tool.function: tool.result for tool in listed}
    kinds: list[tuple[type[BaseModel], Mode]] = [(tool.arguments, "validation") for tool in listed]
    kinds += [(result, "serialization") for result in results.values()]
    named, whole = models_json_schema(list(dict.fromkeys(kinds)), ref_template=f"{_AT}{{model}}")
    schemas: dict[str, Any] = whole.get("$defs", {})
    for tool in listed:
        _leave_out_what_writes(schemas[_name(named[tool.arguments, "validation"])], tool)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Edgewright", "version": __version__,
            "description": "Fit, latency and energy of neural networks on hardware: the documents that "
            "the commands print under --json.",
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "paths": {
            f"/v1/{tool.function}": _path(
                tool,
                named[tool.arguments, "validation"],
                named[results[tool.function], "serialization"],
            )
            for tool in listed
        },
        "components": {
            "schemas": {**schemas, "Error": _error()},
            "responses": {
                code: {"description": said, "content": {_JSON: {"schema": {"$ref": f"{_AT}Error"}}}}
                for code, said in _ERRORS.items()
            },
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }  # fmt: skip


def _name(reference: dict[str, Any]) -> str:
    return str(reference["$ref"]).removeprefix(_AT)


def _leave_out_what_writes(schema: dict[str, Any], tool: Tool) -> None:
    kept = offered(tool)
    schema["properties"] = {k: v for k, v in schema.get("properties", {}).items() if k in kept}


def _path(tool: Tool, arguments: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    answers = {"200": {"description": "The document.", "content": {_JSON: {"schema": _envelope(result)}}}}
    answers |= {code: {"$ref": f"#/components/responses/{code}"} for code in _ERRORS}
    command = f" As `edgewright {tool.command}` prints it." if tool.command else ""
    about = {"tags": ["tools"], "description": f"{tool.help or tool.function}{command}", "responses": answers}
    body = {"required": True, "content": {_JSON: {"schema": arguments}}}
    return {
        "get": {
            "operationId": tool.function,
            "parameters": list(map(_parameter, offered(tool).items())),
            **about,
        },
        "post": {"operationId": f"{tool.function}_of", "requestBody": body, **about},
    }


def _parameter(field: tuple[str, Any]) -> dict[str, Any]:
    """Text, as one types it on the command line; a list is named again for each."""
    name, info = field
    option = info.json_schema_extra
    is_typed = isinstance(option, Option) and bool(option.names)
    spelled = f"; as {option.names[0]} takes it" if is_typed else ""
    several = (is_typed and get_origin(option.kind) is list) or "list[" in str(info.annotation)
    text = {"type": "string"}
    return {
        "name": name, "in": "query", "required": info.is_required() or (is_typed and option.required),
        "description": f"{info.description or name}{spelled}",
        "schema": {"type": "array", "items": text} if several else text,
    }  # fmt: skip


def _envelope(result: dict[str, Any]) -> dict[str, Any]:
    lines = {"type": "array", "items": {"type": "string"}}
    return {
        "type": "object",
        "required": ["schema_version", "tool", "inputs", "result", "assumptions", "warnings"],
        "properties": {
            "schema_version": {"const": "1.0"}, "tool": {"type": "string"}, "inputs": {"type": "object"},
            "result": result, "assumptions": lines, "warnings": lines,
        },
    }  # fmt: skip


def _error() -> dict[str, Any]:
    return {
        "type": "object", "required": ["error"],
        "properties": {
            "error": {
                "type": "object", "required": ["code", "message", "hint"],
                "properties": {
                    "code": {"type": "integer", "description": "The exit code of the same command."},
                    "message": {"type": "string"},
                    "hint": {"type": "string", "description": "What to do next; may be empty."},
                },
            }
        },
    }  # fmt: skip
