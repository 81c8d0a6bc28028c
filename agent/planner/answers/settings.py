"""Another clock, batch, number of threads, type or kernel library: what it brings, and why it is not more."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from typing import NamedTuple

from ...patterns import compiled
from ..bench import Answering, Call, Record, call_of, needed
from ..factors import factor_in
from ..query import LIMITS, Query, Role
from ..want import Want
from ..words import entries, spoken
from . import breakdown, judging
from .axes import head_of, shown
from .deployment import deployment
from .packs import sized
from .phrases import compared, joined, language_models, lines, sentence, subject, table
from .side_by_side import side_by_side

_TENTH, _FROM_AND_TO = 1.1, 2
_AS_SAID = (Role.RUNTIME, Role.CLOCK_MHZ)
"""Named first where the other is what it is taken instead of."""
_NUMBERED = (Role.THREADS, Role.BATCH)
_REPLACED = compiled(r"\breplac\w+ .*\b(?:with|by)\b", re.IGNORECASE)
"""Names first what was."""
_COUNTED = (Role.CLOCK_MHZ, Role.THREADS, Role.BATCH)
SETTINGS = (Role.CLOCK_MHZ, Role.THREADS, Role.BATCH, Role.RUNTIME)
OF_NETWORKS = (Role.DTYPE, Role.WIDTH)
"""Settings of a network by its name; of a file, techniques."""
_ESTIMATE = "estimate_performance"
_SHOWN = (
    (Want.LATENCY, _ESTIMATE, "latency_ms", ""), (Want.THROUGHPUT, _ESTIMATE, "inferences_per_second", "fps"),
    (Want.ENERGY, _ESTIMATE, "energy_uj", ""), (Want.POWER, _ESTIMATE, "power_mw", ""),
    (Want.RAM, "plan_memory", "arena", ""), (Want.FLASH, "plan_memory", "flash", ""),
    (Want.UTILISATION, "analyze_roofline", "compute_utilization", "%"),
)  # fmt: skip
_LABELS = {want: "" for want, *_ in _SHOWN} | {Want.RAM: "arena ", Want.FLASH: "flash "}
_ALSO = {Role.BATCH: (Want.THROUGHPUT,), Role.CLOCK_MHZ: (Want.ENERGY,)}
_OF_ITS_GAIN = frozenset(
    (Want.CONCEPT, Want.COST_OF_BATCH, Want.WHAT_IF, Want.COMPARE, Want.THROUGHPUT, Want.LATENCY,
     Want.WHY_SLOWER, Want.PLAUSIBLE)
)  # fmt: skip
_MORE_IS_BETTER, _CLEARLY = ("inferences_per_second", "compute_utilization"), 1.05
_BESIDE = (Want.ENERGY, Want.RAM, Want.FLASH)
"""Shown unasked where a change moves them."""


class _Figure(NamedTuple):
    want: Want
    after: Record
    before: Record
    path: str
    unit: str


def asks_why(query: Query, wants: Sequence[Want]) -> bool:
    """Whether it is asked why a setting that is at hand brings no more than it does."""
    if "why" not in query.asks or any(len(set(query.all(r))) != 1 for r in (Role.MODEL, Role.TARGET)):
        return False
    asks = set(wants[:1]) & _OF_ITS_GAIN and _at_hand(query) and not query.has(Role.TRACE, Role.CLAIMED_MS)
    return bool(asks) and not language_models(query)


def why(query: Query, wants: Sequence[Want]) -> Answering:
    """What the setting brings and why it is not more."""
    role = _at_hand(query)[0]
    if role is Role.DTYPE:
        return (yield from side_by_side(query, (Want.COMPARE, Want.WHY_SLOWER)))
    one = query.without(set(SETTINGS) - {role, Role.RUNTIME})
    return (yield from of_one(one, role, wants))


def _at_hand(query: Query) -> list[Role]:
    """Settings that went from one value to another, are not as they usually are, or whose gain is doubted."""
    moved = [role for role in (*SETTINGS, Role.DTYPE) if len(set(query.all(role))) > 1]
    counted = [role for role in (Role.BATCH, Role.THREADS) if max(query.numbers(role), default=1) > 1]
    counted += [Role.CLOCK_MHZ] if query.has(Role.CLOCK_MHZ) else []
    counted += [Role.DTYPE] if query.says(Role.DTYPE) and factor_in(query.question) else []
    counted += [Role.RUNTIME] if query.says(Role.RUNTIME) and Want.WHAT_IF in query.wants else []
    return moved + counted


def is_step(query: Query) -> bool:
    """Whether one setting goes from one value to another, and nothing else is listed or demanded."""
    if query.has(*LIMITS):
        return False
    several = [role for role in (*SETTINGS, Role.TARGET, Role.MODEL) if len(set(query.all(role))) > 1]
    return len(several) == 1 and several[0] in _COUNTED and len(set(query.all(several[0]))) == _FROM_AND_TO


def of_one(query: Query, role: Role, wants: Sequence[Want]) -> Answering:
    """What one setting brings, whatever else is set."""
    slots = (
        slot.model_copy(update={"inherited": slot.role is not role, "text": slot.text or slot.role.value})
        for slot in query.slots
    )
    return (yield from setting(query.model_copy(update={"slots": tuple(slots)}), wants))


def setting(query: Query, wants: Sequence[Want]) -> Answering:
    """Other clocks, batches, threads, types, inputs or kernels together, against what it was without them."""
    candidates = (*SETTINGS, *OF_NETWORKS, Role.SIDE)
    own = [role for role in candidates if query.says(role)] or [r for r in candidates if query.has(r)][:1]
    if not own:
        return (yield from deployment(query, [w for w in wants if w is not Want.WHAT_IF]))
    own = [role for role in own if len(set(query.all(role))) > 1] or own
    before = _as_it_was(query, own)
    for role in own:
        if len(values := tuple(dict.fromkeys(query.all(role)))) > 1:
            instead = "instead" in query.asks and _REPLACED.search(query.question) is None
            counts = role in _NUMBERED and not instead
            values = tuple(sorted(values, key=float)) if counts else values
            values = values[::-1] if instead and role in (*_AS_SAID, *_NUMBERED) else values
            query, before = query.put(role, *_typed(values[-1:])), before.put(role, *_typed(values[:1]))
    role, alone = own[0], len(own) == 1
    moved = yield from _moved(query, before, role, wants)
    because = (yield from breakdown.explained(role, before, query)) if alone else ""
    record = needed((yield call_of("estimate_performance", query)))
    energy = {Want.ENERGY, Want.POWER, Want.BATTERY_LIFE} & set(wants)
    asks_why = "why" in query.asks
    then = "" if alone else joined(slot.text for slot in before.slots if slot.role in own and slot.text)
    turns = joined(_LABELS[figure.want] + _turn(*figure[1:]) for figure in moved)
    turns = f"{'' if role is Role.BATCH else _whether_it_helps(query, moved)}{turns}"
    life = yield from _life(query, before, wants)
    lasts = next(iter(wants), None) is Want.BATTERY_LIFE
    return lines(
        life if lasts else "",
        because if asks_why else "",
        f"{turns}{then and f', against {then}'}: {subject(query, record)}.",
        "" if asks_why else because,
        _table(role, before, query, moved) if alone and before.has(role) else "",
        str(entries("of_energy")[role]) if role is Role.CLOCK_MHZ and because and energy else "",
        (yield from verdict_of(query)) if query.has(*LIMITS) else "",
        "" if lasts else life,
    )


def _as_it_was(query: Query, own: Sequence[Role]) -> Query:
    """With what was set before in place of what is set now, where that was of the same network and board."""
    plain, then = query.without(own), query.model_copy(update={"slots": query.settings_before})
    if any(set(query.all(role)) != set(then.all(role)) for role in (Role.MODEL, Role.TARGET)):
        return plain
    kept = (slot for slot in then.slots if slot.role in own and str(slot.value) not in query.all(slot.role))
    return plain.model_copy(update={"slots": (*plain.slots, *kept)})


def _moved(
    query: Query, before: Query, role: Role, wants: Sequence[Want]
) -> Generator[Call, Record, list[_Figure]]:
    """What is asked, then what moves unasked."""
    asked = [want for want in wants if want in _LABELS] or [Want.LATENCY]
    asked += [Want.LATENCY, *_ALSO.get(role, ())]
    found = []
    for want, function, path, unit in sorted(_SHOWN, key=lambda each: _place(each[0], asked)):
        if want in asked or want in _BESIDE:
            figure = _Figure(
                want, (yield call_of(function, query)), (yield call_of(function, before)), path, unit
            )
            found += [figure] if want in asked or _moves(figure.after, figure.before, path) else []
    return found


def _whether_it_helps(query: Query, moved: Sequence[_Figure]) -> str:
    """Yes or no, where it is asked whether a change brings anything in what is asked for first."""
    if not moved or not spoken("helps", query.question):
        return ""
    _, after, before, path, _ = moved[0]
    new, old = after.number(path), before.number(path)
    if not new or not old:
        return ""
    gain = new / old if path in _MORE_IS_BETTER else old / new
    return "Yes, " if gain > _CLEARLY else "Hardly, " if gain > 1 / _CLEARLY else "No, "


def _table(role: Role, before: Query, query: Query, moved: Sequence[_Figure]) -> str:
    names = [shown(role, _typed([one.text(role)])[0]) for one in (before, query)]
    cells = [
        (each.before.ref(each.path, f"{each.unit}~"), each.after.ref(each.path, f"{each.unit}~"))
        for each in moved
    ]
    head = [head_of([role]), *(each.want.value for each in moved)]
    return table(head, [[name, *(cell[at] for cell in cells)] for at, name in enumerate(names)])


def _typed(values: Sequence[str]) -> list[float | str]:
    return [float(value) if value.replace(".", "", 1).isdigit() else value for value in values]


def _place(want: Want, asked: Sequence[Want]) -> int:
    return asked.index(want) if want in asked else len(asked)


def _moves(after: Record, before: Record, path: str) -> bool:
    """Whether it changes by a tenth or more."""
    new, old = after.number(path), before.number(path)
    return bool(new and old) and not 1 / _TENTH < (new or 0.0) / (old or 1.0) < _TENTH


def _turn(after: Record, before: Record, path: str, unit: str) -> str:
    if after.result is None:
        return f"it cannot be calculated: {after.error.rstrip('.')}"
    times = compared(after, before, path, *entries("more_or_less").get(path, ()))
    shown = f"{after.ref(path, f'{unit}~')}"
    if not before.knows(path) or before.number(path) == after.number(path):
        return shown
    return f"{shown} instead of {before.ref(path, unit)}{', ' + times if times else ''}"


def verdict_of(query: Query) -> Answering:
    """In a sentence whether it meets its limits, or fits."""
    wants = (Want.MEETS,) if query.has(*LIMITS) else (Want.FITS,)
    return (yield from judging.verdict(query, wants, alone=True)).partition("\n")[0]


def _life(query: Query, before: Query, wants: Sequence[Want]) -> Generator[Call, Record, str]:
    if Want.BATTERY_LIFE not in wants:
        return ""
    after, earlier = (
        (yield call_of("estimate_energy_budget", sized(query)[0])),
        (yield call_of("estimate_energy_budget", sized(before)[0])),
    )
    return sentence(f"on the battery {_turn(after, earlier, 'battery.life_days', 'days')}")
