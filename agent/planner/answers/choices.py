"""Which hardware, and how many."""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from ...pages import Subject
from ..bench import Answering, Call, Record, call_of, needed
from ..query import LIMITS, Query, Role
from ..want import Want
from ..words import spoken
from . import energies, for_all
from .concluding import limits_in_words
from .deployment import ON_MICROCONTROLLERS, stand_ins
from .gpus import in_batches
from .passages import APT, search, shortened
from .phrases import (
    ask_model,
    joined,
    lines,
    model_shown,
    price,
    relaxed,
    said,
    subject,
    table,
)

_SHOWN, _MOST_LISTED, _LOOKED_AT, _RANKED = 3, 12, 60, 400
_FRUGAL, _AMONG = ("mcu", "npu", "dsp"), "microcontrollers, NPUs and DSPs"
"""Where a small network is looked for, and one on a battery."""
_DAY_MS = 8.64e7
_BY_PRICE = {"price": 1.0, "latency": 0.0, "energy": 0.0, "power": 0.0}


def recommend(query: Query, wants: Sequence[Want]) -> Answering:
    """The best hardware for what is demanded, with two more; what the demand costs where nothing meets it."""
    if not query.has(Role.MODEL):
        return ask_model(
            "For a task I take the network that usually stands for it: keyword spotting, person "
            "detection, image "
            "classification, object detection, anomaly detection."
        )
    doubted = _doubted_class(query)
    kinds = spoken("bettered", query.question) if query.says(Role.TARGET) else ()
    if query.text(Role.TARGET_CLASS) == "gpu" and query.has(Role.RATE_HZ) and not doubted:
        return (yield from in_batches(query))
    wants = [*wants, Want.CHEAPEST] if doubted or "price" in kinds else wants
    query, baseline = yield from _bettered(query, kinds)
    goal = _goal(query, wants)
    small = (yield from stand_ins(query)) == ON_MICROCONTROLLERS
    filters = _filters(query, wants, goal, small=small)
    if doubted:
        filters |= {"target_class": None, "without": _INSTEAD_OF[doubted]}
    if len(for_all.models_of(query)) > 1:
        cheap = _cheapest(query, wants) or query.has(Role.PRICE_USD)
        return (yield from for_all.for_all(query, filters, price=cheap, not_met=_not_met))
    record, rows, verdict = yield from _ranked(query, wants, filters)
    if doubted:
        verdict = f"{'No' if rows else 'Yes'}, {_CLASSES[doubted]} is {'not ' if rows else ''}needed: "
    if not rows:
        return lines(f"{verdict}{_not_met(query, record)}", baseline)
    if spoken("listed", query.question):
        by = _by(query, wants, goal)
        first = _chosen(query, record, rows, by) if spoken("decides", query.question) else ""
        return lines(first, _listed(query, record, rows, by))
    rows, lives, lasts = yield from _by_life(query, record, rows)
    own = "" if baseline else (yield from _of_named(query))
    stock = "I do not know stock or lead times." if Want.AVAILABILITY in wants else ""
    by = _passing(query, wants, goal, record, filters)
    first = f"{verdict}{lasts}{_chosen(query, record, rows, _by(query, wants, goal))}"
    if _cheapest(query, wants) and not record.knows(f"ranking[#{rows[0]}].price_usd"):
        by = "None of those that meet it has a cited price, so I cannot tell the cheapest."
    return lines(
        own,
        first,
        baseline,
        _table_of(record, rows[:_SHOWN], lives, "battery life"),
        by,
        stock,
        _why_not(query),
    )


def _bettered(query: Query, kinds: Sequence[str]) -> Generator[Call, Record, tuple[Query, str]]:
    """With the figures of the board that is named as limits, and what they are."""
    if not kinds or len(set(query.all(Role.TARGET))) != 1:
        return query, ""
    estimate = needed((yield call_of("estimate_performance", query)))
    chip = needed((yield call_of("get_target", query)))
    name, told = said(query, Role.TARGET) or query.text(Role.TARGET), []
    for kind in kinds:
        role, word, path = _BETTERED[kind]
        record = chip if kind == "price" else estimate
        known = record.number(path)
        told.append(
            (price(record) if kind == "price" else record.ref(path, "~")) if known else f"no known {word}"
        )
        if known and known < (query.number(role) or known + 1):
            query = query.put(role, known, text=f"the {word} of {name}")
    return query, f"Against {name}: {joined(told)}."


