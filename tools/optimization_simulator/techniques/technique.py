"""A change that can be simulated."""

from __future__ import annotations

from collections.abc import Callable

from ...core.deployment import Deployment
from ...core.records import dataclass
from ...graph import ModelGraph

Change = Callable[[ModelGraph, Deployment], tuple[ModelGraph, Deployment]]


@dataclass(frozen=True)
class Technique:
    """A change with what it asks of people. `apply` raises UsageError where it does not apply."""

    name: str
    about: str
    """What it does, as the user reads it."""
    effort: str
    accuracy_risk: str
    family: str
    """Techniques of one family exclude each other."""
    apply: Change
