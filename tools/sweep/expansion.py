"""From a plan to what is evaluated: variants of models × deployments, in an order that never changes."""

from __future__ import annotations

import fnmatch
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ...hardware_db import TargetClass, resolve_runtime, resolve_target, runtime_ids
from ...hardware_db.errors import UnknownNameError, UsageError, nearest
from ...hardware_db.index import TargetSummary, read_index
from ..core.deployment import Deployment, deployment
from ..core.deployment_table import DeploymentTable, all_deployments
from ..core.plan_files import PlanError
from ..core.records import dataclass
from ..core.settings import Settings
from ..core.units import Dimension, parse_measure
from ..ethos_u.asked import by_rules
from .plan import Match, SweepPlan, share_of
from .variants import NONE, Variant, steps_of

Bools = npt.NDArray[np.bool_]
MAX_EVALUATIONS = 10_000_000
UNIT_ROWS = 2_000
"""Deployments of one variant that are evaluated at once, and journalled at once."""
ALL, USUAL, MAX = "all", "usual", "max"


@dataclass(frozen=True, eq=False)
class Places:
    """All deployments of a plan, by batch, target, runtime and clock."""

    table: DeploymentTable
    clocks: tuple[str, ...]
    """Of each, as the plan writes it."""
    left_out: Counter[str] = field(default_factory=Counter)

    def __len__(self) -> int:
        return len(self.table)


def variants_of(plan: SweepPlan) -> tuple[Variant, ...]:
    transforms = dict.fromkeys(" + ".join(steps_of(text)) or NONE for text in plan.transforms)
    return tuple(
        Variant(model, transform) for model in dict.fromkeys(plan.models) for transform in transforms
    )


def places_of(plan: SweepPlan, settings: Settings | None = None) -> Places:
    """Every deployment of the plan; those at a clock that a target does not reach are left out and counted.

    Raises:
        UnknownNameError: no such target, class or runtime.
        PlanError: more than `MAX_EVALUATIONS` evaluations, or a clock that is none.
    """
    bases = _bases(plan, Settings.from_environment() if settings is None else settings)
    _refuse_too_many(plan, len(bases))
    found: list[Deployment] = []
    texts: list[str] = []
    left_out: Counter[str] = Counter()
    clocks = [(text, _clock(text)) for text in dict.fromkeys(plan.clocks)]
    for batch in dict.fromkeys(plan.batches):
        for base in bases:
            seen: set[float] = set()
            for text, clock_of in clocks:
                try:
                    place = base.at(clock_mhz=clock_of(base), batch=batch)
                except UsageError:
                    left_out[f"clock {text} is above the target's maximum"] += 1
                    continue
                if place.clock_mhz not in seen:
                    seen.add(place.clock_mhz)
                    found.append(by_rules(place))
                    texts.append(text)
    return Places(DeploymentTable(found), tuple(texts), left_out)


def _bases(plan: SweepPlan, settings: Settings) -> list[Deployment]:
    """Targets with their runtimes at the maximum clock.

    By the cost model alone: a sweep compares models with changed ones, of which nobody measured any.
    """
    own, alone = settings.hardware_directories, settings.model_copy(update={"measured_first": False})
    if plan.runtimes == (USUAL,):
        return [deployment(summary.id, settings=alone) for summary in _targets(plan, own)]
    named = runtime_ids(own) if ALL in plan.runtimes else plan.runtimes
    wanted = {summary.id for summary in _targets(plan, own)}
    pairs = [name.partition("@")[::2] for name in dict.fromkeys(named)]
    plain = [resolve_runtime(name, own).id for name, release in pairs if not release]
    every = all_deployments(runtimes=plain, settings=alone) if plain else ()
    found = [place for place in every if place.target.id in wanted]
    for name, release in pairs:
        if not release:
            continue
        runtime = resolve_runtime(name, own).id
        targets = (place.target.id for place in all_deployments(runtimes=[runtime], settings=alone))
        built = f"{runtime}@{release}"
        found += [deployment(target, built, settings=alone) for target in targets if target in wanted]
    return found


