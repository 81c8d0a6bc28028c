"""What cannot be true of any result: looked for wherever one leaves the package, and told among its warnings.

That no number is NaN or infinite, that an interval holds its value and that nothing passes on an unknown
demand is refused already where results are made; `cost_model.audit` holds estimates to physics.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import date
from functools import cache
from itertools import islice
from types import EllipsisType, NoneType
from typing import Any, NamedTuple, get_args

from .quantity import Quantity
from .result import Result

_NEVER_NEGATIVE = (
    "_bytes",
    "latency_ms",
    "measured_ms",
    "estimated_ms",
    "energy_uj",
    "power_mw",
    "macs",
    "cycles",
)
_DIFFERENCES = ("gap", "added", "change", "saved", "more")
_SUMMED = ("latency_ms", "energy_uj")
_SIZES_AND_TIMES = frozenset({"B", "ms", "uJ"})
_MOST_TOLD = 3
_ROUNDING = 1e-6
_NUMBERS = frozenset({int, float})
_PLAIN = (str, bytes, int, float, NoneType, Quantity, date, EllipsisType)


def contradictions(result: Result) -> tuple[str, ...]:
    """A sentence for each of the first few contradictions; empty for a result that can be."""
    found = tuple(islice(_contradictions(result), _MOST_TOLD))
    return tuple(f"The result contradicts itself: {told}." for told in found)


def _contradictions(result: Result) -> Iterator[str]:
    """Without recursion: results hold rows of rows, and this runs on every one of them."""
    stack: list[Any] = [result]
    while stack:
        at = stack.pop()
        if isinstance(at, Result):
            yield from _of(at, stack)
        elif isinstance(at, tuple | list):
            if at and not isinstance(at[0], str | float | int):
                stack.extend(at)
        elif isinstance(at, dict):
            stack.extend(at.values())


def _of(result: Result, stack: list[Any]) -> Iterator[str]:
    fields, looked_at = result.__dict__, _looked_at(type(result))
    for name in looked_at.sizes:
        value = fields[name]
        if type(value) is Quantity:
            value = value.low
        if value is not None and type(value) in _NUMBERS and value < 0:
            yield f"{name} is {value:g}"
    for name in looked_at.inner:
        if (value := fields[name]) is not None:
            stack.append(value)
    if looked_at.judged and _passes_on_nothing(fields):
        yield f"{fields['name']} passes on a demand of nothing"
    if looked_at.summed and (layers := fields["layers"]):
        yield from _sums(fields, layers)


def _passes_on_nothing(fields: dict[str, Any]) -> bool:
    return fields["verdict"] == "PASS" and fields["demand"] == 0 and fields["unit"] in _SIZES_AND_TIMES


class _LookedAt(NamedTuple):
    """Fields of a kind of result."""

    sizes: tuple[str, ...]
    inner: tuple[str, ...]
    """That hold results, or rows of them."""
    judged: bool
    summed: bool


@cache
def _looked_at(kind: type[Result]) -> _LookedAt:
    fields = kind.model_fields
    sizes = () if kind.is_difference else tuple(name for name in fields if _is_size(name))
    inner = tuple(name for name, field in fields.items() if name not in sizes and _may_hold(field.annotation))
    judged = {"verdict", "demand", "unit", "name"} <= {*fields}
    return _LookedAt(sizes, inner, judged, "layers" in fields and any(name in fields for name in _SUMMED))


def _may_hold(annotation: Any) -> bool:
    if parts := get_args(annotation):
        return any(map(_may_hold, parts))
    return not isinstance(annotation, type) or not issubclass(annotation, _PLAIN)


def _is_size(name: str) -> bool:
    return name.endswith(_NEVER_NEGATIVE) and not name.startswith(_DIFFERENCES) and "change" not in name


def _sums(fields: dict[str, Any], layers: tuple[Any, ...]) -> Iterator[str]:
    for name in _SUMMED:
        total = fields.get(name)
        if type(total) is not Quantity or total.value is None:
            continue
        parts: list[Any] = [getattr(layer, name, None) for layer in layers]
        if all(type(part) in _NUMBERS for part in parts):
            whole = math.fsum(parts)
            if not math.isclose(whole, total.value, rel_tol=_ROUNDING, abs_tol=1e-12):
                yield f"{name} of the layers adds up to {whole:g}, not to {total.value:g}"
