"""The one document that `--json` prints and that the assistant's tools return."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .contradictions import contradictions
from .quantity import Result

SCHEMA_VERSION = "1.0"


def envelope(tool: str, inputs: Mapping[str, Any], result: Result) -> dict[str, Any]:
    """`result` as JSON-able data under the name of the function that made it and what it was asked with."""
    body = result.model_dump(mode="json", by_alias=True)
    if broken := contradictions(result):
        body["warnings"] = [*body.get("warnings", []), *broken]
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": tool,
        "inputs": {name: value for name, value in inputs.items() if value is not None},
        "result": body,
        "assumptions": list(body.get("assumptions", [])),
        "warnings": list(body.get("warnings", [])),
    }
