"""Which hardware at all."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from ....hardware_db.index import read_index
from ..bench import Answering, Call, Record, call_of, needed
from ..query import Query, Role
from .battery import with_battery
from .comparing import figure_of, priced, rank, table_head, table_row
from .phrases import (
    ask_model,
    is_known,
    lines,
    model_shown,
    per_second,
    relaxed,
    table,
    value,
)

_SHOWN = 3
_AGED_DAYS = 3652.5
_SERVED = 32
"""Images of a batch where a rate is to be reached."""


def serve(query: Query) -> Answering:
    """The GPUs that reach a rate of images in batches, the one with the least power first."""
    rate = query.number(Role.RATE_HZ) or 0
    gpus = [s for s in read_index().targets if s.target_class == "gpu" and s.power_mw]
    reaching: list[Record] = []
    for summary in sorted(gpus, key=lambda s: s.power_mw or 0):
        record = yield call_of("estimate_performance", query, target=summary.id, batch=_SERVED, runtime=None)
        latency = value(record, "latency_ms") if record.result is not None else None
        if latency and _SERVED * 1e3 / latency >= rate:
            reaching.append(record)
        if len(reaching) == _SHOWN:
            break
    said = next(slot.text for slot in query.slots if slot.role is Role.RATE_HZ)
    if not reaching:
        return f"No single GPU that I know reaches {said} with {model_shown(query)} in batches of {_SERVED}."
    best = reaching[0]
    cells = [
        (r.ref("deployment.target"), per_second(r), r.ref("latency_ms", "~"), r.ref("power_mw"))
        for r in reaching
    ]
    return lines(
        f"{best.ref('deployment.target')}: {per_second(best)} with {model_shown(query)} in batches of "
        f"{_SERVED}, the one "
        f"with the least power that reaches {said}.",
        "",
        table(("GPU", "images", "a batch", "power"), cells),
    )


def recommend(query: Query) -> Answering:
    """The best hardware for what is demanded, with two more; what the demand costs where nothing meets it."""
    if query.has(Role.MODEL) and query.text(Role.TARGET_CLASS) == "gpu" and query.has(Role.RATE_HZ):
        return (yield from serve(query))
    if not query.has(Role.MODEL):
        return ask_model(
            "Or name the task: keyword spotting, person detection, image classification, object detection."
        )
    goal = _goal(query)
    batteries = query.has(Role.BATTERY, Role.LIFE_MS, Role.CHARGE_MAH)
    more: dict[str, Any] = {"goal": goal, "top": 40, "target": None}
    if not query.says(Role.RUNTIME):
        more["runtime"] = None
    if not query.has(Role.TARGET_CLASS) and (batteries or "coin" in query.text(Role.BATTERY)):
        more["target_class"] = "mcu"
    instead_of = next((s for s in read_index().targets if s.id == query.text(Role.TARGET)), None)
    if instead_of is not None and query.says(Role.TARGET):
        more["target_class"] = instead_of.target_class
        if priced(query) and instead_of.price_usd and not query.has(Role.PRICE_USD):
            more["price_usd"] = instead_of.price_usd
    record = needed((yield call_of("recommend_hardware", query, **more)))
    rows = [i for i, row in enumerate(record["ranking"]) if row["verdict"] in ("PASS", "MARGINAL")]
    rows = _sorted(record["ranking"], rows, query)
    if not rows:
        return lines(
            f"Nothing that I know of meets that for {model_shown(query)}.", *relaxed(record), _dropped(query)
        )
    best = f"ranking[#{rows[0]}]"
    first = (
        f"{record.ref(best + '.name')} with {record.ref(best + '.runtime')}: "
        f"{record.ref(best + '.latency_ms', '~')} "
        f"for {model_shown(query)}{_and_energy(record, best)}{_and_price(record, best, query)}."
    )
    lives = yield from _lives(query, record, rows[:_SHOWN])
    cells = [[*table_row(record, i, query), *life] for i, life in zip(rows, lives, strict=False)]
    head = table_head(query)
    if lives[0]:
        head = (*head, "battery life")
    said = f"{record.ref('passing')} deployments meet it; these come first by {_by(query, goal)}."
    return lines(first, "", table(head, cells), "", said, _dropped(query))


def _lives(query: Query, record: Record, rows: Sequence[int]) -> Generator[Call, Record, list[list[str]]]:
    """How long each lasts on the battery that was named, a cell a row; no cells without a battery."""
    sized, _ = with_battery(query)
    if not sized.has(Role.BATTERY, Role.CHARGE_MAH) or not query.has(Role.RATE_HZ):
        return [[] for _ in rows]
    found = []
    for index in rows:
        row = record["ranking"][index]
        one = sized.put(Role.TARGET, row["target"]).put(Role.RUNTIME, row["runtime"])
        budget = yield call_of("estimate_energy_budget", one)
        if budget.result is None:
            found.append(["unknown"])
        elif is_known(budget, "battery.life_days"):
            found.append([_life(budget, "battery.life_days")])
        elif is_known(budget, "battery.most_days"):
            found.append([f"at most {_life(budget, 'battery.most_days')}"])
        else:
            found.append(["unknown"])
    return found


def _life(budget: Record, path: str) -> str:
    """Beyond ten years a battery fails of age."""
    days = value(budget, path) or 0
    return "ten years and more" if days > _AGED_DAYS else budget.ref(path, "days")


def _sorted(ranking: Sequence[Mapping[str, Any]], rows: list[int], query: Query) -> list[int]:
    """One row a target, by what was asked for."""
    key = "price_usd" if "cheapest" in query.asks else None
    if key is None and ("fastest" in query.asks or query.text(Role.GOAL) == "latency"):
        key = "latency_ms"
    if key is None and ({"frugal"} & query.asks or query.has(Role.BATTERY, Role.LIFE_MS)):
        key = "energy_uj"
    kept: dict[str, int] = {}
    ordered = rows if key is None else sorted(rows, key=lambda i: rank(ranking[i], key))
    if key == "price_usd" and any(figure_of(ranking[i], key) is None for i in ordered):
        ordered = [i for i in ordered if figure_of(ranking[i], key) is not None] or ordered
    for index in ordered:
        kept.setdefault(ranking[index]["target"], index)
    return list(kept.values())


def _goal(query: Query) -> str:
    if "fastest" in query.asks:
        return "latency"
    if {"frugal", "energy"} & query.asks or query.has(Role.BATTERY, Role.LIFE_MS, Role.CHARGE_MAH):
        return "energy"
    return {"latency": "latency", "energy": "energy", "ram": "ram"}.get(query.text(Role.GOAL), "balance")


def _by(query: Query, goal: str) -> str:
    return (
        "price"
        if "cheapest" in query.asks
        else {"balance": "latency, energy and power together"}.get(goal, goal)
    )


def _and_energy(record: Record, row: str) -> str:
    return (
        f", {record.ref(row + '.energy_uj', '~')}"
        if is_known(record, "ranking") and _energy_known(record, row)
        else ""
    )


def _energy_known(record: Record, row: str) -> bool:
    index = int(row.partition("#")[2].rstrip("]"))
    return figure_of(record["ranking"][index], "energy_uj") is not None


def _and_price(record: Record, row: str, query: Query) -> str:
    index = int(row.partition("#")[2].rstrip("]"))
    known = record["ranking"][index]["price_usd"] is not None
    return f", {record.ref(row + '.price_usd')}" if priced(query) and known else ""


def _dropped(query: Query) -> str:
    if "available" in query.asks:
        return "I do not know what is in stock."
    return ""
