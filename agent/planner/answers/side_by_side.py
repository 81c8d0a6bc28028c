"""Several targets, networks, kernels, types or settings side by side: a sentence and a small table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence

from ....hardware_db.hosts import pairs
from ..bench import NOT_KNOWN, Answering, Call, Record, call_of
from ..choice import of_a_supply
from ..query import CELLS, LIMITS, Query, Role
from ..settling import with_runtime
from ..want import Want
from . import (
    blamed,
    energies,
    facts,
    in_batches,
    judging,
    on_chip,
    on_npu,
    packs,
    peaks,
    premises,
    suspects,
    ways_out,
)
from .accuracy import ACCURACY, with_accuracy
from .axes import alike, at_full_clocks, head_of, kinds_of, same_in_all, shown, varied
from .bounds import bound_in
from .breakdown import cause, spent
from .columns import (
    AVERAGE,
    CHECK,
    CHIP,
    COLUMNS,
    ESTIMATE,
    LIFE,
    MODEL,
    ROOF,
    Column,
    columns_of,
    goals_of,
    power_of,
)
from .deployment import STAND_IN, stand_ins
from .least import needs_a_host
from .lots import lots
from .phrases import ask_model, batch_of, joined, lines, model_shown, said, table
from .plateau import plateau
from .rows import Row, row_of
from .table import Table, best_of, concluded, of_each_network, opened, others_best
from .worth import asks_worth, by_macs, verdict, worth

_MOST_ROWS, _MOST_SHOWN, _MOST_UNNAMED = 16, 12, 5
_STAND_INS = {"gpu": "t4", "npu": "hailo-8", "mcu": "nrf52840", "mpu": "raspberry-pi-5", "cpu": "intel-n100"}
_ALONE = "That is the computing alone: what each draws in between is not counted."
_DOUBTED = frozenset((Want.EVIDENCE, Want.INTERVAL, Want.PLAUSIBLE))
_MOST_REASONED, _MOST_WORDS = 4, 45


def side_by_side(query: Query, wants: Sequence[Want]) -> Answering:
    """The best for what is wanted by the table's own figures, then the table."""
    if not query.has(Role.MODEL):
        return (yield from facts.chip(query, wants)) if query.has(Role.TARGET) else ask_model()
    before = query.established[-1].wants[:1] if query.established and "why" in query.asks else ()
    if query.has(*CELLS) and set(before) & {Want.BATTERY_LIFE, Want.POWER, Want.ENERGY}:
        wants = [*before, *wants]
    wants = [*wants, Want.BOUND] if blamed.named(query, "holds") and Want.BOUND not in wants else wants
    columns, stand_in = columns_of(query, wants), ""
    sized = columns[0].function == MODEL
    wants = [Want.COMPARE] if sized else wants
    if not query.has(Role.TARGET) and not sized:
        query, stand_in = yield from _placed(query)
    query, wants, same = alike(query, wants)
    columns = columns_of(query, wants)
    rated = query if judging.limits_said(query, wants) else query.without([Role.RATE_HZ])
    if columns[0].path == COLUMNS[Want.THROUGHPUT].path and columns[0].ratio:
        rated, query = query, query.without([Role.RATE_HZ])
    kinds, axes = kinds_of(query, wants)
    if asks_worth(query) and Role.TARGET in axes and COLUMNS[Want.PRICE] not in columns:
        columns.append(COLUMNS[Want.PRICE])
    if query.has(Role.POWER_MW) and not sized and not any("power_mw" in column.path for column in columns):
        columns.append(power_of(query))
    of_limits = bool(judging.limits_said(query, wants))
    also = [CHIP] if Role.TARGET in axes and of_limits else []
    rows: list[Row] = []
    waits: list[str] = []
    for name, one in kinds[:_MOST_ROWS]:
        batch, wait = yield from in_batches.at_rate(one, rated, counts=rated is not query)
        waits += [f"{wait} on {name}"] * bool(wait)
        served, called = (
            (one.put(Role.BATCH, batch), f"{name}, {shown(Role.BATCH, batch)}") if batch else (one, name)
        )
        rows.append((yield from row_of(called, served, columns, *also)))
    if not (known := [row for row in rows if not row.error]):
        why = rows[0].error if rows else "nothing to compare"
        return f"I cannot compare them for {model_shown(query)}: {why}"
    if axes[:1] == [Role.MODEL] and not goals_of(query):
        known = yield from with_accuracy(known)
        columns = [ACCURACY, *columns] if all(row.number(ACCURACY) for row in known) else columns
    columns = [one for one in columns if not one.of or any(row.number(one) for row in known)]
    beside = COLUMNS[Want.POWER] in columns and not all(row.number(AVERAGE) for row in known)
    columns = [one for one in columns if one != AVERAGE or not beside]
    found = Table(query, tuple(wants), known, columns, axes[0] if len(axes) == 1 else None)
    told = yield from _answer(found, head_of(axes))
    left_out = [f"Not compared: {row.name}: {_brief(row.error)}." for row in rows if row.error][:2]
    wait = f"A result takes up to {joined(waits)}, filling and computing its batch." if waits else ""
    return lines(told[0], same, told[1], wait, *left_out, *told[2:], stand_in)


