"""Which of several, and which at all."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from ....hardware_db.index import read_index
from ..bench import Answering, Call, Record, call_of, needed
from ..query import LIMITS, Query, Role
from .battery import with_battery
from .phrases import (
    ask_model,
    assumed,
    is_known,
    joined,
    lines,
    model_shown,
    per_second,
    quantity,
    relaxed,
    subject,
    table,
    value,
)

_MOST_ROWS = 6
_SHOWN = 3
_SERVED = 32
"""Images of a batch where a rate is to be reached."""
_DEVICE_TYPES = ("float32", "float16", "int8")


def compare(query: Query) -> Answering:
    """Targets, kernels, types, networks or settings side by side: a sentence and a table."""
    models, targets = query.all(Role.MODEL), query.all(Role.TARGET)
    if not models:
        return (yield from hardware_only(query)) if len(targets) > 1 else ask_model()
    if not targets:
        return "Compare on what? Name boards or chips, such as `esp32-s3 and stm32h743`."
    kinds = _variants(query)
    if len(targets) > 1 or ("npu" in query.asks and len(kinds) == 1):
        return (yield from across_targets(query))
    return (yield from across(query, kinds))


def _variants(query: Query) -> list[tuple[str, dict[str, Any]]]:
    """What is compared on one target: the name of each row and what goes into its call."""
    if len(models := query.all(Role.MODEL)) > 1:
        return [(name.rpartition("/")[2], {"model": name}) for name in models]
    if len(runtimes := query.all(Role.RUNTIME)) > 1:
        return [(name, {"runtime": name}) for name in runtimes]
    types = query.all(Role.DTYPE)
    if "precision" in query.asks and not types:
        types = _DEVICE_TYPES
    if len(types) == 1:
        types = (
            ("float16" if _is_gpu(query) else "float32", *types) if types[0] == "int8" else (*types, "int8")
        )
    if types:
        return [(name, {"dtype": name}) for name in dict.fromkeys(types)]
    for role, name in ((Role.THREADS, "threads"), (Role.BATCH, "batch"), (Role.CLOCK_MHZ, "clock_mhz")):
        if numbers := query.numbers(role):
            whole = [int(number) if name != "clock_mhz" else number for number in numbers]
            some = whole if len(whole) > 1 or name == "clock_mhz" else [1, *whole]
            return [(_setting(name, number), {name: number}) for number in some]
    found = next((s for s in read_index().targets if s.id == query.text(Role.TARGET)), None)
    kernels = [query.text(Role.RUNTIME), *(found.runtimes if found else ())]
    return [(name, {"runtime": name}) for name in dict.fromkeys(filter(None, kernels))][:3]


def _setting(name: str, number: float) -> str:
    match name:
        case "threads":
            return f"{number:g} thread{'s' if number > 1 else ''}"
        case "batch":
            return f"batch {number:g}"
        case _:
            return f"{number:g} MHz"


def _is_gpu(query: Query) -> bool:
    found = next((s for s in read_index().targets if s.id == query.text(Role.TARGET)), None)
    return found is not None and found.target_class in ("gpu", "gpu-soc")


def across(query: Query, kinds: Sequence[tuple[str, Mapping[str, Any]]]) -> Answering:
    """One estimate a row, the quickest (or most frugal) first."""
    figure = "energy_uj" if query.text(Role.GOAL) == "energy" or "energy" in query.asks else "latency_ms"
    rows: list[tuple[str, Record]] = []
    missing: list[str] = []
    for name, more in kinds[:_MOST_ROWS]:
        changes = dict(more)
        record = yield call_of("estimate_performance", query, **changes)
        if record.result is None or not is_known(record, figure):
            missing.append(f"{name}: {record.error or 'unknown'}")
        else:
            rows.append((name, record))
    if not rows:
        return lines(f"I cannot compare them for {model_shown(query)}.", *missing[:2])
    rows.sort(key=lambda each: value(each[1], figure) or 0)
    (name, best), where = rows[0], subject(_plain(query), rows[0][1])
    word = "takes the least energy" if figure == "energy_uj" else "is the fastest"
    first = f"{name} {word} with {quantity(best, figure)}"
    if len(rows) > 1:
        other, second = rows[1]
        first += (
            f", {{{{{second.id}.{figure}/{best.id}.{figure}|x}}}} ahead of "
            f"{other}{_overlap(best, second, figure)}"
        )
    shown = [
        (row, r.ref("latency_ms", "~"), r.ref("energy_uj") if is_known(r, "energy_uj") else "unknown")
        for row, r in rows
    ]
    tail = [f"Not compared: {text}" for text in missing[:2]]
    if query.says(Role.DTYPE) and missing and any("." in m for m in query.all(Role.MODEL)):
        tail = ["A file keeps the type that it has; name the network, or convert the file, to compare types."]
    return lines(
        f"{first}: {where}.", "", table(("", "latency", "energy"), shown) if len(rows) > 1 else "", "", *tail
    ).strip()


def _plain(query: Query) -> Query:
    return query.without([Role.DTYPE, Role.RUNTIME, Role.THREADS, Role.BATCH])


def _overlap(best: Record, second: Record, figure: str) -> str:
    one, other = best[figure], second[figure]
    if one["high"] is None or other["low"] is None or one["high"] < other["low"]:
        return ""
    return " (their intervals overlap)"


def across_targets(query: Query) -> Answering:
    """The best of the named targets is the best row of the table."""
    targets = query.all(Role.TARGET)
    if len(targets) < 2:
        return (yield from across(query, _variants(query)))
    if query.has(Role.THREADS, Role.BATCH, Role.CLOCK_MHZ):
        return (yield from across(query, [(name, {"target": name}) for name in targets]))
    record = needed((yield call_of("compare_deployments", query, targets=list(targets[:12]))))
    rows = record["ranking"]
    key = _deciding(query)
    order = sorted(range(len(rows)), key=lambda i: _rank(rows[i], key))
    first = _sentence(query, record, order, key)
    shown = [_row_of(record, i, query) for i in order[:_MOST_ROWS]]
    head = ("board", "kernels", "latency", "energy", *(("price",) if _priced(query) else ()))
    if query.has(*LIMITS):
        head = (*head, "limits")
    why = (
        f"Why: {record.ref('causes[#0].why')}."
        if record["causes"] and key == "latency_ms" and len(rows) == 2
        else ""
    )
    stock = "I do not know what is in stock." if "available" in query.asks else ""
    return lines(stock, f"{first}: {model_shown(query)}.", "", table(head, shown), "", why).strip()


def _sentence(query: Query, record: Record, order: Sequence[int], key: str) -> str:
    """Which is best and by how much; where limits decide, that they do."""
    rows, best = record["ranking"], order[0]
    row, name = f"ranking[#{best}]", record.ref(f"ranking[#{best}].target")
    figure = _figure(rows[best], key)
    if figure is None:
        return f"I cannot tell: the {_WORD[key]} of none of them is known"
    meets = [i for i in order if rows[i]["verdict"] in ("PASS", "MARGINAL")]
    shown = record.ref(f"{row}.{key}", _UNIT[key])
    if query.has(*LIMITS) and len(meets) == 1:
        return f"{name} is the only one that meets your limits, with {shown}"
    said = f"{name} {_SAYS[key]} with {shown}"
    if query.has(*LIMITS):
        said += " of those that meet your limits" if meets else ", but none surely meets your limits"
    among = meets if query.has(*LIMITS) and meets else order
    others = [i for i in among[1:] if _figure(rows[i], key) is not None]
    if not others or key == "price_usd":
        return said
    second = f"ranking[#{others[0]}]"
    ratio = f"{{{{{record.id}.{second}.{key}/{record.id}.{row}.{key}|x}}}}"
    return f"{said}, {ratio} ahead of {record.ref(second + '.target')}{_unsure(rows, best, others[0], key)}"


_WORD = {"latency_ms": "latency", "energy_uj": "energy", "price_usd": "price"}
_SAYS = {
    "latency_ms": "is the fastest",
    "energy_uj": "takes the least energy",
    "price_usd": "is the cheapest",
}
_UNIT = {"latency_ms": "~", "energy_uj": "~", "price_usd": ""}


def _deciding(query: Query) -> str:
    if _priced(query) and "fastest" not in query.asks:
        return "price_usd"
    frugal = {"frugal", "energy", "power"} & query.asks or query.text(Role.GOAL) == "energy"
    return "energy_uj" if frugal else "latency_ms"


def _priced(query: Query) -> bool:
    return bool({"cheapest", "price"} & query.asks) or query.has(Role.PRICE_USD)


def _figure(row: Mapping[str, Any], key: str) -> float | None:
    found = row[key]["value"] if isinstance(row[key], Mapping) else row[key]
    return None if found is None else float(found)


def _rank(row: Mapping[str, Any], key: str) -> tuple[bool, bool, float]:
    """Those that meet the limits first, then by the figure; the unknown last."""
    figure = _figure(row, key)
    return row["verdict"] not in ("PASS", "MARGINAL"), figure is None, figure or 0.0


def _unsure(rows: Sequence[Mapping[str, Any]], best: int, second: int, key: str) -> str:
    one, other = rows[best][key], rows[second][key]
    if one["high"] is None or other["low"] is None or one["high"] < other["low"]:
        return ""
    return " (their intervals overlap)"


def _row_of(record: Record, index: int, query: Query) -> list[str]:
    row, path = record["ranking"][index], f"ranking[#{index}]"
    cells = [record.ref(path + ".target"), record.ref(path + ".runtime")]
    cells += [
        record.ref(f"{path}.{key}", unit) if _figure(row, key) is not None else "unknown"
        for key, unit in (("latency_ms", "~"), ("energy_uj", ""))
    ]
    if _priced(query):
        cells.append(record.ref(path + ".price_usd") if row["price_usd"] is not None else "unknown")
    if query.has(*LIMITS):
        cells.append(record.ref(path + ".verdict"))
    return cells


def hardware_only(query: Query) -> Answering:
    """Two chips without a network: what differs of what they have."""
    records = []
    for target in query.all(Role.TARGET)[:_MOST_ROWS]:
        records.append(needed((yield call_of("get_target", query, target=target))))
    rows = [
        [r.ref("id"), r.ref("clock_max_mhz"), r.ref("ram_bytes"), r.ref("flash_bytes"), r.ref("price_usd")]
        for r in records
    ]
    priced = [r for r in records if r["price_usd"] is not None]
    if _priced(query) and priced:
        cheapest = min(priced, key=lambda r: float(r["price_usd"]))
        missing = [r.ref("id") for r in records if r["price_usd"] is None]
        rest = f"; the price of {joined(missing)} is unknown" if missing else ""
        first = f"{cheapest.ref('id')} is the cheapest, {cheapest.ref('price_usd')}{rest}."
    elif _priced(query):
        first = "I have no cited price of any of them."
    else:
        first = (
            f"They differ in clock, memory and what computes: {joined(r.ref('cores[#0]') for r in records)}."
        )
    return lines(
        first,
        "",
        table(("", "clock", "RAM", "flash", "price"), rows),
        "",
        "Name a network, and I compare them for it.",
    )


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
    cells = [[*_row_of(record, i, query), *life] for i, life in zip(rows, lives, strict=False)]
    head = ("board", "kernels", "latency", "energy", *(("price",) if _priced(query) else ()))
    if query.has(*LIMITS):
        head = (*head, "limits")
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
            found.append([budget.ref("battery.life_days", "days")])
        elif is_known(budget, "battery.most_days"):
            found.append([f"at most {budget.ref('battery.most_days', 'days')}"])
        else:
            found.append(["unknown"])
    return found


def _sorted(ranking: Sequence[Mapping[str, Any]], rows: list[int], query: Query) -> list[int]:
    """One row a target, by what was asked for."""
    key = "price_usd" if "cheapest" in query.asks else None
    if key is None and ("fastest" in query.asks or query.text(Role.GOAL) == "latency"):
        key = "latency_ms"
    if key is None and ({"frugal"} & query.asks or query.has(Role.BATTERY, Role.LIFE_MS)):
        key = "energy_uj"
    kept: dict[str, int] = {}
    ordered = rows if key is None else sorted(rows, key=lambda i: _rank(ranking[i], key))
    if key == "price_usd" and any(_figure(ranking[i], key) is None for i in ordered):
        ordered = [i for i in ordered if _figure(ranking[i], key) is not None] or ordered
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
    return _figure(record["ranking"][index], "energy_uj") is not None


def _and_price(record: Record, row: str, query: Query) -> str:
    index = int(row.partition("#")[2].rstrip("]"))
    known = record["ranking"][index]["price_usd"] is not None
    return f", {record.ref(row + '.price_usd')}" if _priced(query) and known else ""


def _dropped(query: Query) -> str:
    if "available" in query.asks:
        return "I do not know what is in stock."
    return ""


__all__ = ["assumed", "compare", "hardware_only", "recommend"]
