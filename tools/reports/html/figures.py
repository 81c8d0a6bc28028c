"""Figures as cells: value, 90 % interval, basis; what is not known says so."""

from __future__ import annotations

from ...core.quantity import Basis, Quantity
from ...core.units import digits, show
from .blocks import KeyFigure, Table

UNKNOWN = "unknown"
EXACT = "exact"
HEADER = ("Figure", "Value", "90 % interval", "Basis")


def interval(figure: Quantity) -> str:
    return span(figure.low, figure.high, figure.unit)


def span(low: float | None, high: float | None, unit: str) -> str:
    if low is None or high is None:
        return UNKNOWN
    if low == high:
        return EXACT
    first, last = show(low, unit), show(high, unit)
    return f"{first} to {last}" if first != last else f"{low:,.5g} to {high:,.5g} {unit}"


def figure_row(name: str, figure: Quantity) -> tuple[str, ...]:
    return (name, show(figure.value, figure.unit), interval(figure), figure.basis.value)


def counted_row(name: str, value: float | None, unit: str, basis: Basis) -> tuple[str, ...]:
    """A figure without an interval of its own."""
    if value is None:
        return (name, UNKNOWN, UNKNOWN, Basis.UNKNOWN.value)
    return (name, show(value, unit), "none", basis.value)


def key_figure(name: str, figure: Quantity) -> KeyFigure:
    return KeyFigure(name, show(figure.value, figure.unit), interval(figure), figure.basis.value)


def figure_table(*rows: tuple[str, ...]) -> Table:
    return Table(HEADER, rows, right=frozenset({1, 2}))


def number(value: float | None) -> str:
    return UNKNOWN if value is None else digits(value)


def whole(value: int | None) -> str:
    return UNKNOWN if value is None else f"{value:,}"


def share(value: float | None) -> str:
    return UNKNOWN if value is None else f"{100 * value:.3g} %"
