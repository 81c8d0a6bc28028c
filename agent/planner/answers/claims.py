"""A factor that somebody claims between two boards: true, false, or not to be told."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..bench import Answering, Record, call_of, needed
from ..factors import factor_in, factor_words
from ..owners import place_of
from ..query import Query, Role, Slot
from ..want import Want
from . import cases, causes, changes
from .judging import plausible
from .phrases import assumed, figure, joined, language_models, lines, model_shown, sentence, subject
from .tokens import where

_CHECKED = re.compile(
    r"\b(?:true|right|correct|really|realistic|plausible|is (?:that|it|this)|claims?|says?|said|swears?|told|"
    r"believe|agree|confirm)\b",
    re.I,
)
_ASKED = re.compile(
    r"^(?:(?:so|and|but|then|ok)[, ]+)*(?:(?:is|are|does|it|that|will)\b|it's|that's).*\?\s*$", re.I
)
"""A statement that is asked back."""
_SET = (Role.CLOCK_MHZ, Role.DTYPE, Role.BATCH, Role.THREADS, Role.SIDE, Role.WIDTH, Role.RUNTIME)
_THAN = re.compile(
    r"\b(?:than|as (?!many|much|fast|long|slow|little)|compared (?:to|with)|versus|vs\.?|against)\b", re.I
)
_QUANTITIES: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (re.compile(r"\b(?:energ\w+|joules?|battery|consum\w+|thirst\w+)\b", re.I), "energy_uj", "energy"),
    (re.compile(r"\b(?:power|watts?|draws?)\b", re.I), "power_mw", "power"),
    (re.compile(r"\b(?:fast\w*|slow\w*|quick\w*|time|latency|speed)\b", re.I), "latency_ms", "time"),
)
_MORE = re.compile(r"\b(?:more|slower|longer|higher|bigger|hungrier)\b", re.I)
_OF_TOPIC = {
    Want.ENERGY: ("energy_uj", "energy"), Want.BATTERY_LIFE: ("energy_uj", "energy"),
    Want.POWER: ("power_mw", "power"),
}  # fmt: skip
_CLAIMED = (Role.CLAIMED_MS, Role.CLAIMED_HZ, Role.CLAIMED_UJ, Role.CLAIMED_MW)
_ABOUT = 1.25
"""How far a claim may be off and still be about right."""


def asks(query: Query) -> bool:
    """Whether a factor is to be checked between two boards that one network runs on, or of a change."""
    if _of_a_change(query):
        return factor_in(query.question) is not None
    if (
        "why" in query.asks
        or not query.has(Role.MODEL)
        or not factor_in(query.question)
        or causes.cause_of(query.question)
    ):
        return False
    checked = _CHECKED.search(query.question) or _ASKED.search(query.question)
    return bool(checked) and (_pair(query) is not None or _variants(query) is not None)


def _of_a_change(query: Query) -> bool:
    """Whether a change that was simulated is doubted."""
    return {Want.PLAUSIBLE, Want.WHAT_IF} <= set(query.wants) and query.has(Role.TECHNIQUE)


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


def _variants(query: Query) -> tuple[Query, Query] | None:
    """One network on one board as it is set now, or as it is named, and as it was before."""
    if (
        language_models(query)
        or len(set(query.all(Role.TARGET))) != 1
        or len(set(query.all(Role.MODEL))) != 1
    ):
        return None
    for role in _SET:
        if len(values := list(dict.fromkeys(slot.value for slot in query.slots if slot.role is role))) == 2:
            values.sort(key=lambda v: query.question.find(f"{v:g}") if isinstance(v, float) else 0)
            named = [v for v in values if str(v) in query.question]
            first = named[0] if len(named) == 1 else values[-1]
            other = next(value for value in values if value != first)
            return query.put(role, first), query.put(role, other)
    now = {role: query.text(role) for role in _SET}
    for past in reversed(query.established):
        same = all(set(past.all(role)) == set(query.all(role)) for role in (Role.MODEL, Role.TARGET))
        if same and any(past.text(role) != value for role, value in now.items()):
            return query, past
    return None


def _at(query: Query, slot: Slot) -> int:
    place = place_of(query, slot)
    return len(query.question) if place is None else place[0]


def asks_each(query: Query) -> bool:
    """Whether a figure is claimed of each of several boards."""
    return next(iter(_own_claims(query)), None) is not None


def _own_claims(query: Query) -> Sequence[Query]:
    """Each board with the figure that is claimed of it, in the order in which they are named."""
    slots = [slot for slot in query.slots if slot.text and not slot.inherited]
    boards = sorted((s for s in slots if s.role is Role.TARGET), key=lambda slot: _at(query, slot))
    claims = sorted((s for s in slots if s.role in _CLAIMED), key=lambda slot: query.question.find(slot.text))
    one_kind = len({slot.role for slot in claims}) == 1 and len({slot.value for slot in boards}) > 1
    if not one_kind or len(boards) != len(claims) or not query.has(Role.MODEL) or language_models(query):
        return ()
    plain = query.without([claims[0].role])
    return [
        plain.put(Role.TARGET, board.value, text=board.text).put(claim.role, claim.value, text=claim.text)
        for board, claim in zip(boards, claims, strict=True)
    ]


def each_judged(query: Query, _wants: Sequence[Want]) -> Answering:
    """Every claim against the estimate of its own board, a line each."""
    said = []
    for one in _own_claims(query):
        said.append((yield from plausible(one)).partition("\n")[0])
    return lines(*said)


def judged(query: Query, _wants: Sequence[Want]) -> Answering:
    """The verdict first, then both figures."""
    if _of_a_change(query):
        return (yield from _of_changes(query))
    pair = _pair(query)
    if pair is None:
        return (yield from _of_settings(query))
    if language_models(query):
        return (yield from _of_writing(query, pair))
    asked = [query.put(Role.TARGET, target).without([Role.RUNTIME]) for target in pair]
    return (yield from _held_against(query, asked, "deployment.target"))


def _of_changes(query: Query) -> Answering:
    """What changes really bring, and how far their MACs explain it."""
    names = list(query.all(Role.TECHNIQUE))
    plain = changes.bare(query)
    given = {"technique": names if len(names) > 1 else names[0], "goal": "latency", "input_size": None}
    record = needed((yield call_of("simulate_optimizations", plain, **given)))
    path, (figure_path, what) = "combined" if len(names) > 1 else "options[#0]", _quantity(query)
    before, after = f"{path}.before", f"{path}.after"
    now, then = record.number(f"{before}.{figure_path}"), record.number(f"{after}.{figure_path}")
    if not now or not then:
        return sentence(changes.brings(record, path, query.wants))
    claim, words = factor_in(query.question) or 1.0, factor_words(query.question)
    right = claim / _ABOUT <= now / then <= claim * _ABOUT
    times = f"{{{{{record.id}.{before}.{figure_path}/{record.id}.{after}.{figure_path}|x}}}}"
    macs = f"{{{{{record.id}.{before}.macs/{record.id}.{after}.macs|x}}}}"
    ends = f"{record.ref(f'{before}.{figure_path}')} → {record.ref(f'{after}.{figure_path}', '~')}"
    return lines(
        f"{'Yes, about' if right else 'No'}, against *{words}*: {joined(names)} makes the {what} {times} "
        f"less, {ends}: {subject(plain, record)}.",
        f"Its MACs become {macs} fewer ({record.ref(f'{before}.macs')} → {record.ref(f'{after}.macs')}). "
        "What does not go with them stays: overhead of operators, bytes moved, layers that are kept.",
        assumed(plain, record),
    )


def _of_settings(query: Query) -> Answering:
    """Of the same board under two settings."""
    found = _variants(query)
    assert found is not None
    one, other = found
    role = next(role for role in _SET if one.text(role) != other.text(role))
    path = {Role.DTYPE: "dtype", Role.SIDE: "input_size", Role.WIDTH: "width"}.get(
        role, f"deployment.{role.value}"
    )
    return (yield from _held_against(query, [one, other], path))


def _held_against(query: Query, asked: Sequence[Query], name: str) -> Answering:
    """The verdict, and both figures; `name` is the field that tells one from the other."""
    path, what = _quantity(query)
    records: list[Record] = []
    for one in asked:
        records.append(needed((yield call_of("estimate_performance", one))))
    subject, other = records
    missing = next((record for record in records if not record.knows(path)), None)
    both = f"{model_shown(query)}: {_shown(subject, path, name)}; {_shown(other, path, name)}."
    if missing is not None:
        why = f"no source gives the {what} of {missing.ref('deployment.target')}"
        return lines(f"I cannot tell whether *{factor_words(query.question)}* holds: {why}.", both)
    more = _MORE.search(query.question) is not None and path != "latency_ms"
    more = more or re.search(r"\b(?:slow|slower|longer)\b", query.question, re.I) is not None
    over, under = (subject, other) if more else (other, subject)
    first = _verdict(query, over, under, path, f"{'more' if more else 'less'} {what}", name)
    return lines(first, both)


def _of_writing(query: Query, pair: tuple[str, str]) -> Answering:
    """How much faster one writes than the other."""
    records: list[Record] = []
    for target in pair:
        one = query.put(Role.TARGET, target)
        records.append(needed((yield call_of("estimate_generation", one, **cases.asked(one)))))
    subject, other = records
    missing = next((record for record in records if not record.knows("decode_tokens_per_s")), None)
    if missing is not None:
        return f"I cannot tell whether *{factor_words(query.question)}* holds: {where(missing)} is not known."
    return causes.against(subject, other, query)


def _quantity(query: Query) -> tuple[str, str]:
    """What the claim is about: the quantity that is named nearest behind it, else before it."""
    at = query.question.find(factor_words(query.question))
    named = [
        (m.start(), path, what) for words, path, what in _QUANTITIES for m in words.finditer(query.question)
    ]
    if named:
        return min(named, key=lambda one: (one[0] < at, abs(one[0] - at)))[1:]
    return next((_OF_TOPIC[want] for want in query.topic if want in _OF_TOPIC), ("latency_ms", "time"))


def _verdict(query: Query, over: Record, under: Record, path: str, how: str, name: str) -> str:
    claim = factor_in(query.question) or 1.0
    times = (over.number(path) or 0.0) / (under.number(path) or 1.0)
    ends = (over.ends(path) or (0.0, 0.0), under.ends(path) or (1.0, 1.0))
    low, high = ends[0][0] / ends[1][1], ends[0][1] / ends[1][0]
    shown = f"{{{{{over.id}.{path}/{under.id}.{path}|x~}}}}"
    if claim / _ABOUT <= times <= claim * _ABOUT:
        word = "Yes, about"
    elif low <= claim <= high:
        word = "By the estimate no, though the intervals do not rule it out"
    else:
        word = "No"
    subject, other = (over, under) if how.startswith("more") else (under, over)
    first, second = _called(subject, name), _called(other, name)
    return f"{word}, against *{factor_words(query.question)}*: {first} takes {shown} {how} than {second}."


def _called(record: Record, name: str) -> str:
    return record.ref(name, "MHz" if name.endswith("mhz") else "")


def _shown(record: Record, path: str, name: str) -> str:
    return f"{figure(record, path)} {'on' if name.endswith('target') else 'with'} {_called(record, name)}"


__all__ = ["asks", "judged"]
