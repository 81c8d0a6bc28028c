"""Which chip and which kernels the names of a question come to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from ...hardware_db.index import TargetSummary, read_index
from ...hardware_db.names import folded
from ...hardware_db.processors import CPU, kernels_by_processor
from ...hardware_db.user_files import directories
from ..names import Kind
from ..patterns import compiled
from .bench import PLAIN
from .families import at_hand_of, family_of_core, has_instance, is_of_a_core, one_of, stands_at
from .hosts import mounted, once
from .owners import without_sizes_of_others
from .places import of_all_places
from .query import CELLS, Query, Role, Slot
from .want import Want
from .words import counts_things, patterns, spoken

_TFLM = ("tflm", "tensorflowlitemicro", "tflitemicro", "tensorflowliteformicrocontrollers")
_KERNELS = ("tflm-cmsis-nn", "tflm-esp-nn", "tflm-mvp", PLAIN)
_SHORT, _MOST_COMPARED = 4, 16
_READS = {**patterns("carried"), **patterns("beside_hardware")}
_WHICH = _READS["which"]
"""What stands before a family of which one is to be chosen."""
_OTHER = compiled(r"\b(?:other|another|different)\b", re.IGNORECASE)
_OF_THE_ONE_BEFORE = (Role.TARGET, Role.RUNTIME, Role.CLOCK_MHZ)
_OF_VIDEO = compiled(r"\d{3,4}p", re.IGNORECASE)


def as_filmed(query: Query) -> Query:
    """Without the size of a camera's picture, which is scaled to what the network takes."""
    filmed = [slot for slot in query.slots if slot.role is Role.SIDE and _OF_VIDEO.fullmatch(slot.text)]
    if len(filmed) != 1 or not query.has(Role.MODEL):
        return query
    note = f"I took *{filmed[0].text}* to be the camera's picture, scaled to the network's own input"
    slots = tuple(slot for slot in query.slots if slot is not filmed[0])
    return query.model_copy(update={"slots": slots, "notes": (*query.notes, note)})


def settled(query: Query) -> Query:
    """Each family becomes a member, with a word on which; an accelerator goes before the board it is on."""
    query, summaries = _of_the_same_maker(query), query.targets
    slots: list[Slot] = []
    notes = list(query.notes)
    extra, apart = list[Slot](), False
    at_hand = [str(s.value) for s in query.slots if s.role is Role.TARGET and "|" not in str(s.value)]
    for slot in query.slots:
        if slot.role is Role.TARGET and slot.text and (near := _spoken_of_as(slot, query.spoken_of)):
            slots.append(slot.model_copy(update={"value": near}))
            continue
        if slot.role not in (Role.TARGET, Role.RUNTIME) or "|" not in str(slot.value):
            slots.append(slot)
            continue
        members = str(slot.value).split("|")
        if slot.role is Role.RUNTIME:
            slots.append(slot.model_copy(update={"value": members[0]}))
            continue
        before = at_hand_of(query, slot, at_hand, members)
        if has_instance(query, slot) or is_of_a_core(query, slot):
            continue
        which = _WHICH.search(query.question[: query.question.find(slot.text)])
        lists = Want.LIST_TARGETS in query.wants[:1] and not query.has(Role.MODEL)
        if lists or (which and (not before or _OTHER.search(which[0]))):
            members = [member for member in members if lists or member not in before]
            if len(members) <= _MOST_COMPARED and not before and not lists:
                slots += [slot.model_copy(update={"value": member}) for member in members]
            else:
                query = query.model_copy(update={"among": tuple(members)})
            continue
        if told := _told_apart(members, query):
            slots += [slot.model_copy(update={"value": member}) for member in told]
            apart = True
            notes.append(f"I took {slot.text} to be {' and '.join(told)}")
            continue
        whose = next((name for name in before if stands_at(query, slot, name)), "")
        chosen = whose or one_of(query, slot, members, before, at_hand)
        slots.append(slot.model_copy(update={"value": chosen}))
        if len(members) > 1:
            notes.append(f"I took {slot.text} to be {chosen}")
        if family_of_core(slot.text) and not whose and (chosen in before or not query.has(Role.RUNTIME)):
            extra += _on_its_cores(chosen, summaries)[chosen not in before :]
    if apart:
        reckons = {Want.PLAUSIBLE, Want.WHY_SLOWER, Want.UTILISATION} & set(query.wants)
        slots = [s for s in slots if not _numbers(s) or (reckons and s.role is Role.CLAIMED_GOPS)]
        unread = tuple(text for text in query.unread if not _NUMBER.fullmatch(text))
        query = query.model_copy(update={"unread": unread})
    others = any(s.role is Role.WITHIN and s.chance < 1.0 and _OTHER.search(s.text) for s in query.slots)
    if query.among or others:
        slots = [slot for slot in slots if not (slot.inherited and slot.role in _OF_THE_ONE_BEFORE)]
    slots = _without_doubles([*slots, *extra])
    query = query.model_copy(update={"slots": tuple(slots), "notes": tuple(dict.fromkeys(notes))})
    return mounted(once(_without_engine(query, summaries)))


