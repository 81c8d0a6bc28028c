"""Several targets, networks, kernels, types or settings side by side: a sentence and a small table."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from typing import Any

from ..bench import NOT_KNOWN, Answering, Call, Record, call_of, is_named
from ..no_goals import denied
from ..owners import combinations, of_target
from ..query import LIMITS, Query, Role
from ..want import Want
from ..words import spoken, spoken_in_turn
from . import facts, judging, pivot
from .alike import alike, at_full_clocks
from .best_of import differences, in_order, kernels, others_best, refused, summed_up
from .bounds import bound_in
from .breakdown import cause
from .columns import CHIP, COLUMNS, ESTIMATE, ROOF, Column
from .concluding import likely, weighed
from .cores import on_enough_cores
from .deployment import STAND_IN, stand_ins
from .phrases import ask_model, joined, lines, model_shown, said, table
from .rows import Row, row_of
from .worth import asks_worth, verdict, worth

_MOST_ROWS, _MOST_SHOWN, _MOST_LISTED, _PAIR = 16, 6, 12, 2
_STREAMS = re.compile(r"\bhow many (?:\w+ )?(?:cameras?|streams?|channels|feeds|videos?|sensors)\b", re.I)
_HOW_MANY = re.compile(r"\bhow many\b|\bnumber of\b", re.IGNORECASE)
_ROLES = (
    (Role.TARGET, "target", "board"), (Role.MODEL, "model", "network"), (Role.RUNTIME, "runtime", "kernels"),
    (Role.DTYPE, "dtype", "type"), (Role.BATCH, "batch", "batch"), (Role.THREADS, "threads", "threads"),
    (Role.CLOCK_MHZ, "clock_mhz", "clock"), (Role.SIDE, "input_size", "input"),
    (Role.WIDTH, "width", "width"), (Role.SEQUENCE, "input_size", "tokens"),
)  # fmt: skip
_OF_NETWORKS = (Role.DTYPE, Role.SIDE, Role.WIDTH)
_STAND_INS = {"gpu": "t4", "npu": "hailo-8", "mcu": "nrf52840", "mpu": "raspberry-pi-5", "cpu": "intel-n100"}
_USUAL, _USUAL_COLUMNS = (Want.LATENCY, Want.ENERGY), 4
"""What a comparison shows beside what it was asked for, while it has no more columns than these."""
_CELLS = (Role.BATTERY, Role.CHARGE_MAH, Role.BATTERY_MWH)
"""Without one of these no life is known, and the energy decides."""
_SAME = {Want.CHEAPEST: Want.PRICE, Want.COST_OF_BATCH: Want.THROUGHPUT, Want.COMPARE: Want.LATENCY}
_RATIOS = {Want.PER_WATT: Want.POWER, Want.PER_PRICE: Want.PRICE}
_GOALS = {"latency": Want.LATENCY, "energy": Want.ENERGY, "ram": Want.RAM, "flash": Want.FLASH,
          "price": Want.PRICE}  # fmt: skip


def several(query: Query) -> bool:
    """Whether something that a deployment consists of is named more than once."""
    return any(len(set(query.all(role))) > 1 for role, _, _ in _varied(query))


def chosen_from(query: Query) -> bool:
    """Whether settings are listed, of which one is to be chosen."""
    listed = (role for role, _, _ in _varied(query) if role not in (Role.TARGET, Role.MODEL, Role.RUNTIME))
    return any(
        len({s.value for s in query.slots if s.role is role and not s.inherited}) > 1 for role in listed
    )


def _varied(query: Query) -> list[tuple[Role, str, str]]:
    """A file has the width, input and type that it has: others are changes of it."""
    named = all(is_named(model) for model in query.all(Role.MODEL))
    return [each for each in _ROLES if named or each[0] not in _OF_NETWORKS]


def _only_varied(query: Query) -> Role | None:
    """What alone differs between the rows; None where it is more than one thing."""
    roles = [role for role, _, _ in _varied(query) if len(set(query.all(role))) > 1]
    return roles[0] if len(roles) == 1 else None


def side_by_side(query: Query, wants: Sequence[Want], *, apart: bool = False) -> Answering:
    """The best for what is wanted by the table's own figures, then the table.

    Args:
        apart: says of two in what the first is worse or better, and not which is the best.
    """
    if not query.has(Role.MODEL):
        return (yield from facts.chip(query, wants)) if query.has(Role.TARGET) else ask_model()
    stand_in = ""
    if not query.has(Role.TARGET):
        query, stand_in = yield from _placed(query)
    counted = _needed(query) if Want.HOW_MANY in wants and _HOW_MANY.search(query.question) else None
    query = query.without([Role.RATE_HZ]) if counted is not None else query
    query, wants, same = (query, list(wants), "") if apart else alike(query, wants)
    kinds, what = kinds_of(query, wants)
    columns = [
        _share_of_time(query) if column is COLUMNS[Want.UTILISATION] and query.has(Role.RATE_HZ) else column
        for column in (COLUMNS[want] for want in _columns(query, wants))
    ]
    if counted is not None:
        columns = [counted, COLUMNS[Want.THROUGHPUT], *(c for c in columns if c.path == "price_usd")]
    judged = bool({Want.FITS, Want.MEETS} & set(wants)) or bool(judging.limits_said(query, wants))
    rows: list[Row] = []
    for name, one in kinds[:_MOST_ROWS]:
        placed = yield from on_enough_cores(one)
        threads = f", {placed.number(Role.THREADS):g} threads" if placed is not one else ""
        rows.append((yield from row_of(name + threads, placed, columns)))
    if cells := {} if judged else _by_network(query, rows):
        others = list(dict.fromkeys(other for found in cells.values() for other in found))
        errors = [f"Not compared: {row.name}: {row.error.rstrip('.')}." for row in rows if row.error][:2]
        return lines(*pivot.pivoted(cells, others, columns[0], same_in_all(query)), *errors, stand_in)
    said = yield from _sentences(query, wants, columns, rows, what, judged=judged, apart=apart)
    return lines(said[0], same, *said[1:], stand_in)


def _needed(query: Query) -> Column | None:
    """How many of a kind keep up with a rate."""
    rate = (query.number(Role.RATE_HZ) or 0.0) * (query.number(Role.DEVICES) or 1.0)
    if not rate:
        return None
    words = " at ".join(filter(None, [said(query, Role.DEVICES), said(query, Role.RATE_HZ)]))
    path = "inferences_per_second"
    if _STREAMS.search(query.question):
        served = f"floor({{here}}/{rate:.6f}fps)"
        return Column(f"streams at {words}", ESTIMATE, path, "", "serves most", largest=True, ratio=served)
    return Column(
        f"needed for {words}", ESTIMATE, path, "", "needs the fewest", largest=True,
        ratio=f"ceil({rate:.6f}fps/{{here}})",
    )  # fmt: skip


def _share_of_time(query: Query) -> Column:
    """How busy a rate keeps it."""
    busy = f"{{here}}/{1e3 / (query.number(Role.RATE_HZ) or 1.0):.6g}ms"
    if spoken("left", query.question):
        return Column("of the time left", ESTIMATE, "latency_ms", "%", "leaves most", ratio=f"1-{busy}")
    return Column("of the time", ESTIMATE, "latency_ms", "%", "is busy least", ratio=busy)


def _by_network(query: Query, rows: Sequence[Row]) -> dict[str, dict[str, Row]]:
    """Network → the one other thing that differs → its row; empty where anything else differs."""
    varied = [role for role, _, _ in _varied(query) if len(set(query.all(role))) > 1]
    others = [role for role in varied if role is not Role.MODEL]
    if (
        Role.MODEL not in varied
        or len(others) != 1
        or not 1 < len(set(query.all(others[0]))) <= pivot.MOST_COLUMNS
    ):
        return {}
    cells: dict[str, dict[str, Row]] = {}
    for row in rows:
        value = next(slot.value for slot in row.query.slots if slot.role is others[0])
        cells.setdefault(model_shown(row.query), {})[shown(others[0], value)] = row
    return cells


def _placed(query: Query) -> Generator[Call, Record, tuple[Query, str]]:
    """On a board that stands for others, of the class that is named."""
    yield from ()
    if query.has(Role.RAM_BYTES, Role.FLASH_BYTES):
        return query.put(Role.TARGET, judging.ANY_TARGET).put(Role.RUNTIME, judging.ANY_RUNTIME), ""
    board = _STAND_INS.get(query.text(Role.TARGET_CLASS), "")
    if not board:
        boards = yield from stand_ins(query)
        board = boards[0]
    return query.put(Role.TARGET, board), STAND_IN


def kinds_of(query: Query, wants: Sequence[Want]) -> tuple[list[tuple[str, Query]], str]:
    """Every combination of what is named more than once, as a name and a query of its own."""
    varied = [
        (role, list(dict.fromkeys(slot.value for slot in query.slots if slot.role is role)), head)
        for role, _, head in _varied(query)
        if len(set(query.all(role))) > 1
    ]
    if not varied:
        query, varied = _with_another(query, wants)
    if any(role is Role.TARGET for role, _, _ in varied) and len(query.all(Role.RUNTIME)) == 1:
        runtime = query.text(Role.RUNTIME)
        offered = [
            t for t in query.all(Role.TARGET) if (found := query.targets.get(t)) and runtime in found.runtimes
        ]
        if len(offered) < len(query.all(Role.TARGET)):
            own = dict.fromkeys(offered, runtime)
            query = query.without([Role.RUNTIME]).model_copy(update={"kernels": {**own, **query.kernels}})
    kinds = []
    for each in combinations(query, {role: values for role, values, _ in varied}):
        one = of_target(query, str(each[Role.TARGET])) if Role.TARGET in each else query.without([Role.CARDS])
        for role, value in each.items():
            one = one.put(role, value, text=said(query, role) and str(value))
        kernels = query.kernels.get(one.text(Role.TARGET), "") if not one.has(Role.RUNTIME) else ""
        one = one.put(Role.RUNTIME, kernels) if kernels else one
        names = ", ".join(shown(role, value) for role, value in each.items())
        many = one.number(Role.CARDS) or 1
        names = f"{many:g} x {names}" if many > 1 else names
        names += "".join(
            f" at {slot.number:g} MHz" for slot in one.slots if slot.of and slot.role is Role.CLOCK_MHZ
        )
        kinds.append((f"{names} with {kernels}" if kernels else names, one))
    return kinds, joined(head for _, _, head in varied)


_PLAIN = "tflm-reference"
"""What a kernel library that is named alone is held against."""


def _with_another(query: Query, wants: Sequence[Want]) -> tuple[Query, list[tuple[Role, list[Any], str]]]:
    """What a single thing is compared with: int8 with float, one thread with four, kernels with others."""
    found = query.targets.get(query.text(Role.TARGET))
    if query.has(Role.DTYPE) and Want.RECOMMEND_RUNTIME not in wants:
        own = query.text(Role.DTYPE)
        gpu = found is not None and found.target_class in ("gpu", "gpu-soc")
        other = "int8" if own != "int8" else "float16" if gpu else "float32"
        return query, [(Role.DTYPE, [own, other], "type")]
    for role, first in ((Role.BATCH, 1.0), (Role.THREADS, 1.0)):
        if query.has(role):
            return query, [(role, [first, query.number(role)], role.value)]
    kernels = list(dict.fromkeys([query.text(Role.RUNTIME), *(found.runtimes if found else ())]))
    if query.says(Role.RUNTIME) and _PLAIN in kernels and query.text(Role.RUNTIME) != _PLAIN:
        kernels = [query.text(Role.RUNTIME), _PLAIN]
    return query, [(Role.RUNTIME, [name for name in kernels if name], "kernels")]


def shown(role: Role, value: float | str) -> str:
    if isinstance(value, str):
        return value.rpartition("/")[2]
    match role:
        case Role.CLOCK_MHZ:
            return f"{value:g} MHz"
        case Role.SIDE:
            return f"{value:g}x{value:g}"
        case Role.SEQUENCE:
            return f"{value:g} tokens"
        case Role.THREADS:
            return f"{value:g} thread{'s' if value > 1 else ''}"
        case _:
            return f"{role.value} {value:g}"


def _columns(query: Query, wants: Sequence[Want]) -> list[Want]:
    """What is wanted, in its order; the time where nothing of it is a figure."""
    goal = _GOALS.get(query.text(Role.GOAL))
    found = [_SAME.get(want, want) for want in wants if want is not Want.COMPARE]
    said_now = [slot.value for slot in query.slots if slot.role is Role.GOAL and not slot.inherited]
    found += [_GOALS[str(goal)] for goal in said_now] if found else []
    criteria = spoken_in_turn(query.question, "goal", "money")
    if len(criteria) > 1 and spoken("priority", query.question):
        found = [*(_GOALS[goal] for goal in criteria), *found]
    found = [want for want in dict.fromkeys(found) if want in COLUMNS]
    if query.has(Role.CARDS) and not {Want.THROUGHPUT, Want.ENERGY} & set(found[:1]):
        found = list(dict.fromkeys([Want.THROUGHPUT, *found]))
    if not query.has(*_CELLS):
        found = list(dict.fromkeys(Want.ENERGY if want is Want.BATTERY_LIFE else want for want in found))
    found.sort(key=lambda want: want not in _RATIOS)
    if len(set(query.all(Role.BATCH))) > 1 or (query.number(Role.BATCH) or 1) > 1:
        found = list(dict.fromkeys([*found, Want.THROUGHPUT, Want.LATENCY]))
    elif not query.has(Role.TARGET, Role.RATE_HZ) or (
        not found and query.has(Role.RAM_BYTES, Role.FLASH_BYTES)
    ):
        found = found or [Want.RAM, Want.FLASH]
    if not found:
        found = [goal] if goal else []
    if not found or found in ([Want.ENERGY], [Want.PRICE]):
        found += [Want.LATENCY]
    if found == [Want.BATTERY_LIFE]:
        found += [Want.ENERGY, Want.LATENCY]
    if found == [Want.LATENCY] and Want.LATENCY not in wants and "energy" not in query.no_goals:
        found += [Want.ENERGY]
    for paid, of in _RATIOS.items():
        if paid not in found and {Want.THROUGHPUT, of} <= set(found):
            found.append(paid)
    dearer = asks_worth(query) and len(set(query.all(Role.TARGET))) > 1
    if (query.has(Role.PRICE_USD) or dearer) and Want.PRICE not in found:
        found.append(Want.PRICE)
    if Want.COMPARE in wants:
        usual = [want for want in _USUAL if want not in found and want not in denied(query.no_goals)]
        found += usual[: max(0, _USUAL_COLUMNS - len(found))]
    return found


def _sentences(
    query: Query,
    wants: Sequence[Want],
    columns: Sequence[Column],
    rows: Sequence[Row],
    what: str,
    *,
    judged: bool,
    apart: bool,
) -> Generator[Call, Record, list[str]]:
    known = [row for row in rows if not row.error]
    if not known:
        return [
            f"I cannot compare them for {model_shown(query)}: "
            f"{rows[0].error if rows else 'nothing to compare'}"
        ]
    varied = _only_varied(query)
    order = in_order(known, columns)
    order = yield from weighed(query, order, varied)
    apart = apart and len(rows) == len(order) == _PAIR and all(row.number(columns[0]) for row in order)
    if apart:
        said, enough = differences(rows[0], rows[1], columns), None
    else:
        said, order, enough = summed_up(query, wants, order, columns, varied)
    price = COLUMNS[Want.PRICE]
    if enough and enough.figure and price not in columns and CHIP in enough.row.records:
        columns = [*columns, price]
    failing = any(row.verdict == "FAIL" for row in order)
    head = [what, *(column.head for column in columns)]
    cells = [[row.name, *(row.cell(column) for column in columns)] for row in order]
    if judged or failing:
        head.append("limits" if query.has(*LIMITS) else "fits")
        cells = [[*each, likely(row)] for each, row in zip(cells, order, strict=True)]
    if {Want.EVIDENCE, Want.INTERVAL, Want.PLAUSIBLE} & set(wants):
        head.append("basis")
        cells = [
            [*each, row.records[ESTIMATE].ref("latency_ms.basis")]
            for each, row in zip(cells, order, strict=True)
        ]
    bounds: list[str] = []
    if Want.BOUND in wants:
        head.append("bound")
        for row in order:
            bounds.append((yield from _bound(row)))
        cells = [[*each, text] for each, text in zip(cells, bounds, strict=True)]
    asked = [
        COLUMNS[one]
        for want in wants
        if (one := _SAME.get(want, want)) in COLUMNS and want is not Want.COMPARE
    ]
    also = "" if enough or query.one_of or apart else others_best(columns, order, asked, said)
    worse = worth(query, order, columns, varied)
    said = "; ".join(filter(None, [said, also, worse]))
    word = verdict(query, order, columns, varied)
    bounded = joined(f"{row.name} is {text}" for row, text in zip(order, bounds, strict=False))
    said = bounded if Want.BOUND in wants[:1] and not word else f"{word}: {said}" if word else said
    first = f"{said}: {where}." if (where := same_in_all(query)) else f"{said}."
    most = _MOST_LISTED if spoken("listed", query.question) else _MOST_SHOWN
    left_out = [f"{row.name}: {row.error.rstrip('.')}." for row in rows if row.error][:2]
    because = yield from cause(at_full_clocks(query), wants, order)
    why = Want.WHY_SLOWER in wants and not apart
    return [
        because if why else "",
        first[:1].upper() + first[1:] if first[0].isalpha() and not _is_name(first, order) else first,
        table(head, cells[:most]) if len(order) > 1 else "",
        f"Compared too: {joined(row.name for row in order[most:])}." if order[most:] else "",
        *(f"Not compared: {text}" for text in left_out),
        *refused(order),
        kernels(query, order),
        "" if why else because,
        "I do not know stock or lead times." if Want.AVAILABILITY in wants else "",
    ]


def _is_name(text: str, rows: Sequence[Row]) -> bool:
    return any(text.startswith(row.name) for row in rows)


def same_in_all(query: Query) -> str:
    """What is the same in all rows."""
    same = [model_shown(query)] if len(set(query.all(Role.MODEL))) == 1 else []
    targets = set(query.all(Role.TARGET))
    anywhere = not any(slot.text for slot in query.slots if slot.role is Role.TARGET)
    same += [f"on {next(iter(targets))}"] if len(targets) == 1 and not anywhere else []
    for role, word in (
        (Role.BATCH, "batch {:g}"),
        (Role.CLOCK_MHZ, "{:g} MHz"),
        (Role.THREADS, "{:g} threads"),
        (Role.SEQUENCE, "{:g} tokens"),
    ):
        numbers = {slot.number for slot in query.slots if slot.role is role and not slot.of}
        if len(numbers) == 1 and not (role is Role.BATCH and numbers == {1.0}):
            same.append(word.format(next(iter(numbers))).replace("1 threads", "one thread"))
    return " ".join(same)


def _bound(row: Row) -> Generator[Call, Record, str]:
    record = yield call_of(ROOF, row.query)
    return NOT_KNOWN if record.result is None else bound_in(record)


__all__ = ["COLUMNS", "Column", "Row", "kinds_of", "same_in_all", "several", "shown", "side_by_side"]