def _brief(error: str) -> str:
    """Without the list of what there would be instead: the table shows some of it."""
    return error.partition(" Runtimes for it: ")[0].rstrip(".")


def _placed(query: Query) -> Generator[Call, Record, tuple[Query, str]]:
    """On a board that stands for others, of the class that is named."""
    if query.has(Role.RAM_BYTES, Role.FLASH_BYTES):
        return query.put(Role.TARGET, judging.ANY_TARGET).put(Role.RUNTIME, judging.ANY_RUNTIME), ""
    board = _STAND_INS.get(query.text(Role.TARGET_CLASS), "") or (yield from stand_ins(query))[0]
    return with_runtime(query.put(Role.TARGET, board)), STAND_IN


def _answer(found: Table, head: str) -> Generator[Call, Record, list[str]]:
    """The first sentence, the table, and what explains it."""
    query, wants, columns = found.query, found.wants, list(found.columns)
    text, order, enough = concluded(found)
    each = found.of_networks
    text = of_each_network(found) if each else text
    price = COLUMNS[Want.PRICE]
    if enough and enough.figure and price not in columns and CHIP in enough.row.records:
        columns.append(price)
    heads, more = [column.head for column in columns], []
    more += _judged(found, order)
    if _DOUBTED & set(wants):
        more.append(("basis", [row.records[ESTIMATE].ref("latency_ms.basis") for row in order]))
    bounds: list[str] = []
    roofs: dict[str, Record] = {}
    if Want.BOUND in wants:
        for row in order:
            roofs[row.name] = yield call_of(ROOF, row.query)
        bounds = [bound_in(roof) if roof.result else NOT_KNOWN for roof in roofs.values()]
        more.append(("bound", bounds))
    cells = [
        [row.name, *(row.cell(column) for column in columns), *(cells[at] for _, cells in more)]
        for at, row in enumerate(order)
    ]
    word = verdict(found)
    also = "" if enough or each else others_best(found, text)
    text = "; ".join(filter(None, [text, also, worth(found)]))
    if Want.BOUND in wants[:1] and not word:
        text = _bounds_told(query, order, bounds, columns)
    word = "Hardly" if word.startswith("Yes") and "cannot be told apart" in text else word
    text = f"{word}: {text}" if word and not blamed.named(query, "differs") else text
    text = "; ".join(filter(None, [text, blamed.of_each(query, roofs)]))
    text = f"{macs}; {text}" if (macs := by_macs(found)) else text
    text = "; ".join(filter(None, [plateau(wants, order), text]))
    first = f"{text}: {where}." if (where := same_in_all(query)) else f"{text}."
    timed = found.main.is_of(Want.LATENCY) or found.main.is_of(Want.THROUGHPUT)
    asked_why = Want.WHY_SLOWER in wants or "why" in query.asks
    because = spent(order) if asked_why and found.main.function == LIFE else ""
    if not because and (timed or asked_why):
        because = yield from cause(at_full_clocks(query), wants, order)
    why = (Want.WHY_SLOWER in wants and not word) or bool(blamed.named(query, "differs"))
    denied = yield from premises.denied(found)
    spills, elsewhere = list[str](), dict[str, str]()
    for row in order[:_MOST_REASONED]:
        elsewhere[row.name] = "" if row.runs else (yield from on_npu.elsewhere(row.query))
        spills += [f"{row.name}: {spill}"] if (spill := (yield from on_chip.spilled(row.query))) else []
    placed = {row.query.text(Role.TARGET): row.records[ESTIMATE] for row in order if ESTIMATE in row.records}
    tops = (yield from peaks.of_each(query, placed)) if found.varied is Role.TARGET else []
    texts = (slot.role for slot in query.slots if slot.text and slot.role in varied(query))
    most = _MOST_SHOWN if any(count > 1 for count in Counter(texts).values()) else _MOST_UNNAMED
    rest = order[most:]
    of_one = found.limited and not each and found.varied is Role.TARGET and not found.of_life
    none = of_one and all(row.verdict == "FAIL" for row in order)
    way = (yield from ways_out.instead(order[0].query, query.all(Role.TARGET))) if none else ""
    computing = _ALONE if found.main.is_of(Want.ENERGY) and query.has(Role.RATE_HZ) else ""
    return [
        lines(denied, because if why else "", opened(first, order), computing),
        table([head, *heads, *(name for name, _ in more)], cells[:most]) if len(order) > 1 else "",
        f"Compared too: {joined(row.name for row in rest)}." if rest else "",
        way,
        *elsewhere.values(),
        *_refused([row for row in order if not elsewhere.get(row.name)]),
        *spills,
        suspects.over_usb_2(query),
        *tops,
        (yield from _in_one_type(found, order)),
        *_on_npus(query, order),
        packs.at_their_supply({row.name: row.records[LIFE] for row in order if LIFE in row.records}),
        energies.budget(query, _budgets(order), [row.name for row in order if _lasts_unknown(found, row)]),
        "" if why else because,
        (yield from _beside_whole_boards(found, order)),
        lots(query, order) if COLUMNS[Want.PRICE] in columns else "",
        "I do not know stock or lead times." if Want.AVAILABILITY in wants else "",
    ]


