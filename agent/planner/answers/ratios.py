"""Whether a change or another board brings what is claimed of it, or anything, by an answer's figures."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from ....tools.core.paths import PathError, resolve
from ....tools.core.records import dataclass
from ...answer import ToolCallRecord
from ...patterns import compiled
from ..factors import Factor, factors_in
from ..parts import asked_in
from ..query import Query, Role
from ..words import entries, patterns, spoken
from .phrases import BY_THEIRS, as_words, joined

_ABOUT, _HARDLY = 1.25, 1.1
"""Times by which a claim may be off; below the second nothing is gained."""
_FIGURE = compiled(r"\{\{(?P<id>r\d+)\.(?P<parent>[^}|*/()+-]*?)(?P<field>\w+)(?:\|[^}]*)?\}\}")
_MORE_IS_BETTER = ("inferences_per_second", "at_once_per_second", "decode_tokens_per_s", "life_days")
_VERDICT = compiled(
    r"(?P<word>Yes|No|Hardly)[,:] |(?:Mostly|In part|Not|Perhaps|Possibly|Probably|Nothing|Only)\b"
)


@dataclass(frozen=True)
class _Pair:
    """The same figure of two cases, the one that is asked about first."""

    one: str
    other: str
    field: str
    times: float
    """How many times better the one is; below 1 where it is worse."""
    known: bool
    """Whether it is known which of the two is asked about."""

    @property
    def shown(self) -> str:
        over = self.one, self.other
        better = (self.times >= 1) == (self.field in _MORE_IS_BETTER)
        return f"{{{{{'/'.join(over if better else over[::-1])}|x}}}}"

    @property
    def word(self) -> str:
        worse = self.times < 1
        match self.field:
            case "latency_ms" | "time_to_first_token_ms":
                return "slower" if worse else "faster"
            case field if field in _MORE_IS_BETTER:
                of = "life" if field == "life_days" else "rate"
                return f"lower in {of}" if worse else f"the {of}"
        return "more" if worse else "less"


def headed(query: Query, answer: str, records: Sequence[ToolCallRecord]) -> str:
    """The answer, with the verdict on a factor that is claimed, or on whether something helps.

    It goes first, or behind the first line where something else is asked first.
    """
    first, _, rest = answer.partition("\n")
    if BY_THEIRS in first:
        return answer
    found, text = _VERDICT.match(first), query.question
    claims = [one for one in factors_in(text) if one.compares and not _WHY.search(text[: one.start])]
    claims = [one for one in claims if not OF_SIZE.match(text[one.end :])]
    asked = [part for part, _ in asked_in(text)]
    part = next((part for part in asked if spoken("helps", part) and not _EITHER.search(part)), "")
    if not (claims or part) and not (found and found["word"]) and spoken("asks_factor", text):
        told = _factor_first(first)
        pair = _pair(query, text, answer, _results(records), text) if told == first else None
        if pair is not None and f".{pair.field}" in first:
            told = f"{pair.shown}: {first[:1].lower()}{first[1:]}"
        return f"{told}\n{rest}".rstrip()
    judged = found is not None and (part in asked[:1] or bool(found["word"]))
    if not (claims or part) or (not claims and (judged or (part in asked[:1] and "which" in query.asks))):
        return answer
    near = text[max(0, claims[0].start - _NEAR) : claims[0].end + _NEAR] if claims else part
    said = _sentence_of(text, claims[0].start) if claims else part
    pair = _pair(query, near, answer, _results(records), said)
    if pair is None or any(f"*{one.text}*" in first for one in claims):
        return answer
    if not pair.known and not (claims and any(len(set(query.all(role))) > 1 for role in _OF_TWO)):
        return answer
    told = _of_claims(claims, pair, near) if claims else _of_help(pair)
    if not claims and part not in asked[:1]:
        return f"{first}\nOn *{as_words(part.rstrip('?.! '))}*: {told}.\n{rest}".rstrip()
    left = first[found.end() :] if found and found["word"] else first
    return f"{told}{'. ' if left[:1].isupper() else '; '}{left}\n{rest}".rstrip()


def _results(records: Sequence[ToolCallRecord]) -> dict[str, ToolCallRecord]:
    return {one["id"]: one for one in records if one["result"]}


def _sentence_of(text: str, at: int) -> str:
    """The one that stands there."""
    before, behind = re.split(r"[.!?](?:\s|$)", text[:at])[-1], re.split(r"[.!?](?:\s|$)", text[at:])[0]
    return before + behind


_NEAR = 24
_TIMES = compiled(r"\{\{(?P<ratio>[^}|]+)\|x\}\}(?P<than> better than)?")


def _factor_first(first: str) -> str:
    """With the factor that it tells before all else, and its interval."""
    if (times := _TIMES.search(first)) is None:
        return first
    shown = f"{{{{{times['ratio']}|x~}}}}"
    before, behind = first[: times.start()], first[times.end() :]
    return f"{shown}: {before}ahead of{behind}" if times["than"] else f"{before}{shown}{behind}"


_OF_TWO = (
    Role.TARGET,
    Role.MODEL,
    Role.DTYPE,
    Role.RUNTIME,
    Role.BATCH,
    Role.CLOCK_MHZ,
    Role.THREADS,
    Role.WEIGHTS,
    Role.KV,
)
"""Of one of these there are two cases, where the question does not say which of them is meant."""
_EITHER = compiled(r"\bor\b(?! not\b)", re.IGNORECASE)
"""Which of two is asked, and no yes or no."""
OF_SIZE = compiled(
    r"\W*(?:(?:as )?(?:large|big|wide|tall|deep)\b|(?:(?:as )?(?:many|much) |more |less |fewer |the |"
    r"number of |of )*(?:(?:[gtm]?(?:fl)?op|mac)s?|operations|"
    r"multipl\w+|parameters|weights|[gt]?flops|tops|cores|bandwidth)\b)",
    re.IGNORECASE,
)
"""What so many times is said of is the input, the network or the peak, and no figure that is computed."""
_WHY = compiled(r"\bwhy\b[^.?!]*$", re.IGNORECASE)


def _of_help(pair: _Pair) -> str:
    word = "Yes" if pair.times >= _HARDLY else "Hardly" if pair.times > 1 / _HARDLY else "No"
    return f"{word}, {pair.shown} {pair.word}"


def _of_claims(claims: Sequence[Factor], pair: _Pair, near: str) -> str:
    """Each factor against the one that is computed."""
    worse = {"worse", "less" if pair.field in _MORE_IS_BETTER else "more"} & {*spoken("worse", near)}
    times = 1 / pair.times if worse else pair.times
    times = times if pair.known else max(times, 1 / times)
    if times < 1:
        return f"No, not *{claims[0].text}*: {pair.shown} {pair.word}"
    if len(claims) == 1:
        return f"{_word(claims[0], times)} *{claims[0].text}*: {pair.shown} {pair.word}"
    told = joined(f"*{one.text}* is {_WORDS[_standing(one, times)]}" for one in claims)
    return f"By my figures {pair.shown} {pair.word}: {told}"


_WORDS = {"about": "about right", "more": "less than I expect", "less": "more than I expect"}


def _standing(claim: Factor, times: float) -> str:
    if claim.value / _ABOUT <= times <= claim.value * _ABOUT:
        return "about"
    return "more" if times > claim.value else "less"


def _word(claim: Factor, times: float) -> str:
    return {"about": "Yes, about", "more": "Yes, more than", "less": "No, less than"}[_standing(claim, times)]


def _pair(
    query: Query, asked: str, answer: str, records: Mapping[str, ToolCallRecord], said: str
) -> _Pair | None:
    """The two cases whose figures the answer shows; None where it shows one, or more than two."""
    of = next(iter(spoken("ratio_of", asked)), "time")
    rows = "\n".join(line for line in answer.split("\n") if line.startswith("|"))
    for field, shown in product(entries("ratio_shown_by")[of], filter(None, (answer, rows))):
        found: dict[str, float] = {}
        for match in _FIGURE.finditer(shown):
            if match["field"] != field or match["id"] not in records:
                continue
            path = f"{match['parent']}{match['field']}"
            try:
                value = resolve(path, records[match["id"]]["result"] or {}).value
            except PathError:
                continue
            if isinstance(value, int | float) and value > 0:
                found.setdefault(f"{match['id']}.{path}", float(value))
        if len(found) == 2:
            return _ordered(query, field, found, records, said)
        if found and field == "latency_ms" and of == "rate":
            return None
    return None


def _ordered(
    query: Query, field: str, found: Mapping[str, float], records: Mapping[str, ToolCallRecord], said: str
) -> _Pair:
    """The changed one before the one that it was changed from."""
    first, second = found
    one, other = (records[path.partition(".")[0]]["arguments"] for path in (first, second))
    changed = ".before." in first or ".after." in second
    if changed:
        one, other = _types(query, other)
    of_one, of_other = (_place(query, one, other), _place(query, other, one))
    here, there = (_is_named(query, one, other, said), _is_named(query, other, one, said))
    of_one, of_other = (here, there) if here != there and not changed else (of_one, of_other)
    known = changed or of_one != of_other
    if of_one < of_other or (changed and of_one == of_other):
        first, second = second, first
    times = found[first] / found[second]
    return _Pair(first, second, field, times if field in _MORE_IS_BETTER else 1 / times, known)


def _is_named(query: Query, own: Mapping[str, Any], other: Mapping[str, Any], said: str) -> bool:
    """Whether the sentence of the claim names what this case alone has."""
    differs = {name: value for name, value in own.items() if other.get(name) != value}
    slots = [s for s in query.slots if s.text and not s.inherited and differs.get(s.role.value) == s.value]
    found = (re.search(rf"(?<![\w.]){re.escape(slot.text)}(?!\w)", said) for slot in slots)
    return any(one is not None and not _THAN.search(said[: one.start()]) for one in found)


_THAN = compiled(
    r"\b(?:than|against|over|from|versus|vs\.?|compared (?:to|with)) (?:an? |the |my |on )*$", re.I
)
"""Before what a claim is set against."""


def _types(query: Query, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a change is made from and to where it is of type, and both types are named: int8 over float32."""
    named, to = query.all(Role.DTYPE), arguments.get("technique")
    source = next((name for name in named if name != to), None)
    return ({"dtype": source}, {"dtype": to}) if source and to in named else ({}, {})


def _place(query: Query, own: Mapping[str, Any], other: Mapping[str, Any]) -> int:
    """Where the question names what this case alone has; -1 for what the other is held against."""
    differs = {name: value for name, value in own.items() if other.get(name) != value}
    named = [s for s in query.slots if s.text and not s.inherited and differs.get(s.role.value) == s.value]
    found = [re.search(rf"(?<![\w.]){re.escape(slot.text)}(?!\w)", query.question) for slot in named]
    start = max((one.start() for one in found if one), default=-1)
    markers = patterns("held_against")
    last = {
        name: max((m.end() for m in one.finditer(query.question, 0, max(start, 0))), default=-1)
        for name, one in markers.items()
    }
    return -1 if last["other"] > last["asked"] else start
