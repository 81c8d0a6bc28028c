"""How far a variable goes within the limits: the value, else what comes nearest and what it would take."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence

from ....tools.model_zoo.named import tokens_of
from ..bench import Answering, Call, Record, call_of, needed
from ..query import LIMITS, Query, Role
from ..want import Want
from ..words import spoken
from . import changes, deployment, judging, packs, reach, side_by_side
from .axes import varied
from .clauses import CLAUSES
from .deployment import of_a_case
from .phrases import (
    batch_of,
    figure,
    language_models,
    lines,
    model_shown,
    said,
    sentence,
    subject,
    table,
)
from .templates import put

_BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
_MOST_WAITING = 64
"""More at once wait longer than a server should."""
_NEARLY = 0.9
"""Of the most images a second: more is not worth the wait."""
_BOUNDS = (Role.LATENCY_MS, Role.RATE_HZ, Role.RAM_BYTES, Role.ENERGY_UJ, Role.POWER_MW)
_TIME, _RATE = "figures.latency_ms", "inferences_per_second"


@of_a_case()
def furthest(query: Query, wants: Sequence[Want]) -> Answering:
    """As far as the variable goes within the limits, and what binds there."""
    variable, bounded = _variable(query, wants), query.has(*_BOUNDS)
    if variable == "rate" and query.has(Role.SHARE_PERCENT) and not bounded:
        return (yield from deployment.deployment(query, [Want.THROUGHPUT]))
    if variable == "batch" and query.has(Role.RATE_HZ) and not query.has(Role.BATCH):
        batches = query.put(Role.BATCH, *(float(batch) for batch in _BATCHES if batch <= _MOST_WAITING))
        return (yield from side_by_side.side_by_side(batches, (Want.COMPARE, Want.MEETS, Want.THROUGHPUT)))
    if variable == "batch" and not query.has(*set(_BOUNDS) - {Role.LATENCY_MS}):
        return (yield from _best_batch(query.without([Role.BATCH]) if bounded else query))
    varied = {"clock": [Role.CLOCK_MHZ], "batch": [Role.BATCH]}.get(variable, [])
    query = query.without(varied)
    if variable == "clock" and not bounded:
        return (yield from reach.frugal_clock(query, wants))
    sized = packs.sized(query)[0] if variable == "battery-life" else query
    record = needed((yield call_of("find_limit", sized, variable=variable)))
    if not record["feasible"] or not record.knows("value"):
        others = "" if {Want.IMPROVE, Want.WHAT_IF} & set(query.wants) else changes.enough(query, record)
        return lines(_none(query, record), others)
    time = put(f": {{at.{_TIME}|~}} an inference there", record) if variable != "ram" else ""
    value = record.ref("value", "KiB") if variable == "ram" else record.ref("at.told")
    doubt = ""
    if record["beyond"] and record["beyond"]["verdict"] == "UNKNOWN" and record.knows("beyond.told"):
        doubt = f"Beyond it cannot be told: {record.ref('beyond.reasons[#0]')}."
    first = f"{value} is {record.ref('question')}{_within(query, record)}{time}, {subject(query, record)}."
    races = variable == "clock" and "race" in spoken("race", query.question)
    race = (yield from reach.frugal_clock(query, wants)).partition("\n")[0] if races else ""
    return lines(first, doubt, race)


def _within(query: Query, record: Record) -> str:
    unsure = bool(record["at"]) and record["at"]["verdict"] == "MARGINAL"
    within = " within your limits" if query.has(*LIMITS) else ""
    return f"{within}{', not surely, as the interval reaches beyond' if unsure and within else ''}"


def _none(query: Query, record: Record) -> str:
    """The nearest that was tried with its figure; of a clock also which it would take in proportion."""
    where = subject(query, record)
    if record.knows("likely.value"):
        return put(
            f"By the estimate alone {{likely.told}}, [{{likely.{_TIME}|~}} an inference there, ]is "
            "{question}{within}, {where}; none is sure, as the interval reaches beyond.",
            record, within=_within(query, record) or " there", where=where,
        )  # fmt: skip
    if not query.has(*LIMITS):
        if record["beyond"] and record["beyond"]["verdict"] == "FAIL":
            none = "None goes in, {where}: even at {beyond.told} {beyond.reasons[#0]}."
            return put(none, record, where=where)
        return put("It cannot be told, {where}[: {beyond.reasons[#0]}].", record, where=where)
    if not record.knows("beyond.reasons[#0]"):
        return f"None within your limits: {where}."
    clocked = record["variable"] == "clock"
    nearest = f"{record.ref('beyond.told')}{', the highest,' * clocked}"
    first = f"None: {where} misses it even at {nearest} as {record.ref('beyond.reasons[#0]')}."
    most = query.number(Role.LATENCY_MS) or 1e3 / (query.number(Role.RATE_HZ) or 1e3)
    timed = record["binding"] in ("latency", "rate") and record.knows(f"beyond.{_TIME}")
    if not clocked or not timed:
        return first
    clock = f"{record.id}.beyond.{_TIME}/{most:g}ms*{record['beyond']['value']:g}MHz"
    return f"{first} In proportion it would take {{{{{clock}|MHz}}}}."


def _variable(query: Query, wants: Sequence[Want]) -> str:
    bound = {"ram": Role.RAM_BYTES, "rate": Role.RATE_HZ}
    free = [name for name in query.all(Role.VARIABLE) if name not in bound or not query.says(bound[name])]
    if free:
        return free[0]
    if Want.BATTERY_LIFE in wants and query.has(Role.BATTERY, Role.CHARGE_MAH):
        return "battery-life"
    if Want.RAM in wants:
        return "ram"
    return "rate" if not query.has(Role.RATE_HZ) else "clock"


def seeks_batch(query: Query) -> bool:
    """Whether a batch is sought, within a time or where it stops to pay, of which some were tried: not those
    alone are compared.
    """
    placed = query.has(Role.MODEL) and query.has(Role.TARGET) and not language_models(query)
    tried = len(set(query.numbers(Role.BATCH)))
    sought = query.says(Role.LATENCY_MS) or (Want.BOUND_CHANGE in query.wants and tried == 2)
    sought = sought and Want.COST_OF_BATCH in query.wants and query.all(Role.VARIABLE)[:1] == ("batch",)
    several = varied(query) == [Role.BATCH] or len(set(query.all(Role.LATENCY_MS))) > 1
    return placed and sought and several and not set(varied(query)) - {Role.BATCH}


def best_batch(query: Query, _wants: Sequence[Want]) -> Answering:
    """The best of them all, behind what two that were tried bring, or whether one meets a time of its own."""
    times, tried = query.numbers(Role.LATENCY_MS), sorted(set(query.numbers(Role.BATCH)))
    told = ""
    if len(tried) == 2 and not times:
        one = yield call_of("estimate_performance", query, batch=int(tried[0]))
        many = yield call_of("estimate_performance", query, batch=int(tried[1]))
        if one.number(_RATE) and many.number(_RATE):
            gain = f"{{{{{many.id}.{_RATE}/{one.id}.{_RATE}|x}}}}"
            told = f"Batch {tried[1]:g} does {gain} as many a second as batch {tried[0]:g}."
    elif len(set(times)) > 1:
        slots = sorted((s for s in query.slots if s.role is Role.LATENCY_MS), key=lambda s: float(s.value))
        met, query = (query.put(s.role, s.value, text=s.text) for s in (slots[0], slots[-1]))
        told = yield from judging.verdict(met, [Want.MEETS])
    return lines(told, (yield from _best_batch(query)))


def _best_batch(query: Query) -> Answering:
    """The one that does most surely within a time; without one, that from which on more gain little."""
    most, within = query.number(Role.LATENCY_MS) or math.inf, said(query, Role.LATENCY_MS)
    named = {int(number) for number in query.numbers(Role.BATCH)}
    records = yield from _of_batches(query, sorted({*_BATCHES, *named}), most)
    if not records:
        one = needed((yield call_of("estimate_performance", query, batch=1)))
        misses = f"misses {within} even with batch 1, {figure(one, 'latency_ms')}"
        return lines(f"None: {subject(query, one)} {misses}.")
    sure = [record for record in records if _surely(record, most)] if within else []
    low, high = (batch_of(sure[-1]), 2 * batch_of(sure[-1])) if sure else (0, 0)
    while high - low > 1:
        between = yield call_of("estimate_performance", query, batch=(low + high) // 2)
        holds = _surely(between, most)
        sure += [between] * holds
        low, high = ((low + high) // 2, high) if holds else (low, (low + high) // 2)
    best = _best(records)
    knee = _best(sure or records) if within else _knee(records)
    where = f"{model_shown(query)} on {knee.ref('deployment.target')}"
    shown = [r for at, r in enumerate(records) if at % 2 == 0 or r in (knee, best) or batch_of(r) in named]
    shown = sorted({batch_of(r): r for r in (*shown, knee, *sure[-1:])}.values(), key=batch_of)
    fields = (("deployment.batch", ""), ("latency_ms", "~" if within else ""), (_RATE, _unit(knee)))
    cells = [[record.ref(field, unit) for field, unit in fields] for record in shown]
    first, behind = f"{_as_good(knee, best)}; more gains little: {where}.", ""
    if within:
        batch, last = knee.ref("deployment.batch"), (sure or records)[-1]
        held = f"{'surely ' * bool(sure)}within {within}"
        ranks = f"does most of those {held}, up to {last.ref('deployment.batch')}"
        ranks = f"is the largest {held}" if knee is last else ranks
        first = f"Batch {batch} {ranks}{'' if sure else ', though not surely'}: {_rates(knee)}: {where}."
        if _rate(best) > _rate(knee):
            behind = f"Probably, not surely, batch {best.ref('deployment.batch')} holds too: {_rates(best)}."
        behind = lines(behind, _on_top(query, knee, _knee(sure or records)))
    return lines(first, behind, table(("batch", "latency of the batch", "throughput"), cells))


_BESIDE = frozenset((Want.UTILISATION, Want.POWER, Want.RAM))
"""What else is asked of a batch that is named."""


@of_a_case()
def cost_of_batch(query: Query, wants: Sequence[Want]) -> Answering:
    """What the batch that is named does, or which one is enough."""
    if not query.has(Role.BATCH):
        return (yield from _best_batch(query))
    many = needed((yield call_of("estimate_performance", query)))
    one = needed((yield call_of("estimate_performance", query.without([Role.BATCH]))))
    alone = put("; one at a time {inferences_per_second|images/s} and {latency_ms}", one)
    told = put(
        "{rate}, {time} a batch, {per_image_ms} an image: {where}", many, where=subject(query, many),
        rate=figure(many, "inferences_per_second", "images/s"), time=figure(many, "latency_ms", basis=False),
    )  # fmt: skip
    others = list[str]()
    if Want.ENERGY in wants and many.knows("energy_uj"):
        others.append(f"{{{{{many.id}.energy_uj/{many.id}.deployment.batch|mJ~}}}} an image.")
    for want in wants:
        if want in _BESIDE:
            label, clause = CLAUSES[want]
            others.append(sentence(f"{label}{yield from clause(query)}"))
    return lines(f"{told}{alone if one.id != many.id else ''}.", *others)


def _on_top(query: Query, record: Record, knee: Record) -> str:
    """What a result waits until its batch is full, at the rate that is said or that it just keeps up with."""
    if batch_of(record) == 1:
        return ""
    share = f"{{{{{knee.id}.{_RATE}/{record.id}.{_RATE}|%}}}}"
    less = f"; batch {knee.ref('deployment.batch')} does {share} of it in {knee.ref('latency_ms')}"
    rate, at, words = query.number(Role.RATE_HZ), f"{record.id}.{_RATE}", "that rate"
    if rate:
        at, words = f"{rate:.9g}fps", said(query, Role.RATE_HZ)
    fill = f"{{{{({record.id}.deployment.batch-1)/({at})|ms}}}}"
    queues = "Queueing, which P99 is made of, is not in it." if spoken("percentile", query.question) else ""
    full = f"At {words} the first of a batch waits another {fill} until it is full"
    return f"{full}{less * (knee is not record)}. {queues}".strip()


def _of_batches(
    query: Query, batches: Sequence[int], most_ms: float = math.inf
) -> Generator[Call, Record, list[Record]]:
    """Estimates of them, up to the first that does not run, or not within the time."""
    records: list[Record] = []
    for batch in batches:
        record = yield call_of("estimate_performance", query, batch=batch)
        if (record.number("latency_ms") or math.inf) >= most_ms:
            break
        records.append(record)
    return records


def _surely(record: Record, most_ms: float) -> bool:
    """Whether even the upper end is within the time."""
    time = record.number("latency_ms") or math.inf
    return max(time, *(record.ends("latency_ms") or (0.0, 0.0))) < most_ms


def _rate(record: Record) -> float:
    return record.number(_RATE) or 0.0


def _best(records: Sequence[Record]) -> Record:
    return max(records, key=_rate)


def _knee(records: Sequence[Record]) -> Record:
    """The smallest batch that comes near the most images a second."""
    return next(record for record in records if _rate(record) >= _NEARLY * _rate(_best(records)))


def _as_good(knee: Record, best: Record) -> str:
    """What a batch is enough for, and how much of the most that is."""
    rate = _RATE
    share = f"{{{{{knee.id}.{rate}/{best.id}.{rate}|%}}}} of the most, {best.ref(rate, _unit(best))}"
    of = "the most" if knee is best else f"{share} at batch {best.ref('deployment.batch')}"
    return f"Batch {knee.ref('deployment.batch')} is enough: {_rates(knee)}, {of}"


def _rates(record: Record) -> str:
    return f"{record.ref(_RATE, f'{_unit(record)}~')}, {record.ref('latency_ms', '~')} a batch"


def _unit(record: Record) -> str:
    """Of pictures, or of whatever else a network takes."""
    return "" if tokens_of(str(record["model"]).partition(":")[0]) else "images/s"