_BETTERED = {
    "price": (Role.PRICE_USD, "price", "price_usd"), "latency": (Role.LATENCY_MS, "time", "latency_ms"),
    "energy": (Role.ENERGY_UJ, "energy", "energy_uj"),
}  # fmt: skip


def _why_not(query: Query) -> str:
    """What a page says against the hardware that a question asks `why not` of."""
    found = _WHY_NOT.search(query.question)
    if found is None or not query.has(Role.WITHOUT):
        return ""
    where = " in a battery device" if "battery" in query.question.casefold() else ""
    pages = search(found[0] + where, 1, APT, (Subject.CONCEPT,))
    return shortened(pages[0], _MOST_WORDS) if pages else ""


_WHY_NOT, _MOST_WORDS = re.compile(r"\bwhy not\b[^.?!;]*", re.IGNORECASE), 60


def _ranked(
    query: Query, wants: Sequence[Want], filters: Mapping[str, Any]
) -> Generator[Call, Record, tuple[Record, list[int], str]]:
    """What meets the demand, the best first; of all hardware where none of the class that is named does."""
    plain = query.without([Role.TARGET_CLASS])
    record = yield call_of("recommend_hardware", plain, **filters)
    note, kind = "", filters.get("target_class")
    if kind and not record["passing"]:
        wider = needed((yield call_of("recommend_hardware", plain, **{**filters, "target_class": None})))
        if wider["passing"]:
            record, note = wider, f"No {_KINDS.get(kind, kind)} that I know of meets that; of all others: "
    record, named = needed(record), query.all(Role.TARGET) if query.says(Role.TARGET) else ()
    meeting = [
        i
        for i, row in enumerate(record["ranking"])
        if row["verdict"] in ("PASS", "MARGINAL") and row["target"] not in named
    ]
    return record, _ordered(record["ranking"], meeting, query, wants), note


_KINDS = {"npu": "NPU alone", "gpu": "GPU", "mcu": "microcontroller", "mpu": "Linux board", "dsp": "DSP"}


def _passing(
    query: Query, wants: Sequence[Want], goal: str, record: Record, filters: Mapping[str, Any]
) -> str:
    """How many meet it, among what, and what decides their order."""
    among = f" among {_AMONG}" if "classes" in filters else ""
    ruled_out = dict.fromkeys(slot.text for slot in query.slots if slot.role is Role.WITHOUT)
    among += "".join(f", {text.lower()}" for text in ruled_out)
    only = dict.fromkeys(query.all(Role.WITHIN))
    among += "".join(f", {_KINDS[one]}s alone" if one in _KINDS else f", of {one} alone" for one in only)
    by = _by(query, wants, goal)
    return f"{record.ref('passing')} deployments{among} meet it; these come first by {by}."


_CLASSES = {"npu": "an NPU", "gpu": "a GPU"}
_INSTEAD_OF = {"npu": ["npu", "gpu", "dsp"], "gpu": ["gpu"]}
"""What a processor alone is held against."""


def _doubted_class(query: Query) -> str:
    """The class of hardware that somebody holds to be needed, which the question doubts; empty for none."""
    kind = query.text(Role.TARGET_CLASS)
    return kind if kind in _CLASSES and "doubt" in spoken("conclusion", query.question) else ""


def _not_met(query: Query, record: Record) -> str:
    return lines(f"Nothing that I know of meets that for {model_shown(query)}.", *relaxed(record))


def _by(query: Query, wants: Sequence[Want], goal: str) -> str:
    """What decides the order, in words."""
    if _cheapest(query, wants):
        return "price"
    if _smallest(query):
        return "size of the chip"
    return "latency, energy and power together" if goal == "balance" else goal


def _chosen(query: Query, record: Record, rows: Sequence[int], by: str) -> str:
    """The first, by what it comes first, and whether it surely meets the limits; else who surely does."""
    limits, model = limits_in_words(query), model_shown(query)
    if not query.has(*LIMITS):
        return f"{_praised(record, rows[0])}, for {model}."
    sure = next((row for row in rows if record["ranking"][row]["verdict"] == "PASS"), None)
    meets = f"meets {limits}" if sure == rows[0] else f"probably meets {limits}, though not surely"
    text = f"{_praised(record, rows[0], f', first by {by}, {meets}')}, for {model}."
    if sure == rows[0]:
        return text
    path = f"ranking[#{rows[0]}].reasons[#0]"
    why = f" Closest: {record.ref(path)}." if record.knows(path) else ""
    does = "None surely does" if sure is None else _praised(record, sure, " surely does")
    return f"{text}{why} {does}."


