"""Figures that are calculated with: each with its dimension, its interval and the fields it comes from."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ...hardware_db.errors import InputError
from ...tools.core.dimensions import (
    NONE,
    RATE,
    TIME,
    Dimension,
    Measure,
    UnitError,
    base_unit,
    family_of,
    is_unit,
    measure,
    plainest_unit,
)
from ...tools.core.paths import Value
from ...tools.core.records import dataclass, replace
from ...tools.core.units import digits

_ENERGY = Dimension(energy=1)
_WHOLE = 1000.0
"""Milliseconds of a second, as numbers without a unit count it."""
_CONVERSIONS = (60, 1e3, 1024, 3600, 6e4, 86400, 1e6, 1024**2, 3.6e6, 8.64e7, 1e9, 1024**3)


class AmountError(InputError):
    """Figures that cannot be taken together in this way."""


@dataclass(frozen=True)
class Amount:
    """`value`, `low` and `high` in the dimension's own unit, see `Dimension`; None is unknown.

    The interval of what is calculated takes the figures for independent, at their worst together.
    """

    value: float | None
    dimension: Dimension = NONE
    low: float | None = None
    high: float | None = None
    paths: tuple[str, ...] = ()
    field: Value | None = None
    """Of a field as it stands; None once it is calculated with."""
    constant: float | None = 1.0
    """What the pure numbers in it come to as a factor; None where they are no factor."""
    written: frozenset[float] = frozenset()
    """The numbers that stand in it, in the units that results hold."""

    @property
    def ends(self) -> tuple[float, float]:
        """The interval; of an exact figure the figure itself, of an open one everything."""
        low = self.value if self.low is None else self.low
        high = self.value if self.high is None else self.high
        assert low is not None
        assert high is not None
        return low, high

    @property
    def exact(self) -> bool:
        return self.low is None and self.high is None


def whole(amount: Amount, *, up: bool) -> Amount:
    """The next whole number of a plain one, its interval likewise; unknown stays unknown.

    Raises:
        AmountError: it has a dimension, so that what is whole depends on the unit.
    """
    if amount.dimension != NONE:
        raise AmountError("Only a plain number is rounded to a whole one.", hint="Divide by another figure.")
    ends = (None if n is None else float((math.ceil if up else math.floor)(n)) for n in
            (amount.value, amount.low, amount.high))  # fmt: skip
    value, low, high = ends
    return replace(amount, value=value, low=low, high=high, field=None, constant=None)


def of_field(value: Value, path: str) -> Amount:
    """Text and yes or no are no amounts, but may stand alone."""
    if isinstance(value.value, str | bool):
        return Amount(None, paths=(path,), field=value, constant=None)
    unit = measure(value.unit) if is_unit(value.unit) else Measure(value.unit, NONE, 1.0)
    low, high = (None if end is None else end * unit.factor for end in (value.low, value.high))
    scaled = None if value.value is None else value.value * unit.factor
    if low is None or high is None or low == high == scaled:
        low = high = None
    return Amount(scaled, unit.dimension, low, high, (path,), value)


def of_number(value: float, unit: str) -> Amount:
    known = measure(unit)
    return Amount(
        value * known.factor,
        known.dimension,
        constant=1.0 if unit else value,
        written=frozenset({value if value == 1 else value * known.factor / measure(base_unit(unit)).factor}),
    )


def plus(one: Amount, other: Amount, sign: int = 1) -> Amount:
    """
    Raises:
        AmountError: a time and a size, a word.
    """
    _numbers(one, other)
    if one.dimension != other.dimension:
        raise AmountError(
            f"{one.dimension} and {other.dimension} cannot be added.", hint="Take figures of one kind."
        )
    both = _joined(one, other, one.dimension, factor=None)
    if one.value is None or other.value is None:
        return both
    low, high = other.ends if sign > 0 else (-other.ends[1], -other.ends[0])
    return _with_ends(
        both, one.value + sign * other.value, (one.ends[0] + low, one.ends[1] + high), one, other
    )


def times(one: Amount, other: Amount) -> Amount:
    _numbers(one, other)
    factor = None if one.constant is None or other.constant is None else one.constant * other.constant
    both = _joined(one, other, one.dimension.times(other.dimension), factor)
    if one.value is None or other.value is None:
        return both
    corners = [a * b for a in one.ends for b in other.ends]
    return _with_ends(both, one.value * other.value, (min(corners), max(corners)), one, other)


def over(one: Amount, other: Amount) -> Amount:
    """A reciprocal swaps the ends of its interval; one that holds zero leaves none."""
    _numbers(one, other)
    if other.value == 0:
        raise AmountError("That divides by zero.", hint="Say it without the ratio.")
    factor = None if one.constant is None or not other.constant else one.constant / other.constant
    both = _joined(one, other, one.dimension.over(other.dimension), factor)
    if one.value is None or other.value is None:
        return both
    value = one.value / other.value
    low, high = other.ends
    if low <= 0 <= high:
        return replace(both, value=value)
    corners = [a / b for a in one.ends for b in other.ends]
    return _with_ends(both, value, (min(corners), max(corners)), one, other)


def total(amounts: Iterable[Amount]) -> Amount:
    first, *rest = amounts
    found = replace(first, field=None) if rest else first
    for each in rest:
        found = plus(found, each)
    return found


def extreme(amounts: Iterable[Amount], *, largest: bool) -> Amount:
    """The least or the largest; unknown where one of them is."""
    found = list(amounts)
    total(found)
    unknown = next((each for each in found if each.value is None), None)
    if unknown is not None:
        return unknown
    return sorted(found, key=lambda each: each.value or 0.0, reverse=largest)[0]


def shown_in(amount: Amount, unit: str | None) -> tuple[Value, str | None]:
    """The amount as a figure, and the unit to print it in, None for the one that reads best.

    Raises:
        UnitError: a unit that does not measure the same.
        AmountError: numbers that convert what the unit converts already.
    """
    field = amount.field
    if unit == "count":
        return _counted(amount), None
    if field is not None and (unit is None or isinstance(field.value, str | bool)):
        return field, None
    if field is not None and unit and _is_counted_in(unit, field, amount.paths):
        return replace(field, unit=unit), unit
    asked = measure(unit or plainest_unit(amount.dimension))
    if asked.dimension != amount.dimension or (field and asked.unit not in family_of(field.unit)):
        raise UnitError(f"{_named(amount)} cannot be given in {asked.unit!r}.")
    if field is not None:
        return field, asked.unit
    _converted_once(amount, 1 / asked.factor, asked.unit)
    own = measure(base_unit(asked.unit))
    return _in_units_of(own.factor, own.unit, amount), None if unit is None else asked.unit


_COUNTED_AS = {"context": "token", "op": "operator", "batch": "session"}
"""Word in the name of a field → what it counts, where that is another."""


def _is_counted_in(noun: str, field: Value, paths: tuple[str, ...]) -> bool:
    """Whether a field is a count of what the noun says: prompt_tokens and max_context of tokens."""
    words = [word.removesuffix("s") for word in paths[0].rpartition(".")[2].partition("[")[0].split("_")]
    singular = noun.lower().removesuffix("s")
    return not field.unit and singular in {*words, *(_COUNTED_AS.get(word, "") for word in words)}


def _counted(amount: Amount) -> Value:
    """How often: a plain number, or what an amount in the results' units comes to, 3600*1000/latency_ms."""
    inverse = Dimension().over(amount.dimension)
    if amount.dimension == NONE:
        return _in_units_of(1.0, "", amount)
    whole = amount.constant is not None and amount.constant >= _WHOLE and amount.constant % _WHOLE == 0
    if inverse in (TIME, _ENERGY) and whole:
        return _in_units_of(1.0, "", amount)
    raise UnitError(
        f"{_named(amount)} is no count.", hint="Put the unit on the number: {{1h/r1.latency_ms|count}}."
    )


