"""A stretch of text that names something."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from ..tools.core.records import dataclass


class Kind(StrEnum):
    TARGET = "target"
    RUNTIME = "runtime"
    MODEL = "model"
    """A network by its name; `ids` hold what the tools take."""
    TASK = "task"
    """What a network is for; `ids` hold the one that usually stands for it."""
    FILE = "file"
    """A model file."""
    TRACE = "trace"
    """Any other file."""
    DTYPE = "type"
    BATTERY = "battery"


@dataclass(frozen=True)
class Name:
    """A stretch of text that names something."""

    start: int
    end: int
    text: str
    kind: Kind
    ids: tuple[str, ...] = ()
    """Several where a family is named; none where nothing is known by the name."""
    exact: bool = True
    """Not, where it is spelt otherwise than what it is taken for."""
    family: bool = False
    nearest: tuple[str, ...] = field(default=())
    """Of an unknown name, what is spelt most like it, best first."""

    @property
    def known(self) -> bool:
        return bool(self.ids)