def _of_the_same_maker(query: Query) -> Query:
    """Hardware of the maker of what was spoken of, this once, and none of it alone."""
    same = patterns("rules_out")["same_maker"].search(query.question)
    of = query.targets.get(query.text(Role.TARGET) or next(reversed(query.spoken_of), ""))
    if same is None or of is None or query.says(Role.WITHIN):
        return query
    within = Slot(role=Role.WITHIN, value=of.vendor, text=f"other {same[0]}", chance=0.5)
    return query.model_copy(update={"slots": (*query.slots, within)})


def _told_apart(members: Sequence[str], query: Query) -> list[str]:
    """Those of a family whose names have the numbers that are said: the HAT with 13 TOPS, 128 MACs or 256."""
    texts = (*query.unread, *(slot.text for slot in query.slots if _numbers(slot)))
    said = {found[0] for text in texts if (found := _NUMBER.match(text))}
    if not said:
        return []
    own = {member: {*_NUMBER.findall(member)} for member in members}
    for name, target in read_index(query.own or directories()).target_names.exact.items():
        if target in own:
            own[target].update(_NUMBER.findall(name))
    told = [m for m in members if own[m] & said - {n for o in members if o != m for n in own[o]}]
    return told if len(told) < len(members) or len(told) == len(said) else []


def _numbers(slot: Slot) -> bool:
    """Whether a figure may be one of a name: a peak, or a bare number that was taken for a limit."""
    bare = slot.role in (Role.LATENCY_MS, Role.RATE_HZ) and _NUMBER.fullmatch(slot.text) is not None
    return not slot.inherited and (bare or slot.role is Role.CLAIMED_GOPS)


_NUMBER = compiled(r"\d+")


def _without_doubles(slots: Sequence[Slot]) -> list[Slot]:
    """Of `the kws network (kws.tflite)` the file."""
    files = {
        PurePath(str(slot.value)).stem
        for slot in slots
        if slot.role is Role.MODEL and PurePath(str(slot.value)).suffix
    }
    return [slot for slot in slots if slot.role is not Role.MODEL or slot.value not in files]


def _spoken_of_as(slot: Slot, spoken_of: Sequence[str]) -> str:
    """The chip of the conversation that a short name means: the L4, of an STM32L4R5; empty for none."""
    key = folded(slot.text)
    if len(key) > _SHORT or slot.value in spoken_of:
        return ""
    return next((target for target in reversed(spoken_of) if f"stm32{key}" in folded(target)), "")


def _without_engine(query: Query, summaries: Mapping[str, TargetSummary]) -> Query:
    """The U55 of an Alif Ensemble, and its M55, are that chip."""
    chips = [
        slot for slot in query.slots if slot.role is Role.TARGET and not str(slot.value).startswith("ethos")
    ]
    with_engine = [slot for slot in chips if "ethos-u" in summaries[str(slot.value)].runtimes]
    if len({slot.value for slot in with_engine}) != 1:
        return query
    alone = len({slot.value for slot in chips}) == 1
    if Want.COMPARE in query.wants and alone and len(chips) < len(query.all(Role.TARGET)):
        both = (with_engine[0], *_on_its_cores(str(with_engine[0].value), summaries))
        return query.model_copy(update={"slots": (*query.without([Role.TARGET]).slots, *both)})
    slots = [slot for slot in query.slots if not str(slot.value).startswith("ethos-u5")]
    if alone:
        slots = [slot for slot in slots if slot.role is not Role.TARGET or slot in with_engine[:1]]
    return query.model_copy(update={"slots": tuple(slots)})


