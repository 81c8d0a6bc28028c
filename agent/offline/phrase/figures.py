"""Figures as answers print them: three digits, with the interval and what they rest on."""

from __future__ import annotations

import re

from ....tools.core.numbers import interval, written
from ....tools.core.paths import Value
from ....tools.core.quantity import Quantity
from ....tools.core.units import digits, show

_OPERATOR = re.compile(r"[A-Z][A-Z0-9_]*")


def quantity(figure: Quantity) -> str:
    """12.4 ms (90 % interval 9.8–16.1 ms, fitted)"""
    value = _value(figure)
    if value.value is None:
        return written(value)
    ends = interval(value)
    spread = f"90 % interval {ends}, " if ends else ""
    return f"{written(value)} ({spread}{value.basis})"


def _value(figure: Quantity) -> Value:
    return Value(figure.value, figure.unit, figure.low, figure.high, figure.basis.value)


def plain(value: float | None, unit: str) -> str:
    return show(value, unit)


def bytes_of(figure: Quantity) -> str:
    """96 KiB (98,304 bytes; 90 % interval 90.1–110 KiB, derived)"""
    value = _value(figure)
    if figure.value is None:
        return written(value)
    ends = interval(value)
    spread = f"90 % interval {ends}, " if ends else ""
    return f"{written(value)} ({figure.value:,.0f} bytes; {spread}{value.basis})"


def size(count: int | None) -> str:
    """96 KiB (98,304 bytes)"""
    if count is None:
        return "unknown"
    return f"{count:,} bytes" if count < 1024 else f"{show(count, 'bytes')} ({count:,} bytes)"


def percent(share: float | None) -> str:
    return "unknown" if share is None else f"{digits(100 * share)} %"


def intensity(flop_per_byte: float | None) -> str:
    return "unknown" if flop_per_byte is None else f"{digits(flop_per_byte)} FLOP/byte"


def count(number: int | None) -> str:
    return "unknown" if number is None else f"{number:,}"


def operator(name: str) -> str:
    """An operator's name, but never a text that a model file chose."""
    return name if _OPERATOR.fullmatch(name) else "custom operator"


def layer(index: int, name: str) -> str:
    """layer 2 CONV_2D"""
    return f"layer {index} {operator(name)}"


def listed(parts: list[str], last: str = "and") -> str:
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def bullets(lines: list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
