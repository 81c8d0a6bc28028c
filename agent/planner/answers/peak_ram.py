"""Why a network takes the RAM that it takes: what is alive at its peak, and what stays for good."""

from __future__ import annotations

from collections.abc import Sequence

from ..bench import Answering, Record, call_of, needed
from ..query import LIMITS, Query, Role
from ..want import Want
from ..words import patterns
from .phrases import ASSUMED, joined, language_models, model_shown

_SAYS = patterns("peak_ram")

_MOST = 5
"""Tensors that are told."""


def asks(query: Query, wants: Sequence[Want]) -> bool:
    """Whether it is asked why the RAM of one network is so much, or what takes it."""
    alone = set(wants) <= {Want.RAM, Want.LAYERS, Want.CONCEPT, Want.PLAUSIBLE, Want.PLACEMENT}
    one = alone and len(set(query.all(Role.MODEL))) == 1 and len(set(query.all(Role.TARGET))) < 2
    causes = Want.RAM in wants[:1] and "why" in query.asks
    layers = {Want.RAM, Want.LAYERS} <= set(wants[:2]) and _SAYS["made_of"].search(query.question) is not None
    return one and (causes or layers) and not language_models(query) and not query.says(*LIMITS)


def why(query: Query, _wants: Sequence[Want]) -> Answering:
    """The tensors that are alive at the peak, against the largest of them; weights are in flash."""
    plan = needed((yield call_of("plan_memory", query)))
    if not plan["peak_layer"] or not plan["peak_tensors"]:
        return f"I cannot tell what makes the peak of {model_shown(query)} there."
    alive = tensors(plan, "peak_tensors", _MOST)
    largest = max(range(len(plan["tensors"])), key=lambda i: plan["tensors"][i]["bytes"])
    alone = plan.ref(f"tensors[#{largest}].bytes")
    gaps, stays = f"{plan.id}.arena_nonpersistent_bytes-{plan.id}.lower_bound_bytes", "arena_persistent_bytes"
    spare = (plan.number("arena_nonpersistent_bytes") or 0) > (plan.number("lower_bound_bytes") or 0)
    rest = [f"{{{{{gaps}|KiB}}}} of gaps between places, which no tensor fills"] if spare else []
    rest += [f"{plan.ref(stays)} of structures that stay{_structures(plan)}"] if plan.number(stays) else []
    of_flash = (row for row in plan["regions"] if row["kind"] == "flash")
    in_flash = " in flash" if any("weights" in row["holds"] for row in of_flash) else " beside it"
    return "\n".join((
        f"Activations, not weights: {plan.ref('arena')} of arena, as what is alive at once has to lie there, "
        f"not the largest tensor alone ({alone}): {model_shown(query)} on {plan.ref('deployment.target')}.",
        f"The peak is at {peak(plan)}, where these are alive: {joined([alive, *rest], 'beside')}.",
        f"The {plan.ref('parameter_bytes')} of weights lie{in_flash} and take none of it. "
        "`edgewright timeline MODEL -t TARGET` draws it.",
        f"{ASSUMED}{plan.ref('deployment.runtime')}." if not query.has(Role.RUNTIME) else "",
    )).rstrip()  # fmt: skip


def peak(plan: Record) -> str:
    return f"layer {plan.ref('peak_layer.index')} ({plan.ref('peak_layer.op')})"


def tensors(plan: Record, of: str, most: int) -> str:
    """The largest tensors of a list of the plan: which layer writes each, and how long it lives."""
    rows = sorted(enumerate(plan[of] or ()), key=lambda row: -row[1]["bytes"])[:most]
    ops = {step["index"] for step in plan["timeline"] or ()}
    told = []
    for path, row in ((f"{of}[#{i}]", row) for i, row in rows):
        first, last = plan.ref(f"{path}.first_op"), plan.ref(f"{path}.last_op")
        step = f"timeline[{row['first_op']}].op"
        op = f" ({plan.ref(step)})" if row["first_op"] in ops else ""
        whose = "of scratch" if row["tensor"] is None else f"of layer {first}{op} until layer {last}"
        told.append(f"{plan.ref(f'{path}.bytes')} {whose}")
    return joined(told)


def _structures(plan: Record) -> str:
    parts = plan["arena_persistent_parts"] or ()
    most = max(range(len(parts)), key=lambda i: parts[i]["bytes"], default=None)
    if most is None:
        return ""
    path = f"arena_persistent_parts[#{most}]"
    return f", most of it {plan.ref(path + '.what')} ({plan.ref(path + '.bytes')})"
