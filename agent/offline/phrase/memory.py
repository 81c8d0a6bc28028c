"""Arena, flash and where they lie."""

from __future__ import annotations

from ....tools.memory_planner.plan import MemoryPlan
from ..reading import Reading
from ..turns import Outcome
from .figures import bullets, bytes_of, layer, listed, size
from .subject import model_of, place_of

_TENSORS = 3


def phrase(outcome: Outcome, asked: Reading) -> list[str]:
    plan = MemoryPlan.model_validate(outcome.result)
    lead = (
        f"{model_of(outcome)} on {place_of(plan.deployment)} needs an arena of {bytes_of(plan.arena)} "
        f"and in flash {_flash(plan)}. {_fits(plan)}"
    )
    lines = [_parts(plan), *_peak(plan), *_regions(plan)]
    if plan.arena_bytes is not None and "arenasize" in asked.question.casefold().replace("_", ""):
        lead = f"Set kTensorArenaSize to {plan.arena_bytes} bytes or more. {lead}"
    return [lead, bullets([line for line in lines if line])]


def _flash(plan: MemoryPlan) -> str:
    if plan.flash.value is None:
        return f"an unknown amount (the model alone {size(plan.model_bytes)})"
    return bytes_of(plan.flash)


def _fits(plan: MemoryPlan) -> str:
    if plan.fits is None:
        return f"Whether it finds a place there is unknown{': ' + plan.why_not if plan.why_not else ''}."
    return "It finds a place." if plan.fits else f"It finds no place: {plan.why_not}."


def _parts(plan: MemoryPlan) -> str:
    if plan.arena_nonpersistent_bytes is None or plan.arena_persistent_bytes is None:
        return ""
    return (
        f"of the arena, activations and scratch take {size(plan.arena_nonpersistent_bytes)}, "
        f"the interpreter's persistent data {size(plan.arena_persistent_bytes)}"
    )


def _peak(plan: MemoryPlan) -> list[str]:
    if plan.peak_layer is None:
        return []
    told = f"the peak is at {layer(plan.peak_layer.index, plan.peak_layer.op)}"
    alive = [
        f"{'scratch' if tensor.tensor is None else f'tensor {tensor.tensor}'} of {size(tensor.bytes)}"
        for tensor in plan.peak_tensors[:_TENSORS]
    ]
    return [f"{told}, where {listed(alive)} are alive" if alive else told]


def _regions(plan: MemoryPlan) -> list[str]:
    """Each region on its own: nothing spans two of them unless the plan says so."""
    return [
        f"region {use.region} ({use.kind}) holds {listed(list(use.holds))}: "
        f"{size(use.used_bytes)} of its {size(use.size_bytes)}"
        for use in plan.regions
        if use.holds
    ]
