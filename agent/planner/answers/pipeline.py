"""Several networks on one board: what each takes, and all together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..bench import NOT_KNOWN, Answering, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from ..words import spoken
from .energies import life, sized
from .judging import ANY_RUNTIME, ANY_TARGET
from .phrases import VERDICT_WORDS, ask_model, figure, joined, lines, said, sentence, table

_MOST_ROWS = 6


def asks(query: Query, wants: Sequence[Want]) -> bool:
    """Whether several networks are to be added up on each of the boards, rather than compared."""
    several = len(set(query.all(Role.MODEL))) > 1 and query.has(Role.TARGET)
    if not several or at_own_rates(query) or not spoken("together", query.question):
        return False
    chooses_network = "which" in query.asks and len(set(query.all(Role.TARGET))) == 1
    added = bool(_ADDED & set(wants)) and "networks" in spoken("together", query.question)
    return added and not chooses_network


_ADDED = frozenset((Want.PIPELINE, Want.MEETS, Want.FITS, Want.LATENCY, Want.THROUGHPUT, Want.RECOMMEND))


@dataclass(frozen=True)
class _Board:
    """All networks on one target, one after the other."""

    plans: Sequence[Record]
    times: Sequence[Record]

    @property
    def total(self) -> str:
        """The sum of their times, shown; empty where one is not known."""
        known = all(record.knows("latency_ms") for record in self.times) and self.times
        return f"{{{{{'+'.join(f'{record.id}.latency_ms' for record in self.times)}|ms~}}}}" if known else ""

    def sum_ms(self, end: int) -> float:
        """Of the lower ends, or the upper ones; endless where one is not known."""
        return sum((record.ends("latency_ms") or (math.inf,) * 2)[end] for record in self.times)

    @property
    def middle_ms(self) -> float:
        return sum(record.number("latency_ms") or math.inf for record in self.times)

    @property
    def fits(self) -> bool:
        return all(plan["fits"] for plan in self.plans)

    def level(self, most_ms: float | None) -> str:
        if not self.fits or (most_ms and self.sum_ms(0) > most_ms):
            return "FAIL"
        if most_ms is None or self.sum_ms(1) <= most_ms:
            return "PASS"
        return "MARGINAL" if self.middle_ms <= most_ms else "UNKNOWN"


_DO = {
    "PASS": "surely makes it", "MARGINAL": "probably makes it", "UNKNOWN": "hardly makes it",
    "FAIL": "does not make it",
}  # fmt: skip
_LIMITS = {"PASS": "yes", "MARGINAL": "probably", "UNKNOWN": "probably not", "FAIL": "no"}


def pipeline(query: Query, wants: Sequence[Want]) -> Answering:
    """Flash and times added, RAM apart or in turn, against what there is and what was demanded."""
    models = list(dict.fromkeys(query.all(Role.MODEL)))[:_MOST_ROWS]
    if len(models) < 2:
        return ask_model(
            "For several networks on one board I add their times and flash; RAM they share or take apart."
        )
    if at_own_rates(query):
        return (yield from _at_rates(query, models))
    boards: list[_Board] = []
    targets = list(dict.fromkeys(query.all(Role.TARGET)))
    placed = query if targets else query.put(Role.RUNTIME, ANY_RUNTIME)
    for target in targets or [ANY_TARGET]:
        plans, times = list[Record](), list[Record]()
        for model in models:
            one = {"model": model, "target": target}
            plans.append(needed((yield call_of("plan_memory", placed, **one))))
            times += [(yield call_of("estimate_performance", placed, **one))] if targets else []
        boards.append(_Board(plans, times))
    names = [model.rpartition("/")[2] for model in models]
    if len(boards) > 1:
        return _on_several(query, names, boards)
    return _on_one(query, names, boards[0], time_first=Want.LATENCY in wants and Want.FITS not in wants)


def _deadline(query: Query) -> tuple[float | None, str]:
    """By when all of them have to be done, in words too."""
    rate = query.number(Role.RATE_HZ)
    most = query.number(Role.LATENCY_MS) or (1e3 / rate if rate else None)
    return most, said(query, Role.LATENCY_MS, Role.RATE_HZ)


def _on_several(query: Query, names: Sequence[str], boards: Sequence[_Board]) -> str:
    """Which board does all of it in time, the surest first."""
    most, words = _deadline(query)
    order = sorted(boards, key=lambda one: (list(_DO).index(one.level(most)), one.middle_ms))
    rows, told = list[list[str]](), list[str]()
    for one in order:
        target, level = one.plans[0].ref("deployment.target"), one.level(most)
        room = " with most room" if most and not told and level in ("PASS", "MARGINAL") else ""
        does = f"{_DO[level]}{room}, with" if most else "takes"
        told.append(f"{target} {does} {one.total or NOT_KNOWN}" if one.fits else f"not all fit on {target}")
        arena, flash = f"{{{{{_shared(one.plans)}|KiB}}}}", _flash(one.plans)
        each = (record.ref("latency_ms", "~") for record in one.times)
        rows.append([target, one.total, *each, arena, flash, *([_LIMITS[level]] if most else [])])
    of = f"{joined(names)} one after the other{f', against {words}' if most else ''}"
    head = ["board", "all", *names, "arena", "flash", *(["limits"] if most else [])]
    note = f"With {joined(dict.fromkeys(str(one.plans[0]['deployment']['runtime']) for one in order))}."
    return lines(f"{'; '.join(told)}: {of}.", table(head, rows), f"{note} RAM is shared, code counted once.")


def _on_one(query: Query, names: Sequence[str], board: _Board, *, time_first: bool) -> str:
    plans, times = board.plans, board.times
    anywhere = not times
    arenas = ",".join(f"{plan.id}.arena_bytes" for plan in plans)
    apart, shared = f"{{{{sum({arenas})|KiB}}}}", f"{{{{{_shared(plans)}|KiB}}}}"
    largest = max(plans, key=lambda plan: plan.number("arena_bytes") or 0.0)
    own = said(query, Role.RAM_BYTES)
    ram = f" of {own}" if own else _room(largest, "arena", anywhere=anywhere)
    flash = f" of {said(query, Role.FLASH_BYTES)}" if query.has(Role.FLASH_BYTES) else ""
    where = "" if anywhere else f" on {query.text(Role.TARGET)}"
    most, words = _deadline(query)
    word, level = _word(query, board, anywhere=anywhere), board.level(most)
    if most and times and word == "Yes, ":
        word = "Probably not: " if level == "UNKNOWN" else f"{VERDICT_WORDS[level]}: "
    total = f"{board.total} one after the other" if board.total else ""
    against = f", against {words}," if most else ""
    timed = f"take {total}{against} " if total and (most or time_first) else ""
    first = (
        f"{word}{joined(names)} together{where} {timed}{'and ' if timed else ''}take {shared} of RAM{ram} "
        f"where they share one arena ({apart} apart), {_flash(plans)}{flash} of flash"
        f"{f', {total}' if total and not timed else ''}."
    )
    head = ["network", "arena", "model", *(["latency"] if times else [])]
    cells = [
        [name, plan.ref("arena_bytes", "KiB"), plan.ref("model_bytes", "KiB"),
         *([times[i].ref("latency_ms", "~")] if times else [])]
        for i, (name, plan) in enumerate(zip(names, plans, strict=True))
    ]  # fmt: skip
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
    if anywhere or region is None:
        return ""
    alike = [row["region"] for row in plan["regions"] if row["kind"] in _OF_TENSORS and not row["external"]]
    sizes = ",".join(f"{plan.id}.regions[{name}].size_bytes" for name in alike)
    name = region["region"]
    whole = f" in {name}, of {{{{sum({sizes})|KiB}}}} in all," if name in alike and len(alike) > 1 else ""
    return f" of {plan.ref(f'regions[{name}].size_bytes')}{whole}"


_OF_TENSORS = ("sram", "dtcm", "ccm")
"""RAM on the chip that an arena can lie in."""


def _word(query: Query, board: _Board, *, anywhere: bool) -> str:
    """Yes or no where there is a room to hold them against."""
    ram, flash, plans = query.number(Role.RAM_BYTES), query.number(Role.FLASH_BYTES), board.plans
    if ram is None and flash is None:
        return "" if anywhere else "Yes, " if board.fits else "No, not each goes in: "
    kept = sum(plan.number("arena_persistent_bytes") or 0.0 for plan in plans)
    arena = kept + max(
        (plan.number("arena_bytes") or 0.0) - (plan.number("arena_persistent_bytes") or 0.0) for plan in plans
    )
    held = sum(plan.number("model_bytes") or 0.0 for plan in plans) + max(
        plan.number("code_bytes") or 0.0 for plan in plans
    )
    return "Yes, " if (ram is None or arena <= ram) and (flash is None or held <= flash) else "No, "
