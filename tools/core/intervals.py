"""Sums and products of figures with their 90 % intervals."""

from __future__ import annotations

import math

from .quantity import Quantity, weakest


def product(unit: str, *factors: tuple[Quantity, int], by: float = 1.0) -> Quantity:
    """`by` × Π figure^exponent, exponents ±1; relative widths add in squares, as of independent errors."""
    value, up, down = by, 0.0, 0.0
    for figure, exponent in factors:
        if figure.value is None or figure.low is None or figure.high is None:
            return Quantity.unknown(unit)
        if figure.value == 0:
            return Quantity.exact(0.0, unit, figure.basis) if exponent > 0 else Quantity.unknown(unit)
        above, below = math.log(figure.high / figure.value), _log_below(figure.value, figure.low)
        up, down = (up + above**2, down + below**2) if exponent > 0 else (up + below**2, down + above**2)
        value *= figure.value**exponent
    return Quantity(
        value=value,
        low=value * math.exp(-math.sqrt(down)),
        high=value * math.exp(math.sqrt(up)),
        unit=unit,
        basis=weakest(figure.basis for figure, _ in factors),
    )


def total(unit: str, *figures: Quantity) -> Quantity:
    """Their sum; widths add, as of figures that err together."""
    known = [(f.value, f.low, f.high) for f in figures if f.value is not None]
    if len(known) < len(figures):
        return Quantity.unknown(unit)
    value, low, high = (sum(part or 0.0 for part in column) for column in zip(*known, strict=True))
    return Quantity(value=value, low=low, high=high, unit=unit, basis=weakest(f.basis for f in figures))


def share_of(part: Quantity, other: Quantity) -> Quantity:
    """`part` of `part` and `other` together, 0 to 1."""
    whole = total(part.unit, part, other)
    if not whole.value or part.value is None or part.low is None or part.high is None:
        return Quantity.unknown("1")
    assert other.low is not None
    assert other.high is not None
    return Quantity(
        value=part.value / whole.value,
        low=part.low / (part.low + other.high) if part.low else 0.0,
        high=part.high / (part.high + other.low),
        unit="1",
        basis=whole.basis,
    )


def at_most(figure: Quantity, most: float) -> Quantity:
    """The figure, cut off above."""
    if figure.value is None or figure.low is None or figure.high is None:
        return figure
    return Quantity(
        value=min(figure.value, most),
        low=min(figure.low, most),
        high=min(figure.high, most),
        unit=figure.unit,
        basis=figure.basis,
    )


def rest_of(share: Quantity) -> Quantity:
    """1 - share."""
    if share.value is None or share.low is None or share.high is None:
        return share
    return Quantity(
        value=1 - share.value, low=1 - share.high, high=1 - share.low, unit="1", basis=share.basis
    )


def difference(figure: Quantity, exact: float) -> Quantity:
    """figure - exact."""
    if figure.value is None or figure.low is None or figure.high is None:
        return figure
    return Quantity(
        value=figure.value - exact,
        low=figure.low - exact,
        high=figure.high - exact,
        unit=figure.unit,
        basis=figure.basis,
    )


def _log_below(value: float, low: float) -> float:
    return math.log(value / low) if low > 0 else math.inf
