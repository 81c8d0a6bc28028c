"""Whether it fits and meets limits, and what memory it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..bench import Answering, Record, call_of, needed
from ..intent import Intent
from ..query import LIMITS, Query, Role
from .phrases import (
    allowed,
    ask_model,
    ask_target,
    assumed,
    joined,
    lines,
    model_shown,
    quantity,
    subject,
    verdict_word,
)

ANY_TARGET, ANY_RUNTIME = "stm32h743zi", "tflm-cmsis-nn"
"""For TFLM's arena, which the chip does not change."""
_MOST_LEVERS, _LONGEST = 3, 120
_VERBS = {
    "PASS": ("fits", "meets that"),
    "MARGINAL": ("fits", "meets that"),
    "FAIL": ("does not fit", "does not meet that"),
    "UNKNOWN": ("fits", "meets that"),
}
"""Without and with limits beside memory."""
_TIMED = {"latency", "rate", "energy", "power"}
_TELL_TIME = {Intent.LATENCY, Intent.BOTTLENECK, Intent.ENERGY, Intent.BATTERY, Intent.COMPARE}
_ROOM = {"ram": "the arena takes", "flash": "the model takes"}


def fit(query: Query) -> Answering:
    """The verdict, with what decides it."""
    if not query.has(Role.MODEL):
        return ask_model("Then I tell whether it fits, how fast it is and what it draws.")
    if not query.has(Role.TARGET):
        return (
            (yield from memory(query)) if query.has(Role.RAM_BYTES, Role.FLASH_BYTES) else ask_target(query)
        )
    record = needed((yield call_of("check_constraints", query)))
    failing = [check for check in record["checks"] if check["verdict"] == record["verdict"] != "PASS"]
    reasons = "; and ".join(_statement(record, check) for check in failing[:2]) or "no figure is known"
    if record["verdict"] == "PASS":
        reasons = joined(_figures(query, record))
    timed_limits = query.has(Role.LATENCY_MS, Role.RATE_HZ, Role.ENERGY_UJ, Role.POWER_MW)
    verb = _VERBS[record["verdict"]][timed_limits]
    word = verdict_word(record["verdict"])
    if record["verdict"] == "UNKNOWN" and failing and failing[0]["demand"] is not None:
        below = failing[0]["bound"] is not None and failing[0]["demand"] <= failing[0]["bound"]
        word = "Probably, though not surely" if below else "Probably not, though not surely"
    first = f"{word}, {subject(query, record, verb)}: {reasons}."
    timed = "" if _is_timed(failing) else (yield from _how_fast(query, record))
    return lines(first, timed, *_levers(query, record, failing), assumed(query, record))


def _statement(record: Record, check: Mapping[str, Any]) -> str:
    if check["name"] == "operators" and len(check["statement"]) > _LONGEST:
        count = record.ref("checks[operators].demand")
        return f"{count} in {record.ref('deployment.runtime')}"
    return record.ref(f"checks[{check['name']}].statement")


def _is_timed(checks: Sequence[Mapping[str, Any]]) -> bool:
    return any(check["name"] in _TIMED for check in checks)


def _how_fast(query: Query, record: Record) -> Answering:
    """The time, unless it does not fit or the answer says it anyway."""
    said = record["verdict"] == "PASS" and query.has(Role.LATENCY_MS, Role.RATE_HZ)
    if record["verdict"] == "FAIL" or said or _TELL_TIME & set(query.intents):
        return ""
    estimate = yield call_of("estimate_performance", query)
    if estimate.result is None or estimate["latency_ms"]["value"] is None:
        return ""
    return f"One inference takes {quantity(estimate, 'latency_ms')}."


def _figures(query: Query, record: Record) -> Sequence[str]:
    """What was demanded first, then RAM and flash."""
    checks = {check["name"]: check for check in record["checks"]}
    asked = [role.value.rpartition("_")[0] for role in LIMITS if query.has(role)]
    names = [name for name in dict.fromkeys([*asked, "ram", "flash"]) if name in checks]
    return [_of_room(record, checks[name]) or _statement(record, checks[name]) for name in names][:3]


def _of_room(record: Record, check: Mapping[str, Any]) -> str:
    """How much of the memory that there is; empty for other checks and where either is unknown."""
    if check["name"] not in _ROOM or check["demand"] is None or check["bound"] is None:
        return ""
    path = f"checks[{check['name']}]"
    demand, bound = record.ref(f"{path}.demand"), record.ref(f"{path}.bound")
    with_code = any(term["name"] == "code" for term in check["terms"])
    what = "model and code take" if with_code else _ROOM[check["name"]]
    return f"{what} {demand} of {bound}"


