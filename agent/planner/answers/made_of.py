"""What a whole is made of: flash, RAM, the time of an inference or the mean power, part by part."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple

from ..bench import Answering, Call, Record, call_of, needed
from ..query import CELLS, LIMITS, Query, Role
from ..want import Want
from ..wants import QUANTITIES, is_surely_other
from ..words import patterns
from . import allowance, changes, energies, judging, packs
from .deployment import of_a_case
from .layers import heaviest, how_many, named, peak, shares_of_kinds, tensors
from .phrases import joined, language_models, lines, said, sentence, subject, table
from .templates import put

_SAYS = patterns("made_of")
_TAKEN = (Role.TAKEN_FLASH_BYTES, Role.TAKEN_BYTES)
_MOST, _MOST_LAYERS, _LEAST = 5, 40, 1e-4
"""Parts and layers that are told, and the least share of a kind of operator."""


class _Parts(NamedTuple):
    """The parts of a whole of a record, each a name and a calculation with its fields, and what to add."""

    record: Record
    whole: str
    parts: Sequence[tuple[str, str]]
    first: str = ""
    besides: Sequence[str] = ()


_SPLIT = (
    *QUANTITIES, Want.LAYERS, Want.PLACEMENT, Want.CONCEPT, Want.PLAUSIBLE, Want.BOUND, Want.MODEL_FACTS,
    Want.WHY_SLOWER, Want.COMPATIBILITY, Want.PRODUCT,
)  # fmt: skip
"""What a question surely wants that asks for parts, by the words that it has."""


def whole_of(query: Query, wants: Sequence[Want]) -> str:
    """What is to be split of one network on one board; empty where no parts are asked for."""
    alone = len(set(query.all(Role.MODEL))) == 1 and len(set(query.all(Role.TARGET))) < 2
    if not alone or language_models(query) or query.has(Role.CLAIMED_MS, Role.CLAIMED_HZ):
        return ""
    if _is_why_of_ram(query, wants):
        return "ram"
    if _is_to_last(query, wants):
        return _OVER_TIME
    drained = _SAYS["drained"].search(query.question) if query.has(Role.RATE_HZ, *CELLS) else None
    splits = _SAYS["split"].search(query.question) or drained
    chooses = Want.RECOMMEND in wants or is_surely_other(query, *_SPLIT)
    if splits is None or chooses or _SAYS["rest"].search(query.question):
        return ""
    places = {whole: found.start() for whole in _OF if (found := _SAYS[whole].search(query.question))}
    near = {whole: max(at - splits.end(), splits.start() - at, 0) for whole, at in places.items()}
    topics = (whole for want in query.topic for whole, (_, of) in _OF.items() if want in of)
    lives = near and query.says(*CELLS) and Want.BATTERY_LIFE in wants
    whole = _OVER_TIME if lives else min(near, key=near.__getitem__) if near else next(topics, "")
    return whole if whole != _OVER_TIME or query.has(Role.RATE_HZ, *CELLS) else ""


def _is_why_of_ram(query: Query, wants: Sequence[Want]) -> bool:
    """Whether it is asked why its RAM is so much, or which layer takes it."""
    alone = set(wants) <= {Want.RAM, Want.LAYERS, Want.CONCEPT, Want.PLAUSIBLE, Want.PLACEMENT}
    causes = alone and Want.RAM in wants[:1] and "why" in query.asks
    return (causes or {Want.RAM, Want.LAYERS} <= set(wants)) and not query.says(*LIMITS)


def _is_to_last(query: Query, wants: Sequence[Want]) -> bool:
    """Whether what saves most is asked of a battery's life, and no quantity of the network is named."""
    goals = [slot for slot in query.slots if slot.role is Role.GOAL]
    meant = all(slot.value == "energy" and not slot.text for slot in goals)
    meant = meant and (bool(goals) or query.says(Role.LIFE_MS))
    changed = query.says(Role.TECHNIQUE, Role.SIDE, Role.WIDTH, Role.DTYPE, Role.RUNTIME)
    return meant and Want.IMPROVE in wants and query.has(*CELLS) and not changed


def asks(query: Query, wants: Sequence[Want]) -> bool:
    return bool(whole_of(query, wants))


