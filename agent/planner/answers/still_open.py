"""What a question asks and the answer leaves open: each demand is checked off by the fields referred to."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from typing import Any

from ...definitions import asks_for_meaning_alone, definition, definitions
from ...patterns import compiled
from ...thesaurus import stems
from ..bench import NOT_KNOWN, Answering, Call, Record, ToolFailedError
from ..paid import price_said
from ..parts import Part, parts_of
from ..query import LIMITS, Query, Role
from ..said_in import without_units
from ..want import Want
from ..words import entries, meaning, patterns, spoken
from . import (
    blamed,
    changes,
    choices,
    facts,
    furthest,
    judging,
    model_choice,
    outlay_told,
    pages,
    per_unit,
    quantised,
    reach,
    workloads,
)
from .axes import several
from .claims import PACED
from .clauses import CLAUSES
from .columns import COLUMNS
from .deployment import deployment
from .frames import frames_of
from .generating import generation
from .passages import each_part, search, shortened
from .peaks import NEVER_WHOLE
from .per_what import PER_MONEY
from .phrases import ASKS, ASSUMED, as_words, joined, language_models, sentence
from .side_by_side import side_by_side
from .trust import LEAST_SURE
from .worth import asks_need

_LIKELY = 0.2
"""Chance from which on a part of a question wants something."""
_SURE, _POSSIBLE, _PLAIN, _ALMOST = 0.35, 0.1, 0.5, 0.75
"""Below the first a part is named and not guessed at; from the second on it may have been told already.

