"""Several networks on one board: what each takes, and all together or each alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ...patterns import compiled
from ..bench import NOT_KNOWN, Answering, Record, call_of, needed
from ..jobs import rates_of
from ..query import CELLS, LIMITS, Query, Role
from ..want import Want
from ..words import entries, spoken
from . import systems
from .energies import life
from .judging import ANY_RUNTIME, ANY_TARGET, less_flash
from .packs import sized
from .phrases import VERDICT_WORDS, ask_model, figure, joined, lines, said, sentence, table
from .templates import put

_MOST_ROWS, _MOST_REASONS = 6, 3
_RARELY_HZ = 1 / 3600
"""A rate at which nothing waits, for what they take together where none is said."""


def asks(query: Query, wants: Sequence[Want]) -> bool:
    """Whether several networks are to be added up on each of the boards, or judged each alone."""
    if len(set(query.all(Role.MODEL))) < 2 or at_own_rates(query) or _each_apart(query):
        return False
    together = spoken("together", query.question)
    if "alone" in together:
        return bool({Want.PIPELINE, Want.FITS, Want.MEETS} & set(wants))
    one = len(set(query.all(Role.TARGET))) == 1
    if not query.has(Role.TARGET) or not ("networks" in together or (one and Want.FITS in wants)):
        return False
    chooses_network = "which" in query.asks and one
    return bool(_ADDED & set(wants)) and not chooses_network


_ADDED = frozenset(
    (Want.PIPELINE, Want.MEETS, Want.FITS, Want.LATENCY, Want.THROUGHPUT, Want.RECOMMEND, Want.HOW_MANY)
)
_DO, _LIMITS = entries("does_in_time"), entries("is_in_time")


def at_own_rates(query: Query) -> bool:
    """Several networks, each with a rate, or on one board one rate for all of them."""
    models, boards = len(set(query.all(Role.MODEL))), len(set(query.all(Role.TARGET)))
    if not 1 < models <= _MOST_ROWS or not query.has(Role.RATE_HZ) or _each_apart(query):
        return False
    rates = query.all(Role.RATE_HZ)
    return boards > 0 and len(rates_of(query)) == models and (len(rates) == models or boards == 1)


def _each_apart(query: Query) -> bool:
    """Whether one of two is to be taken, or the same is asked of one and then of the other."""
    past = query.established[-1:] if not query.says(Role.MODEL) else ()
    one_rate = len(query.all(Role.RATE_HZ)) == 1
    chosen = "which" in query.asks and len(set(query.all(Role.TARGET))) == 1
    counted = Want.HOW_MANY in query.wants and not query.says(Role.DEVICES)
    if one_rate and (chosen or counted) and "networks" not in spoken("together", query.question):
        return True
    between = [_between(text, query) for text in (query.question, *(one.question for one in past))]
    return any(_EITHER.search(text) or (one_rate and _AGAIN.match(text)) for text in between)


def _between(text: str, query: Query) -> str:
    """What stands between the first network that is named and the last."""
    ends = sorted((text.find(s.text), len(s.text)) for s in query.slots if s.role is Role.MODEL and s.text)
    return text[ends[0][0] + ends[0][1] : ends[-1][0]] if len(ends) > 1 and ends[0][0] >= 0 else ""


_EITHER = compiled(r"\b(?:or|vs\.?|versus|otherwise|instead|fall ?back|down to)\b", re.I)
_AGAIN = compiled(r"(?:\s+\w[^,;.?]*)?[,;.?]?\s+and (?:how|what|with|for)\b|\s+\w[^,;.?]*[,;?]\s+and\b", re.I)
"""The question goes on to another network: ..., and how many with; ... at 10 fps, and"""


def pipeline(query: Query, _wants: Sequence[Want]) -> Answering:
    """Memory, time and energy of all together; the figures are those of `edgewright pipeline`."""
    models = list(dict.fromkeys(query.all(Role.MODEL)))[:_MOST_ROWS]
    if len(models) < 2:
        return ask_model(
            "For several networks on one board I add their times and flash; RAM they share or take apart."
        )
    targets = list(dict.fromkeys(query.all(Role.TARGET))) or [ANY_TARGET]
    if "alone" in spoken("together", query.question):
        return (yield from _alone(query, models, targets[0]))
    own, (query, note) = at_own_rates(query), sized(query)
    query, told = (yield from systems.beside(query)) if len(targets) == 1 else (query, "")
    query = less_flash(query)
    deadline, words = _deadline(query)
    rates = rates_of(query) if own else {}
    words = joined(slot.text for slot in query.slots if slot.role is Role.RATE_HZ) if own else words
    usual = 1e3 / deadline if deadline else _RARELY_HZ
    plan = [f"{model}@{rates.get(model, usual) * _times(query, model):.12g}/s" for model in models]
    placed = query if query.has(Role.TARGET) else query.put(Role.RUNTIME, ANY_RUNTIME)
    placed = placed if own else placed.without((Role.LATENCY_MS, *CELLS))
    records = list[Record]()
    for target in targets:
        asked = call_of("analyze_pipeline", placed, plan=plan, target=target)
        used = asked.used | _USED
        records.append(needed((yield replace(asked, used=used))))
    names = joined(model.rpartition("/")[2] for model in models)
    if len(records) > 1:
        return _on_several(names, records, words)
    record = records[0]
    said_of_all = _at_rates(query, record, names, note) if own else _in_turn(query, record, names, words)
    return lines(said_of_all, told)


_USED = {Role.MODEL, Role.RATE_HZ, Role.LATENCY_MS, Role.DEVICES, Role.PER_EVENT}


def _times(query: Query, model: str) -> float:
    """How often it runs for each frame of all streams."""
    each = next((s.number for s in query.slots if s.role is Role.PER_EVENT and s.of == model), 1.0)
    return each * (query.number(Role.DEVICES) or 1.0)


def _deadline(query: Query) -> tuple[float | None, str]:
    """By when all of them have to be done, in words too."""
    rate = query.number(Role.RATE_HZ)
    most = query.number(Role.LATENCY_MS) or (1e3 / rate if rate else None)
    return most, said(query, Role.LATENCY_MS, Role.RATE_HZ)


def _judged(record: Record, *names: str) -> str:
    """The worst of these checks; of times that may or may not do, by their middle."""
    rows = {row["name"]: row for row in record["checks"] if row["name"] in (*names, "operators")}
    level = max((row["verdict"] for row in rows.values()), key=list(_DO).index, default="UNKNOWN")
    load = rows.get("utilization")
    return "MARGINAL" if level == "UNKNOWN" and load and (load["demand"] or 2) <= 1 else level


def _total(record: Record) -> str:
    """The sum of their times, shown; empty where one is not known."""
    return put(f"{{{_summed(record)}|ms~}}", record)


def _summed(record: Record) -> str:
    return "+".join(f"steps[#{at}].time_ms" for at in range(len(record["steps"])))


def _on_several(names: str, records: Sequence[Record], words: str) -> str:
    """Which board does all of it in time, the surest first."""
    levels = {one.id: _judged(one, "ram", "flash", *(("utilization",) if words else ())) for one in records}
    order = sorted(records, key=lambda one: (list(_DO).index(levels[one.id]), one.number("utilization") or 9))
    rows, told = list[list[str]](), list[str]()
    for one in order:
        target, level = one.ref("deployment.target"), levels[one.id]
        room = " with most room" if words and not told and level in ("PASS", "MARGINAL") else ""
        does = f"{_DO[level]}{room}, with" if words else "takes"
        fits = _judged(one, "ram", "flash") != "FAIL"
        told.append(f"{target} {does} {_total(one) or NOT_KNOWN}" if fits else f"not all fit on {target}")
        each = (one.ref(f"steps[#{at}].time_ms", "~") for at in range(len(one["steps"])))
        limits = [_LIMITS[level]] if words else []
        rows.append([target, _total(one), *each, one.ref("arena_shared"), one.ref("flash"), *limits])
    of = f"{names} one after the other{f', against {words}' if words else ''}"
    steps = (step["name"] for step in records[0]["steps"])
    head = ["board", "all", *steps, "arena", "flash", *(["limits"] if words else [])]
    return lines(f"{'; '.join(told)}: {of}.", table(head, rows), "RAM is shared, code counted once.")


def _in_turn(query: Query, record: Record, names: str, words: str) -> str:
    """All of them one after the other, against the room that there is and the time that they have."""
    anywhere, own = not query.has(Role.TARGET), query.has(Role.RAM_BYTES, Role.FLASH_BYTES)
    fits = _judged(record, "ram", "flash")
    level = _judged(record, "ram", "flash", "utilization") if words and not anywhere else fits
    time = "" if anywhere else _total(record)
    late = bool(time) and level == "UNKNOWN" != fits
    judged = "Probably not" if late else VERDICT_WORDS[level]
    word = "" if anywhere and not own else f"{judged}{':' if words else ','} "
    turns, against = f"{time} one after the other", f", against {words}," if words else ""
    first = bool(time) and bool(words or Want.LATENCY in query.wants)
    timed = f"take {turns}{against} and " if first else ""
    where = "" if anywhere else f" on {query.text(Role.TARGET)}"
    ram, rom = (
        "" if anywhere and not query.has(role) else record.ref(f"checks[{memory}].bound")
        for memory, role in (("ram", Role.RAM_BYTES), ("flash", Role.FLASH_BYTES))
    )
    shares = "In turn they can share one arena, {arena_shared} instead of {arena_apart}. "
    shares = put(shares, record) if _SHARED.search(query.question) else ""
    word = {"No, ": "Even so it does not fit: ", "Yes, ": "That fits: "}.get(word, word) if shares else word
    told = shares + put(
        f"{word}{names} together{where} {timed}take {{arena_shared}} of RAM[ of {{ram}}] where they share "
        "one arena ({arena_apart} apart)[, {flash|~} of {held}[ of {rom}]][, {turns}].",
        record, ram=ram, rom=rom, turns=turns if time and not first else "", held=_held_in(query),
    )  # fmt: skip
    cells = [[record.ref(f"steps[#{at}].{field}", unit) for field, unit in _OF_STEP]
             for at in range(len(record["steps"]))]  # fmt: skip
    cells = [row[:2] for row in cells] if anywhere else cells
    note = "The code of the kernels is counted once."
    paced = bool(time) and Want.THROUGHPUT in query.wants and not words
    told += put(f" In turn each gets {{1/({_summed(record)})|fps~}}.", record) if paced else ""
    name_one = " The time needs a board: name one." if anywhere else ""
    return lines(told, table(["network", "arena", "latency"][: 2 + (not anywhere)], cells), note + name_one)


def _held_in(query: Query) -> str:
    """What weights lie in: where there is no flash they lie in the memory too."""
    place = query.targets.get(query.text(Role.TARGET))
    return "flash" if place is None or place.flash_bytes else "memory for the weights"


_SHARED = compiled(r"\bshar(?:e|ed|ing)\b|\badd(?:ed)? (?:them |both )?up\b|\bthe sum\b", re.I)
_OF_STEP = (("name", ""), ("ram_bytes", ""), ("time_ms", "~"))


def _alone(query: Query, models: Sequence[str], target: str) -> Answering:
    """Which of them fit, each by itself."""
    placed = query if query.has(Role.TARGET) else query.put(Role.RUNTIME, ANY_RUNTIME)
    limits = [role for role in LIMITS if query.has(role)]
    rows, fit = list[list[str]](), dict[str, str]()
    for model in models:
        one = needed((yield call_of("check_constraints", placed, model=model, target=target)))
        names = ["ram", "flash", "operators", *([] if target == ANY_TARGET else ["latency", "rate"])]
        fit[model] = _judged(one, *names)
        held = [one.ref(f"checks[{memory}].demand") for memory in ("ram", "flash")]
        rows.append([model, *held, _LIMITS[fit[model]]])
    does = joined(model for model, level in fit.items() if level in ("PASS", "MARGINAL"))
    fails = joined(model for model, level in fit.items() if level not in ("PASS", "MARGINAL"))
    where = f"within {joined(said(query, role) for role in limits)}" if limits else f"on {target}"
    first = f"{does or 'None of them'} {'fits' if ' and ' not in does else 'fit'}, each alone"
    return lines(f"{first}{f', {fails} not' if fails and does else ''}, {where}.",
                 table(("network", "arena", "flash", "fits"), rows))  # fmt: skip


def _at_rates(query: Query, record: Record, names: str, note: str) -> str:
    """Each at its rate, in one loop; a computer has room for what waits its turn, a microcontroller not."""
    place = query.targets.get(query.text(Role.TARGET))
    in_turn = place is None or place.target_class == "mcu"
    level = record["verdict"] if in_turn else _judged(record, "utilization")
    first = put(
        "{word}: {names} together on {deployment.target} compute {utilization|%~} of the time"
        "[, take {checks[ram].demand} of {checks[ram].bound} of RAM in one arena ({arena_apart} apart)]"
        "[, and {checks[flash].demand} of {checks[flash].bound} of {held}].",
        record, word=VERDICT_WORDS[level], names=names, held=_held_in(query),
    )  # fmt: skip
    failing = [row for row in record["checks"] if row["verdict"] != "PASS" and row["name"] != "utilization"]
    failing = (
        failing if in_turn else [row for row in failing if row["verdict"] == "FAIL" and row["name"] in _ROOM]
    )
    reasons = [f"- {record.ref('checks[' + row['name'] + '].statement')}" for row in failing[:_MOST_REASONS]]
    helps = record.ref("checks[utilization].levers[#0].change")
    would = f"It would fit if you {helps}." if record.knows("checks[utilization].levers[#0].after") else ""
    steps = range(len(record["steps"]))
    rows = [[record.ref(f"steps[#{at}].{field}", unit) for field, unit in _OF_RATES] for at in steps]
    head = ["network", "rate", "takes", "done at worst after", "of the time"]
    said_of_battery = _battery(query, record) or note
    asked = Want.BATTERY_LIFE in query.wants
    told = (said_of_battery, first, would, *reasons) if asked else (first, would, *reasons, said_of_battery)
    return lines(*told, table(head, rows), _LOOP)


_ROOM = ("ram", "flash", "operators")
_OF_RATES = (
    ("name", ""), ("rate_hz", ""), ("time_ms", "~"), ("response_ms", "~"), ("active_share", "%"),
)  # fmt: skip
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
