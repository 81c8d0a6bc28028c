"""Two times that a question states, each with the setting that it was measured with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations
from typing import TypeAlias

from ....tools.core.records import dataclass
from ...patterns import compiled
from ..bench import PLAIN
from ..query import Query, Role, Slot
from ..roles import SURE
from ..words import patterns
from .axes import shown

COUNTED = (Role.THREADS, Role.BATCH, Role.CLOCK_MHZ)
"""Settings that a time may follow in proportion."""
_AXES = (*COUNTED, Role.DTYPE, Role.RUNTIME, Role.TARGET, Role.MODEL)
CLAIMED = (Role.CLAIMED_MS, Role.CLAIMED_HZ)
_WIDEST = ("float32", "float16", "bfloat16", "int16", "int8")
LITTLE = 0.03
"""A share that is nothing."""
_TWO, _FAR = 2, 400
"""Of a pair; characters that a full stop counts for."""
_STOP = compiled(r"[.;!?](?:\s|$)")
_EACH = compiled(r"\W{0,2}(?:per|an?|each|every|/) ?(?:image|picture|frame|inference|sample)\b", re.I)
_OTHER = patterns("the_other_setting")


_Placed: TypeAlias = tuple[float | str, list[int]]
"""A value of a setting, and where it stands."""


@dataclass(frozen=True)
class Timed:
    """A time, and the setting that it was measured with."""

    value: float | str
    slot: Slot
    time_ms: float
    """Of a whole batch."""

    @property
    def text(self) -> str:
        """As they wrote it, with the unit that they left out."""
        unit = " ms" if self.slot.role in (Role.CLAIMED_MS, Role.LATENCY_MS) else " a second"
        return self.slot.text + unit * self.slot.text.replace(".", "", 1).isdecimal()

    @property
    def many(self) -> float:
        return float(self.value)


@dataclass(frozen=True)
class Pair:
    """The same network before and after one change."""

    role: Role
    before: Timed
    after: Timed

    @property
    def proportion(self) -> float:
        """How many times as much of the setting there is."""
        return self.after.many / self.before.many if self.role in COUNTED else 1.0

    def gain(self, before_ms: float, after_ms: float) -> float:
        """How many times faster; of a batch, how many times the images a second."""
        return before_ms / after_ms * (self.proportion if self.role is Role.BATCH else 1.0)

    @property
    def names(self) -> tuple[str, str]:
        return shown(self.role, self.before.value), shown(self.role, self.after.value)


def pair_of(query: Query) -> Pair | None:
    """The first axis of which two values stand beside a time each."""
    timed, rated = (
        [slot for role in roles for slot in _own_slots(query, role)]
        for roles in ((Role.CLAIMED_MS, Role.LATENCY_MS), (Role.CLAIMED_HZ, Role.RATE_HZ))
    )
    stated = timed if len(timed) > 1 else rated
    if len(stated) < _TWO or not any(slot.role in CLAIMED for slot in stated):
        return None
    for axis in axes_of(query):
        pair = _matched(query, axis, values_of(query, axis), stated)
        if pair is not None and (pair.after.slot.role in CLAIMED or _is_hoped(pair)):
            return pair
    return None


def axes_of(query: Query) -> list[Role]:
    """What is named with two values, else what words may stand for another value of."""
    return [axis for axis in _AXES if len(set(query.all(axis))) > 1] or list(_UNSAID)


_UNSAID = (Role.THREADS, Role.BATCH, Role.DTYPE, Role.RUNTIME)


def _is_hoped(pair: Pair) -> bool:
    """Whether a time or rate that is no measurement is what they expect of the change, and no limit."""
    even = pair.before.time_ms / pair.proportion
    return pair.after.slot.chance < SURE or abs(pair.after.time_ms - even) <= LITTLE * even


def _own_slots(query: Query, role: Role) -> list[Slot]:
    return [slot for slot in query.slots if slot.role is role and slot.text and not slot.inherited]


def values_of(query: Query, axis: Role) -> list[_Placed]:
    """The values of an axis with their places; the second may be what words stand for: both, without it."""
    found: dict[float | str, list[int]] = {}
    slots = (slot for slot in _own_slots(query, axis) if isinstance(slot.value, str) or slot.value > 0)
    for slot in slots:
        found.setdefault(slot.value, _places(query, slot))
    text = query.question
    if axis is Role.DTYPE and not found and (said := _OTHER["quantised"].search(text)):
        found["int8"] = [said.start()]
    value = next(iter(found), "") if len(found) == 1 or axis is not Role.THREADS else 1.0
    of = ("one_core", "all_cores")[value == 1] if axis is Role.THREADS else axis.value
    if found and of in _OTHER and (said := _OTHER[of].search(text)):
        other = _other(query, axis, value)
        if other is not None and (len(found) == 1 or other in found):
            found[other] = [*found.get(other, []), said.start()]
    several = axis in COUNTED and len(found) > _TWO
    return [(value, found[value]) for value in (min(found), max(found))] if several else list(found.items())


def _other(query: Query, axis: Role, value: float | str) -> float | str | None:
    """What such words stand for, beside the value that is named."""
    match axis:
        case Role.THREADS if value == 1:
            found = query.targets.get(query.text(Role.TARGET))
            return max(float(found.cores[0].split()[0]), 2.0) if found else 2.0
        case Role.DTYPE if value != _WIDEST[0]:
            return _WIDEST[0]
        case Role.RUNTIME if value == PLAIN:
            return next((name for name in _kernels(query) if name != PLAIN), None)
        case Role.RUNTIME if str(value).startswith("tflm-"):
            return PLAIN
        case Role.THREADS | Role.BATCH:
            return 1.0
    return None


def _kernels(query: Query) -> Sequence[str]:
    found = query.targets.get(query.text(Role.TARGET))
    return found.runtimes if found else ()


def _places(query: Query, slot: Slot) -> list[int]:
    """Where it stands; a number where the figures of its value do."""
    found = [one.start for one in query.figures if one.value == slot.value]
    return found or [one.start() for one in re.finditer(re.escape(slot.text), query.question)]


def _matched(query: Query, axis: Role, values: Sequence[_Placed], stated: Sequence[Slot]) -> Pair | None:
    """Each value with a time, as near as can be over both; None where they stand in other sentences."""
    if len(values) != _TWO or not all(places for _, places in values):
        return None
    text, timed = query.question, [(slot, at) for slot in stated for at in _places(query, slot)[:1]]
    if len(timed) < _TWO:
        return None

    def far(one: int, other: int) -> int:
        start, end = sorted((one, other))
        return end - start + _FAR * len(_STOP.findall(text, start, end))

    def cost(of: Sequence[tuple[Slot, int]]) -> int:
        return sum(
            min(far(at, place) for place in places) for (_, places), (_, at) in zip(values, of, strict=True)
        )

    best = min(permutations(timed, _TWO), key=cost)
    if cost(best) >= _FAR or min(slot.number for slot, _ in best) <= 0:
        return None
    found = [
        Timed(value, slot, _whole(text, axis, value, slot, at))
        for (value, _), (slot, at) in zip(values, best, strict=True)
    ]
    if axis in COUNTED or axis is Role.DTYPE:
        found.sort(key=lambda each: place_in_order(each.value))
    else:
        found.sort(key=lambda each: -each.time_ms)
    return Pair(axis, *found)


def place_in_order(value: float | str) -> float:
    """Fewer before more, wider types before narrower ones."""
    return (
        float(_WIDEST.index(value) if value in _WIDEST else len(_WIDEST)) if isinstance(value, str) else value
    )


def _whole(text: str, axis: Role, value: float | str, slot: Slot, at: int) -> float:
    """The time of a run; a rate, and a time that is said to be of one image, count each of a batch."""
    rated = slot.role in (Role.CLAIMED_HZ, Role.RATE_HZ)
    each = rated or _EACH.match(text, at + len(slot.text))
    time = 1e3 / slot.number if rated else slot.number
    return time * float(value) if axis is Role.BATCH and each else time