def _on_its_cores(target: str, summaries: Mapping[str, TargetSummary]) -> list[Slot]:
    """The cores of a chip with an accelerator, against its usual kernels."""
    kernels = kernels_by_processor(target) if target in summaries else {}
    both = (
        next((names[0] for kind, names in kernels.items() if kind != CPU), ""),
        next(iter(kernels.get(CPU, ())), ""),
    )
    return [Slot(role=Role.RUNTIME, value=name, inherited=True) for name in both] if all(both) else []


_OF_STREAMS = (Role.DEVICES, Role.RATE_HZ)


def _of_what_was_measured(query: Query) -> Query:
    """A time that was measured on the one board that is named now is held against that one alone."""
    judges = {Want.PLAUSIBLE, Want.WHY_SLOWER, Want.CALIBRATE} & set(query.wants)
    if not judges or not query.says(Role.CLAIMED_MS, Role.CLAIMED_HZ):
        return query
    named = [s for s in query.slots if s.role is Role.TARGET and s.text and not s.inherited]
    beside = [s for s in named if _ALIKE.search(query.question[: query.question.find(s.text)])]
    now = {slot.value for slot in named if slot not in beside}
    if len(now) != 1:
        return query
    before = {s.value for s in query.settings_before if s.role is Role.TARGET}
    slots = tuple(
        slot
        for slot in query.slots
        if (slot.role is not Role.TARGET or slot.value in now)
        and not (slot.role is Role.CLOCK_MHZ and slot.inherited and before != now)
    )
    notes = (f"{slot.text} is what you hold it against, and not where it ran" for slot in beside)
    kept = tuple(note for note in query.notes if not any(f"took {s.text} to be" in note for s in beside))
    return query.model_copy(update={"slots": slots, "notes": (*kept, *dict.fromkeys(notes))})


_ALIKE = compiled(r"\b(?:as (?:slow|fast|quick|bad|good) as|like|unlike) (?:an?|the|my|on|that of)? ?$", re.I)
"""Before hardware that a figure reminds of."""


def reckoned(query: Query) -> Query:
    """Limits less what others take of the time and the processor."""
    query = without_sizes_of_others(_in_use(of_all_places(_with_own_boards(query))))
    current, volts = query.number(Role.CURRENT_UA), query.number(Role.SUPPLY_V)
    rate, devices = query.number(Role.RATE_HZ), query.number(Role.DEVICES)
    if rate and current and volts and {Want.RECOMMEND, Want.COMPARE} & set(query.wants):
        words = " at ".join(_texts(query, Role.CURRENT_UA, Role.SUPPLY_V))
        query = query.without([Role.CURRENT_UA, Role.SUPPLY_V])
        query = query.put(Role.POWER_MW, current * volts / 1e3, text=words)
    chooses = Want.RECOMMEND in query.wants or len(set(query.all(Role.TARGET))) > 1
    how_many = counts_things(query.question)
    needs = bool(rate and devices and spoken("counted_devices", query.question))
    counts = how_many and not needs and not query.has(Role.PLACES)
    asked = query.says(Role.DEVICES, Role.PLACES, Role.CARDS) and not query.says(Role.TARIFF)
    asked = needs or (asked and Want.HOW_MANY in query.wants)
    if needs and Want.HOW_MANY not in query.wants:
        query = query.model_copy(update={"wants": (*query.wants, Want.HOW_MANY)})
    if rate and devices and devices > 1 and (not asked or (chooses and not counts)):
        words, said = " times ".join(_texts(query, Role.DEVICES, Role.RATE_HZ)), query.says(*_OF_STREAMS)
        query = query.without([Role.DEVICES])
        if not counts:
            together = Slot(role=Role.RATE_HZ, value=rate * devices, text=words, inherited=not said)
            slots = (*(slot for slot in query.slots if slot.role is not Role.RATE_HZ), together)
            wants = tuple(want for want in query.wants if how_many or want is not Want.HOW_MANY)
            query = query.model_copy(update={"wants": wants, "slots": slots})
    query = _less_sensors(_with_sensor_always_on(query))
    current, volts = query.number(Role.CURRENT_UA), query.number(Role.SUPPLY_V)
    if current and volts and len(set(query.all(Role.TARGET))) > 1 and not query.has(Role.POWER_MW):
        words = " at ".join(_texts(query, Role.CURRENT_UA, Role.SUPPLY_V))
        query = query.without([Role.CURRENT_UA]).put(Role.POWER_MW, current * volts / 1e3, text=words)
    others, share_left = query.total(Role.TAKEN_MS), query.number(Role.SHARE_PERCENT) or 100.0
    if not others and share_left == 100.0:
        return query
    return query.model_copy(
        update={"slots": tuple(_less(slot, query, others, share_left) for slot in query.slots)}
    )


