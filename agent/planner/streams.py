"""How many cameras or streams a conversation is about: another number, some more, those that come later."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..patterns import compiled
from ..quantities import Family, Figure
from .query import Query, Role, Slot
from .words import patterns, spoken

_OF_DEVICES = {
    "", "of", "in", "to", "more", "extra", "additional", "now", "later", "next", "some", "eventually",
    "camera", "cameras", "cam", "cams", "streams", "channels", "lines", "lanes", "users", "sensors", "mics",
}  # fmt: skip
_ADDED = frozenset(("more", "extra", "additional"))
_ADDS = compiled(r"\b(?:another|additional|extra|plus|adds?|adding)(?: up to)?\W+$", re.IGNORECASE)
_AHEAD = (
    r"later|next (?:year|month|season|spring|summer|autumn|fall|winter)|eventually|some day|one day|"
    r"in (?:the )?future|in (?:a|one|two) years?"
)
_TO_COME = compiled(rf"\W*(?:[a-z]+\W+)?(?:{_AHEAD})\b", re.IGNORECASE)
_COMES = compiled(
    rf"\b(?:{_AHEAD}|growing to|grows? to)\W+(?:(?:up to|maybe|it'?s|it is|with)\W+)*$", re.IGNORECASE
)


def with_streams(query: Query, earlier: Query) -> Query:
    """How many there are now: `it will be six`, `two more`; of `16 now, later 24` the later."""
    before = earlier.number(Role.DEVICES)
    if before is None or query.has(Role.PLACES) or patterns("pointing")["top"].search(query.question):
        return query
    counts = [
        f for f in query.figures if f.family is Family.COUNT and f.noun in _OF_DEVICES and f.written > 1
    ]
    if to_come := _to_come(query, counts):
        return _with(query, earlier, to_come.value, counts)
    own = [slot for slot in query.slots if slot.role is Role.DEVICES and not slot.inherited]
    if own:
        new = [f for f in counts if own[0].text == f.text and _is_added(query, f)]
        return _with(query, earlier, before + new[0].value, new) if new else query
    said = [slot.text for slot in query.slots if not slot.inherited]
    new = [f for f in counts if f.written != before and f.text not in said]
    if len(new) != 1:
        return query
    return _with(query, earlier, new[0].value + before * _is_added(query, new[0]), new)


def of_them(query: Query) -> Query:
    """`Cameras, 6 of them`: so many cameras, and no boards that somebody has."""
    counts = [s for s in query.slots if s.role is Role.CARDS and s.text and not s.inherited]
    if len(counts) != 1 or query.has(Role.DEVICES):
        return query
    words = (
        rf"\b(?:cameras?|cams?|webcams|streams|feeds)\b[^.?!;]{{0,12}}\b{re.escape(counts[0].text)} of them\b"
    )
    if re.search(words, query.question, re.IGNORECASE) is None:
        return query
    return query.without([Role.CARDS]).put(Role.DEVICES, counts[0].value, text=counts[0].text)


def with_listed(query: Query) -> Query:
    """`Lane camera + driver camera`, at a rate of each: as many as are listed, where no number is said."""
    listed = _LISTED.search(query.question)
    if listed is None or query.has(Role.DEVICES, Role.PLACES) or not query.has(Role.RATE_HZ):
        return query
    kinds = {one[0].casefold() for one in _CAMERA.finditer(listed[0])}
    return query.put(Role.DEVICES, float(len(kinds)), text=listed[0]) if len(kinds) > 1 else query


_CAMERA = compiled(r"\b[a-z-]+ cam(?:era)?\b", re.IGNORECASE)
_LISTED = compiled(
    rf"{_CAMERA.pattern}(?:\s*(?:,|\+|&|\bplus\b|\band\b)+\s*(?:(?:and|an?|the|one) )*{_CAMERA.pattern})+",
    re.IGNORECASE,
)


def names_of_digits(text: str) -> list[tuple[int, int]]:
    """Where digits name something and count nothing: USB 2, the 4K of cameras."""
    ways = [*patterns("generations").values()]
    ways += [patterns("video_sizes")["ultra_hd"]] if spoken("video", text) else []
    return [found.span() for way in ways for found in way.finditer(text)]


def how_many_asked(query: Query) -> bool:
    """Whether it is asked how many it takes, so that none of before counts."""
    return not query.says(Role.DEVICES) and _ASKED.search(query.question) is not None


_ASKED = compiled(
    r"\bhow many (?:more |such |of (?:the|those|these|our|my) )?(?:\w+ )?"
    r"(?:cameras?|cams?|streams?|channels|feeds|videos?)\b"
    r"(?=[^.?!]*\b(?:takes?|handles?|do|does|can|could|manages?|serves?|fit|possible|work)\b)",
    re.IGNORECASE,
)


def _is_added(query: Query, figure: Figure) -> bool:
    """`8 more`, `another 8 cams`."""
    return figure.noun in _ADDED or _ADDS.search(query.question[: figure.start]) is not None


def _to_come(query: Query, counts: Sequence[Figure]) -> Figure | None:
    """The larger of two counts, where it is said to come later."""
    if len(counts) != 2:
        return None
    last = max(counts, key=lambda figure: figure.value)
    behind = _TO_COME.match(query.question, last.start + len(f"{last.written:g}"))
    comes = behind or _COMES.search(query.question[: last.start])
    return last if comes and last.value > min(figure.value for figure in counts) else None


def _with(query: Query, earlier: Query, many: float, counts: Sequence[Figure]) -> Query:
    """With so many, at the rate of each that was said before; what is counted is read."""
    texts = {one.text for one in counts}
    kept = [s for s in query.slots if s.role is not Role.DEVICES and not (s.text in texts and not s.of)]
    rates = [s for s in earlier.slots if s.role is Role.RATE_HZ] if not query.has(Role.RATE_HZ) else []
    slots = [*kept, Slot(role=Role.DEVICES, value=many, text=f"{many:g}")]
    slots += [rate.model_copy(update={"inherited": True}) for rate in rates]
    unread = tuple(text for text in query.unread if text not in texts)
    return query.model_copy(update={"slots": tuple(slots), "unread": unread})