def _praised(record: Record, row: int, does: str = "") -> str:
    """A row of the ranking with its figures."""
    path = f"ranking[#{row}]"
    facts = [
        record.ref(f"{path}.latency_ms", "~"),
        record.ref(f"{path}.energy_uj", "~") + " an inference" if record.knows(f"{path}.energy_uj") else "",
        price(record, f"{path}.price_usd") if record.knows(f"{path}.price_usd") else "",
    ]
    name, kernels = record.ref(f"{path}.name"), record.ref(f"{path}.runtime")
    return f"{name} with {kernels}{does}: {joined(filter(None, facts))}"


def _listed(query: Query, record: Record, rows: Sequence[int], by: str) -> str:
    """All that meet the limits, a row a board with its best kernels, and how many more there are."""
    sure = sum(record["ranking"][row]["verdict"] == "PASS" for row in rows)
    more = " or more" if record["passing"] > len(record["ranking"]) else ""
    meet = f"meet {limits_in_words(query)}" if query.has(*LIMITS) else "run it"
    boards = (
        f"{len(rows)}{more} boards {meet}" if len(rows) > 1 else f"One board {meet.replace('t', 'ts', 1)}"
    )
    surely = f", {sure or 'none'} of them surely" if query.has(*LIMITS) and sure < len(rows) else ""
    rest = f"; the first {_MOST_LISTED} by {by}" if len(rows) > _MOST_LISTED else f", by {by}"
    words = {"PASS": "yes", "MARGINAL": "probably"}
    shown = rows[:_MOST_LISTED]
    lives = [[words[record["ranking"][row]["verdict"]]] for row in shown]
    return lines(
        f"{boards}{surely}: {model_shown(query)}{rest}.",
        _table_of(record, shown, lives, "limits" if query.has(*LIMITS) else "fits"),
        f"{len(rows) - _MOST_LISTED} more: `edgewright recommend --json` gives all."
        if len(rows) > _MOST_LISTED else "",
    )  # fmt: skip


def _table_of(record: Record, rows: Sequence[int], lives: Sequence[Sequence[str]], last: str) -> str:
    head = ["board", "kernels", "latency", "energy", "price", *([last] if lives[0] else [])]
    paths = (".target", ".runtime", ".latency_ms", ".energy_uj")
    cells = [
        [
            *(record.ref(f"ranking[#{i}]{path}", "~" if path in paths[2:] else "") for path in paths),
            price(record, f"ranking[#{i}].price_usd"),
            *life,
        ]
        for i, life in zip(rows, lives, strict=False)
    ]
    return table(head, cells)


def _filters(query: Query, wants: Sequence[Want], goal: str, *, small: bool) -> dict[str, Any]:
    """Class, kernels and price as they were said, or as the board that is to be replaced has them."""
    top = _RANKED if spoken("listed", query.question) else _LOOKED_AT
    more: dict[str, Any] = {"goal": goal, "top": top, "target": None, "target_class": None}
    if _cheapest(query, wants):
        more |= {"goal": "balance", "weights": _BY_PRICE}
    if query.among:
        return {**more, "targets": list(query.among)}
    if not query.says(Role.RUNTIME):
        more["runtime"] = None
    kind = query.text(Role.TARGET_CLASS)
    instead_of = query.targets.get(query.text(Role.TARGET))
    if kind:
        more["target_class"] = kind
    elif _smallest(query):
        more["target_class"] = "mcu"
    elif instead_of is not None and query.says(Role.TARGET):
        more["target_class"] = str(instead_of.target_class)
    elif small or query.has(Role.BATTERY, Role.LIFE_MS, Role.CHARGE_MAH):
        more["classes"] = list(_FRUGAL)
    cheaper = _cheapest(query, wants) and not query.has(*LIMITS)
    if cheaper and instead_of and instead_of.price_usd:
        more["price_usd"] = instead_of.price_usd
    return more


def _goal(query: Query, wants: Sequence[Want]) -> str:
    if {Want.ENERGY, Want.BATTERY_LIFE} & set(wants) or query.has(
        Role.BATTERY, Role.LIFE_MS, Role.CHARGE_MAH
    ):
        return "energy"
    if Want.POWER in wants:
        return "power"
    if "fastest" in query.asks:
        return "latency"
    return {"latency": "latency", "energy": "energy", "ram": "ram"}.get(query.text(Role.GOAL), "balance")


