"""What to change, what a change brings, and how far something can go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from .binding import best_batch, crossing
from .phrases import (
    allowed,
    ask_model,
    ask_target,
    assumed,
    is_known,
    joined,
    lines,
    model_shown,
    quantity,
    relaxed,
    subject,
)

_FIGURES = {"latency": "latency_ms", "energy": "energy_uj", "ram": "arena_bytes", "flash": "flash_bytes"}
_WORDS = {"latency": "time", "energy": "energy", "ram": "arena", "flash": "flash"}
_MOST = 3
_CHANGES = (Role.TECHNIQUE, Role.SIDE)
_SETTINGS = (Role.CLOCK_MHZ, Role.THREADS, Role.BATCH, Role.RUNTIME)


def optimise(query: Query) -> Answering:
    """The three changes that bring most, of those that the user did not rule out."""
    if not query.has(Role.MODEL):
        return ask_model("In general: int8, faster kernels, a smaller input or width, then a faster chip.")
    if not query.has(Role.TARGET):
        return ask_target(query)
    goal = query.text(Role.GOAL) or "latency"
    record = needed((yield call_of("simulate_optimizations", query, goal=goal, top=None)))
    figure, word = _FIGURES[goal], _WORDS[goal]
    options = [
        option
        for option in record["options"]
        if option["applicable"] and option["gain"].get(goal, 0) < 0 and allowed(query, option["effort"])
    ]
    options.sort(key=lambda option: option["gain"][goal])
    if not options:
        limits = " without " + joined(query.excluded) if query.excluded else ""
        return lines(
            f"Nothing that I simulate lowers its {word}{limits}: {subject(query, record)}.",
            assumed(query, record),
        )
    best = _option(options[0])
    before = f"{record.id}.{best}.before.{figure}"
    first = (
        f"{options[0]['technique']}: {word} {{{{{before}}}}} → {{{{{record.id}.{best}.after.{figure}}}}} "
        f"({options[0]['effort']}), {subject(query, record)}."
    )
    rest = [
        f"- {option['technique']} ({option['effort']}): {{{{{record.id}.{_option(option)}.after.{figure}}}}}"
        for option in options[1:_MOST]
    ]
    risk = options[0]["effort"] == "retraining"
    return lines(
        first,
        "Next best, each alone:" if rest else "",
        *rest,
        f"Accuracy at risk: {record.ref(best + '.accuracy_risk')}." if risk else "",
        assumed(query, record),
    )


def _option(option: Mapping[str, Any]) -> str:
    return f"options[{option['technique']}]"


def whatif(query: Query) -> Answering:
    """Before and after of the changes that were named, alone."""
    if not query.has(Role.MODEL):
        return ask_model()
    if not query.has(Role.TARGET):
        return ask_target(query)
    said = []
    record: Record | None = None
    techniques = _techniques(query)
    if not techniques and query.has(*_SETTINGS):
        return (yield from setting(query))
    if "both" in query.asks and len(techniques) > 1:
        return (yield from _together(query, techniques[:_MOST]))
    for technique in techniques[:_MOST]:
        found = yield call_of("simulate_optimizations", query, technique=technique, goal="latency")
        if found.result is None:
            said.append(f"{technique}: {found.error}")
            continue
        record = found
        said.append(_brings(record))
    if record is None:
        return lines(*said) or "Name a change: int8, prune-30, input-64x64, width-50 or a clock."
    said[0] = said[0].rstrip(".") + f": {subject(query.without([Role.DTYPE, Role.SIDE]), record)}."
    return lines(*said, assumed(query, record))


def setting(query: Query) -> Answering:
    """Another clock, batch, number of threads or kernel library, against what it was without it."""
    own = [role for role in _SETTINGS if query.says(role)] or [role for role in _SETTINGS if query.has(role)]
    role = own[0]
    after = needed((yield call_of("estimate_performance", query)))
    before = needed((yield call_of("estimate_performance", query.without([role]))))
    one, other = f"{after.id}.latency_ms", f"{before.id}.latency_ms"
    if role is Role.BATCH:
        one, other = f"{one}/{after.id}.deployment.batch", f"{other}/{before.id}.deployment.batch"
    each = " an image" if role is Role.BATCH else ""
    spent = ""
    if "energy" in query.asks and is_known(after, "energy_uj") and is_known(before, "energy_uj"):
        spent = f"Energy: {quantity(after, 'energy_uj')} instead of {before.ref('energy_uj')}."
    return lines(
        f"{{{{{one}|ms}}}}{each} instead of {{{{{other}|ms}}}}, {{{{{one}/({other})|x}}}} the time: "
        f"{subject(query, after)}.",
        f"In all {quantity(after, 'latency_ms')}."
        if role is Role.BATCH
        else f"Interval: {quantity(after, 'latency_ms')}.",
        spent,
        assumed(query, after),
    )


def _together(query: Query, techniques: list[str]) -> Answering:
    """Several changes as one."""
    record = needed((yield call_of("simulate_optimizations", query, technique=techniques, goal="latency")))
    if record["combined"] is None:
        return lines("They cannot be combined: one of them does not apply.", assumed(query, record))
    return lines(
        f"{_brings(record, 'combined').rstrip('.')}: {subject(query, record)}.", assumed(query, record)
    )


def _techniques(query: Query) -> list[str]:
    """As they were named, with figures before words: prune 30 % is not half."""
    own = [
        slot for slot in query.slots if slot.role in _CHANGES and (not slot.inherited or "both" in query.asks)
    ]
    named = [str(slot.value) for slot in own if slot.role is Role.TECHNIQUE]
    exact = {name.partition("-")[0] for name in named if name[-1].isdigit() and "-50" not in name}
    kept = [name for name in named if not (name.endswith("-50") and name.partition("-")[0] in exact)]
    kept += [f"input-{slot.number:g}x{slot.number:g}" for slot in own if slot.role is Role.SIDE]
    return list(dict.fromkeys(kept)) or list(query.all(Role.TECHNIQUE))


def _brings(record: Record, path: str = "options[#0]") -> str:
    option = record["combined"] if path == "combined" else record["options"][0]
    name = record.ref(f"{path}.technique")
    if not option["applicable"]:
        return f"{name} does not apply: {record.ref(path + '.reason')}."
    before, after = f"{record.id}.{path}.before", f"{record.id}.{path}.after"
    time = f"{{{{{before}.latency_ms}}}} → {{{{{after}.latency_ms|~}}}}"
    arena = f"arena {{{{{before}.arena_bytes}}}} → {{{{{after}.arena_bytes}}}}"
    flash = f"flash {{{{{before}.flash_bytes}}}} → {{{{{after}.flash_bytes}}}}"
    return f"{name} ({option['effort']}) brings {time}, {arena}, {flash}."


def furthest(query: Query) -> Answering:
    """As far as the variable goes within the limits, and what binds there."""
    if not query.has(Role.MODEL):
        return ask_model()
    if not query.has(Role.TARGET):
        return ask_target(query)
    if "batch" in query.asks and not query.says(Role.LATENCY_MS, Role.RATE_HZ, Role.RAM_BYTES):
        return (yield from crossing(query) if "bound_at" in query.asks else best_batch(query))
    variable = _variable(query)
    record = needed((yield call_of("find_limit", query, variable=variable)))
    if not record["feasible"] or record["value"] is None:
        return lines(
            f"None: {record.ref('statement')}, {subject(query, record)}{_beyond(record)}.",
            *relaxed(record),
            assumed(query, record),
        )
    figures = ""
    if record["at"] and record["at"]["figures"]["latency_ms"]["value"] is not None:
        figures = f" There one inference takes {record.ref('at.figures.latency_ms', '~')}."
    return lines(
        f"At the limit: {record.ref('statement')}.{figures}",
        f"For {subject(query, record)}.",
        assumed(query, record),
    )


def _variable(query: Query) -> str:
    named = query.all(Role.VARIABLE)
    bound = {"ram": Role.RAM_BYTES, "rate": Role.RATE_HZ, "clock": Role.CLOCK_MHZ}
    free = [name for name in named if name not in bound or not query.says(bound[name])]
    return next(iter(free), "rate" if not query.has(Role.RATE_HZ) else "input")


def _beyond(record: Record) -> str:
    """Why even the furthest does not do."""
    beyond = record["beyond"]
    if not beyond or not beyond["reasons"]:
        return ""
    return f"; at {record.ref('beyond.told')}: {record.ref('beyond.reasons[#0]')}"


def clock(query: Query) -> Answering:
    """The lowest clock that meets a limit, and the one that needs the least energy."""
    if not query.has(Role.MODEL):
        return ask_model()
    if not query.has(Role.TARGET):
        return ask_target(query)
    if query.has(Role.LATENCY_MS, Role.RATE_HZ):
        return (yield from furthest(query.put(Role.VARIABLE, "clock")))
    record = needed((yield call_of("sweep_frequency", query)))
    if record["best_energy_mhz"] is None:
        return lines(
            f"Unknown: no power of {record.ref('deployment.target')} is known.", assumed(query, record)
        )
    step = f"steps[{record['best_energy_mhz']:g}]"
    first = f"{record.ref('best_energy_mhz')} needs the least energy: {subject(query, record)}"
    energy = (
        f", {record.ref(step + '.energy_uj', '~')} an inference"
        if is_known(record, "best_energy_mhz")
        else ""
    )
    why = f"It rests on {record.ref('power_origin')}."
    return lines(f"{first}{energy}.", why)


def order(query: Query) -> Answering:
    """Whether another order of the operators lowers the peak."""
    if not query.has(Role.MODEL):
        return ask_model()
    if not query.has(Role.TARGET):
        return ask_target(query)
    record = needed((yield call_of("best_memory_order", query)))
    peak = f"The peak is {record.ref('before.peak_bytes')}"
    if record["saved_by_order_bytes"] or record["saved_by_packing_bytes"]:
        peak += f", {record.ref('after.peak_bytes')} in the best order"
    return lines(f"{record.ref('advice')}", f"{peak}: {subject(query, record)}.", assumed(query, record))


def timeline(query: Query) -> Answering:
    """Where the peak is, what makes it, and what would lower it."""
    if not query.has(Role.MODEL):
        return ask_model()
    if not query.has(Role.TARGET):
        return ask_target(query)
    record = needed((yield call_of("plan_memory", query)))
    first = (
        f"The peak is in layer {record.ref('peak_layer.index')} ({record.ref('peak_layer.op')}), "
        "where the arena takes "
        f"{quantity(record, 'arena')}: {subject(query, record)}."
    )
    tensors = [
        record.ref(f"peak_tensors[#{i}].bytes", "KiB") for i in range(min(3, len(record["peak_tensors"])))
    ]
    live = f"Alive there are {joined(tensors)}." if tensors else ""
    more = (
        f"`edgewright timeline {model_shown(query)} -t {query.text(Role.TARGET)}` draws it "
        "operator by operator."
    )
    return lines(first, live, more, assumed(query, record))
