"""Which hardware: the rows of a ranking, as a table."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import Any

from ....hardware_db.hosts import host_of, is_hosted
from ..bench import NOT_KNOWN, Answering, Call, Record, call_of, needed
from ..choice import (
    Order,
    classes_of,
    is_narrowed,
    links,
    links_in_words,
    lists,
    meant,
    order_of,
    parted,
    said_order,
)
from ..factors import factor_in
from ..query import CELLS, LIMITS, Query, Role
from ..want import Want
from ..words import patterns, spoken
from . import central, energies, in_batches, packs, panels, video
from .columns import CHECK, CHIP, COLUMNS, ESTIMATE
from .deployment import ON_MICROCONTROLLERS, stand_ins
from .lots import lot
from .phrases import ask_model, joined, lines, model_shown, price, relaxed, said, table
from .ranked import FEW, MET, foremost, missing, ordered, praised, rests_on, sold_as, surely, table_of, tells
from .rows import Row
from .table import Table, concluded, limits_in_words, opened
from .wishes import granted, of_wishes, why_not

_LOOKED_AT, _RANKED = 60, 600
_FRUGAL, _AMONG = ("mcu", "npu", "dsp"), "microcontrollers, NPUs and DSPs"
"""Where a small network is looked for, and one on a battery."""
_DAY_MS = 8.64e7
_KINDS = {"npu": "NPU", "gpu": "GPU", "mcu": "microcontroller", "mpu": "Linux board", "dsp": "DSP"}
_DOUBTED = {"npu": ("an NPU", ["npu", "gpu", "dsp"]), "gpu": ("a GPU", ["gpu"])}
"""What is held to be needed, and what a processor alone is not."""
_BETTERED = {
    "price": (Role.PRICE_USD, "price", "price_usd"), "latency": (Role.LATENCY_MS, "time", "latency_ms"),
    "energy": (Role.ENERGY_UJ, "energy", "energy_uj"),
}  # fmt: skip
_WEIGHTS = {
    Order.CHEAPEST: {"price": 1.0, "latency": 0.001, "energy": 0.0, "power": 0.0},
    Order.ENOUGH: {"price": 1.0, "latency": 0.0, "energy": 0.0, "power": 1.0},
}
_ON_LINUX = ("gpu-soc", "mpu", "npu")
"""Any of these stands in for another."""
_SAYS = patterns("choosing")
_FOR_A_TASK = (
    "For a task I take the network that usually stands for it: keyword spotting, person detection, image "
    "classification, object detection, anomaly detection."
)


def recommend(query: Query, wants: Sequence[Want]) -> Answering:
    """The best hardware for what is demanded, with two more; what the demand costs where nothing meets it."""
    if not query.has(Role.MODEL):
        return ask_model(_FOR_A_TASK)
    doubted = _doubted(query)
    if len(classes := dict.fromkeys(query.all(Role.TARGET_CLASS))) > 1 and not doubted:
        return (yield from _of_classes(query, wants, classes))
    another = _SAYS["another"].search(query.question)
    kinds = spoken("bettered", query.question) if another or query.says(Role.TARGET) else ()
    wants = [*wants, Want.CHEAPEST] if doubted or "price" in kinds else wants
    query, baseline = yield from _bettered(query, kinds)
    query, wished = parted(query)
    by = order_of(query, wants)
    filters = yield from _filters(query, by)
    if doubted:
        filters |= {"targets": None, "without": _DOUBTED[doubted][1]}
    if links(query) and filters["targets"] == []:
        return f"None of those is known to have {links_in_words(query)}."
    records, note = yield from _ranked(query, filters)
    of_class, record = query.without([Role.TARGET_CLASS]) if doubted else query, records[-1]
    rows = ordered(of_class, record, by)
    if doubted:
        note = f"{'No' if rows else 'Yes'}, {_DOUBTED[doubted][0]} is {'not ' if rows else ''}needed: "
    if not rows:
        return lines(_unmet(query, note, record, by), *relaxed(record), baseline)
    rows = sorted(rows, key=lambda row: not granted(row, wished))
    wishes, among = of_wishes(rows, wished), _among(of_class, filters)
    if lists(query):
        cheap = said_order(query.question) is Order.CHEAPEST
        first = _chosen(query, rows, by) if cheap or spoken("decides", query.question) else ""
        return lines(
            first, _listed(query, rows, f"{by}{among}"), missing(query, record), wishes, rests_on(query, rows)
        )
    if central.weighs(query):
        return (yield from _weighed(query, wants, rows, by))
    count = f"{len(rows)} or more" if len(rows) >= filters["top"] else str(len(rows))
    rest = ": ask for *all of them*" if len(rows) > FEW else ""
    rows, lives, lasts = yield from _by_life(query, rows)
    rows, decoded = (rows, "") if lives else (yield from video.of_ranked(query, rows))
    by_what = "battery life" if lives else by
    first = f"{note}{lasts}{_chosen(query, rows, by_what)}"
    own = "" if baseline or another else (yield from _of_named(query))
    added = host_of(rows[0]["target"], query.targets) == query.text(Role.TARGET) != ""
    order = f", these first by {by_what}{rest}" if rest else ""
    told = f"{count} boards and chips{among} meet it{order}." if rest else f"I know no others{among}."
    told = f"It is the only one{among} that I know to meet that." if count == "1" else told
    if by is Order.CHEAPEST and not rows[0].knows("price_usd"):
        told = "None of those that meet it has a cited price, so I cannot tell the cheapest."
    seen = foremost(query, rows)
    time = f"latency of {record['model']}" if (others := _times_of_others(records, seen)) else "latency"
    computing = Want.POWER in wants or by in (Order.ENOUGH, Order.COOLEST)
    computing = computing and not _SAYS["mean"].search(query.question)
    watts = {"power": [row.ref("power_mw", "~") for row in seen]} if computing else {}
    shown = table_of(seen, {**others, **lives, **watts, **surely(query, seen)}, time)
    near = missing(query, record, few=len(rows) < FEW)
    stock = "I do not know stock or lead times." if Want.AVAILABILITY in wants else ""
    last = (rests_on(query, seen), stock, why_not(query), lot(query, rows[0]))
    first = lines(first, panels.sun_for(query, rows[0]))
    head = [*((first, own) if added else (own, first)), (yield from _of_all(query, rows[0]))]
    return lines(*head, wishes, baseline, shown, told, near, *last, decoded)


def _weighed(query: Query, wants: Sequence[Want], rows: Sequence[Record], by: Order) -> Answering:
    """The first that is sold as a whole, in each place, beside a card for all of them."""
    rows, decoded = yield from video.of_ranked(query, list(rows))
    whole = [row for row in rows if row["price_of"] != "chip" and row.knows("price_usd")]
    rows = [*whole, *(row for row in rows if row not in whole)]
    return lines(_chosen(query, rows, by), (yield from central.instead(query, rows[0], wants)), decoded)


def _of_all(query: Query, first: Record) -> Generator[Call, Record, str]:
    """What the streams of several cameras come to together, and how much of that the first does; where no
    rate of each is said, up to which it is enough."""
    many = video.streams_of(query)
    if not many:
        return ""
    one = query.put(Role.TARGET, first["target"]).put(Role.RUNTIME, first["runtime"])
    rate = query.number(Role.RATE_HZ)
    record = yield in_batches.workload(one.without([Role.LATENCY_MS]), rate_hz=rate or many, devices=1)
    if not record.knows("inferences_per_second"):
        return ""
    name, does = first.ref("target"), record.ref("inferences_per_second", "fps~")
    if not rate:
        each = (
            f"{{{{{record.id}.inferences_per_second/{many:g}|fps}}}} for each of {said(query, Role.DEVICES)}"
        )
        return f"{name} does {does}, {each}: how many pictures a second does each need?"
    whole, load = record.ref("demanded_per_second"), record.ref("load", "%")
    return f"Together that is {whole}, a load of {load} of {name}, which does {does}."


def _unmet(query: Query, note: str, record: Record, by: Order) -> str:
    """That nothing surely meets it, and what may."""
    unsure = ordered(query, record, by, ("UNKNOWN",)) if query.has(*LIMITS) else []
    may = [row for row in unsure if tells(row)]
    if not may:
        nothing = f"{note}Nothing that I know of meets that for {model_shown(query)}."
        return lines(nothing, missing(query, record, few=True))
    seen = foremost(query, may)
    first = praised(may[0], f" may meet {limits_in_words(query)}, which cannot be told for sure")
    return lines(f"{note}{first}, for {model_shown(query)}.", table_of(seen, surely(query, seen)))


def _of_classes(query: Query, wants: Sequence[Want], classes: Iterable[str]) -> Answering:
    """Of several kinds of hardware which is enough: the best of each, side by side."""
    by = order_of(query, wants)
    filters = yield from _filters(query, by)
    rows, without = list[Row](), list[str]()
    for kind in classes:
        given = {**filters, "targets": meant(query.put(Role.TARGET_CLASS, kind)), "classes": None}
        record = needed((yield call_of("recommend_hardware", query.without([Role.TARGET_CLASS]), **given)))
        if not (found := ordered(query, record, by)):
            without.append(f"no {_KINDS.get(kind, kind)} that I know of meets that")
            continue
        best = found[0]
        one = query.put(Role.TARGET, best["target"]).put(Role.RUNTIME, best["runtime"])
        name = f"{best['target']} with {best['runtime']} ({kind.upper()})"
        rows.append(Row(name, one, dict.fromkeys((ESTIMATE, CHECK, CHIP), best)))
    if not rows:
        return lines(f"Nothing that I know of meets that for {model_shown(query)}.", *relaxed(record))
    first = {Order.FRUGAL: Want.ENERGY, Order.CHEAPEST: Want.PRICE}.get(by, Want.LATENCY)
    columns = [COLUMNS[want] for want in dict.fromkeys([first, Want.LATENCY, Want.ENERGY, Want.PRICE])]
    told = concluded(Table(query, (Want.MEETS,), rows, columns, Role.TARGET))
    cells = [[row.name, *(row.cell(column) for column in columns)] for row in told.order]
    shown = table(["board", *(column.head for column in columns)], cells)
    text = opened("; ".join([told.text, *without]), rows)
    return lines(f"{text}: {model_shown(query)}.", shown, f"Each is the first of its kind by {by}.")


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
        shown = price(record) if kind == "price" else record.ref(path, "~")
        told.append(shown if known else f"no known {word}")
        if known and known < (query.number(role) or known + 1):
            times = factor_in(query.question) or 1.0
            share = f" over {times:g}" if times > 1.0 else ""
            query = query.put(role, known / times, text=f"a {word} below that of {name}{share}")
    return query, f"Against {name}: {joined(told)}."


def _ranked(query: Query, filters: Mapping[str, Any]) -> Generator[Call, Record, tuple[list[Record], str]]:
    """What meets the demand for each network, on what meets it for those before; of all hardware where
    nothing of the class that is named does."""
    plain, kind, note, records = query.without([Role.TARGET_CLASS]), query.text(Role.TARGET_CLASS), "", []
    for model in dict.fromkeys(query.all(Role.MODEL)):
        one = plain.put(Role.MODEL, model)
        record = yield call_of("recommend_hardware", one, **filters)
        if kind and filters["targets"] and not record["passing"]:
            wider = needed((yield call_of("recommend_hardware", one, **{**filters, "targets": None})))
            if wider["passing"]:
                note = f"No {_KINDS.get(kind, kind)} that I know of meets that; of all others: "
                record, filters = wider, {**filters, "targets": None}
        records.append(needed(record))
        met = [row["target"] for row in record["ranking"] if row["verdict"] in MET]
        filters = {**filters, "targets": list(dict.fromkeys(met)), "top": _RANKED}
        if not met:
            break
    return records, note


def _among(query: Query, filters: Mapping[str, Any]) -> str:
    """Among what it was looked for."""
    ruled_out = dict.fromkeys(slot.text.lower() for slot in query.slots if slot.role is Role.WITHOUT)
    classes = classes_of(query)
    only = dict.fromkeys((*query.all(Role.WITHIN), *(classes if len(classes) == 1 else ())))
    of = [f"{_KINDS[one]}s" if one in _KINDS else one for one in only]
    of = [_AMONG] if "classes" in filters else of or (["accelerators"] if classes else [])
    makers = joined(name for name in query.all(Role.WITHIN) if name[:1].isupper())
    alone = [f" of {makers}"] if makers else []
    has = [f"known to have {links_in_words(query)}"] if links(query) else []
    return "".join(
        [*alone, f" among {joined(of)}" if of else "", *(f", {text}" for text in (*ruled_out, *has))]
    )


def _doubted(query: Query) -> str:
    """The class of hardware that somebody holds to be needed, which the question doubts; empty for none."""
    kind = next((name for name in query.all(Role.TARGET_CLASS) if name in _DOUBTED), "")
    return kind if "doubt" in spoken("conclusion", query.question) else ""


def _filters(query: Query, by: Order) -> Generator[Call, Record, dict[str, Any]]:
    """What is ranked, and by what: as it was said, or as the board that is to be replaced has it."""
    scored = by in (Order.BALANCE, Order.FASTEST, Order.FRUGAL, Order.COOLEST) and not lists(query)
    scored = scored and not _SAYS["misses"].search(query.question)
    more: dict[str, Any] = {"goal": by.goal, "top": _LOOKED_AT if scored else _RANKED, "target": None}
    more |= {"targets": meant(query) if is_narrowed(query) else None, "target_class": None}
    if by in _WEIGHTS:
        more |= {"goal": "balance", "weights": _WEIGHTS[by]}
    if query.among:
        return more
    if not query.says(Role.RUNTIME):
        more["runtime"] = None
    instead_of = query.targets.get(query.text(Role.TARGET)) if query.says(Role.TARGET) else None
    if by is Order.SMALLEST and not classes_of(query):
        more["classes"] = ["mcu"]
    elif instead_of is not None and not classes_of(query):
        kind = str(instead_of.target_class)
        more["classes"] = list(_ON_LINUX if kind in _ON_LINUX else [kind])
    elif not classes_of(query) and (
        query.has(*CELLS)
        or (query.has(Role.LIFE_MS) and not query.has(Role.TARIFF))
        or (yield from stand_ins(query)) == ON_MICROCONTROLLERS
    ):
        more["classes"] = list(_FRUGAL)
    if by is Order.CHEAPEST and not query.has(*LIMITS) and instead_of and instead_of.price_usd:
        more["price_usd"] = instead_of.price_usd
    return more


def _chosen(query: Query, rows: Sequence[Record], by: str) -> str:
    """The first, by what it comes first, and whether it surely meets the limits; else who surely does."""
    limits, runs = limits_in_words(query), joined(map(str, dict.fromkeys(query.all(Role.MODEL))))
    runs = runs.rpartition("/")[2] if len(set(query.all(Role.MODEL))) == 1 else runs
    if not query.has(*LIMITS):
        return f"{praised(rows[0])}, for {runs}."
    sure = next((row for row in rows if row["verdict"] == "PASS"), None)
    meets = f"meets {limits}" if sure is rows[0] else f"probably meets {limits}, though not surely"
    surely_does = "none surely does" if sure is None else praised(sure, " surely does")
    text = f"{praised(rows[0], f', first by {by}, {meets}')}, for {runs}"
    text = f"{text}." if sure is rows[0] else f"{text}; {surely_does}."
    if is_hosted(query.targets.get(rows[0]["target"])):
        text = f"{text} It computes for a board beside it, which comes on top."
    if sure is not rows[0] and rows[0].knows("reasons[#0]"):
        text = f"{text} Closest: {rows[0].ref('reasons[#0]')}."
    price_of_first = rows[0].number("price_usd")
    saving = query.has(Role.PRICE_USD) or by == Order.CHEAPEST
    if not saving or rows[0]["price_of"] not in sold_as(query) or price_of_first is None:
        return text
    cheaper = (row for row in rows if (row.number("price_usd") or price_of_first) < price_of_first)
    bare = next((row for row in cheaper if row["price_of"] == "chip"), None)
    does = f", as a bare chip, {'probably ' * (bare['verdict'] != 'PASS')}does for less" if bare else ""
    return f"{text} {praised(bare, does)}." if bare else text


def _listed(query: Query, rows: Sequence[Record], by: str) -> str:
    """All that meet the limits, a row a board with its best kernels, and how many more there are."""
    sure, limited = sum(row["verdict"] == "PASS" for row in rows), query.has(*LIMITS)
    meet = f"meet {limits_in_words(query)}" if limited else "run it"
    boards = f"{len(rows)} boards {meet}" if len(rows) > 1 else f"One board {meet.replace('t', 'ts', 1)}"
    how_many = f", {sure or 'none'} of them surely" if limited and sure < len(rows) else ""
    shown = foremost(query, rows)
    verdicts = surely(query, shown)
    if "measured" in query.asks:
        verdicts = {"rests on": [row.ref("latency_ms.basis") for row in shown], **verdicts}
    watts = {"power": [row.ref("power_mw", "~") for row in shown]} if by.startswith(Order.COOLEST) else {}
    left = len(rows) - len(shown)
    return lines(
        f"{boards}{how_many}: {model_shown(query)}{f'; the first {len(shown)}' if left else ','} by {by}.",
        table_of(shown, {**watts, **verdicts}),
        f"{left} more: `edgewright recommend --json` gives all." if left else "",
    )


def _times_of_others(records: Sequence[Record], rows: Sequence[Record]) -> dict[str, list[str]]:
    """Of several networks that all have to run, the time of each but the last."""
    found: dict[str, list[str]] = {}
    for record in records[:-1]:
        first: dict[str, Record] = {}
        for at, row in enumerate(record["ranking"]):
            first.setdefault(row["target"], record.row("ranking", at))
        found[str(record["model"])] = [first[row["target"]].ref("latency_ms", "~") for row in rows]
    return found


def _of_named(query: Query) -> Generator[Call, Record, str]:
    """How the board does that the user has, before others are named; not what its battery lasts."""
    if not query.has(Role.TARGET) or query.has(Role.LIFE_MS):
        return ""
    record = yield call_of("check_constraints", query)
    estimate = yield call_of("estimate_performance", query)
    if record.result is None or estimate.result is None:
        return ""
    if record["verdict"] == "PASS" and not query.has(*LIMITS):
        return ""
    words = {"PASS": "will do", "MARGINAL": "will probably do", "FAIL": "does not do", "UNKNOWN": "may do"}
    demanded = " and what you demand" if query.has(*LIMITS) else ""
    target, does = estimate.ref("deployment.target"), words[record["verdict"]]
    return f"{target} {does} for {model_shown(query)}{demanded}: {estimate.ref('latency_ms', '~')}."


def _by_life(
    query: Query, rows: list[Record]
) -> Generator[Call, Record, tuple[list[Record], dict[str, list[str]], str]]:
    """Longest on the battery that was named first, a cell a row, and whether that is long enough."""
    battery, _ = packs.sized(query)
    if not battery.has(Role.BATTERY, Role.CHARGE_MAH) or not query.has(Role.RATE_HZ):
        return rows, {}, ""
    wanted = (query.number(Role.LIFE_MS) or 0.0) / _DAY_MS
    lives: list[tuple[bool, bool, float, float, str, Record]] = []
    for row in rows[: 2 * FEW]:
        one = battery.put(Role.TARGET, row["target"]).put(Role.RUNTIME, row["runtime"])
        budget = yield call_of("estimate_energy_budget", one)
        sleeps = budget.knows("battery.life_days")
        path = f"battery.{'life' if sleeps else 'most'}_days"
        days, end = budget.number(path) or 0.0, (budget.ends(path) or (0.0, 0.0))[1]
        lasts = energies.lasts(budget)
        lives.append((not sleeps or days < wanted, lasts == NOT_KNOWN, -days, end, lasts, row))
    lives.sort(key=lambda life: life[:3])
    short, unknown, _, end, cell, _ = lives[0]
    cells, order = {"battery life": [life[4] for life in lives]}, [life[5] for life in lives]
    if not wanted or not end or unknown:
        return order, cells, ""
    word = "Yes" if not short else "Not surely" if end >= wanted else "No"
    return order, cells, f"{word}, for {said(query, Role.LIFE_MS)} the longest that I find lasts {cell}: "
