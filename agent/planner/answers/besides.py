"""What a question may want besides what it surely wants: a line each, as short as its answer can be."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from ..bench import Answering, ToolFailedError
from ..query import LIMITS, Query, Role
from ..want import Want
from ..words import meaning
from . import changes, choices, facts, how_many, judging, model_choice, pages, reach
from .clauses import CLAUSES
from .deployment import deployment
from .frames import Frame, frames_of
from .passages import APT, search, shortened
from .phrases import ASKS, ASSUMED, language_models, sentence
from .side_by_side import several, side_by_side

_POSSIBLE, _OF_REASONS, _BESIDE_PAGES = 0.2, 0.1, 0.3
"""Chances from which on a want is told besides; a reason, or whether it fits; and beside a page."""
_MOST, MOST_WORDS = 2, 45
_TELLS: Mapping[Want, frozenset[Want]] = {
    one: frozenset(others)
    for one, others in (
        (Want.LATENCY, {Want.THROUGHPUT}),
        (Want.THROUGHPUT, {Want.LATENCY}),
        (Want.CHEAPEST, {Want.PRICE}),
        (Want.EVIDENCE, {Want.INTERVAL}),
        (Want.INTERVAL, {Want.EVIDENCE}),
        (Want.LAYERS, {Want.BOUND, Want.WHY_SLOWER}),
        (Want.BOUND, {Want.LAYERS, Want.IMPROVE, Want.LATENCY}),
        (Want.MEETS, {Want.FITS, Want.LIMIT}),
        (Want.FITS, {Want.MEETS, Want.RAM, Want.FLASH}),
        (Want.IMPROVE, {Want.WHAT_IF, Want.LIMIT}),
        (Want.LIMIT, {Want.MEETS, Want.COST_OF_BATCH}),
        (Want.WHAT_IF, {Want.IMPROVE}),
        (Want.BATTERY_LIFE, {Want.POWER, Want.UTILISATION}),
        (Want.PLAUSIBLE, {Want.LATENCY, Want.THROUGHPUT, Want.EVIDENCE}),
    )
}
"""What the answer on one want says of others."""
_OF_CHIP = frozenset((Want.PRICE, Want.AVAILABILITY))
_SETTINGS = (Role.THREADS, Role.BATCH, Role.CLOCK_MHZ)
_OF_PAGES = frozenset((Want.CONCEPT, Want.PRODUCT))
_REASONS = _OF_PAGES | {Want.FITS}
_OF_MANY_CALLS = frozenset(
    (
        Want.IMPROVE, Want.RECOMMEND, Want.RECOMMEND_RUNTIME, Want.LIMIT, Want.ACCURACY, Want.COST_OF_BATCH,
        Want.BOUND_CHANGE,
    )
)  # fmt: skip
_BESIDE = (
    deployment, facts.facts, changes.improve, changes.what_if, reach.furthest, reach.accuracy,
    reach.cost_of_batch, reach.bound_change, choices.recommend, how_many.how_many,
    model_choice.recommend_model, side_by_side, pages.pages,
)  # fmt: skip
"""Frames that leave room for more; the others answer the whole question."""


def besides(query: Query, answer: str) -> Answering:
    """Lines on what may be wanted too, the likeliest first; empty where the answer leaves nothing open."""
    frames = frames_of(query)
    if not frames or any(frame not in _BESIDE for frame, _ in frames) or language_models(query):
        return ""
    paged = any(frame is pages.pages for frame, _ in frames)
    said = [answer]
    shown = set(fields_of(answer))
    told = set(told_by(query.wants))
    for want, chance in query.likely:
        if len(said) > _MOST:
            break
        if chance < (_BESIDE_PAGES if paged else _OF_REASONS if want in _REASONS else _POSSIBLE):
            continue
        if want in told or (paged and want in _OF_PAGES) or not can_be_told(query, want):
            continue
        try:
            line = yield from line_on(query, want)
        except ToolFailedError:
            continue
        fields = set(fields_of(line))
        if not line or (fields and fields <= shown) or line in answer or _quotes(answer, line):
            continue
        said.append(f"Also, {meaning(want)}: {line}")
        shown |= fields
        told |= told_by([want])
    return "\n".join(said[1:])


def _quotes(answer: str, line: str) -> bool:
    """Whether the answer quotes the section that the line is of."""
    place = re.search(r"\(from ([^()]+)\)$", line)
    return place is not None and f"From {place[1]}" in answer


def told_by(wants: Iterable[Want]) -> frozenset[Want]:
    """What answers on these tell."""
    wants = tuple(wants)
    return frozenset(wants).union(*(_TELLS.get(want, ()) for want in wants))


def can_be_told(query: Query, want: Want) -> bool:
    """Whether there is an answer on a want with what is named."""
    if not meaning(want):
        return False
    if want in _OF_PAGES:
        return True
    if want in _OF_CHIP:
        return query.has(Role.TARGET)
    if several(query):
        return False
    known = query.has(Role.MODEL) and query.has(Role.TARGET)
    if want in CLAUSES or want is Want.FITS:
        return known
    if want is Want.MEETS:
        return known and query.has(*LIMITS)
    if want is Want.WHAT_IF:
        return known and query.says(Role.TECHNIQUE, *_SETTINGS)
    if want is Want.RECOMMEND:
        return query.has(Role.MODEL) and not query.has(Role.TARGET)
    return want in _OF_MANY_CALLS and query.has(Role.MODEL)


def line_on(query: Query, want: Want) -> Answering:
    """The answer on one want, as short as it can be; empty where there is none."""
    if not can_be_told(query, want):
        return ""
    if want in CLAUSES:
        return sentence((yield from CLAUSES[want][1](query)))
    if want is Want.FITS:
        return (yield from judging.fit(query))
    if want is Want.MEETS:
        return _first((yield from judging.verdict(query, (want,))))
    if want in _OF_CHIP:
        return _first((yield from facts.chip(query, (want,))))
    if want in _OF_PAGES:
        found = search(query.question, 1, APT)
        return shortened(found[0], MOST_WORDS) if found else ""
    alone = query.model_copy(update={"wants": (want,), "likely": ()})
    frame, wants = _one(frames_of(alone))
    text = _first((yield from frame(alone, wants)))
    return "" if ASKS in text or len(text.split()) > MOST_WORDS else text


def _one(frames: Sequence[tuple[Frame, tuple[Want, ...]]]) -> tuple[Frame, tuple[Want, ...]]:
    return frames[0] if frames[0][0] in _BESIDE else (_silent, ())


def _silent(_query: Query, _wants: Sequence[Want]) -> Answering:
    yield from ()
    return ""


def _first(text: str) -> str:
    first = text.partition("\n")[0]
    return "" if first.startswith((ASSUMED, "|", *_NOTHING_TOLD)) else first


_NOTHING_TOLD = ("It cannot be told", "None within", "I cannot tell")


_REFERENCE = re.compile(r"\{\{([^}|]+)[^}]*\}\}")


def fields_of(text: str) -> Sequence[str]:
    """The fields that are referred to, whatever their unit."""
    return _REFERENCE.findall(text)