def _bounds_told(query: Query, order: Sequence[Row], bounds: Sequence[str], columns: Sequence[Column]) -> str:
    """What binds each, and which is the fastest where time is the problem."""
    told = joined(f"{row.name} is {of}" for row, of in zip(order, bounds, strict=True))
    told = f"all of them are {bounds[0]}" if len({*bounds}) == 1 < len(bounds) else told
    time = COLUMNS[Want.LATENCY]
    faster = time in columns and "latency" in query.all(Role.GOAL)
    return f"{told}; {best_of(order, columns, time)}" if faster else told


def _beside_whole_boards(found: Table, order: Sequence[Row]) -> Answering:
    """That what computes for a host is held against whole boards, and what the two draw where it is known."""
    places = {row.query.text(Role.TARGET): row for row in order}
    bare = [name for name, row in places.items() if needs_a_host(row)]
    known = found.query.targets
    cards = [name for name in places if name in known and known[name].target_class == "gpu"]
    of_power = found.main.is_of(Want.POWER) or found.main.is_of(Want.ENERGY)
    if found.varied is not Role.TARGET or not 0 < len({*bare, *cards}) < len(places) or not of_power:
        return ""
    told = [f"The computer around {joined(cards)} comes on top of what is told of it."] * bool(cards)
    for name in bare:
        both = next((one for one in pairs(known) if one.endswith(f"-{name}")), "")
        takes = ""
        if both:
            record = yield call_of(ESTIMATE, places[name].query, target=both)
            takes = f": {record.ref('energy_uj', '~')} and {record.ref('power_mw', '~')} as {both}"
        told.append(f"{name} computes for a board beside it, whose power and price come on top{takes}.")
    return lines(*told)