def _targets(plan: SweepPlan, own: tuple[Path, ...]) -> Iterator[TargetSummary]:
    chosen = {key for name in plan.targets for key in _ids(name, own)}
    return (summary for summary in read_index(own).targets if summary.id in chosen)


def _ids(name: str, own: tuple[Path, ...]) -> list[str]:
    every = read_index(own).targets
    if name == ALL:
        return [summary.id for summary in every]
    if name in list(TargetClass):
        return [summary.id for summary in every if summary.target_class == name]
    try:
        return [resolve_target(name, own).id]
    except UnknownNameError as error:
        error.hint = f"{error.hint} Classes: {', '.join(TargetClass)}; `all` takes every target.".strip()
        raise


def _clock(text: str) -> Callable[[Deployment], float]:
    if text == MAX:
        return lambda place: place.clock_mhz
    share = share_of(text)
    if share is not None:
        return lambda place: place.clock_mhz * share
    mhz = parse_measure(text, Dimension.CLOCK_MHZ)
    return lambda _: mhz


def _refuse_too_many(plan: SweepPlan, bases: int) -> None:
    count = bases * len(set(plan.clocks)) * len(set(plan.batches)) * len(variants_of(plan))
    if count > MAX_EVALUATIONS:
        raise PlanError(
            f"The plan asks for {count:,} evaluations; {MAX_EVALUATIONS:,} are allowed.",
            hint="Name fewer targets, clocks or transforms, or cut the plan in several.",
        )


class Filter:
    """Which deployments of a variant are evaluated."""

    def __init__(self, plan: SweepPlan, places: Places) -> None:
        self._plan, self._places = plan, places
        self._of_match: dict[Match, Bools] = {}
        for match in (*plan.filters.only, *plan.filters.skip):
            _check(match, plan, places)

    def keep(self, variant: Variant) -> Bools:
        """One flag for each place."""
        filters = self._plan.filters
        kept = np.full(len(self._places), not filters.only)
        for match in filters.only:
            if _is_of(match, variant):
                kept |= self._rows(match)
        for match in filters.skip:
            if _is_of(match, variant):
                kept &= ~self._rows(match)
        return kept

    def _rows(self, match: Match) -> Bools:
        if match not in self._of_match:
            rows = zip(self._places.table, self._places.clocks, strict=True)
            self._of_match[match] = np.array(
                [_is_at(match, place, clock) for place, clock in rows], dtype=bool
            )
        return self._of_match[match]


def _is_of(match: Match, variant: Variant) -> bool:
    return _fits(match.model, variant.model) and _fits(match.transform, variant.transform)


def _is_at(match: Match, place: Deployment, clock: str) -> bool:
    target, kind = place.target.id, place.target.target_class.value
    return (
        (_fits(match.target, target) or _fits(match.target, kind))
        and (_fits(match.runtime, place.runtime.id) or _fits(match.runtime, place.ref.runtime))
        and _fits(match.clock, clock)
        and _fits(match.batch, str(place.batch))
    )


def _fits(patterns: tuple[str, ...], name: str) -> bool:
    return not patterns or any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def _check(match: Match, plan: SweepPlan, places: Places) -> None:
    """A filter that names nothing of the plan is a slip of the pen."""
    variants = variants_of(plan)
    known = {
        "model": {each.model for each in variants},
        "transform": {each.transform for each in variants},
        "target": {p.target.id for p in places.table} | {p.target.target_class.value for p in places.table},
        "runtime": {name for p in places.table for name in (p.runtime.id, p.ref.runtime)},
        "clock": set(plan.clocks),
        "batch": {str(batch) for batch in plan.batches},
    }
    for part, names in known.items():
        for pattern in getattr(match, part):
            if not any(fnmatch.fnmatchcase(name, pattern) for name in names):
                close = nearest(pattern, sorted(names)) or sorted(names)[:5]
                raise PlanError(
                    f"filters: no {part} of the plan is {pattern!r}.", hint=f"Nearest: {', '.join(close)}."
                )
