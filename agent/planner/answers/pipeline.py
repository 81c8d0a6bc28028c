"""Several networks on one board: what each takes, and all together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from .energies import life, sized
from .judging import ANY_RUNTIME, ANY_TARGET
from .phrases import VERDICT_WORDS, ask_model, figure, joined, lines, said, sentence, table

_MOST_ROWS = 6


def pipeline(query: Query, _wants: Sequence[Want]) -> Answering:
    """Flash and times added, RAM apart or in turn, against what there is and what was demanded."""
    models = list(dict.fromkeys(query.all(Role.MODEL)))[:_MOST_ROWS]
    if len(models) < 2:
        return ask_model(
            "For several networks on one board I add their times and flash; RAM they share or take apart."
        )
    if at_own_rates(query):
        return (yield from _at_rates(query, models))
    anywhere = not query.has(Role.TARGET)
    placed = query.put(Role.TARGET, ANY_TARGET).put(Role.RUNTIME, ANY_RUNTIME) if anywhere else query
    plans: list[Record] = []
    times: list[Record] = []
    for model in models:
        plans.append(needed((yield call_of("plan_memory", placed, model=model))))
        if not anywhere:
            times.append((yield call_of("estimate_performance", placed, model=model)))
    names = [model.rpartition("/")[2] for model in models]
    arenas = ",".join(f"{plan.id}.arena_bytes" for plan in plans)
    flashes = _flash(plans)
    apart, shared = f"{{{{sum({arenas})|KiB}}}}", f"{{{{{_shared(plans)}|KiB}}}}"
    word = _word(query, plans, anywhere=anywhere)
    ram = (
        f" of {said(query, Role.RAM_BYTES)}"
        if query.has(Role.RAM_BYTES)
        else _room(plans[0], "arena", anywhere=anywhere)
    )
    flash = f" of {said(query, Role.FLASH_BYTES)}" if query.has(Role.FLASH_BYTES) else ""
    where = "" if anywhere else f" on {query.text(Role.TARGET)}"
    known = [record for record in times if record.knows("latency_ms")]
    total = ""
    if known and len(known) == len(models):
        total = f", {{{{{'+'.join(f'{record.id}.latency_ms' for record in known)}|ms~}}}} one after the other"
    first = (
        f"{word}{joined(names)} together{where} take {shared} of RAM{ram} where they share one arena "
        f"({apart} apart), {flashes}{flash} of flash{total}."
    )
    head = ["network", "arena", "model", *(["latency"] if times else [])]
    cells = [
        [
            name,
            plan.ref("arena_bytes", "KiB"),
            plan.ref("model_bytes", "KiB"),
            *([times[i].ref("latency_ms", "~")] if times else []),
        ]
        for i, (name, plan) in enumerate(zip(names, plans, strict=True))
    ]
    note = f"With {plans[0].ref('deployment.runtime')}; its code is counted once." + (
        " The time needs a board: name one." if anywhere else ""
    )
    return lines(first, table(head, cells), note)


def at_own_rates(query: Query) -> bool:
    """Several networks on one board, each with a rate, or one rate for all of them."""
    models, rates = len(set(query.all(Role.MODEL))), len(query.all(Role.RATE_HZ))
    return 1 < models <= _MOST_ROWS and rates in (1, models) and len(set(query.all(Role.TARGET))) == 1


def _at_rates(query: Query, models: Sequence[str]) -> Answering:
    """Memory, time and energy of all together; the figures are those of `edgewright pipeline`."""
    query, note = sized(query)
    rates = [slot.number for slot in query.slots if slot.role is Role.RATE_HZ]
    pairs = zip(models, rates if len(rates) > 1 else rates * len(models), strict=True)
    plan = [f"{model}@{rate:.12g}/s" for model, rate in pairs]
    asked = call_of("analyze_pipeline", query, plan=plan)
    record = needed((yield replace(asked, used=asked.used | {Role.MODEL, Role.RATE_HZ})))
    names = joined(model.rpartition("/")[2] for model in models)
    first = sentence(
        f"{VERDICT_WORDS[record['verdict']]}: {names} together on {record.ref('deployment.target')} compute "
        f"{record.ref('utilization', '%~')} of the time",
        f"take {record.ref('checks[ram].demand')} of {record.ref('checks[ram].bound')} of RAM in one arena "
        f"({record.ref('arena_apart')} apart)",
        f"and {record.ref('checks[flash].demand')} of {record.ref('checks[flash].bound')} of flash",
    )
    failing = [row for row in record["checks"] if row["verdict"] != "PASS" and row["name"] != "utilization"]
    reasons = [f"- {record.ref('checks[' + row['name'] + '].statement')}" for row in failing[:_MOST_REASONS]]
    helps = record.ref("checks[utilization].levers[#0].change")
    would = f"It would fit if you {helps}." if record.knows("checks[utilization].levers[#0].after") else ""
    rows = [
        [
            step["name"],
            record.ref(f"{at}.rate_hz"),
            record.ref(f"{at}.time_ms", "~"),
            record.ref(f"{at}.response_ms", "~"),
            record.ref(f"{at}.active_share", "%"),
        ]
        for step in record["steps"]
        for at in [f"steps[{step['name']}]"]
    ]
    head = ["network", "rate", "takes", "done at worst after", "of the time"]
    said_of_battery = _battery(query, record) or note
    return lines(first, would, *reasons, said_of_battery, table(head, rows), _LOOP)


_MOST_REASONS = 3
_LOOP = "One loop, each network runs to its end, the one with the higher rate first (`edgewright pipeline`)."


def _battery(query: Query, record: Record) -> str:
    """Life on the battery, else the power that it takes; neither where the rates cannot be met."""
    if record["battery"] is not None and record.knows("battery.life_days"):
        cell = said(query, Role.BATTERY, Role.CHARGE_MAH)
        return sentence(f"{cell} lasts {life(record, 'battery.life_days')}")
    wanted = Want.BATTERY_LIFE in query.wants or Want.POWER in query.wants or query.has(Role.BATTERY)
    if not wanted:
        return ""
    if not record.knows("average_power_mw"):
        missing = " and ".join(record["missing"]) if record["missing"] else ""
        why = f"it takes {missing}" if missing else "these rates cannot be met"
        return f"How long a battery lasts is not known: {why}."
    main = f"On average they draw {figure(record, 'average_power_mw')}, {record.ref('charge_mah')} a day"
    return f"{main}. Name a battery, such as CR2032, for how long it lasts."


def _flash(plans: Sequence[Record]) -> str:
    """Each model, and the largest code once: the kernels are the same."""
    models = "+".join(f"{plan.id}.model_bytes" for plan in plans)
    codes = ",".join(f"{plan.id}.code_bytes" for plan in plans if plan.number("code_bytes"))
    return f"{{{{{models}{f'+max({codes})' if codes else ''}|KiB}}}}"


def _shared(plans: Sequence[Record]) -> str:
    """What all keep, and the most that one needs beside; where that is not told apart, the largest arena."""
    parts = ("arena_persistent_bytes", "arena_nonpersistent_bytes")
    if not all(plan.knows(*parts) for plan in plans):
        return f"max({','.join(f'{plan.id}.arena_bytes' for plan in plans)})"
    kept, beside = (",".join(f"{plan.id}.{part}" for plan in plans) for part in parts)
    return f"sum({kept})+max({beside})"


def _room(plan: Record, holds: str, *, anywhere: bool) -> str:
    region = next((row for row in plan["regions"] if holds in row["holds"]), None)
    return (
        ""
        if anywhere or region is None
        else f" of {plan.ref('regions[' + region['region'] + '].size_bytes')}"
    )


def _word(query: Query, plans: Sequence[Record], *, anywhere: bool) -> str:
    """Yes or no where there is a room to hold them against."""
    ram, flash = query.number(Role.RAM_BYTES), query.number(Role.FLASH_BYTES)
    if ram is None and flash is None:
        return (
            "" if anywhere else "Yes, " if all(plan["fits"] for plan in plans) else "No, not each goes in: "
        )
    kept = sum(plan.number("arena_persistent_bytes") or 0.0 for plan in plans)
    arena = kept + max(
        (plan.number("arena_bytes") or 0.0) - (plan.number("arena_persistent_bytes") or 0.0) for plan in plans
    )
    held = sum(plan.number("model_bytes") or 0.0 for plan in plans) + max(
        plan.number("code_bytes") or 0.0 for plan in plans
    )
    return "Yes, " if (ram is None or arena <= ram) and (flash is None or held <= flash) else "No, "