@of_a_case()
def parts(query: Query, wants: Sequence[Want]) -> Answering:
    """The parts with their shares, those that are named first; whether the room that is said is enough."""
    whole = whole_of(query, wants) or "time"
    if whole == _OVER_TIME:
        return (yield from _drained(query))
    found = yield from _OF[whole][0](query)
    record, whole = found.record, found.whole
    sized = {name: [put(f"{{{one}}}", record) for one in (path, f"({path})/{whole}|%")]
             for name, path in found.parts}  # fmt: skip
    words = {name: _SAYS.get(name.split(maxsplit=1)[0]) for name in sized}
    called = [name for name, word in words.items() if word and word.search(query.question)]
    few = [name for name in sized if name not in called] if len(sized) < _MOST else []
    shares = joined(f"{sized[name][1]} {name} ({sized[name][0]})" for name in (*called, *few))
    whole_said = f"of {record.ref(whole, '~')}{_CALLED.get(whole, '')} {shares}"
    first = whole_said if called or not found.first else found.first
    room = (yield from judging.verdict(query, (Want.FITS,))) if query.says(*_TAKEN) else ""
    change = changes.what_if if query.says(Role.TECHNIQUE) else changes.improve
    more = (yield from change(query, wants)) if query.says(Role.TECHNIQUE) or Want.IMPROVE in wants else ""
    return lines(
        sentence(f"{first}: {subject(query, record)}"),
        room.partition("\n")[0],
        table(("part", "takes", "of it"), [(name, *figures) for name, figures in sized.items()]),
        *found.besides,
        more,
    )


_CALLED, _OVER_TIME = {"flash": " of flash"}, "power"


def _flash(query: Query) -> Generator[Call, Record, _Parts]:
    """Model and code; of the model its weights, of the code the runtime and each kernel."""
    plan = needed((yield call_of("plan_memory", query)))
    code = plan["code_parts"] or ()
    weights, model = plan.number("parameter_bytes") or 0.0, plan.number("model_bytes") or 0.0
    of_model = [("weights", "parameter_bytes"), ("graph and scales", "model_bytes-parameter_bytes")]
    of_model = of_model if weights < model else [("model", "model_bytes")]
    if not plan.knows("flash"):
        first = put("{model_bytes} of model[, {parameter_bytes} of it weights]", plan)
        return _Parts(plan, "model_bytes", of_model, first, ["What its code takes is not known."])
    order = sorted(range(len(code)), key=lambda at: -code[at]["bytes"])
    called = {str(one["what"]): plan.ref(f"code_parts[#{at}].what") for at, one in enumerate(code)}
    called |= {"runtime": "library (runtime)"}
    of_code = [(called[str(code[at]["what"])], f"code_parts[#{at}].bytes") for at in order]
    counted = "The runtime is counted with start-up code, drivers and C library, as programs were measured."
    first = put(
        "of {flash|~} of flash {model_bytes/flash|%} model ({model_bytes}) and {code_bytes/flash|%} code "
        "({code_bytes})", plan,
    )  # fmt: skip
    return _Parts(
        plan, "flash", [*of_model, *of_code], first,
        [counted if code else "What its code takes is not known."],
    )  # fmt: skip


