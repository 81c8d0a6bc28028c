"""Ratio, relative change and difference of two figures that are told together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .facts import Form


class Relation(NamedTuple):
    form: Form
    value: float
    sign: int


def ratios_of(later: float, earlier: float) -> Iterator[Relation]:
    """How the later compares with the earlier: neither may be 0.

    A change is told of what it starts from: 40 is 20 % less than 50, and 50 is 25 % more than 40. Of what
    takes less time also by how much its rate grows.
    """
    sign = (later > earlier) - (later < earlier)
    yield Relation(Form.REST, later / earlier, sign)
    yield Relation(Form.FACTOR, earlier / later, sign)
    yield Relation(Form.CHANGE, abs(later / earlier - 1), sign)
    yield Relation(Form.CHANGE, abs(earlier / later - 1), -sign)
    yield Relation(Form.SPEED, abs(earlier / later - 1), sign)