def _in_units_of(factor: float, unit: str, amount: Amount) -> Value:
    ends = (amount.value, amount.low, amount.high)
    value, low, high = (None if end is None else end / factor for end in ends)
    return Value(value, unit, low, high)


def _converted_once(amount: Amount, conversion: float, unit: str) -> None:
    factor = amount.constant
    if factor is None or factor == 1 or not amount.paths:
        return
    divides = factor < 1 and any(math.isclose(factor * by, 1) for by in _CONVERSIONS)
    per_time = amount.dimension == RATE and any(math.isclose(factor, by) for by in _CONVERSIONS)
    if math.isclose(factor, conversion) or (amount.dimension != NONE and (divides or per_time)):
        raise AmountError(
            f"{digits(factor)} and {unit!r} would convert twice.",
            hint="The unit alone converts: leave it out.",
        )


def _named(amount: Amount) -> str:
    if amount.field is None:
        return str(amount.dimension).capitalize()
    if isinstance(amount.field.value, str | bool):
        return "A word"
    return f"A figure in {amount.field.unit}" if amount.field.unit else "A plain number"


def _numbers(*amounts: Amount) -> None:
    for each in amounts:
        if each.field is not None and isinstance(each.field.value, str | bool):
            raise AmountError(f"{each.paths[0]} is a word, not a number.", hint="Calculate with figures.")


def _joined(one: Amount, other: Amount, dimension: Dimension, factor: float | None) -> Amount:
    """Unknown as yet."""
    return Amount(
        None, dimension, paths=one.paths + other.paths, constant=factor, written=one.written | other.written
    )


def _with_ends(both: Amount, value: float, ends: tuple[float, float], *of: Amount) -> Amount:
    if not math.isfinite(value):
        raise AmountError("That is larger than any number.", hint="See what is multiplied.")
    if all(each.exact for each in of):
        return replace(both, value=value)
    low, high = (end if math.isfinite(end) else None for end in ends)
    return replace(both, value=value, low=low, high=high)
