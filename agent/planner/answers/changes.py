"""What a change brings, what to change first, and how far something can go."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...pages import sections_of
from ...patterns import compiled
from ..bench import NOT_KNOWN, Answering, Record, call_of, is_named, needed
from ..query import LIMITS, Query, Role
from ..want import Want
from ..words import spoken
from . import claims, deployment, layers, side_by_side, ways_out
from .deployment import of_a_case
from .phrases import RETRAINING, joined, lines, said, sentence, subject, table
from .settings import OF_NETWORKS, SETTINGS, setting, verdict_of
from .sought import failing, sought_by_factor
from .techniques import TYPES, asks_other_side, bare, techniques_of
from .worth import asks_gain

_FIGURES = {"latency": "latency_ms", "energy": "energy_uj", "ram": "arena_bytes", "flash": "flash_bytes"}
_GOAL_WORDS = {"latency": "time", "energy": "energy", "ram": "arena", "flash": "flash"}
GOALS = {
    Want.ENERGY: "energy", Want.POWER: "energy", Want.BATTERY_LIFE: "energy", Want.RAM: "ram",
    Want.FLASH: "flash", Want.LATENCY: "latency", Want.THROUGHPUT: "latency",
}  # fmt: skip
_OF_LIMITS = {
    Role.RAM_BYTES: "ram",
    Role.FLASH_BYTES: "flash",
    Role.ENERGY_UJ: "energy",
    Role.POWER_MW: "energy",
}
_MOST, _MOST_DEGREES = 3, 5
_QUICK = "minutes"


@of_a_case()
def what_if(query: Query, wants: Sequence[Want]) -> Answering:
    """Before and after of each change that is named, and of all together."""
    techniques = list(techniques_of(query))
    built = [role for role in (*OF_NETWORKS, Role.SIDE) if query.says(role)]
    by_name = is_named(query.text(Role.MODEL))
    plain = by_name and {name for name in techniques if not name.startswith("input-")} <= TYPES
    if plain and (len(built) > 1 or _is_of_what_was_set(query, built)):
        return (yield from setting(query, wants))
    if by_name and (query.has(Role.DTYPE) or techniques) and set(techniques) <= TYPES:
        types = query.all(Role.DTYPE) if techniques == [] or query.says(Role.DTYPE) else techniques
        typed = query if set(types) == set(query.all(Role.DTYPE)) else query.put(Role.DTYPE, *types)
        return (yield from side_by_side.side_by_side(typed, [*wants, Want.COMPARE]))
    if not techniques:
        return (yield from setting(query, wants))
    tried: dict[str, Record] = {}
    refused: list[str] = []
    for technique in techniques[:_MOST_DEGREES]:
        more = {"technique": technique, "goal": _goal(query, wants), "input_size": None}
        found = yield call_of("simulate_optimizations", bare(query), **more)
        already = techniques == ["int8"] and query.says(Role.DTYPE, Role.TECHNIQUE)
        if already and found["options"] and not found["options"][0]["applicable"]:
            found = yield call_of("simulate_optimizations", bare(query), **more | {"technique": "float32"})
        if found.result is None or not found["options"]:
            refused.append(sentence(f"{technique} cannot be simulated: {found.error}"))
        elif found["options"][0]["applicable"]:
            tried[technique] = found
        elif not (technique in TYPES and len(techniques) > 1) and not asks_other_side(query):
            refused.append(sentence(brings(found, "options[#0]", wants)))
    if not tried:
        others = [want for want in wants if want is not Want.WHAT_IF] or [Want.LATENCY]
        frame = setting if query.says(*SETTINGS) else deployment.deployment
        first, _, rest = (yield from frame(query, others)).partition("\n")
        if by_name or not refused:
            return lines(first, rest)
        return lines(" ".join(refused), f"As it is: {first}", rest)
    record = next(iter(tried.values()))
    if len(tried) > 1:
        return lines((yield from _side_by_side(query, wants, tried)), *refused)
    fits = (yield from _fits_after(query, record)) if Want.FITS in wants or _grows(record) else ""
    recast = record["options"][0]["technique"] in ("float32", "int16")
    leads = fits if Want.FITS in wants or not recast else ""
    pays = _pays(query, record, wants)
    return lines(
        "It is in int8 already." if recast and techniques == ["int8"] else leads,
        f"{pays}{brings(record, 'options[#0]', wants)}: {subject(bare(query), record)}.",
        f"{'' if by_name else 'The file is in int8. '}{'' if leads else fits}".strip() if recast else "",
        _verdict_after(query, record),
        f"{record.ref('options[#0].technique')}: {record.ref('options[#0].reason')}.",
        _risk(record, "options[#0]", record["options"][0]["effort"]),
        *refused,
    )


def _pays(query: Query, record: Record, wants: Sequence[Want]) -> str:
    """Whether a change is worth it, by the figure that is wanted; empty where that is not what is asked."""
    path = f"{{}}.{_FIGURES[next((GOALS[want] for want in wants if want in GOALS), 'latency')]}"
    ends = [record.number(path.format(f"options[#0].{when}")) for when in ("before", "after")]
    if not asks_gain(query) or query.has(*LIMITS) or None in ends or not ends[0]:
        return ""
    kept = (ends[1] or 0.0) / ends[0]
    return "Yes, " if kept <= _WORTH else "Hardly, " if kept < 1 else "No, "


_WORTH = 0.9
"""What a change leaves of a figure at most to be worth its effort."""


def _is_of_what_was_set(query: Query, built: Sequence[Role]) -> bool:
    """Whether a type replaces another, or kernels, clock, batch or threads change under what was built."""
    earlier = {str(slot.value) for slot in query.settings_before if slot.role is Role.DTYPE}
    replaced = built == [Role.DTYPE] and len(earlier | set(query.all(Role.DTYPE))) > 1 and bool(earlier)
    return replaced or (query.says(*SETTINGS) and not built and not query.says(Role.TECHNIQUE))


def _grows(record: Record) -> bool:
    """Whether a change takes more memory: whether it goes in then is what it is about."""
    after, before = (record.number(f"options[#0].{when}.arena_bytes") for when in ("after", "before"))
    return bool(after and before) and (after or 0) > (before or 0)


def _fits_after(query: Query, record: Record) -> Answering:
    """Whether what a change leaves goes into the memory that the target has."""
    check, told, does = (yield call_of("check_constraints", bare(query))), [], True
    for memory, figure, words in (("ram", "arena_bytes", "arena"), ("flash", "flash_bytes", "flash")):
        path, bound = f"options[#0].after.{figure}", check.number(f"checks[{memory}].bound")
        if (takes := record.number(path)) is not None and bound:
            does = does and takes <= bound
            told.append(f"{words} {record.ref(path)} of {check.ref(f'checks[{memory}].bound')}")
    word = "Yes, with that it fits" if does else "No, with that it does not fit"
    return f"{word}: {joined(told)}." if told else ""


def _side_by_side(query: Query, wants: Sequence[Want], tried: Mapping[str, Record]) -> Answering:
    """Several changes: which brings most for each figure, then a row for now, each, and all together."""
    asked = list(dict.fromkeys(GOALS[want] for want in wants if want in GOALS)) or ["latency", "ram"]
    first = next(iter(tried.values()))
    paths = {name: (record, "options[#0].after") for name, record in tried.items()}
    rows = {"now": (first, "options[#0].before"), **paths}
    kinds = {"" if name in {*TYPES, "int16"} else name.partition("-")[0] for name in tried}
    told, verdict, both = _most_of_each(tried, asked), "", None
    if len(kinds) == len(tried):
        both = yield call_of("simulate_optimizations", bare(query), technique=list(tried), goal="latency")
    if both and both.result is not None and both["combined"] and both["combined"]["after"]:
        rows["together"] = (both, "combined.after")
        verdict = _verdict_after(query, both)
        bring = brings(both, "combined", wants).partition(" ")[2].replace(") brings", ") bring", 1)
        few = len(spoken("technique", query.question)) < 2
        joins = few or ("which" not in query.asks and _BOTH.search(query.question))
        told = f"{joined(tried)} together {bring}; {told}" if joins else told
    elif query.has(*LIMITS):
        after = {name: record["options"][0]["after"] for name, record in tried.items()}
        meeting = joined(name for name, figures in after.items() if _keeps(query, figures))
        verdict = f"{meeting} keeps to it." if meeting else "None of them keeps to it."
    effort = {name: record["options"][0]["effort"] for name, record in tried.items()}
    cells = [
        [name, effort.get(name, ""), *(record.ref(f"{path}.{_FIGURES[what]}", "~") for what in asked)]
        for name, (record, path) in rows.items()
    ]
    return lines(
        f"{told}: {subject(bare(query), first)}.",
        verdict,
        table(["", "effort", *(_GOAL_WORDS[what] for what in asked)], cells),
    )


def _most_of_each(tried: Mapping[str, Record], asked: Sequence[str]) -> str:
    """Of several changes, which lowers each figure most."""
    found: dict[str, list[str]] = {}
    for what in asked:
        after = {name: one.number(f"options[#0].after.{_FIGURES[what]}") for name, one in tried.items()}
        known = [name for name, number in after.items() if number is not None]
        if known:
            best = min(known, key=lambda name: after[name] or 0.0)
            shown = tried[best].ref(f"options[#0].after.{_FIGURES[what]}")
            found.setdefault(best, []).append(f"{_GOAL_WORDS[what]} ({shown})")
    return joined(f"{name} brings most for the {joined(of)}" for name, of in found.items())


_BOTH = compiled(r"\b(?:and|both|plus|with)\b", re.IGNORECASE)
_SAID_BY = {"weights-int4": ("concepts/quantization.md", "int4 or int8 on a microcontroller")}
"""Changes of a network in integers that nobody simulates, and the section that says what they bring."""


def brings(record: Record, path: str, wants: Sequence[Want]) -> str:
    """What a change is estimated to do to the figures that are wanted."""
    option = record["combined"] if path == "combined" else record["options"][0]
    name = record.ref(f"{path}.technique")
    if not option["applicable"]:
        if option["technique"] in _SAID_BY and record["deployment"]["runtime"].startswith("tflm"):
            page, heading = _SAID_BY[option["technique"]]
            found = next(one for one in sections_of(page) if one.heading == heading)
            return f"{'. '.join(found.summary.split('. ')[:2])} (from {found.place})"
        return f"{name} does not apply: {record.ref(path + '.reason').rstrip('.')}"
    asked = [GOALS[want] for want in wants if want in GOALS]
    parts = []
    for what in dict.fromkeys((*asked, "latency", "ram", "flash")):
        before, after = f"{path}.before.{_FIGURES[what]}", f"{path}.after.{_FIGURES[what]}"
        if record.knows(before, after):
            interval = "~" if what in ("latency", "energy") else ""
            grows = (record.number(after) or 0.0) > (record.number(before) or 0.0)
            times = f" ({{{{{record.id}.{after}/{record.id}.{before}|x}}}})" if grows else ""
            parts.append(f"{_GOAL_WORDS[what]} {record.ref(before)} → {record.ref(after, interval)}{times}")
    return f"{name} ({option['effort']}) brings {', '.join(parts) or NOT_KNOWN}"


def _verdict_after(query: Query, record: Record) -> str:
    """Whether what is demanded is met by it; of several changes, by all of them together."""
    demanded = joined(filter(None, (said(query, role) for role in _LIMITED if query.has(role))))
    if not demanded:
        return ""
    after = (record["combined"] or record["options"][0])["after"]
    ends = {"high": "Yes", "value": "Probably, though not surely", "low": "Probably not, though not surely"}
    word = next((word for end, word in ends.items() if _keeps(query, after, end)), "No, not even so")
    return f"{word}, against {demanded}."


@of_a_case("In general: int8, faster kernels, a smaller input or width, then a faster chip.")
def improve(query: Query, wants: Sequence[Want]) -> Answering:
    """What reaches the limit, and the changes that bring most of those that the user did not rule out."""
    said_here = {
        str(s.value).partition("-")[0] for s in query.slots if s.role is Role.TECHNIQUE and not s.inherited
    }
    if len(said_here) > 1:
        return (yield from what_if(query, wants))
    if below := (yield from claims.far_below(query)):
        plain = query.without([Role.CLAIMED_MS, Role.CLAIMED_HZ])
        return lines(below, (yield from improve(plain, wants)))
    fits = yield from verdict_of(query)
    goal = (yield from failing(query)) or _goal(query, wants)
    record = needed((yield call_of("simulate_optimizations", query, goal=goal, top=None)))
    if (sought := sought_by_factor(query, record, goal)) is not query:
        fits = yield from verdict_of(sought)
        query, record = sought, needed((yield call_of("simulate_optimizations", sought, goal=goal, top=None)))
    unpowered = ""
    powers = (option["before"].get("energy_uj", {}).get("value") for option in record["options"])
    if goal == "energy" and not any(powers):
        unpowered = (
            f"No source gives the power of {record.ref('deployment.target')}: at the same power its energy "
            "falls as its time does."
        )
        goal = "latency"
    word = _GOAL_WORDS[goal]
    options = [option for option in record["options"] if helps(option, goal)]
    options.sort(key=lambda option: option["gain"][goal])
    if not options:
        return lines(
            f"Nothing that {_tried(query)} lowers its {word}: {subject(query, record)}.",
        )
    best = f"options[{options[0]['technique']}]"
    asked = bool({Want.FITS, Want.MEETS} & set(wants)) or query.has(*LIMITS)
    told = fits.startswith("No") or (asked and not fits.startswith("Yes"))
    judged = wants[0] is Want.FITS or (wants[0] is Want.MEETS and not query.says(Role.GOAL))
    first = told or (asked and (judged or "fits" in query.asks))
    unasked = wants[0] is Want.FITS and dict(query.likely).get(Want.IMPROVE, 1.0) < _PLAIN
    if unasked and fits.startswith("Yes") and "layers" not in query.asks:
        return lines(fits)
    least = enough(query, record) if told else ""
    if query.has(*LIMITS) and least.startswith(_SHORT):
        of = "what you allow" if query.ruled_out else "all changes"
        limit = joined(filter(None, (said(query, role) for role in _LIMITED if query.has(role))))
        perhaps = _keeps(query, options[0]["after"], "low")
        word = "Probably not, though not surely" if perhaps else "No"
        return lines(
            f"{word}: of {of} {_most(record, options, goal)} against {limit}: {subject(query, record)}.",
            fits if Want.MEETS in wants else "",
            _others(record, options, goal),
            (yield from ways_out.instead(query, [query.text(Role.TARGET)], [goal])),
            _spared(query),
        )
    peak = ""
    lacks_ram = "against" in fits.partition("arena")[2].partition(";")[0]
    if goal == "ram" and (lacks_ram or "layers" in query.asks):
        peak = sentence(layers.held_at_peak(needed((yield call_of("plan_memory", query)))))
    verdict = fits if first else ""
    of_layers = bool(told) and "layers" in query.asks
    return lines(
        *((verdict, least) if of_layers else (least, verdict)),
        peak,
        unpowered,
        f"{_most(record, options, goal)}: {subject(query, record)}.",
        _others(record, options, goal),
        "" if least else f"{options[0]['technique']}: {record.ref(best + '.reason')}.",
        _risk(record, best, options[0]["effort"]),
        fits if asked and not first else "",
        _spared(query),
    )


_SHORT = "No combination"
_PLAIN = 0.6
"""Chance from which on a change is wanted even where all holds as it is."""


def _most(record: Record, options: Sequence[Mapping[str, Any]], goal: str) -> str:
    """What lowers it most, by how much."""
    path = f"options[{options[0]['technique']}]"
    before = record.ref(f"{path}.before.{_FIGURES[goal]}")
    after = record.ref(f"{path}.after.{_FIGURES[goal]}", "~")
    return f"{_named(options[0])} brings most: {_GOAL_WORDS[goal]} {before} → {after}"


def _others(record: Record, options: Sequence[Mapping[str, Any]], goal: str) -> str:
    """The next best, and the best of those that take minutes."""
    quick = next((one for one in options[_MOST:] if one["effort"] == _QUICK), None)
    if quick and any(one["effort"] == _QUICK for one in options[:_MOST]):
        quick = None
    shown = {
        one["technique"]: record.ref(f"options[{one['technique']}].after.{_FIGURES[goal]}")
        for one in (*options[1:_MOST], *([quick] if quick else []))
    }
    rest = [f"{_named(one)} {shown[one['technique']]}" for one in options[1:_MOST]]
    without = f"; without retraining {_named(quick)} {shown[quick['technique']]}" if quick else ""
    return f"Then, each alone: {joined(rest)}{without}." if rest else ""


def _named(option: Mapping[str, Any]) -> str:
    return f"{option['technique']} ({option['effort']})"


def _risk(record: Record, path: str, effort: str) -> str:
    """What a change that takes retraining may cost in accuracy."""
    return f"Accuracy at risk: {record.ref(path + '.accuracy_risk')}." if effort == RETRAINING else ""


def helps(option: Mapping[str, Any], goal: str) -> bool:
    return bool(option["applicable"] and option["gain"].get(goal, 0) < 0)


def _tried(query: Query) -> str:
    return "you allow" if query.ruled_out else "I simulate"


def _spared(query: Query) -> str:
    """What stays as it is because the user said so, in this turn or before."""
    kept = [_SPARED[kind] for kind in query.ruled_out]
    return f"Left out, as you ask: {joined(kept)}." if kept else ""


_SPARED = {
    RETRAINING: "what needs retraining", "resolution": "another size of the input", "pruning": "pruning",
    "precision": "other types",
}  # fmt: skip
"""Kinds of changes, as they are told to be left out."""


def enough(query: Query, record: Record) -> str:
    """The shortest list of changes that makes it fit and meets the limits; why not, where none does."""
    fit = record["fit"]
    if not fit:
        return ""
    does, changes = "reaches your limits" if query.has(*LIMITS) else "makes it fit", fit["changes"]
    if not changes:
        return f"No combination of changes that {_tried(query)} {does}."
    if not changes["changes"]:
        return "It meets your limits as it is."
    names = joined(record.ref(f"fit.changes.changes[#{i}].technique") for i in range(len(changes["changes"])))
    after = (
        f"{record.ref('fit.changes.after.latency_ms', '~')}, arena "
        f"{record.ref('fit.changes.after.arena_bytes')}, flash {record.ref('fit.changes.after.flash_bytes')}"
    )
    return f"Least effort that {does}: {names} ({changes['effort']}), {after}: {subject(query, record)}."


_LIMITED = (Role.LATENCY_MS, Role.RATE_HZ, Role.ENERGY_UJ, Role.RAM_BYTES, Role.FLASH_BYTES)
"""Limits on what a change is simulated for."""


def _keeps(query: Query, after: Mapping[str, Any], end: str = "value") -> bool:
    """Whether what a change leaves keeps to every limit, by its estimate or by the upper end of it."""
    time, energy = ((after[figure] or {}).get(end) for figure in ("latency_ms", "energy_uj"))
    figures = {
        Role.LATENCY_MS: time, Role.RATE_HZ: 1e3 / time if time else None, Role.ENERGY_UJ: energy,
        Role.RAM_BYTES: after["arena_bytes"], Role.FLASH_BYTES: after["flash_bytes"],
    }  # fmt: skip
    known = ((role, figures[role], query.number(role) or 0.0) for role in _LIMITED if query.has(role))
    return all(
        figure is not None and (figure >= bound if role is Role.RATE_HZ else figure <= bound)
        for role, figure, bound in known
    )


def _goal(query: Query, wants: Sequence[Want]) -> str:
    """What is to become less: as wanted, as the limit that was named, as the words say."""
    named = next((GOALS[want] for want in wants if want in GOALS), "")
    limit = next((goal for role, goal in _OF_LIMITS.items() if query.has(role)), "")
    return named or query.text(Role.GOAL) or limit or "latency"
