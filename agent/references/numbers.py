"""The numbers of an answer, and what each of them is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...tools.core.quantity import Result
from .filling import Filled, Hole

if TYPE_CHECKING:
    from .literals import Bound

USER = "user"
"""Path of a number that the user gave."""


class Number(Result):
    """A number of an answer and what it is."""

    text: str
    """As it stands in the answer, with its unit and interval."""
    path: str
    """The field, from the id of its call on; of a calculated one the expression, of the user's own `user`."""
    value: float | None
    """In `unit`; null where it is unknown."""
    unit: str
    """The one that results hold it in."""


def numbers_of(filled: Filled, bound: Iterable[Bound]) -> tuple[Number, ...]:
    found = [
        (hole.start, _of_hole(hole)) for hole in filled.holes if not isinstance(hole.value.value, str | bool)
    ]
    found += [(each.start, _of_literal(each)) for each in bound]
    return tuple(number for _, number in sorted(found, key=lambda pair: pair[0]))


def _of_hole(hole: Hole) -> Number:
    value = hole.value.value
    assert not isinstance(value, str | bool)
    return Number(text=hole.text, path=hole.path, value=value, unit=hole.value.unit)


def _of_literal(bound: Bound) -> Number:
    figure = bound.figure
    if not bound.facts:
        return Number(text=figure.text, path=USER, value=figure.value, unit=figure.family.value)
    fact = bound.facts[0]
    return Number(text=figure.text, path=fact.path, value=fact.amount, unit=fact.family.value)
