"""A factor that somebody claims between two boards, settings or changes: true, false, or not to be told."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass

from ..bench import Answering, Call, Record, ToolFailedError, call_of, needed
from ..factors import factor_in, factor_words
from ..owners import place_of
from ..query import Query, Role, Slot
from ..want import Want
from . import causes, changes
from .decoding_pair import of_targets
from .judging import CLAIMS, plausible
from .phrases import figure, joined, language_models, lines, model_shown
from .templates import put

CHECKED = re.compile(
    r"\b(?:true|right|correct|really|realistic|plausible|is (?:that|it|this)|claims?|says?|said|swears?|told|"
    r"believe|agree|confirm)\b",
    re.I,
)
_ASKED = re.compile(
    r"^(?:(?:so|and|but|then|ok)[, ]+)*(?:(?:is|are|does|it|that|will)\b|it's|that's).*\?\s*$", re.I
)
"""A statement that is asked back."""
_SET = (Role.CLOCK_MHZ, Role.DTYPE, Role.BATCH, Role.THREADS, Role.SIDE, Role.WIDTH, Role.RUNTIME)
_CALLED = {Role.DTYPE: "dtype", Role.SIDE: "input_size", Role.WIDTH: "width"}
"""The field of an estimate that shows a setting, where it is none of the deployment."""
_THAN = re.compile(
    r"\b(?:than|as (?!many|much|fast|long|slow|little)|compared (?:to|with)|versus|vs\.?|against)\b", re.I
)
_QUANTITIES = (
    (re.compile(r"\b(?:energ\w+|joules?|battery|consum\w+|thirst\w+)\b", re.I), "energy_uj", "energy"),
    (re.compile(r"\b(?:power|watts?|draws?)\b", re.I), "power_mw", "power"),
    (re.compile(r"\b(?:fast\w*|slow\w*|quick\w*|time|latency|speed)\b", re.I), "latency_ms", "time"),
)
_MORE = re.compile(r"\b(?:more|slower|slow|longer|higher|bigger|hungrier)\b", re.I)
_OF_TOPIC = {
    Want.ENERGY: ("energy_uj", "energy"), Want.BATTERY_LIFE: ("energy_uj", "energy"),
    Want.POWER: ("power_mw", "power"),
}  # fmt: skip
_ABOUT = 1.25
"""How far a claim may be off and still be about right."""


@dataclass(frozen=True)
class _End:
    """One of the two that a factor is claimed between."""

    record: Record
    path: str
    """Of what is claimed to be so many times as much."""
    name: str
    """With how it goes behind a figure: `on nrf52840`, `with int8`."""
    note: str = ""
    """Why a change brings no more."""

    @property
    def number(self) -> float:
        return self.record.number(self.path) or 0.0

    @property
    def shown(self) -> str:
        return figure(self.record, self.path)


def asks(query: Query) -> bool:
    """Whether a factor is to be checked between two boards that one network runs on, or of a change."""
    of_cards = query.says(Role.CARDS) and bool(language_models(query))
    if factor_in(query.question) is None or of_cards:
        return False
    if _of_a_change(query):
        return True
    if "why" in query.asks or not query.has(Role.MODEL) or causes.cause_of(query.question):
        return False
    checked = CHECKED.search(query.question) or _ASKED.search(query.question)
    return bool(checked and (_pair(query) or _variants(query)))


def _of_a_change(query: Query) -> bool:
    """Whether a change that was simulated is doubted."""
    doubts = {Want.PLAUSIBLE, Want.WHAT_IF} <= set(query.wants)
    return doubts and query.has(Role.TECHNIQUE) and not language_models(query)


def _pair(query: Query) -> tuple[str, str] | None:
    """What is claimed to have less, or more, and what it is held against."""
    said = [slot for slot in query.slots if slot.role is Role.TARGET and not slot.inherited and slot.text]
    named = sorted(said, key=lambda slot: _at(query, slot))
    before = [name for name in reversed(query.spoken_of) if name not in {slot.value for slot in named}]
    if len({slot.value for slot in named}) == 2:
        return str(named[0].value), str(named[1].value)
    if len(named) != 1 or not before:
        return None
    than = _THAN.search(query.question)
    one, other = str(named[0].value), before[0]
    return (other, one) if than and than.start() < _at(query, named[0]) else (one, other)


def _variants(query: Query) -> tuple[Query, Query, Role] | None:
    """One network on one board in two settings, as they are named or as it was before; and what is set."""
    several = any(len(set(query.all(role))) != 1 for role in (Role.MODEL, Role.TARGET))
    if language_models(query) or several:
        return None
    for role in _SET:
        slots = {slot.value: slot for slot in query.slots if slot.role is role}
        if len(slots) == 2:
            one, other = sorted(slots.values(), key=lambda slot: (slot.inherited, _at(query, slot)))
            return query.put(role, one.value), query.put(role, other.value), role
    for past in reversed(query.established):
        same = all(set(past.all(role)) == set(query.all(role)) for role in (Role.MODEL, Role.TARGET))
        changed = [role for role in _SET if past.text(role) != query.text(role)]
        if same and changed:
            return query, past, changed[0]
    return None


def _at(query: Query, slot: Slot) -> int:
    place = place_of(query, slot)
    return len(query.question) if place is None else place[0]


def of_each(query: Query) -> Sequence[Query]:
    """Each board with the figure that is claimed of it, in the order in which they are named."""
    slots = [slot for slot in query.slots if slot.text and not slot.inherited]
    boards = sorted((s for s in slots if s.role is Role.TARGET), key=lambda slot: _at(query, slot))
    claims = sorted((s for s in slots if s.role in CLAIMS), key=lambda slot: query.question.find(slot.text))
    alike = len({slot.role for slot in claims}) == 1 and len({slot.value for slot in boards}) > 1
    if not alike or len(boards) != len(claims) or not query.has(Role.MODEL) or language_models(query):
        return ()
    return [
        query.put(Role.TARGET, board.value, text=board.text).put(claim.role, claim.value, text=claim.text)
        for board, claim in zip(boards, claims, strict=True)
    ]


def each_judged(query: Query, _wants: Sequence[Want]) -> Answering:
    """Every claim against the estimate of its own board, a line each."""
    said = []
    for one in of_each(query):
        said.append((yield from plausible(one)).partition("\n")[0])
    return lines(*said)


def judged(query: Query, _wants: Sequence[Want]) -> Answering:
    """The verdict first, then both figures."""
    path, what = _quantity(query)
    pair = _pair(query)
    if _of_a_change(query):
        ends = yield from _before_and_after(query, path)
    elif pair is not None and language_models(query):
        return (yield from of_targets(query, pair))
    else:
        ends = yield from (_on_both(query, pair, path) if pair else _in_both(query, path))
    one, other = ends
    claim = f"*{factor_words(query.question)}*"
    board = "" if one.name.startswith("on ") else f" on {query.text(Role.TARGET)}"
    both = f"{model_shown(query)}{board}: {'; '.join(f'{end.shown} {end.name}' for end in ends)}."
    if not (one.number and other.number):
        why = f"no source gives the {what} of {next(end.name for end in ends if not end.number)}"
        return lines(f"I cannot tell whether {claim} holds: {why}.", both)
    more = bool(_MORE.search(query.question))
    over, under = (one, other) if more else (other, one)
    ratio = f"{{{{{over.record.id}.{over.path}/{under.record.id}.{under.path}|x~}}}}"
    how = "more" if more else "less"
    takes = f"takes {ratio} {how} {what} than {other.name.partition(' ')[2]}"
    takes = f"makes the {what} {ratio} {how}" if one.note else takes
    first = f"{_word(query, over, under)}, against {claim}: {one.name.partition(' ')[2]} {takes}."
    return lines(first, both, one.note)


def _on_both(query: Query, pair: Sequence[str], path: str) -> Generator[Call, Record, list[_End]]:
    found = []
    for target in pair:
        one = query.put(Role.TARGET, target).without([Role.RUNTIME])
        record = needed((yield call_of("estimate_performance", one)))
        found.append(_End(record, path, f"on {record.ref('deployment.target')}"))
    return found


def _in_both(query: Query, path: str) -> Generator[Call, Record, list[_End]]:
    """Of the same board under two settings."""
    found, variants = [], _variants(query)
    if variants is None:
        raise ToolFailedError("there are no two settings to compare.")
    *asked, role = variants
    name = _CALLED.get(role, f"deployment.{role.value}")
    for one in asked:
        record = needed((yield call_of("estimate_performance", one)))
        found.append(_End(record, path, f"with {record.ref(name, 'MHz' if role is Role.CLOCK_MHZ else '')}"))
    return found


def _before_and_after(query: Query, path: str) -> Generator[Call, Record, list[_End]]:
    """With changes, and as it is."""
    names = list(query.all(Role.TECHNIQUE))
    given = {"technique": names if len(names) > 1 else names[0], "goal": "latency", "input_size": None}
    record = needed((yield call_of("simulate_optimizations", changes.bare(query), **given)))
    row = "combined" if len(names) > 1 else "options[#0]"
    macs = f"Its MACs become {{{row}.before.macs/{row}.after.macs|x}} fewer. "
    stays = "What does not go with them stays: overhead of operators, bytes moved, layers that are kept."
    return [
        _End(record, f"{row}.after.{path}", f"with {joined(names)}", put(f"{macs}{stays}", record)),
        _End(record, f"{row}.before.{path}", "with no change"),
    ]


def _quantity(query: Query) -> tuple[str, str]:
    """What the claim is about: the quantity that is named nearest behind it, else before it."""
    at = query.question.find(factor_words(query.question))
    named = [
        (m.start(), path, what) for words, path, what in _QUANTITIES for m in words.finditer(query.question)
    ]
    if named:
        return min(named, key=lambda one: (one[0] < at, abs(one[0] - at)))[1:]
    return next((_OF_TOPIC[want] for want in query.topic if want in _OF_TOPIC), ("latency_ms", "time"))


def _word(query: Query, over: _End, under: _End) -> str:
    """Yes where the estimate comes near the claim; else whether the intervals leave room for it."""
    claim = factor_in(query.question) or 1.0
    if claim / _ABOUT <= over.number / under.number <= claim * _ABOUT:
        return "Yes, about"
    (least, most), (other_least, other_most) = (
        end.record.ends(end.path) or (end.number, end.number) for end in (over, under)
    )
    possible = over.record is not under.record and least / other_most <= claim <= most / other_least
    return "By the estimate no, though the intervals do not rule it out" if possible else "No"


__all__ = ["asks", "each_judged", "judged", "of_each"]
