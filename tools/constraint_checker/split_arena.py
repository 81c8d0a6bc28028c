"""Two arenas where one finds no room."""

from __future__ import annotations

from ..core.deployment import Deployment
from ..memory_planner.arrangements import arrangements
from ..memory_planner.memory_plan import MemoryPlan
from ..verdicts.verdict import Verdict
from .constraint_report import Check, Lever


def with_split_arena(check: Check, plan: MemoryPlan, deployment: Deployment, reserve: int) -> Check:
    """The check with two arenas in regions of their own as a lever, where one finds no room and two do."""
    nonpersistent = plan.arena_nonpersistent_bytes
    if check.verdict is not Verdict.FAIL or plan.arena_bytes is None or nonpersistent is None:
        return check
    reserved = plan.model_copy(update={"reserve_bytes": reserve})
    apart = [each for each in arrangements(reserved, deployment) if each.persistent and not each.external]
    if not apart:
        return check
    planned, kept = (" + ".join(r.id for r in run) for run in (apart[0].arena, apart[0].persistent))
    lever = Lever(
        change=f"two arenas: planned tensors in {planned}, the interpreter's data in {kept}",
        before=plan.arena_bytes,
        after=nonpersistent,
        unit=check.unit,
        closes_gap=True,
        effort="minutes",
    )
    return check.model_copy(update={"levers": (lever,)})
