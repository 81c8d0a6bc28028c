"""A document cut down to its heaviest rows: what clients of the version before read over MCP."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from ..tools.core.envelope import SCHEMA_VERSION
from .answer import ToolCallRecord

DEFAULT_TOP = 8
_LONGEST_JSON = 16_000
_LONGEST_TEXT = 300
_SHRINKING = ((None, 200), (4, 40), (2, 12), (1, 4))
"""(rows of a list with a row per operator, of any other list), tried until the document is short enough."""
_ROW_PER_OPERATOR = frozenset({"layers", "ops", "timeline", "tensors", "peak_tensors"})
_WEIGHTS = ("latency_ms", "measured_ms", "live_bytes", "bytes", "macs")
_HOISTED = frozenset({"schema_version", "assumptions", "warnings"})


def document_of(record: ToolCallRecord) -> dict[str, Any]:
    """What the tools of the version before returned."""
    result = record["result"] or {}
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": record["name"],
        "inputs": record["arguments"],
        "result": result,
        "assumptions": list(result.get("assumptions") or ()),
        "warnings": list(result.get("warnings") or ()),
    }


def compact(document: Mapping[str, Any], top: int = DEFAULT_TOP) -> str:
    """The document as JSON text. Lists are cut, `omitted` says by how much; fractions get six digits."""
    text = ""
    for rows, others in _SHRINKING:
        text = json.dumps(_shorter(document, min(top, rows or top), others), ensure_ascii=False)
        if len(text) <= _LONGEST_JSON:
            break
    return text


def _shorter(document: Mapping[str, Any], top: int, others: int) -> dict[str, Any]:
    result = {k: v for k, v in document.get("result", {}).items() if k not in _HOISTED}
    return {**_lean({**document, "result": {}}, top, others), "result": _lean(result, top, others)}


def _lean(value: Any, top: int, others: int) -> Any:
    match value:
        case bool() | int() | None:
            return value
        case float():
            return _six_digits(value)
        case str():
            return value if len(value) <= _LONGEST_TEXT else f"{value[: _LONGEST_TEXT - 1]}…"
        case Mapping():
            return _lean_mapping(value, top, others)
        case Sequence():
            return [_lean(part, top, others) for part in value[:others]]
    return str(value)


def _lean_mapping(value: Mapping[str, Any], top: int, others: int) -> dict[str, Any]:
    lean: dict[str, Any] = {}
    omitted: dict[str, int] = {}
    for name, part in value.items():
        if part == "":
            continue
        if isinstance(part, Sequence) and not isinstance(part, str):
            kept = _heaviest(part, top) if name in _ROW_PER_OPERATOR else part[:others]
            if len(kept) < len(part):
                omitted[name] = len(part) - len(kept)
            lean[name] = _lean(kept, top, others)
        else:
            lean[name] = _lean(part, top, others)
    return {**lean, "omitted": omitted} if omitted else lean


def _heaviest(rows: Sequence[Any], top: int) -> Sequence[Any]:
    if len(rows) <= top or not all(isinstance(row, Mapping) for row in rows):
        return rows[:top]
    return sorted(rows, key=_weight, reverse=True)[:top]


def _weight(row: Mapping[str, Any]) -> tuple[bool, bool, float]:
    """Operators with a problem come first, then the heaviest."""
    weight = next((row[name] for name in _WEIGHTS if isinstance(row.get(name), int | float)), 0)
    return (row.get("supported", True) is not True, row.get("optimized", True) is not True, float(weight))


def _six_digits(value: float) -> float | int | None:
    if not math.isfinite(value):
        return None
    if value.is_integer() and abs(value) < 2**53:
        return int(value)
    return float(f"{value:.6g}")
