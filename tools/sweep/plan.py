"""A plan of a sweep: what is crossed with what, and which limits the results are held against."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from ...hardware_db.yaml_reader import Document
from ..core.plan_files import PlanError, checked_plan, read_mapping
from ..core.quantity import Result

_PAGE = "docs/sweep.md"
MAX_MODELS_OR_TRANSFORMS = 10_000


def _as_list(value: Any) -> Any:
    """One entry may stand without its brackets."""
    return (value,) if isinstance(value, (str, int, float)) else value


def _as_lists(value: Any) -> Any:
    return {key: _as_list(each) for key, each in value.items()} if isinstance(value, Mapping) else value


Name = Annotated[str, Field(min_length=1)]
Names = Annotated[tuple[Name, ...], BeforeValidator(_as_list), Field(max_length=MAX_MODELS_OR_TRANSFORMS)]
Batches = Annotated[
    tuple[Annotated[int, Field(ge=1)], ...], BeforeValidator(_as_list), Field(min_length=1, max_length=100)
]


class Match(Result):
    """Evaluations that are meant: those that every part named applies to. `*` stands for any letters."""

    model: Names = ()
    """Names of models."""
    target: Names = ()
    """Ids or classes."""
    runtime: Names = ()
    """Ids of runtimes."""
    transform: Names = ()
    """Transforms as the plan writes them."""
    clock: Names = ()
    """As the plan writes it."""
    batch: Names = ()
    """Batches as the plan writes them."""


class Filters(Result):
    """Which evaluations of a plan are made."""

    only: tuple[Match, ...] = ()
    """Empty takes all."""
    skip: tuple[Match, ...] = ()
    """What is left out of them."""


class SweepPlan(Result):
    """What a plan file holds; lists of one entry may be written without brackets."""

    models: Names = Field(min_length=1)
    """Architectures, or files relative to the plan."""
    targets: Names = ("all",)
    """Ids, nicknames, classes or `all`."""
    runtimes: Names = ("all",)
    """Ids, nicknames, `all`, or `usual` for the first of each target."""
    transforms: Names = ("none",)
    """`none`, names of techniques, or several joined by ` + `, applied from left to right."""
    clocks: Names = ("max",)
    """`max`, a share of it such as `50%`, or a frequency such as `80MHz`."""
    batches: Batches = (1,)
    """Inferences computed at once."""
    limits: Mapping[str, str] = Field(default_factory=dict)
    """Hard: what oversteps one is rejected."""
    soft: Annotated[Mapping[str, Names], BeforeValidator(_as_lists)] = Field(default_factory=dict)
    """Told only; several values to a name."""
    headroom: float | None = Field(default=None, ge=0, lt=1)
    """Share of RAM and flash to keep free, 0 to 1; null for the usual one."""
    dtype: str | None = None
    """The only type that arithmetic may be done in; null for any."""
    filters: Filters = Field(default_factory=Filters)
    """Which of the combinations are evaluated."""

    def headline(self) -> str:
        return f"{', '.join(self.models)} on {', '.join(self.targets)} with {', '.join(self.runtimes)}"


def read_plan(path: str | os.PathLike[str]) -> SweepPlan:
    """Read a plan file.

    Raises:
        PlanError: not readable as YAML, an unknown key (with the nearest), or a value out of place.

    Example:
        >>> _ = Path("plan.yaml").write_text("models: [kws, vww]\\ntargets: [nrf52840]\\nruntimes: [usual]")
        >>> read_plan("plan.yaml")
        <SweepPlan kws, vww on nrf52840 with usual>
    """
    document = read_mapping(Path(path), "models: [kws]", _PAGE)
    return plan_from(document.data, document)


def plan_from(data: Mapping[str, Any], document: Document | None = None) -> SweepPlan:
    """Raises PlanError."""
    return checked_plan(SweepPlan, data, document, _keys_beside, _PAGE)


def _keys_beside(at: tuple[int | str, ...]) -> list[str]:
    match at:
        case (_,):
            return list(SweepPlan.model_fields)
        case ("filters", _):
            return list(Filters.model_fields)
        case _:
            return list(Match.model_fields)


def share_of(clock: str) -> float | None:
    """0.5 of "50%"; None where it is no percentage.

    Raises:
        PlanError: outside 0 to 100.
    """
    text = clock.strip()
    if not text.endswith("%"):
        return None
    try:
        share = float(text[:-1]) / 100
    except ValueError:
        share = math.nan
    if not 0 < share <= 1:
        raise PlanError(f"Clock {clock!r} is no share of the maximum.", hint="Write it like 50%.")
    return share