def _cheapest(query: Query, wants: Sequence[Want]) -> bool:
    asked = {Want.CHEAPEST} if query.says(Role.PRICE_USD) else {Want.CHEAPEST, Want.PRICE}
    return bool(asked & set(wants)) or "cheapest" in query.asks


def _smallest(query: Query) -> bool:
    return "smallest" in query.asks


def _ordered(
    ranking: Sequence[Mapping[str, Any]], rows: list[int], query: Query, wants: Sequence[Want]
) -> list[int]:
    """One row a target, by what decides; what has no such figure last."""

    def figure(index: int) -> float | None:
        row = ranking[index]
        if _smallest(query):
            found = query.targets.get(row["target"])
            return float(found.ram_bytes) if found and found.ram_bytes else None
        key = (
            "price_usd"
            if _cheapest(query, wants)
            else {"latency": "latency_ms", "energy": "energy_uj"}.get(_goal(query, wants))
        )
        if key is None:
            return float(rows.index(index))
        value = row[key]["value"] if isinstance(row[key], Mapping) else row[key]
        return None if value is None else float(value)

    kept: dict[str, int] = {}
    for index in sorted(
        rows, key=lambda i: (figure(i) is None, figure(i) or 0.0, ranking[i]["verdict"] != "PASS")
    ):
        kept.setdefault(ranking[index]["target"], index)
    order = list(kept.values())
    return _without_beaten_before([(index, ranking[index]) for index in order[:_SHOWN]]) + order[_SHOWN:]


_COMPARED = ("latency_ms", "energy_uj", "price_usd")
"""What the table shows of each."""


def _without_beaten_before(rows: list[tuple[int, Mapping[str, Any]]]) -> list[int]:
    """In their order, but none before another that meets the limits as surely and is better in all."""
    left, found = list(rows), list[int]()
    while left:
        first = next((row for row in left if not any(_beats(other[1], row[1]) for other in left)), left[0])
        found.append(first[0])
        left.remove(first)
    return found


def _beats(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    if one["verdict"] != other["verdict"]:
        return False
    figures = [
        [row[key]["value"] if isinstance(row[key], Mapping) else row[key] for row in (one, other)]
        for key in _COMPARED
    ]
    return all(a is not None and b is not None and a < b for a, b in figures)


def _of_named(query: Query) -> Generator[Call, Record, str]:
    """How the board does that the user has, before others are named."""
    if not query.has(Role.TARGET):
        return ""
    record = yield call_of("check_constraints", query)
    estimate = yield call_of("estimate_performance", query)
    if record.result is None or estimate.result is None:
        return ""
    words = {"PASS": "will do", "MARGINAL": "will probably do", "FAIL": "does not do", "UNKNOWN": "may do"}
    demanded = " for what you demand" if query.has(*LIMITS) else ""
    return (
        f"{subject(query, estimate, words[record['verdict']] + demanded)}: {estimate.ref('latency_ms', '~')}."
    )


def _by_life(
    query: Query, record: Record, rows: list[int]
) -> Generator[Call, Record, tuple[list[int], list[list[str]], str]]:
    """Longest on the battery that was named first, a cell a row, and whether that is long enough."""
    battery, _ = energies.sized(query)
    if not battery.has(Role.BATTERY, Role.CHARGE_MAH) or not query.has(Role.RATE_HZ):
        return rows, [[] for _ in rows], ""
    lives: dict[int, tuple[float, float, str]] = {}
    for index in rows[: 2 * _SHOWN]:
        row = record["ranking"][index]
        one = battery.put(Role.TARGET, row["target"]).put(Role.RUNTIME, row["runtime"])
        budget = yield call_of("estimate_energy_budget", one)
        path = "battery.life_days" if budget.knows("battery.life_days") else "battery.most_days"
        cell = energies.lasts(budget)
        lives[index] = (budget.number(path) or 0.0, (budget.ends(path) or (0.0, 0.0))[1], cell)
    wanted = (query.number(Role.LIFE_MS) or 0.0) / _DAY_MS
    order = sorted(
        lives, key=lambda i: (lives[i][2].startswith("at most") or lives[i][0] < wanted, -lives[i][0])
    )
    cells = [[lives[index][2]] for index in order]
    days, end, cell = lives[order[0]]
    if not wanted or not end:
        return order, cells, ""
    sure = days >= wanted and not cell.startswith("at most")
    word = "Yes" if sure else "Not surely" if end >= wanted else "No"
    return order, cells, f"{word}, for {said(query, Role.LIFE_MS)} the longest that I find lasts {cell}: "
