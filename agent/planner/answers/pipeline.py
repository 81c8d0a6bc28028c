"""Several networks on one board: what each takes, and all together."""

from __future__ import annotations

from collections.abc import Sequence

from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from .judging import ANY_RUNTIME, ANY_TARGET
from .phrases import ask_model, joined, lines, said, table

_MOST_ROWS = 6


def pipeline(query: Query, _wants: Sequence[Want]) -> Answering:
    """Flash and times added, RAM apart or in turn, against what there is and what was demanded."""
    models = list(dict.fromkeys(query.all(Role.MODEL)))[:_MOST_ROWS]
    if len(models) < 2:
        return ask_model(
            "For several networks on one board I add their times and flash; RAM they take in turn or apart."
        )
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
    apart, shared = f"{{{{sum({arenas})|KiB}}}}", f"{{{{max({arenas})|KiB}}}}"
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
        f"{word}{joined(names)} together{where} take {shared} of RAM{ram} where they share one arena in turn "
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


def _flash(plans: Sequence[Record]) -> str:
    """Each model, and the largest code once: the kernels are the same."""
    models = "+".join(f"{plan.id}.model_bytes" for plan in plans)
    codes = ",".join(f"{plan.id}.code_bytes" for plan in plans if plan.number("code_bytes"))
    return f"{{{{{models}{f'+max({codes})' if codes else ''}|KiB}}}}"


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
    arena = max(plan.number("arena_bytes") or 0.0 for plan in plans)
    held = sum(plan.number("model_bytes") or 0.0 for plan in plans) + max(
        plan.number("code_bytes") or 0.0 for plan in plans
    )
    return "Yes, " if (ram is None or arena <= ram) and (flash is None or held <= flash) else "No, "