def _ram(query: Query) -> Generator[Call, Record, _Parts]:
    """What is alive at the peak, or as many of the largest tensors as are asked for; weights are in flash."""
    plan = needed((yield call_of("plan_memory", query)))
    every = plan["tensors"] or ()
    order = sorted(range(len(every)), key=lambda at: -every[at]["bytes"])
    largest = [f"tensors[#{at}]" for at in order]
    most = next(iter(largest), "tensors[#0]")
    counted = largest[: how_many(query)]
    at_peak = [f"peak_tensors[#{at}]" for at in range(len(plan["peak_tensors"] or ()))]
    alive = [(tensors(plan, path), f"{path}.bytes") for path in counted or at_peak]
    gaps = "arena_nonpersistent_bytes-lower_bound_bytes"
    spare = (plan.number("arena_nonpersistent_bytes") or 0) > (plan.number("lower_bound_bytes") or 0)
    kept = plan["arena_persistent_parts"] or ()
    stay = [(f"kept: {one['what']}", f"arena_persistent_parts[#{at}].bytes") for at, one in enumerate(kept)]
    why = (
        f"activations, not weights: {plan.ref('arena')} of arena, as what is alive at once has to lie there, "
        f"not the largest tensor alone ({plan.ref(f'{most}.bytes')}), most at {peak(plan)}"
    )
    steps = [step["index"] for step in plan["timeline"] or ()][:_MOST_LAYERS]
    fields = ("index", "op", "live_bytes")
    rows = [[plan.ref(f"timeline[{index}].{field}") for field in fields] for index in steps]
    of_flash = (row for row in plan["regions"] if row["kind"] == "flash")
    in_flash = " in flash" if any("weights" in row["holds"] for row in of_flash) else " beside it"
    others = [*([("gaps that no tensor fills", gaps)] if spare else []), *stay]
    return _Parts(
        plan, "arena_bytes", [*alive, *([] if counted else others)], why,
        ["These are the largest tensors; not all of them are alive at once." if counted else "",
         table(("layer", "operator", "alive while it runs"), rows) if _by_layer(query) else "",
         f"The {plan.ref('parameter_bytes')} of weights lie{in_flash} and take none of it. "
         "`edgewright timeline MODEL -t TARGET` draws it."],
    )  # fmt: skip


def _by_layer(query: Query) -> bool:
    return _SAYS["by_layer"].search(query.question) is not None


_OF_LAYER = (("index", ""), ("op", ""), ("latency_ms", ""), ("share", "%"), ("bound", ""))


def _time(query: Query) -> Generator[Call, Record, _Parts]:
    """Kinds of operators, those that are named first; the heaviest layers; arithmetic, memory, overhead."""
    record = needed((yield call_of("analyze_roofline", query)))
    shares: dict[str, float] = record["op_shares"] or {}
    heavy = heaviest(record, most=_MOST_LAYERS if _by_layer(query) else _MOST)
    kinds = sorted((op for op in shares if shares[op] >= _LEAST), key=lambda op: -shares[op])
    takes = [f"{named(record, i)} with {record.ref(f'layers[{i}].latency_ms')}" for i in heavy[:2]]
    most = f"of {record.ref('latency_ms', '~')} the most goes to {joined(takes) or 'what is not known'}"
    shown = sorted(heavy) if _by_layer(query) else heavy
    rows = [[record.ref(f"layers[{i}].{field}", unit) for field, unit in _OF_LAYER] for i in shown]
    bound = put(
        "Of it [{bound_shares.compute|%} are arithmetic][, {bound_shares.memory|%} moving data]"
        "[, {bound_shares.overhead|%} starting operators].", record,
    )  # fmt: skip
    return _Parts(
        record, "latency_ms", [(op, f"op_shares.{op}*latency_ms") for op in kinds],
        shares_of_kinds(record, query.question) or most,
        [table(("layer", "operator", "time", "of it", "bound by"), rows), bound],
    )  # fmt: skip


def _drained(query: Query) -> Answering:
    """What of the mean power, or of the charge, goes most of all, and whether the network counts in it."""
    query, note = packs.sized(query)
    budget = needed((yield call_of("estimate_energy_budget", query)))
    period = budget.number("period_s") or 0.0
    saves = _is_to_last(query, query.wants)
    if (spent := _spent(query, budget)) and not saves:
        return lines(sentence(f"{spent}: {subject(query, budget)}"), note)
    if not budget["drains"]:
        missing = joined(str(one).partition(":")[0] for one in budget["missing"] or ()) or "its power"
        alone = "[; computing alone takes {compute_power_mw|~} on average]"
        first = put(f"not known, as no source gives {{missing}}{alone}", budget, missing=missing)
        return lines(sentence(first), note)
    whole = put("{average_power_mw|~} on average", budget)
    of = f"the charge of {energies.cell_words(query)}" if budget["battery"] else whole
    ends = [f"battery.{each}" for each in ("life_days", "resting_days")]
    lives = [energies.life(budget, path) for path in ends if budget.knows(path)]
    each = put(
        "Each run takes {energy_uj|~} in {latency_ms}, {rests} until the next one "
        f"{{(1-active_share)*sleep_power_mw*{period:.9g}s}}", budget, rests=budget["rests"] or "asleep",
    )  # fmt: skip
    named = () if budget.number("sensor_power_mw") else _SAYS["beside"].findall(query.question)
    beside = f"Not counted: {joined(dict.fromkeys(named))}; say what it draws." if named else ""
    lasts = f": it lasts {lives[0]}; {lives[1]} if nothing were ever computed" if len({*lives}) > 1 else ""
    where = ", ".join(filter(None, (subject(query, budget), said(query, Role.RATE_HZ))))
    drained = f"{budget.ref('drained_by')}, of {of}: {where}. The network {budget.ref('network')}{lasts}."
    more = (yield from _levers(query, budget)) if saves else sentence(each) if period else ""
    told = (drained, more) if not saves or _rests(budget) else (more, drained)
    return lines(_whether(query, budget) if saves else "", *told, beside, note)