def _levers(query: Query, record: Record, failing: Sequence[Mapping[str, Any]]) -> Sequence[str]:
    """What alone would close the gap, the least effort first."""
    found = []
    for check in failing:
        if check["verdict"] != "FAIL":
            continue
        for lever in check["levers"]:
            if lever["closes_gap"] and allowed(query, lever["effort"]):
                path = f"checks[{check['name']}].levers[{lever['change']}]"
                found.append(f"- {lever['change']} ({lever['effort']}): {record.ref(path + '.after')}")
    if not found and any(check["verdict"] == "FAIL" for check in failing):
        return ["No single change that I simulate closes the gap."]
    return ["Any of these alone would do:", *found[:_MOST_LEVERS]] if found else []


def memory(query: Query) -> Answering:
    """Arena and flash: how much, where, and against the bound that was named."""
    if not query.has(Role.MODEL):
        return ask_model()
    anywhere = not query.has(Role.TARGET)
    if anywhere:
        query = query.put(Role.TARGET, ANY_TARGET).put(Role.RUNTIME, ANY_RUNTIME)
    plan = needed((yield call_of("plan_memory", query)))
    if "placement" in query.asks and not anywhere:
        return _placement(query, plan)
    if "flash" in query.asks and not {"arena", "ram"} & query.asks:
        parts = f"{plan.ref('model_bytes')} model and {plan.ref('code_bytes')} code"
        return lines(
            f"{quantity(plan, 'flash')}, of flash: {subject(query, plan)} ({parts}).", assumed(query, plan)
        )
    bound = query.number(Role.RAM_BYTES)
    taken = query.number(Role.TAKEN_BYTES) or 0
    size = yield from _arena_to_write(query, plan)
    where = model_shown(query) if anywhere else subject(query, plan)
    first = f"{quantity(plan, 'arena')}, of RAM for the arena: {where}."
    if bound is not None:
        first = _against(query, plan, bound - taken, where)
    why = (
        f"It peaks in layer {plan.ref('peak_layer.index')} ({plan.ref('peak_layer.op')}); "
        f"{plan.ref('arena_nonpersistent_bytes')} are activations and scratch, "
        f"{plan.ref('arena_persistent_bytes')} "
        "the interpreter's own data."
    )
    last = "The arena is that of TFLM with CMSIS-NN; the board does not change it." if anywhere else ""
    return lines(first, _flash_against(query, plan), why, size, last or assumed(query, plan))


def _against(query: Query, plan: Record, room: float, where: str) -> str:
    said = next(slot.text for slot in query.slots if slot.role is Role.RAM_BYTES)
    fits = plan["arena_bytes"] <= room
    gap = f"{room:.0f}bytes-{plan.id}.arena_bytes" if fits else f"{plan.id}.arena_bytes-{room:.0f}bytes"
    over = "to spare" if fits else "too little"
    word = "Yes" if fits else "No"
    return (
        f"{word}, the arena takes {quantity(plan, 'arena')}, and {said} leave {{{{{gap}|KiB}}}} "
        f"{over}: {where}."
    )


def _flash_against(query: Query, plan: Record) -> str:
    """Model and code against the flash that was named."""
    bound = query.number(Role.FLASH_BYTES)
    if bound is None or plan["flash_bytes"] is None:
        return ""
    said = next(slot.text for slot in query.slots if slot.role is Role.FLASH_BYTES)
    fits = plan["flash_bytes"] <= bound
    return (
        f"Model and code take {quantity(plan, 'flash')}: {said} of flash "
        f"{'are' if fits else 'are not'} enough."
    )


def _arena_to_write(query: Query, plan: Record) -> Answering:
    """What one writes in the source: more than is planned, as setting up takes some."""
    if "arena" not in query.asks or not str(plan["deployment"]["runtime"]).startswith("tflm"):
        return ""
    code = yield call_of("firmware_code", query)
    if code.result is None or not code["arena_bytes"]:
        return ""
    return f"Write `kTensorArenaSize = {code.ref('arena_bytes', 'B')}`, as setting up takes a little more."


def _placement(query: Query, plan: Record) -> str:
    rows = plan["placements"]
    if not plan["fits"]:
        return lines(f"Nowhere as it is: {plan.ref('why_not')}.", assumed(query, plan))
    at = next((i for i, row in enumerate(rows) if row["is_planned"]), 0)
    others = [
        i for i, row in enumerate(rows) if i != at and not row["reason"] and row["arena"] != rows[at]["arena"]
    ]
    first = (
        f"Put the arena in {plan.ref(f'placements[#{at}].arena')}: it takes "
        f"{plan.ref('arena_bytes', 'KiB')} and runs "
        f"in {plan.ref(f'placements[#{at}].latency_ms', '~')} from there, {model_shown(query)}."
    )
    then = [
        f"in {plan.ref(f'placements[#{i}].arena')} it takes {plan.ref(f'placements[#{i}].added_ms')} longer"
        for i in others[:2]
    ]
    return lines(first, f"Otherwise {joined(then)}." if then else "", assumed(query, plan))
