"""Weights against the memory of an accelerator that keeps them: what does not go in is fetched each time."""

from __future__ import annotations

import re
from collections.abc import Generator

from ....hardware_db.links import LANE_BYTES_PER_S, LinkKind
from ..bench import Answering, Call, Record, call_of
from ..query import Query, Role
from ..want import Want
from ..words import patterns
from .templates import put

_KEEPS_WEIGHTS = ("tpu-sram", "cnn-weights")
"""Regions of an accelerator that hold nothing but weights."""
_RUNTIMES = frozenset(("edgetpu", "ai8x"))
_KEPT = "ai8x"
"""Kernels that take their weights from there alone."""


def kept(query: Query) -> Answering:
    """How much of the weights stays on the chip between inferences; empty where that is not known."""
    plan, room = yield from _room(query)
    if plan is None:
        return ""
    weights, size = plan.number("parameter_bytes") or 0.0, plan.number(room) or 0.0
    most = f"on the chip in part: {{{room}}} of its {{parameter_bytes}} of weights"
    return put("on the chip, all of its {parameter_bytes} of weights" if weights <= size else most, plan)


def spilled(query: Query, *, asked: bool = False) -> Answering:
    """What of the weights does not go in, and what fetching it costs at least; empty where all does.

    Args:
        asked: says it too where they go in.
    """
    plan, room = yield from _room(query)
    if plan is None:
        return ""
    chip, runtime = (yield call_of("get_target", query)), _runtime(query)
    if (plan.number("parameter_bytes") or 0.0) <= (plan.number(room) or 0.0):
        fits = f"Its {{parameter_bytes}} of weights go into the {{{room}}} that the chip keeps of them."
        return put(fits, plan) if asked else ""
    over = f"parameter_bytes-{room}"
    inside = room.replace("size_bytes", "bandwidth_bytes_per_s")
    link = "links[#0].bytes_per_s" if chip["links"] else inside
    first = f"Its {{parameter_bytes}} of weights exceed the {{{room}}} that the chip keeps of them"
    cost = f"[, at least {{({over})/chip.{link}|ms}} by the bandwidth of its link]"
    if says_usb_2(query) and chip["links"]:
        slower = (chip.number(link) or 0.0) / LANE_BYTES_PER_S[LinkKind.USB, 2]
        cost += f"[, and at least {{({over})/chip.{link}*{slower:.6f}|ms}} over USB 2.0]"
    streamed = f": {{{over}|MiB}} are fetched again at each inference{cost}."
    return put(
        f"{first}{', so it does not run there as it is.' if runtime == _KEPT else streamed}", plan, chip=chip
    )


def of_cache(query: Query, spill: str) -> str:
    """The same as a yes or no, where it is asked whether the network goes into that memory."""
    asked = Want.FITS in query.wants and re.search(r"\b(?:cache|on[- ]chip|sram)\b", query.question, re.I)
    word = "No" if " exceed " in spill else "Yes"
    return f"{word}: {spill[0].lower()}{spill[1:]}" if spill and asked else ""


def says_usb_2(query: Query) -> bool:
    """Whether it hangs on a USB 2.0 port, or that is asked about."""
    return any("2" in found[0] for found in _USB.finditer(query.question))


_USB = patterns("generations")["usb"]


def _runtime(query: Query) -> str:
    target = query.targets.get(query.text(Role.TARGET))
    return query.text(Role.RUNTIME) or (target.runtimes[0] if target and target.runtimes else "")


def _room(query: Query) -> Generator[Call, Record, tuple[Record | None, str]]:
    """The plan and the path of the memory for weights; None where there is none, or no weights are known."""
    if _runtime(query) not in _RUNTIMES:
        return None, ""
    plan = yield call_of("plan_memory", query)
    region = next((row["region"] for row in plan["regions"] or () if row["region"] in _KEEPS_WEIGHTS), "")
    return (plan if region and plan.number("parameter_bytes") else None), f"regions[{region}].size_bytes"