From the third on it is plain what a part wants; then nothing else tells it that is not about as likely.
"""
_MOST_WORDS, _IN_WORDS, _LONGEST, _ALIKE, _TOLD_BY_A_PAGE = 45, 5, 90, 60, 0.7
_SHOWN_BY = {Want(want): str(fields) for want, fields in entries("shown_by").items()}
"""Fields, any of which answers what is wanted."""
_OF_ENERGY = frozenset((Want.ENERGY, Want.POWER, Want.BATTERY_LIFE))
_SHOWN_BY_TIME = frozenset((Want.LATENCY, Want.THROUGHPUT))
_GOALS: dict[str, Want] = {
    "latency": Want.LATENCY,
    "energy": Want.ENERGY,
    "ram": Want.RAM,
    "flash": Want.FLASH,
}
_TELLS = {Want(one): frozenset(map(Want, others)) for one, others in entries("tells").items()}
"""What the answer on one want says of others."""
_OF_TOKENS = frozenset(
    (
        Want.GENERATION, Want.LATENCY, Want.THROUGHPUT, Want.FITS, Want.MEETS, Want.RAM, Want.BOUND,
        Want.COMPARE, Want.UTILISATION, Want.BOUND_CHANGE,
    )
)  # fmt: skip
"""What an answer on a language model tells."""
_OF_FORMATS = frozenset((Want.WHAT_IF, Want.IMPROVE))
_OF_TALK = frozenset((Want.ASK_BACK, Want.SAME, Want.THANKS, Want.HELP, Want.SUMMARY))
_OF_OTHERS = frozenset((Want.CHEAPEST, Want.RECOMMEND))
"""What is asked about other hardware than is named; of several that are named it is chosen among these."""
_OF_CHIP = frozenset((Want.PRICE, Want.AVAILABILITY))
_OF_PAGES = frozenset((Want.CONCEPT, Want.PRODUCT, Want.ERROR, Want.CALIBRATE, Want.OUTSIDE))
_SETTINGS = (Role.THREADS, Role.BATCH, Role.CLOCK_MHZ)
_OF_MANY_CALLS = frozenset(
    (
        Want.IMPROVE, Want.RECOMMEND, Want.RECOMMEND_RUNTIME, Want.LIMIT, Want.ACCURACY, Want.COST_OF_BATCH,
        Want.HOW_MANY,
    )
)  # fmt: skip
_BESIDE = (
    deployment, facts.facts, changes.improve, changes.what_if, furthest.furthest, reach.accuracy,
    furthest.cost_of_batch, choices.recommend, workloads.how_many, model_choice.recommend_model, side_by_side,
    pages.pages,
)  # fmt: skip
"""Frames that leave room for more; the others answer the whole question."""
_CHECKED = (deployment, side_by_side, per_unit.per_unit, generation)
"""Frames whose answer is held against every figure that is surely wanted."""
IF_MEANT = "If you meant "


@dataclass
class _Sheet:
    """What is told by now: wants, fields and lines."""

    answer: str
    told: frozenset[Want]
    fields: set[str]
    lines: list[str]

    def takes(self, line: str, want: Want, *, headed: bool) -> bool:
        """Whether the line says anything new, which then stands there."""
        fields = set(fields_of(line))
        if (
            not line
            or line.startswith(_NOT_TOLD)
            or line[:_ALIKE] in self.answer
            or _quotes(self.answer, line)
        ):
            return False
        if fields and fields <= self.fields:
            return False
        self.lines.append(f"Also, {meaning(want)}: {line}" if headed and meaning(want) else line)
        self.fields |= fields
        self.told |= told_by([want])
        return True


def still_open(query: Query, answer: str, records: Sequence[Mapping[str, Any]] = ()) -> Answering:
    """A line on what is open, each as short as it can be; what nothing here answers by its own words."""
    told = told_by(query.wants) | (_OF_TOKENS if language_models(query) else frozenset())
    of_formats = language_models(query) and (query.says(Role.KV) or len(set(query.all(Role.WEIGHTS))) > 1)
    told |= _OF_FORMATS if of_formats else frozenset()
    told |= _OF_OTHERS if len(set(query.all(Role.TARGET))) > 1 else frozenset()
    told |= {Want.WHAT_IF, Want.COMPARE} if quantised.has_both(records) else frozenset()
    told |= outlay_told.told_in(answer) | ({Want.MEETS} if PACED.search(answer) else frozenset())
    told |= {Want.RECOMMEND_MODEL} if any(r["name"] == "rank_generation" for r in records) else frozenset()
    sheet = _Sheet(answer, told, set(fields_of(answer)), [])
    if of_types := (yield from quantised.beside(query, records)):
        sheet.lines.append(of_types)
        sheet.told |= told_by([Want.WHAT_IF])
    yield from _of_left_out(query, sheet, records)
    yield from _of_wanted(query, sheet)
    left = yield from _of_parts(query, sheet)
    named = ", ".join(f"*{_named(text)}*" for text in left)
    return "\n".join([*sheet.lines, *([f"I did not answer: {named}."] if left else [])])


def _of_left_out(query: Query, sheet: _Sheet, records: Sequence[Mapping[str, Any]]) -> Answering:
    """Hardware, or another rate, that is named and that no figure of the answer is of: the same of each."""
    ids = {field.partition(".")[0].lstrip("(") for field in sheet.fields}
    of = [record["arguments"] for record in records if record["id"] in ids]
    for role in (Role.TARGET, Role.RATE_HZ):
        named = {slot.value: slot for slot in query.slots if slot.role is role and not slot.inherited}
        taken = [value for value in named if any(_is_taken(each, role, value) for each in of)]
        texts = {named[value].text for value in taken}
        for value, slot in named.items() if taken and len(named) > 1 else ():
            name = slot.text or str(value)
            if value in taken or slot.text in texts or str(value) in sheet.answer or name in sheet.answer:
                continue
            one = query.put(role, value, text=slot.text)
            frame, wants = frames_of(one := one.without(_OF_ONE_TARGET) if role is Role.TARGET else one)[0]
            try:
                line = _first((yield from frame(one, wants)))
            except ToolFailedError as failed:
                line = str(failed)
            sheet.lines.append(f"{name}: {line}" if line else f"I have no figure of {name} for that.")
            sheet.fields |= set(fields_of(line))
    return ""


def _is_taken(arguments: Mapping[str, Any], role: Role, value: float | str) -> bool:
    """Whether a call was made with it, one target or among several with their kernels."""
    if role is not Role.TARGET:
        return arguments.get(role.value) == value
    return arguments.get("target") == value or any(
        str(each).partition("/")[0] == value for each in arguments.get("targets") or ()
    )


_OF_ONE_TARGET = (Role.CARDS, Role.RUNTIME, Role.ENGINE, Role.OWN_PRICE_USD)


def _of_wanted(query: Query, sheet: _Sheet) -> Answering:
    """Figures that are surely wanted, and goals that are named, of which no field is referred to."""
    frames = {frame for frame, _ in frames_of(query)}
    if not query.has(Role.MODEL) or not query.has(Role.TARGET) or not frames & set(_CHECKED):
        return ""
    named = query.all(Role.GOAL) if several(query) and query.says(Role.GOAL) else ()
    goals = [_GOALS[goal] for goal in named if goal in _GOALS]
    goals += _in_one_breath(query.question)
    of_tokens = generation in frames and "energy_uj_per_token" in sheet.answer
    in_units = _OF_ENERGY if per_unit.per_unit in frames or of_tokens else frozenset[Want]()
    if sheet.answer.startswith("No") and "[operators]" in sheet.answer:
        in_units |= _OF_ENERGY | _SHOWN_BY_TIME
    in_units |= _OF_CHIP if per_unit.per_unit in frames and price_said(query) else frozenset()
    for want in dict.fromkeys((*query.wants, *goals)):
        if not _has_fields(want) or want in in_units or _shows(sheet.fields, want):
            continue
        line = yield from _line(query, want)
        if _shows(fields_of(line), want):
            sheet.takes(line, want, headed=True)
        elif want in _OF_ENERGY and want in query.wants and not _NO_POWER.search(sheet.answer + line):
            where = joined(dict.fromkeys(query.all(Role.TARGET)))
            known = _shows(sheet.fields, Want.ENERGY)
            why = "" if known else f": no source gives the power of {where}"
            sheet.lines.append(f"I have no figure of {meaning(want)}{why}.")
    return ""


def _in_one_breath(text: str) -> list[Want]:
    """Quantities that are listed: `time and RAM, please`; what may be better in more than one way."""
    places = sorted((m.start(), m.end(), name) for name, p in _LISTED.items() for m in p.finditer(text))
    found = dict.fromkeys(
        name
        for one, other in pairwise(places)
        if one[2] != other[2] and _JOINED.fullmatch(text, one[1], other[0])
        for name in (one[2], other[2])
    )
    better = [name for name, pattern in _BETTER_BY.items() if pattern.search(text)]
    return [Want(name) for name in dict.fromkeys((*found, *(better if len(better) > 1 else ())))]


_LISTED, _BETTER_BY = patterns("named_together"), patterns("better_by")
_JOINED = compiled(r"\s*(?:,|,?\s*(?:and|&|\+|plus|or)|/)\s*(?:the |its )?", re.IGNORECASE)
_NO_POWER = patterns("of_still_open")["no_power"]


def _has_fields(want: Want) -> bool:
    return want in _SHOWN_BY or want in _SHOWN_BY_TIME


def _shows(fields: Iterable[str], want: Want) -> bool:
    """Whether any of the fields answers it."""
    pattern = _SHOWN_BY.get(Want.LATENCY if want in _SHOWN_BY_TIME else want)
    return pattern is not None and any(re.search(pattern, field) for field in fields)


def _of_parts(query: Query, sheet: _Sheet) -> Generator[Call, Record, list[str]]:
    """The parts that nothing here answers."""
    left: list[str] = []
    paged_answer, of_pages = "From docs/" in sheet.answer, cache(partial(each_part, query))
    for part in parts_of(query):
        page = of_pages().get(part.text) if "docs/" in sheet.answer else None
        defined = paged_answer or any(definition(row) in sheet.answer for row in definitions(part.text))
        if (defined and asks_for_meaning_alone(part.text)) or (page and page.place in sheet.answer):
            continue
        if not part.is_met(sheet.answer) or f"*{_named(part.text)}*: " in sheet.answer:
            continue
        if paged_answer and _speaks_of(sheet.answer, part.text):
            continue
        unsure = LEAST_SURE in sheet.answer and spoken("unsure", part.text)
        if unsure or (_EXPLAINED.search(sheet.answer) and spoken("puzzled", part.text)):
            continue
        blames = spoken("blames", part.text) and blamed.TOLD.search(sheet.answer)
        money, needs = PER_MONEY.search(part.text), asks_need(part.text) and _NEEDED.match(sheet.answer)
        if blames or needs or (money and f"{money[0]} at " in sheet.answer):
            continue
        if several(query) and "worth" in part.text.casefold() and _WEIGHED.match(sheet.answer):
            continue
        likely = [(want, chance) for want, chance in part.likely if want not in _OF_TALK]
        wants = [want for want, chance in likely if chance >= _LIKELY]
        paged = bool(_OF_PAGES & set(wants[:1]))
        sure = bool(wants) and likely[0][1] >= _SURE
        open_ = not sure and not sheet.told & set(wants) and len(part.text.split()) >= _IN_WORDS
        told_by_it = paged_answer or (paged and sure)
        page = of_pages().get(part.text) if told_by_it or open_ else None
        apt = page and (told_by_it or page.chance >= _TOLD_BY_A_PAGE)
        if page and apt and (line := shortened(page, _MOST_WORDS)):
            sheet.lines.append(line if paged_answer else f"On *{_named(part.text)}*: {line}")
            continue
        least = _ALMOST * likely[0][1] if likely and likely[0][1] >= _PLAIN else _POSSIBLE
        if sheet.told & {want for want, chance in likely if chance >= least} and not (paged and sure):
            continue
        counted = several(query) or wants[:1] == [Want.HOW_MANY]
        if sure and counted and _shows(sheet.fields, wants[0]):
            continue
        if not sure:
            left += [part.text] if len(part.text.split()) >= _IN_WORDS else []
            continue
        line = "" if paged else (yield from _line(_alone(query, part, wants[0]), wants[0]))
        if not line:
            left.append(part.text)
        else:
            sheet.takes(line, wants[0], headed=True)
        sheet.told |= told_by(wants[:1])
    return left


def _speaks_of(answer: str, text: str) -> bool:
    """Whether every word of it that carries a meaning stands in the answer."""
    return frozenset(stems(without_units(text))) <= frozenset(stems(answer))


def if_meant(query: Query, want: Want) -> Answering:
    """What a question would be told that wants this instead, in a line; empty where there is nothing."""
    line = yield from (_of_a_page(query) if want in _OF_PAGES else _line(query, want))
    return f"{IF_MEANT}{meaning(want)}: {line}" if line and not line.startswith(_NOT_TOLD) else ""


def _of_a_page(query: Query) -> Answering:
    """What the page says that surely answers it."""
    yield from ()
    page = next(iter(search(query.question, 1, _TOLD_BY_A_PAGE)), None)
    return shortened(page, _MOST_WORDS) if page else ""


def _named(text: str) -> str:
    return as_words(text[:_LONGEST]).rstrip("?.! ")


def told_by(wants: Iterable[Want]) -> frozenset[Want]:
    """What answers on these tell."""
    wants = tuple(wants)
    return frozenset(wants).union(*(_TELLS.get(want, ()) for want in wants))


def _alone(query: Query, part: Part, want: Want) -> Query:
    alone = query.model_copy(update={"question": part.text, "wants": (want,), "likely": ()})
    return alone.without([Role.TARGET, Role.RUNTIME]) if want in _OF_OTHERS else alone


def _line(query: Query, want: Want) -> Answering:
    """The answer on one want, as short as it can be; empty where there is none."""
    try:
        return (yield from _answered(query, want))
    except ToolFailedError:
        return ""


def _answered(query: Query, want: Want) -> Answering:
    if language_models(query):
        text = yield from generation(query, (want,))
        told = (line for line in text.split("\n") if not line.startswith("|"))
        return next((line for line in told if _shows(fields_of(line), want)), "")
    if want is Want.CHEAPEST and not query.has(Role.TARGET):
        want = Want.RECOMMEND
    if not _can_be_told(query, want):
        return ""
    if several(query) and want in COLUMNS:
        return _first((yield from side_by_side(query, (want,))))
    if want in CLAUSES:
        return sentence((yield from CLAUSES[want][1](query)))
    if want is Want.FITS:
        return (yield from judging.fit(query))
    if want is Want.MEETS:
        return _first((yield from judging.verdict(query, (want,), alone=True)))
    if want in _OF_CHIP:
        return _first((yield from facts.chip(query, (want,))))
    alone = query.model_copy(update={"wants": (want,), "likely": ()})
    frame, wants = frames_of(alone)[0]
    text = _first((yield from frame(alone, wants))) if frame in _BESIDE else ""
    return "" if ASKS in text or len(text.split()) > _MOST_WORDS else text


def _can_be_told(query: Query, want: Want) -> bool:
    """Whether there is an answer on a want with what is named."""
    if not meaning(want):
        return False
    if want in _OF_CHIP:
        return query.has(Role.TARGET)
    known = query.has(Role.MODEL) and query.has(Role.TARGET)
    if several(query):
        return known and (want in COLUMNS or want is Want.EVIDENCE)
    if want in CLAUSES or want is Want.FITS:
        return known
    if want is Want.MEETS:
        return known and query.has(*LIMITS)
    if want is Want.WHAT_IF:
        return known and query.says(Role.TECHNIQUE, *_SETTINGS)
    if want is Want.RECOMMEND:
        return query.has(Role.MODEL) and not query.has(Role.TARGET)
    return want in _OF_MANY_CALLS and query.has(Role.MODEL)


def _first(text: str) -> str:
    first = text.partition("\n")[0]
    return "" if first.startswith((ASSUMED, "|", *_NOTHING_TOLD)) else first


_NOT_TOLD = ("Not known", NOT_KNOWN, "Nowhere")
_NOTHING_TOLD = ("It cannot be told", "None within", "I cannot tell")
_EXPLAINED = compiled(
    rf"^Why|^Reading the prompt is arithmetic|Memory-bound: |[Cc]heck |{NEVER_WHOLE}", re.MULTILINE
)
_WEIGHED = compiled(r"(?:Yes|No|Hardly)\b")
_NEEDED = compiled(r"(?:Yes|No|Probably not), [^:;]* (?:is not needed|is more than|takes )")
_REFERENCE = compiled(r"\{\{([^}|]+)[^}]*\}\}")


def fields_of(text: str) -> Sequence[str]:
    """The fields that are referred to, whatever their unit."""
    return _REFERENCE.findall(text)


def _quotes(answer: str, line: str) -> bool:
    """Whether the answer quotes the section that the line is of."""
    place = re.search(r"\(from ([^()]+)\)$", line)
    return place is not None and f"From {place[1]}" in answer