def _judged(found: Table, order: Sequence[Row]) -> list[tuple[str, list[str]]]:
    """Columns of how many times a rate each does, and whether it meets what is demanded."""
    if not found.judged:
        return []
    margins, head = (
        [row.margin for row in order],
        "limits" if found.query.has(*LIMITS) or found.of_life else "fits",
    )
    return [*([("times the rate", margins)] if any(margins) else []), (head, [row.meets for row in order])]


def _budgets(rows: Sequence[Row]) -> list[Record]:
    return [row.records[LIFE] for row in rows if LIFE in row.records]


def _lasts_unknown(found: Table, row: Row) -> bool:
    return found.main.function == LIFE and row.verdict != "FAIL" and row.cell(found.main) == NOT_KNOWN


def _on_npus(query: Query, rows: Sequence[Row]) -> list[str]:
    """How much of the network the accelerators among them take, where that is asked."""
    taken = (
        (row.name, on_npu.shared(query, row.records[ESTIMATE])) for row in rows if ESTIMATE in row.records
    )
    return [f"{name}: {said}" for name, said in taken if said]


def _refused(rows: Sequence[Row]) -> list[str]:
    """Why those that fail do, in the words of the check that decides it; one where all fail by the same."""
    told: dict[str, str] = {}
    for row in rows if len(rows) <= _MOST_REASONED else ():
        failing = [one for one in row.checks("FAIL") if one["name"] != "life"]
        if not failing:
            continue
        check = row.records[CHECK]
        why = next((one for one in failing if one["name"] == "operators"), failing[0])
        if why["name"] == "operators":
            run = "operator does" if why["demand"] == 1 else "operators do"
            operators = check.ref("checks[operators].demand", "count")
            text = f"{operators} {run} not run with {check.ref('deployment.runtime')}"
        elif why["name"] == "power" and of_a_supply(row.query):
            text = str(why["statement"])
        elif why["name"] == "rate" and batch_of(check) > 1:
            text = f"{_needed(row)} of them together do {said(row.query, Role.RATE_HZ)}"
        else:
            text = check.ref(f"checks[{why['name']}].statement")
        if why["name"] == "operators" or len(str(why["statement"]).split()) <= _MOST_WORDS:
            stop = "" if why["name"] != "operators" and str(why["statement"]).endswith(".") else "."
            told.setdefault(why["name"], f"{row.name}: {text}{stop}")
    return list(told.values())


def _needed(row: Row) -> str:
    """How many of it a rate takes."""
    rate, one = row.query.number(Role.RATE_HZ) or 0.0, row.records[ESTIMATE].id
    return f"{{{{ceil({rate:.9g}fps/{one}.inferences_per_second)|count}}}}"


def _in_one_type(found: Table, order: Sequence[Row]) -> Answering:
    """Of kernels that compute in other types, what the first takes in that of the last: like with like."""
    taken = [row for row in order if ESTIMATE in row.records]
    types = [str(row.records[ESTIMATE]["dtype"]) for row in taken]
    two = found.varied is Role.RUNTIME and not found.query.has(Role.DTYPE) and len(types) == 2
    if not two or types[0] == types[1]:
        return ""
    one = yield call_of(ESTIMATE, taken[0].query, dtype=types[1])
    shown = f": {taken[0].name} in {types[1]} takes {one.ref('latency_ms', '~')}" * one.knows("latency_ms")
    return f"Part of that is the type, not the kernels{shown}."
