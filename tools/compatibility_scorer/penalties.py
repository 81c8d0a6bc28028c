"""Points off 100, by name: what each is for, and how much it weighs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from ...hardware_db import MemoryKind, TargetClass
from ...hardware_db.derived import shared_ram
from ...hardware_db.errors import UsageError, nearest
from ..core.deployment import Deployment
from ..graph import ModelGraph
from ..graph.work_shares import work_shares
from ..memory_planner.memory_plan import MemoryPlan
from ..placement import speed
from ..placement.op_context import listed
from ..placement.operators import FALLBACK, UNTOLD, Placed
from .compatibility_report import Penalty

ALL = 100.0

DEFAULT_WEIGHTS: Mapping[str, float] = {
    "unsupported_operators": 100.0,
    "does_not_fit": 100.0,
    "cpu_fallback": 60.0,
    "unknown_operators": 50.0,
    "software_float": 50.0,
    "unoptimized_kernels": 40.0,
    "untold_placement": 30.0,
    "external_memory": 10.0,
}
"""Points that a penalty takes off where it concerns all of the work; a share of the work takes its share.

A model that cannot run scores 0 all the same, so the first two are fixed.
"""
_FIXED = frozenset({"unsupported_operators", "does_not_fit"})

_ON_CHIP = frozenset({TargetClass.MCU, TargetClass.DSP, TargetClass.NPU})
"""Classes that are meant to run from their own memory."""
_CAUSES = {
    FALLBACK: "cpu_fallback",
    UNTOLD: "untold_placement",
    speed.float_unit.__name__: "software_float",
    speed.instructions.__name__: "unoptimized_kernels",
    speed.portable_kernel.__name__: "unoptimized_kernels",
}
_WORDS = {
    "cpu_fallback": "of the work falls back to the CPU",
    "software_float": "of the work is floating point computed in software",
    "unoptimized_kernels": "of the work runs on portable kernels",
    "unknown_operators": "of the work is in operators that may run or not",
    "untold_placement": "of the work runs on the accelerator or on the CPU, which no source tells",
}


def checked_weights(weights: Mapping[str, float] | None) -> dict[str, float]:
    """The default weights with those given in their place.

    Raises:
        UsageError: no such penalty, or a weight that is not between 0 and 100.
    """
    for name, points in (weights or {}).items():
        adjustable = [known for known in DEFAULT_WEIGHTS if known not in _FIXED]
        if name in _FIXED:
            hint = f"Set one of: {', '.join(adjustable)}."
            raise UsageError(f"The weight of {name} is fixed: such a model scores 0.", hint=hint)
        if name not in DEFAULT_WEIGHTS:
            close = nearest(name, adjustable) or adjustable
            raise UsageError(f"There is no penalty {name!r}.", hint=f"Penalties: {', '.join(close)}.")
        number = isinstance(points, (int, float)) and not isinstance(points, bool)
        if not number or not math.isfinite(points) or not 0 <= points <= ALL:
            raise UsageError(f"A penalty {name} of {points!r} points cannot be.", hint="Give 0 to 100.")
    return {**DEFAULT_WEIGHTS, **(weights or {})}


def weights_from_text(texts: Iterable[str]) -> dict[str, float]:
    """Weights as people write them: `["cpu_fallback=80"]`.

    Raises:
        UsageError: no name, no number, or one that `checked_weights` refuses.
    """
    weights = {}
    for text in texts:
        name, _, points = text.partition("=")
        try:
            weights[name.strip()] = float(points)
        except ValueError:
            raise UsageError(f"{text!r} is no weight.", hint="Write it like cpu_fallback=80.") from None
    checked_weights(weights)
    return weights


def operator_penalties(
    placed: Sequence[Placed],
    elsewhere: Sequence[Placed],
    graph: ModelGraph,
    weights: Mapping[str, float],
    fallback_cost: float | None = None,
) -> list[Penalty]:
    """What the placements cost.

    Args:
        placed: of the main subgraph.
        elsewhere: of the others.
        graph: the model.
        weights: points by name.
        fallback_cost: how many times as long it takes as if the accelerator took every operator; falling back
            counts by the time or the work that it concerns, whichever is more, as operators without a MAC
            may take most of the time.
    """
    shares, _ = work_shares(graph)
    found = [p.kind for p in (*placed, *elsewhere) if p.supported is False]
    penalties = []
    if found:
        names = listed(sorted(set(found)))
        count = "one operator does" if len(found) == 1 else f"{len(found)} operators do"
        sentence = f"{count} not run: {names}"
        concerned_share = sum(
            share for operator, share in zip(placed, shares, strict=True) if operator.supported is False
        )
        penalties.append(_whole("unsupported_operators", sentence, float(concerned_share)))
    concerned: dict[str, float] = {}
    for operator, share in zip(placed, shares, strict=True):
        unknown = operator.supported is None
        name = "unknown_operators" if unknown else _CAUSES.get(operator.cause)
        if name is not None:
            least = 1 / len(placed) if unknown else 0.0
            concerned[name] = concerned.get(name, 0.0) + max(float(share), least)
    shared = [_shared(name, min(share, 1.0), weights) for name, share in concerned.items()]
    slower = _slower(fallback_cost, concerned.pop("cpu_fallback", 0.0), weights)
    if slower is not None:
        shared = [penalty for penalty in shared if penalty.name != slower.name] + [slower]
    return [*penalties, *(penalty for penalty in shared if penalty.points > 0)]


def memory_penalties(plan: MemoryPlan, deployment: Deployment, weights: Mapping[str, float]) -> list[Penalty]:
    """What the memory plan costs: all where something finds no place, some where it is beside the chip."""
    if plan.fits is False:
        return [_whole("does_not_fit", plan.why_not or "it finds no place in memory")]
    memories = deployment.target.memories
    own_flash = any(r.kind is MemoryKind.FLASH and not r.external for r in memories)
    outside = [
        use for use in plan.regions if use.external and (own_flash or "arena" in use.holds) and use.holds
    ]
    has_its_own = any(not region.external for region in shared_ram(deployment.target))
    if not outside or not has_its_own or deployment.target.target_class not in _ON_CHIP:
        return []
    sentence = listed(f"{listed(use.holds)} in {use.region}" for use in outside)
    points = round(weights["external_memory"], 1)
    reason = f"external memory holds {sentence}"
    return [Penalty(name="external_memory", points=points, reason=reason, weight=points)]


def applied(penalties: Sequence[Penalty]) -> tuple[Penalty, ...]:
    """The heaviest first, each taking what it weighs or what is left, so that 100 less all is the score."""
    left, taken = ALL, []
    for penalty in sorted(penalties, key=lambda penalty: -penalty.points):
        points = min(penalty.points, left)
        left = round(left - points, 1)
        taken.append(penalty.model_copy(update={"points": points}))
    return tuple(taken)


def _whole(name: str, reason: str, share: float = 1.0) -> Penalty:
    return Penalty(name=name, points=ALL, reason=reason, weight=ALL, share=share)


def _slower(cost: float | None, work: float, weights: Mapping[str, float]) -> Penalty | None:
    """By the share of the time that is lost, where that is more than the share of the work."""
    lost = time_lost(cost)
    if lost <= work:
        return None
    weight = weights["cpu_fallback"]
    reason = f"what falls back to the CPU makes it take {cost:.3g} times as long"
    return Penalty(
        name="cpu_fallback", points=round(weight * lost, 1), reason=reason, weight=weight, share=lost
    )


def time_lost(fallback_cost: float | None) -> float:
    """Share of the time, 0 to 1, that it would not take if the accelerator took every operator."""
    return 1.0 - 1.0 / fallback_cost if fallback_cost and fallback_cost > 1.0 else 0.0


def _shared(name: str, share: float, weights: Mapping[str, float]) -> Penalty:
    weight = weights[name]
    return Penalty(
        name=name,
        points=round(weight * share, 1),
        reason=f"{share:.1%} {_WORDS[name]}",
        weight=weight,
        share=share,
    )
