"""Results as rows of plain values, and rows as a pandas DataFrame where pandas is installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any

from pydantic import BaseModel

from ...hardware_db.errors import UsageError, nearest


def rows_of_field(result: BaseModel, name: str, main: str) -> list[dict[str, Any]]:
    """The rows that a result holds in the field `name`, or in its main one, flat."""
    held = [
        field for field in type(result).model_fields if _holds_rows(getattr(result, field), field == main)
    ]
    chosen = name or main
    if chosen not in held:
        kind = type(result).__name__
        what = f"{kind} holds no rows {chosen!r}." if chosen else f"A {kind} has no main rows."
        known = ", ".join(nearest(chosen, held) or held)
        raise UsageError(what, hint=f"Rows that it holds: {known}." if known else "Take to_dict().")
    return [cells(row) for row in getattr(result, chosen)]


def _holds_rows(value: object, declared: bool) -> bool:
    rows = isinstance(value, tuple) and all(isinstance(row, BaseModel) for row in value)
    return rows and (declared or value != ())


def cells(row: BaseModel) -> dict[str, Any]:
    """The fields of a row; those of a result inside it behind its name: after.macs becomes after_macs.

    A quantity becomes latency_ms (its value), latency_ms_low, latency_ms_high and latency_ms_basis.
    """
    found: dict[str, Any] = {}
    for name in type(row).model_fields:
        match getattr(row, name):
            case BaseModel() as inner:
                found |= {_behind(name, key): value for key, value in cells(inner).items()}
            case Mapping() as mapping:
                found |= {_behind(name, key): value for key, value in mapping.items()}
            case Enum() as member:
                found[name] = member.value
            case value:
                found[name] = value
    if {"value", "low", "high", "unit", "basis"} == found.keys():
        return {"": found.pop("value")} | {key: found[key] for key in ("low", "high", "basis")}
    return found


def _behind(name: str, key: str) -> str:
    return f"{name}_{key}" if key else name


def frame(columns_or_rows: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> Any:
    """A pandas DataFrame of columns by name, or of rows.

    Raises:
        UsageError: pandas is not installed.
    """
    try:
        import pandas
    except ImportError:
        raise UsageError(
            "A DataFrame needs the package pandas, which is not installed.",
            hint="Install it (pip install pandas), or take to_dict() or to_rows().",
        ) from None
    return pandas.DataFrame(columns_or_rows)
