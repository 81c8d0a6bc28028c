"""Several targets, kernel libraries, types, networks or settings side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....hardware_db.index import read_index
from ..bench import Answering, Record, call_of, needed
from ..query import LIMITS, Query, Role
from ..words import representatives
from .phrases import (
    ask_model,
    is_known,
    joined,
    lines,
    model_shown,
    quantity,
    subject,
    table,
    value,
)

_MOST_ROWS = 6
_DEVICE_TYPES = ("float32", "float16", "int8")


def compare(query: Query) -> Answering:
    """Targets, kernels, types, networks or settings side by side: a sentence and a table."""
    models, targets = query.all(Role.MODEL), query.all(Role.TARGET)
    if not models:
        return (yield from hardware_only(query)) if len(targets) > 1 else ask_model()
    if not targets:
        return "Compare on what? Name boards or chips, such as `esp32-s3 and stm32h743`."
    if "npu" in query.asks and len(targets) == 1:
        query = query.put(Role.TARGET, *targets, representatives()["npu"]).without([Role.RUNTIME])
        return (yield from across_targets(query))
    if len(models) > 1 and "fits" in query.asks and len(targets) == 1:
        return (yield from side_by_side(query))
    kinds = _variants(query)
    if len(targets) > 1:
        return (yield from across_targets(query))
    settings = query.has(Role.THREADS, Role.BATCH, Role.CLOCK_MHZ, Role.DTYPE)
    if all("runtime" in more for _, more in kinds) and len(kinds) > 1 and len(models) == 1 and not settings:
        pairs = [f"{targets[0]}/{more['runtime']}" for _, more in kinds]
        return (yield from across_targets(query.without([Role.RUNTIME]), pairs))
    return (yield from across(query, kinds))


def side_by_side(query: Query) -> Answering:
    """Which of several networks fit one target, and what they take together."""
    plans: list[Record] = []
    for model in query.all(Role.MODEL)[:_MOST_ROWS]:
        plans.append(needed((yield call_of("plan_memory", query, model=model))))
    names = [model.rpartition("/")[2] for model in query.all(Role.MODEL)[:_MOST_ROWS]]
    fits = [name for name, plan in zip(names, plans, strict=True) if plan["fits"]]
    where = plans[0].ref("deployment.target")
    if len(fits) == len(plans):
        first = f"Each of them fits {where} alone"
    else:
        first = (
            f"{joined(fits)} fit{'s' if len(fits) == 1 else ''} {where}"
            if fits
            else f"None of them fits {where}"
        )
    flash = "+".join(f"{plan.id}.flash_bytes" for plan in plans)
    arenas = ",".join(f"{plan.id}.arena_bytes" for plan in plans)
    cells = [
        (name, p.ref("arena", "KiB"), p.ref("flash", "KiB"), "yes" if p["fits"] else "no")
        for name, p in zip(names, plans, strict=True)
    ]
    return lines(
        f"{first}.",
        "",
        table(("", "arena", "flash", "fits"), cells),
        "",
        f"All together take {{{{{flash}|KiB}}}} of flash, and {{{{sum({arenas})|KiB}}}} of RAM, or "
        f"{{{{max({arenas})|KiB}}}} where "
        "they share one arena in turn.",
    )


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
    """One estimate, or one plan of the memory, a row; the best first."""
    figure, word, function = _across_by(query)
    rows: list[tuple[str, Record]] = []
    missing: list[str] = []
    for name, more in kinds[:_MOST_ROWS]:
        record = yield call_of(function, query, **dict(more))
        if record.result is None or not is_known(record, figure):
            missing.append(f"{name}: {record.error or 'unknown'}")
        else:
            rows.append((name, record))
    if not rows:
        return lines(f"I cannot compare them for {model_shown(query)}.", *missing[:2])
    rows.sort(key=lambda each: value(each[1], figure) or 0)
    (name, best), where = rows[0], subject(_plain(query), rows[0][1])
    first = f"{name} {word} with {quantity(best, figure)}"
    if len(rows) > 1:
        other, second = rows[1]
        ratio = f"{{{{{second.id}.{figure}/{best.id}.{figure}|x}}}}"
        first += f", {ratio} ahead of {other}{_overlap(best, second, figure)}"
    head = ("", "arena", "flash") if function == "plan_memory" else ("", "latency", "energy")
    beside = "flash" if function == "plan_memory" else "energy_uj"
    main = "arena" if function == "plan_memory" else "latency_ms"
    shown = [(row, r.ref(main, "~"), r.ref(beside) if is_known(r, beside) else "unknown") for row, r in rows]
    tail = [f"Not compared: {text}" for text in missing[:2]]
    if query.says(Role.DTYPE) and missing and any("." in m for m in query.all(Role.MODEL)):
        tail = ["A file keeps the type that it has; name the network, or convert the file, to compare types."]
    drawn = table(head, shown) if len(rows) > 1 else ""
    return lines(f"{first}: {where}.", "", drawn, "", *tail).strip()


def _across_by(query: Query) -> tuple[str, str, str]:
    """The figure that decides, what the best does, and the tool that tells it."""
    asks = query.asks
    if {"ram", "arena", "flash"} & asks and not {"fastest", "energy"} & asks:
        if "flash" in asks and not {"ram", "arena"} & asks:
            return "flash", "takes the least flash", "plan_memory"
        return "arena", "takes the least RAM", "plan_memory"
    if query.text(Role.GOAL) == "energy" or "energy" in asks:
        return "energy_uj", "takes the least energy", "estimate_performance"
    return "latency_ms", "is the fastest", "estimate_performance"


def _plain(query: Query) -> Query:
    return query.without([Role.DTYPE, Role.RUNTIME, Role.THREADS, Role.BATCH])


def _overlap(best: Record, second: Record, figure: str) -> str:
    one, other = best[figure], second[figure]
    if one["high"] is None or other["low"] is None or one["high"] < other["low"]:
        return ""
    return " (their intervals overlap)"


def across_targets(query: Query, pairs: Sequence[str] = ()) -> Answering:
    """The best of the named targets, or of `target/runtime` pairs, is the best row of the table."""
    targets = pairs or query.all(Role.TARGET)
    if query.has(Role.THREADS, Role.BATCH, Role.CLOCK_MHZ):
        batches = [int(number) for number in query.numbers(Role.BATCH)]
        if len(batches) > 1:
            kinds = [(f"{t}, batch {n}", {"target": t, "batch": n}) for t in targets for n in batches]
        else:
            kinds = [(name, {"target": name}) for name in targets]
        return (yield from across(query, kinds))
    record = needed((yield call_of("compare_deployments", query, targets=list(targets[:12]))))
    rows = record["ranking"]
    key = _deciding(query)
    order = sorted(range(len(rows)), key=lambda i: rank(rows[i], key))
    first = _sentence(query, record, order, key)
    if key == "energy_uj" and "fastest" in query.asks:
        quickest = sorted(range(len(rows)), key=lambda i: rank(rows[i], "latency_ms"))
        first = f"{_sentence(query, record, quickest, 'latency_ms')}; {first}"
    shown = [table_row(record, i, query, key) for i in order[:_MOST_ROWS]]
    head = table_head(query, key)
    if not query.has(*LIMITS) and (any(r["verdict"] == "FAIL" for r in rows) or "fits" in query.asks):
        head = (*head, "fits")
        shown = [
            [*cells, record.ref(f"ranking[#{i}].verdict")] for cells, i in zip(shown, order, strict=False)
        ]
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
    row = f"ranking[#{best}]"
    by = "target" if len({each["target"] for each in rows}) > 1 else "runtime"
    name = record.ref(f"{row}.{by}")
    figure = figure_of(rows[best], key)
    if figure is None:
        return f"I cannot tell: the {_WORD[key]} of none of them is known"
    meets = [i for i in order if rows[i]["verdict"] in ("PASS", "MARGINAL")]
    runs = [i for i in order if rows[i]["verdict"] != "FAIL"]
    shown = record.ref(f"{row}.{key}", _UNIT[key])
    if query.has(*LIMITS) and len(meets) == 1:
        surely = "surely " if any(row["verdict"] == "UNKNOWN" for row in rows) else ""
        return f"{name} is the only one that {surely}meets your limits, with {shown}"
    said = f"{name} {_SAYS[key]} with {shown}"
    if len(runs) == 1 and len(order) > 1 and not query.has(*LIMITS):
        return f"{name} is the only one that it fits, with {shown}"
    if query.has(*LIMITS):
        said += " of those that meet your limits" if meets else ", but none surely meets your limits"
    among = (meets if query.has(*LIMITS) and meets else runs) or order
    others = [i for i in among[1:] if figure_of(rows[i], key) is not None]
    if not others or key == "price_usd":
        return said
    second = f"ranking[#{others[0]}]"
    ratio = f"{{{{{record.id}.{second}.{key}/{record.id}.{row}.{key}|x}}}}"
    return f"{said}, {ratio} ahead of {record.ref(f'{second}.{by}')}{_unsure(rows, best, others[0], key)}"


_WORD = {
    "latency_ms": "latency", "energy_uj": "energy", "price_usd": "price", "arena_bytes": "arena",
    "flash_bytes": "flash",
}  # fmt: skip
_SAYS = {
    "latency_ms": "is the fastest", "energy_uj": "takes the least energy", "price_usd": "is the cheapest",
    "arena_bytes": "takes the least RAM", "flash_bytes": "takes the least flash",
}  # fmt: skip
_UNIT = {"latency_ms": "~", "energy_uj": "~", "price_usd": "", "arena_bytes": "", "flash_bytes": "~"}


def table_head(query: Query, key: str = "") -> tuple[str, ...]:
    head = ["board", "kernels", "latency", "energy"]
    head += [_WORD[key]] if key in ("arena_bytes", "flash_bytes") else []
    head += ["price"] if priced(query) else []
    return (*head, "limits") if query.has(*LIMITS) else tuple(head)


def _deciding(query: Query) -> str:
    if priced(query) and "fastest" not in query.asks:
        return "price_usd"
    for goal, key in (("flash", "flash_bytes"), ("ram", "arena_bytes")):
        if query.text(Role.GOAL) == goal or ({goal} & query.asks and "fastest" not in query.asks):
            return key
    frugal = {"frugal", "energy", "power"} & query.asks or query.text(Role.GOAL) == "energy"
    return "energy_uj" if frugal else "latency_ms"


def priced(query: Query) -> bool:
    return bool({"cheapest", "price"} & query.asks) or query.has(Role.PRICE_USD)


def figure_of(row: Mapping[str, Any], key: str) -> float | None:
    found = row[key]["value"] if isinstance(row[key], Mapping) else row[key]
    return None if found is None else float(found)


def rank(row: Mapping[str, Any], key: str) -> tuple[bool, bool, float]:
    """What fails last, then by the figure; the unknown before it."""
    figure = figure_of(row, key)
    return row["verdict"] == "FAIL", figure is None, figure or 0.0


def _unsure(rows: Sequence[Mapping[str, Any]], best: int, second: int, key: str) -> str:
    one, other = rows[best][key], rows[second][key]
    if one["high"] is None or other["low"] is None or one["high"] < other["low"]:
        return ""
    return " (their intervals overlap)"


def table_row(record: Record, index: int, query: Query, key: str = "") -> list[str]:
    row, path = record["ranking"][index], f"ranking[#{index}]"
    cells = [record.ref(path + ".target"), record.ref(path + ".runtime")]
    cells += [
        record.ref(f"{path}.{key}", unit) if figure_of(row, key) is not None else "unknown"
        for key, unit in (("latency_ms", "~"), ("energy_uj", ""))
    ]
    if key in ("arena_bytes", "flash_bytes"):
        cells.append(record.ref(f"{path}.{key}", "KiB") if figure_of(row, key) is not None else "unknown")
    if priced(query):
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
    known = [r for r in records if r["price_usd"] is not None]
    if priced(query) and known:
        cheapest = min(known, key=lambda r: float(r["price_usd"]))
        missing = [r.ref("id") for r in records if r["price_usd"] is None]
        rest = f"; the price of {joined(missing)} is unknown" if missing else ""
        first = f"{cheapest.ref('id')} is the cheapest, {cheapest.ref('price_usd')}{rest}."
    elif priced(query):
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