def _whether(query: Query, budget: Record) -> str:
    """Whether it lasts as it is, so that nothing has to change."""
    path = energies.known_life(budget)
    if not path or not (word := energies.whether_it_lasts(query, budget, path)):
        return ""
    nothing = ", so nothing has to change" if word.startswith("yes") else ""
    return sentence(f"{word.rstrip(': ')} as it is: {energies.lasts(budget)}{nothing}")


def _levers(query: Query, budget: Record) -> Answering:
    """How much longer it lasts where it runs half as often, with the best change, or rests more deeply."""
    told: list[str] = []
    if rate := query.number(Role.RATE_HZ):
        rarer = yield call_of("estimate_energy_budget", query.put(Role.RATE_HZ, rate / 2))
        if path := energies.known_life(rarer):
            told.append(f"half as often it lasts {energies.life(rarer, path)}")
    if _rests(budget):
        told.append(energies.deep(budget))
    else:
        found = yield call_of("simulate_optimizations", query, goal="energy", top=None)
        options = [one for one in found["options"] or () if changes.helps(one, "energy")]
        for one in sorted(options, key=lambda option: option["gain"]["energy"])[:1]:
            path = f"options[{one['technique']}]"
            each = (
                f"{found.ref(f'{path}.before.energy_uj')} → {found.ref(f'{path}.after.energy_uj', '~')} each"
            )
            told.append(f"{found.ref(f'{path}.technique')} ({one['effort']}) brings {each}")
    if query.says(Role.LIFE_MS):
        paced = yield from allowance.on(query.without([Role.RATE_HZ]))
        told.append(f"for {said(query, Role.LIFE_MS)} it may run {paced.shown}" if paced.number else "")
    return sentence("; ".join(filter(None, told)))


def _rests(budget: Record) -> bool:
    """Whether most goes while nothing is computed."""
    return (budget.number("sleep_share") or 0.0) > _HALF


_HALF = 0.5


def _spent(query: Query, budget: Record) -> str:
    """What of the charge a time of use takes, where it lasts that long: a flight, a night."""
    hours, path = (query.number(Role.LIFE_MS) or 0.0) / 3.6e6, energies.known_life(budget)
    if not hours or not path or hours > 24 * (budget.number(path) or 0.0):
        return ""
    known = path == "battery.life_days"
    share = f"{'' if known else 'at least '}{{{{{hours:.6g}h/{budget.id}.{path}|%~}}}}"
    power = f"{energies.mean(budget)} on average{'' if known else f', {energies.not_counted(budget)}'}"
    return f"{said(query, Role.LIFE_MS)} take {share} of the charge of {energies.cell_words(query)}, {power}"


_OF: dict[str, tuple[Callable[[Query], Generator[Call, Record, _Parts]], tuple[Want, ...]]] = {
    "flash": (_flash, (Want.FLASH,)), "ram": (_ram, (Want.RAM,)),
    "time": (_time, (Want.LATENCY, Want.THROUGHPUT)), _OVER_TIME: (_time, (Want.POWER, Want.BATTERY_LIFE)),
}  # fmt: skip
"""What can be split, by the names of its words: how, and the wants that it is spoken of with."""
