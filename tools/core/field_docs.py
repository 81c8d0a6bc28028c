"""What each field of a result means and its unit, for JSON Schemas: read when a schema is asked for.

A field is described by the string that stands behind it in the source, else by `COMMON_FIELDS`. Pydantic's
`use_attribute_docstrings` would parse the source of every result type at every start of the program.
"""

from __future__ import annotations

import inspect
import sys
from functools import cache
from typing import Any

from pydantic import BaseModel

from ...hardware_db.described import attribute_docstrings
from .common_fields import COMMON_FIELDS, UNITS_BY_NAME, UNITS_BY_SUFFIX


def with_descriptions(kind: type[BaseModel], schema: dict[str, Any]) -> None:
    """Put `description` and, where the field has one, `unit` into the properties of a model's schema."""
    own = field_descriptions(kind)
    names = {field.serialization_alias or name: name for name, field in kind.model_fields.items()}
    for key, described in schema.get("properties", {}).items():
        name = names.get(key, key)
        if "description" not in described and name in own:
            described["description"] = own[name]
        unit = unit_of(name)
        if unit and "unit" not in described and _is_figure(described):
            described["unit"] = unit


@cache
def field_descriptions(kind: type[BaseModel]) -> dict[str, str]:
    """Field → what it means; the text of the most derived class counts."""
    names = [*kind.model_fields, *kind.model_computed_fields]
    found = {name: COMMON_FIELDS[name] for name in names if name in COMMON_FIELDS}
    for base in reversed(kind.__mro__):
        if issubclass(base, BaseModel) and base is not BaseModel:
            found |= _documented(base.__module__).get(base.__name__, {})
    return found


@cache
def _documented(module: str) -> dict[str, dict[str, str]]:
    try:
        return attribute_docstrings(inspect.getsource(sys.modules[module]))
    except OSError:  # installed without its source
        return {}


def unit_of(name: str) -> str:
    """The unit that a field's name says: ms for latency_ms; empty where it says none."""
    if name in UNITS_BY_NAME:
        return UNITS_BY_NAME[name]
    return next((unit for suffix, unit in UNITS_BY_SUFFIX.items() if name.endswith(suffix)), "")


def _is_figure(schema: dict[str, Any]) -> bool:
    """Whether a field holds a number or a quantity: not a text, a truth value or rows."""
    options = schema.get("anyOf", [schema])
    return any(
        option.get("type") in ("number", "integer") or "Quantity" in str(option.get("$ref"))
        for option in (*options, *schema.get("allOf", ()))
    )
