"""What a tool returned: a number, what it measures, what it speaks of and where it stands."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from .families import Family


class Kind(IntEnum):
    """How directly a result tells a fact, the most direct first."""

    FIELD = 0
    TEXT = 1
    PAIR = 2
    USER = 3


FIELD_OF_BOTH = "="
"""Stands before the name of a field that two targets have, among the tags of its values."""
THRESHOLD = "threshold"
"""Tag of what is no result but what a field's name compares with: within_25."""
SEVERAL = "*"
"""Target of what is told of several together: of none of them alone."""


class Subject(NamedTuple):
    """What a number speaks of; empty or None where nothing tells."""

    target: str = ""
    runtime: str = ""
    model: str = ""
    layer: int | None = None
    technique: str = ""
    clock: float | None = None
    """In Hz."""
    region: str = ""
    versus: str = ""
    """The target that it is compared with."""
    op: str = ""
    """The operator of its layer."""


class Form(IntEnum):
    """How two fields that are told together were put in relation."""

    NONE = 0
    REST = 1
    """The later over the earlier, the demand over its bound, a part over its whole."""
    FACTOR = 2
    """The inverse of that."""
    CHANGE = 3
    """Their relative change, over either of them."""
    DIFFERENCE = 4
    SPEED = 5
    """The relative change of the rate, of two times."""


class Fact(NamedTuple):
    """A number in base units of its family."""

    family: Family
    value: float
    native: float
    """As the field holds it, without its sign."""
    call: str
    path: str
    subject: Subject = Subject()
    kind: Kind = Kind.FIELD
    tags: frozenset[str] = frozenset()
    """What it is about: words of its path and of the labels beside it."""
    end: str = ""
    """`low` or `high`, where it is the end of an interval."""
    sign: int = 0
    """Of a difference or a change: -1 for less, 1 for more."""
    form: Form = Form.NONE
    quote: str = ""
    """The words around it in a text of ours."""
    of: Family | None = None
    """What a ratio compares."""

    @property
    def rank(self) -> tuple[int, int, int, str]:
        """What stands highest in a result comes first."""
        return (self.kind, self.path.count("."), self.path.count("["), self.end)
