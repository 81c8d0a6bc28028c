"""The one way in which a figure becomes text.

Three significant digits in the unit that people use at that size, whole counts in full; with its
interval, "14 ms (9.01–21.6 ms)"; what is not known is "unknown".
"""

from __future__ import annotations

import math

from .paths import PathError, Value
from .units import UNIT_FAMILIES, digits, scale_for, show

UNKNOWN = "unknown"
_FAR, _NEAR = 1e4, 10.0
"""Ends beyond these multiples of the unit are shown in units of their own."""
_LEAST_PERCENT = 0.01
_NEAR_ONE = 0.99
"""Ratios from here on show how far they are from 1."""


def written(
    value: Value,
    unit: str | None = None,
    *,
    interval: bool = False,
    basis: bool = False,
    signed: bool = False,
) -> str:
    """`value` as text, such as "14 ms (9.01–21.6 ms, fitted)".

    Args:
        value: what a path leads to.
        unit: None for the one that reads best, "" for its own, left out.
        interval: add the 90 % interval where it has one.
        basis: add what it rests on.
        signed: a plus before what is more than nothing.

    Raises:
        PathError: a unit that does not measure the same.
    """
    match value.value:
        case None:
            return UNKNOWN
        case bool():
            return "yes" if value.value else "no"
        case str():
            return value.value
    factor, name = scale_for(value.value, value.unit) if unit is None else _asked(value, unit)
    text = _with_unit(_digits(value.value / factor, name, signed=signed), name)
    more = [_between(value, factor, name, signed=signed, scaled=unit is None)] if interval else []
    more += [value.basis] if basis and value.basis else []
    inside = ", ".join(filter(None, more))
    return f"{text} ({inside})" if inside else text


def interval(value: Value, unit: str | None = None) -> str:
    """The 90 % interval alone, `9.01–21.6 ms`.

    Empty for a figure that is exact or not known, and where the ends read as the figure does.
    """
    if isinstance(value.value, str | bool | None):
        return ""
    factor, name = scale_for(value.value, value.unit) if unit is None else _asked(value, unit)
    return _between(value, factor, name, signed=False, scaled=unit is None)


def _between(value: Value, factor: float, unit: str, *, signed: bool, scaled: bool) -> str:
    """Nothing where both ends read as the figure does; `scaled` lets ends far off have units of their own."""
    if value.low is None or value.high is None or value.low == value.high:
        return ""
    dash = " to " if signed or value.low < 0 else "–"
    names = {scale_for(end, value.unit)[1] for end in (value.low, value.high)}
    is_far = abs(value.high) >= _FAR * factor or 0 < abs(value.low) < factor / _NEAR
    if scaled and is_far and names != {unit}:
        return dash.join(show(end, value.unit) for end in (value.low, value.high))
    low, high = (_digits(end / factor, unit, signed=signed) for end in (value.low, value.high))
    return "" if low == high else _with_unit(f"{low}{dash}{high}", unit)


def _digits(value: float, unit: str, significant: int = 3, *, signed: bool) -> str:
    if unit == "%" and 0 < abs(value) < _LEAST_PERCENT:
        return f"{'>-' if value < 0 else '<'}{_LEAST_PERCENT}"
    if not unit and _NEAR_ONE < abs(value) < 1:
        significant += math.floor(-math.log10(1 - abs(value)))
    if unit == "MHz":
        text = digits(value, max(significant, 4)).replace(",", "")
    else:
        text = digits(value, significant)
    return f"+{text}" if signed and value > 0 else text


def _with_unit(text: str, unit: str) -> str:
    return f"{text}x" if unit == "x" else f"{text} {unit}".rstrip()


def _asked(value: Value, unit: str) -> tuple[float, str]:
    """How much of the value's unit one of `unit` is."""
    if unit in ("", value.unit):
        return 1.0, unit
    for family in UNIT_FAMILIES:
        if unit in family and value.unit in family:
            return family[unit] / family[value.unit], unit
    raise PathError(f"A figure in {value.unit or 'no unit'} cannot be given in {unit!r}.")
