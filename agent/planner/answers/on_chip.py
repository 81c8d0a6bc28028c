"""Weights against the memory of an accelerator that keeps them: what does not go in is fetched each time."""

from __future__ import annotations

from ..bench import Answering, call_of
from ..query import Query, Role
from .templates import put

_KEEPS_WEIGHTS = ("tpu-sram", "cnn-weights")
"""Regions of an accelerator that hold nothing but weights."""
_RUNTIMES = frozenset(("edgetpu", "ai8x"))
_KEPT = "ai8x"
"""Kernels that take their weights from there alone."""


def spilled(query: Query, *, asked: bool = False) -> Answering:
    """What of the weights does not go in, and what fetching it costs at least; empty where all does.

    Args:
        asked: says it too where they go in.
    """
    target = query.targets.get(query.text(Role.TARGET))
    runtime = query.text(Role.RUNTIME) or (target.runtimes[0] if target and target.runtimes else "")
    if runtime not in _RUNTIMES:
        return ""
    plan, chip = (yield call_of("plan_memory", query)), (yield call_of("get_target", query))
    region = next((row for row in plan["regions"] or () if row["region"] in _KEEPS_WEIGHTS), None)
    weights, size = plan.number("parameter_bytes"), float(region["size_bytes"]) if region else 0.0
    if region is None or not weights:
        return ""
    room = f"regions[{region['region']}].size_bytes"
    if weights <= size:
        fits = f"Its {{parameter_bytes}} of weights go into the {{{room}}} that the chip keeps of them."
        return put(fits, plan) if asked else ""
    over, link = f"parameter_bytes-{room}", f"chip.regions[{region['region']}].bandwidth_bytes_per_s"
    first = f"Its {{parameter_bytes}} of weights exceed the {{{room}}} that the chip keeps of them"
    cost = f"[, at least {{({over})/{link}|ms}} by the bandwidth of its link]"
    streamed = f": {{{over}|MiB}} are fetched again at each inference{cost}."
    return put(
        f"{first}{', so it does not run there as it is.' if runtime == _KEPT else streamed}", plan, chip=chip
    )
