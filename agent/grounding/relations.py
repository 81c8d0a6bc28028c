"""Ratio, relative change and difference of two figures that are told together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .facts import Form
from .families import Family

_INVERSE = {Form.REST: Form.FACTOR, Form.FACTOR: Form.REST}
"""Of a rate: what is twice as fast has twice the rate."""


class Relation(NamedTuple):
    form: Form
    value: float
    sign: int


def ratios_of(later: float, earlier: float, of: Family) -> Iterator[Relation]:
    """How the later compares with the earlier: neither may be 0.

    A change is told of what it starts from: 40 is 20 % less than 50, and 50 is 25 % more than 40. Of what takes
    less time also by how much its rate grows.
    """
    sign = (later > earlier) - (later < earlier)
    yield Relation(_told_as(Form.REST, of), later / earlier, sign)
    yield Relation(_told_as(Form.FACTOR, of), earlier / later, sign)
    yield Relation(Form.CHANGE, abs(later / earlier - 1), sign)
    yield Relation(Form.CHANGE, abs(earlier / later - 1), -sign)
    yield Relation(Form.SPEED, abs(earlier / later - 1), sign)


def _told_as(form: Form, of: Family) -> Form:
    return _INVERSE[form] if of is Family.RATE else form