def _texts(query: Query, *roles: Role) -> list[str]:
    return [slot.text for role in roles for slot in query.slots if slot.role is role]


_A_SERIES = 50
"""So many are built; fewer may hang on one board."""


def _with_own_boards(query: Query) -> Query:
    """400 sensors, each on a board of its own, are so many boards; none of them computes for the others.

    Of a product with a microcontroller or a battery of its own all figures are of one.
    """
    chips = [one.target_class for name in query.all(Role.TARGET) if (one := query.targets.get(name))]
    alone = query.has(*CELLS) or (bool(chips) and set(chips) == {"mcu"})
    stock = next((slot for slot in query.slots if slot.role is Role.CARDS), None)
    spends = query.has(Role.TARIFF) or bool({*query.wants} & {Want.PRICE, Want.POWER, Want.CHEAPEST})
    of_all = spends and not query.has(*CELLS, Role.PLACES) and query.has(Role.RATE_HZ)
    if stock is not None and stock.number >= _A_SERIES and alone:
        if of_all:
            return query.without([Role.CARDS]).put(Role.PLACES, stock.number, text=stock.text)
        note = f"I took *{stock.text}* to be how many there are: all figures are of one"
        return query.without([Role.CARDS]).model_copy(update={"notes": (*query.notes, note)})
    many = next((slot for slot in query.slots if slot.role is Role.DEVICES), None)
    found = _READS["of_their_own"].search(query.question)
    if many is None or stock is not None or query.has(Role.PLACES):
        return query
    if many.number >= _A_SERIES and alone and query.has(Role.RATE_HZ, Role.LATENCY_MS):
        if of_all:
            return query.without([Role.DEVICES]).put(Role.PLACES, many.number, text=many.text)
        note = f"I took *{many.text}* to be how many are built: all figures are of one"
        return query.without([Role.DEVICES]).model_copy(update={"notes": (*query.notes, note)})
    networks = tuple(s.text for s in query.slots if s.role is Role.MODEL and s.text)
    rates = tuple(s.text for s in query.slots if s.role is Role.RATE_HZ and s.text)
    if found is not None and query.question[: found.start()].rstrip().endswith(rates):  # 4 fps each on an NPU
        return query
    if found is None or query.question[found.end() :].lstrip().startswith(
        networks
    ):  # 15 fps each with a YOLO
        return query
    return query.without([Role.DEVICES]).put(Role.CARDS, many.value, text=many.text)


def _in_use(query: Query) -> Query:
    """At its rate in a share of the time alone, on a battery: so much less often; what wakes it stays on."""
    share = next((s for s in query.slots if s.role is Role.DUTY_PERCENT and not s.inherited), None)
    if share is None or not query.has(*CELLS) or not query.has(Role.RATE_HZ) or query.says(Role.RATE_HZ):
        return query
    rate, words = query.number(Role.RATE_HZ) or 0.0, ", ".join(_texts(query, Role.RATE_HZ))
    words = f"{words}, {share.text} of the time"
    return query.without([Role.DUTY_PERCENT]).put(Role.RATE_HZ, rate * share.number / 100, text=words)


def _with_sensor_always_on(query: Query) -> Query:
    """A sensor that draws all the time, beside hours of use: spread over the day it computes as often."""
    sensors = [slot for slot in query.slots if slot.role in (Role.SENSOR_UA, Role.SENSOR_MW) and slot.text]
    rate, hours = query.number(Role.RATE_HZ), query.hours_a_day
    near = (query.question.find(slot.text) + len(slot.text) for slot in sensors)
    if not rate or not hours or not any(_READS["always"].match(query.question, end) for end in near):
        return query
    words = ", ".join(_texts(query, Role.RATE_HZ, Role.HOURS_A_DAY))
    return query.without([Role.HOURS_A_DAY]).put(Role.RATE_HZ, rate * hours / 24, text=words)


def _less_sensors(query: Query) -> Query:
    """Of the power that there is in all, what sensors leave: 5 W less the 1 W of a camera."""
    limit = next((s for s in query.slots if s.role is Role.POWER_MW and s.text and not s.inherited), None)
    sensors = [s for s in query.slots if s.role is Role.SENSOR_MW and s.text]
    left = limit.number - sum(s.number for s in sensors) if limit else 0.0
    if limit is None or not sensors or left <= 0 or query.has(*CELLS):
        return query
    words = " less ".join([limit.text, *(s.text for s in sensors)])
    return query.without([Role.SENSOR_MW]).put(Role.POWER_MW, left, text=words)


