"""JSON Schema whose descriptions are the attribute docstrings of the models' source.

Pydantic can do this by itself (`use_attribute_docstrings`), but then reads and parses the source of every
model at every start of the program.
"""

from __future__ import annotations

import ast
import inspect
import sys
from typing import Any

from pydantic import BaseModel


def described_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of `model`, by alias, with a description for every documented field."""
    schema = model.model_json_schema(by_alias=True)
    documented: dict[str, dict[str, str]] = {}
    for module in _modules(model):
        documented |= attribute_docstrings(inspect.getsource(sys.modules[module]))
    for part in (schema, *schema.get("$defs", {}).values()):
        name = part.get("title", "").partition("[")[0]
        for field, text in documented.get(name, {}).items():
            described = part.get("properties", {}).get(field)
            if described is not None:
                described["description"] = text
    return schema


def _modules(model: type[BaseModel]) -> list[str]:
    """Modules of the models that the model's own module knows, its own last."""
    own = sys.modules[model.__module__]
    known = [c for c in vars(own).values() if isinstance(c, type) and issubclass(c, BaseModel)]
    return [*dict.fromkeys(c.__module__ for c in known if c is not BaseModel), model.__module__]


def attribute_docstrings(source: str) -> dict[str, dict[str, str]]:
    """Class → field (or its alias) → the string that stands behind it, base classes included."""
    found: dict[str, dict[str, str]] = {}
    for node in ast.parse(source).body:
        if not isinstance(node, ast.ClassDef):
            continue
        fields: dict[str, str] = {}
        for base in node.bases:
            named = base.value if isinstance(base, ast.Subscript) else base
            if isinstance(named, ast.Name):
                fields |= found.get(named.id, {})
        for statement, following in zip(node.body, node.body[1:], strict=False):
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                text = _text(following)
                if text is not None:
                    fields[_alias(statement) or statement.target.id] = text
        found[node.name] = fields
    return found


def _text(node: ast.stmt) -> str | None:
    value = node.value if isinstance(node, ast.Expr) else None
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return inspect.cleandoc(value.value)
    return None


def _alias(statement: ast.AnnAssign) -> str | None:
    for node in ast.walk(statement):
        if isinstance(node, ast.keyword) and node.arg == "alias" and isinstance(node.value, ast.Constant):
            return str(node.value.value)
    return None