def _less(slot: Slot, query: Query, others_ms: float, share: float) -> Slot:
    """A limit on the time, or a rate that is to be reached, beside what others take."""
    if slot.role not in (Role.LATENCY_MS, Role.RATE_HZ) or not slot.number:
        return slot
    period = slot.number if slot.role is Role.LATENCY_MS else 1e3 / slot.number
    left = (period - others_ms) * share / 100
    if left <= 0:
        return slot
    beside = [s.text for s in query.slots if s.role is Role.TAKEN_MS] if others_ms else []
    words = f"{slot.text} less {' and '.join(beside)}" if beside else slot.text
    words += f" in {share:g} % of the time" if share < 100 else ""
    return slot.model_copy(
        update={"value": left if slot.role is Role.LATENCY_MS else 1e3 / left, "text": words}
    )


def with_runtime(query: Query) -> Query:
    """TFLM means the kernels that one builds it with; a runtime of another target is none of this one."""
    query = _reached_through(_of_what_was_measured(query))
    summaries = query.targets
    offered = [
        runtime
        for target in query.all(Role.TARGET)
        if target in summaries
        for runtime in summaries[target].runtimes
    ]
    slots: list[Slot] = []
    notes = list(query.notes)
    on_cores = query.says(Role.THREADS) or patterns("processor")["cpu"].search(query.question) is not None
    named = {
        slot.value for slot in query.slots if slot.role is Role.RUNTIME and folded(slot.text) not in _TFLM
    }
    for slot in query.slots:
        if slot.role is Role.RUNTIME and named & set(_KERNELS) and folded(slot.text) in _TFLM:
            continue
        if slot.role is not Role.RUNTIME or not offered:
            slots.append(slot)
        elif folded(slot.text) in _TFLM or _is_for_more(slot, offered):
            taken = next((kernels for kernels in _KERNELS if kernels in offered), str(slot.value))
            slots.append(slot.model_copy(update={"value": taken, "text": slot.text}))
            if taken != PLAIN and not slot.inherited:
                called = "TFLM" if folded(slot.text) in _TFLM else f"{slot.text} is TFLM there and"
                notes.append(f"{called} is taken with {_library(taken)} kernels, as it is built there")
        elif slot.value in offered or not slot.inherited:
            taken = str(slot.value) if on_cores else _on_offer(str(slot.value), offered)
            slots.append(slot.model_copy(update={"value": taken}))
    return query.model_copy(update={"slots": tuple(slots), "notes": tuple(dict.fromkeys(notes))})


def _is_for_more(slot: Slot, offered: Sequence[str]) -> bool:
    """TensorFlow Lite on a microcontroller is the one that is made for these."""
    light = str(slot.value).startswith("litert") and not any(name.startswith("litert") for name in offered)
    return light and bool(set(_KERNELS) & set(offered))


def _reached_through(query: Query) -> Query:
    """A library without figures of its own, as Core ML, by the runtime that computes with it."""
    offered = [r for t in query.all(Role.TARGET) if t in query.targets for r in query.targets[t].runtimes]
    slots, notes, unknown = list(query.slots), list(query.notes), list(query.unknown)
    for name in query.unknown:
        found = _on_offer(folded(name.text), offered) if name.kind is Kind.RUNTIME else ""
        if found in offered:
            slots.append(Slot(role=Role.RUNTIME, value=found, text=name.text))
            notes.append(f"{name.text} is reached through {found} here, as its own figures are not known")
            unknown.remove(name)
    return query.model_copy(update={"slots": tuple(slots), "notes": tuple(notes), "unknown": tuple(unknown)})


def _on_offer(runtime: str, offered: Sequence[str]) -> str:
    """ONNX Runtime on a card is ONNX Runtime by the first that it drives the card with; OpenVINO and Core ML
    are reached through it."""
    if runtime in offered:
        return runtime
    ends = (f"{runtime}-", f"-{runtime}")
    return next((name for name in offered if name.startswith(ends[0]) or name.endswith(ends[1])), runtime)


def _library(runtime: str) -> str:
    return {"tflm-cmsis-nn": "CMSIS-NN", "tflm-esp-nn": "ESP-NN", "tflm-mvp": "MVP"}[runtime]
