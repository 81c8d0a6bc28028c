"""Which of several boards a figure is of: `an STM32F7 at 216 MHz or an nRF52840 at 64 MHz`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise, product

from ..figure_pairs import alike, is_bare
from ..names import Kind, Name
from ..quantities import Family, Figure
from .query import Query, Role, Slot
from .words import patterns

OWNED = (Family.CLOCK, Family.MONEY, Family.RENT, Family.BYTES)
_READ = patterns("beside_owners")
_BEHIND = _READ["behind"]
"""Between a name and its figure."""
_BEFORE = _READ["before"]
"""Between a figure and the name that it is of."""
_LISTED = _READ["listed"]


def owners(text: str, names: Sequence[Name], figures: Sequence[Figure]) -> dict[int, str]:
    """Start of a figure → text of the hardware that it is of; only where each of several has its own."""
    boards = [name for name in names if name.kind is Kind.TARGET and name.known]
    found: dict[int, str] = {}
    for family in OWNED:
        own = [f for f in figures if f.family is family or _is_such(text, f, family, figures)]
        pairs = dict(_pairs(text, boards, own)) or _in_turn(text, boards, own)
        several = len(own) > 1 and len(pairs) == len(own) and len(set(pairs.values())) == len(own)
        if several or (len(own) == 1 and pairs and _goes_on(boards, own[0])):
            found |= pairs
    bare = dict(_pairs(text, boards, [f for f in figures if is_bare(f)]))
    found = bare | found if len(set(bare.values())) == len(bare) > 1 else found
    called = longest(boards)
    for figure in figures:
        before = (n for n in boards if n.start >= figure.end and not text[figure.end : n.start].strip(" x×"))
        if figure.family in _COUNTED and (board := next(before, None)) is not None:
            found[figure.start] = called[board.ids]
    return found


def _in_turn(text: str, boards: Sequence[Name], figures: Sequence[Figure]) -> dict[int, str]:
    """A T4 against an A100 at 0.35 $/h and 2.9 $/h: as many as there are boards, one behind the other."""
    called = list(longest(boards).values())
    listed = all(_LISTED.fullmatch(text, one.end, other.start) for one, other in pairwise(figures))
    ordered = figures[:1] and (figures[0].family is not Family.CLOCK or "respective" in text)
    if not ordered or not listed or len(figures) != len(called):
        return {}
    return {figure.start: name for figure, name in zip(figures, called, strict=True)}


def as_siblings(text: str, names: Sequence[Name], figures: Sequence[Figure]) -> Sequence[Figure]:
    """A bare number of a second board is as that of the first: the T4 costs 0.35 $ an hour, the L4 0.70."""
    boards = [name for name in names if name.kind is Kind.TARGET and name.known]
    of = dict(_pairs(text, boards, [f for f in figures if f.family in OWNED or is_bare(f)]))
    told = next((f for f in figures if f.family in OWNED and f.start in of and f.written), None)
    others = {start for start, board in of.items() if told and board != of[told.start]}
    return [alike(f, told) if told and is_bare(f) and f.start in others else f for f in figures]


def _is_such(text: str, figure: Figure, family: Family, figures: Sequence[Figure]) -> bool:
    """Whether a bare number goes on with a clock that is told in full: `one at 240 MHz, another at 216`."""
    if family is not Family.CLOCK or figure.family is not Family.COUNT or figure.spoken:
        return False
    return text[: figure.start].endswith((" at ", "@")) and any(each.family is family for each in figures)


_COUNTED = (Family.COUNT, Family.FACTOR)
"""Right before a name: how many of it."""


def _goes_on(boards: Sequence[Name], figure: Figure) -> bool:
    """Whether another board is named behind it: `the L4R5 at 120 MHz, or the U585`; else it is of all."""
    before = {board.ids for board in boards if board.end <= figure.start}
    return len(before) == 1 and any(b.start > figure.end and b.ids not in before for b in boards)


def _pairs(text: str, boards: Sequence[Name], figures: Sequence[Figure]) -> Iterator[tuple[int, str]]:
    """Each figure with the board right before it, or else right behind it that has none before."""
    taken: set[int] = set()
    called = longest(boards)
    for figure in figures:
        before = (n for n in boards if n.end <= figure.start and _BEHIND.fullmatch(text, n.end, figure.start))
        if (board := next(before, None)) is not None:
            taken.add(board.start)
            yield figure.start, called[board.ids]
    for figure in figures:
        behind = (n for n in boards if n.start >= figure.end and _BEFORE.fullmatch(text, figure.end, n.start))
        board = next(behind, None)
        if board is not None and board.start not in taken:
            taken.add(board.start)
            yield figure.start, called[board.ids]


def longest(names: Sequence[Name]) -> dict[tuple[str, ...], str]:
    """What stands for each in a query, where it is named more than once: the longest of its names."""
    called: dict[tuple[str, ...], str] = {}
    for name in names:
        called[name.ids] = max(called.get(name.ids, ""), name.text, key=len)
    return called


def combinations(
    query: Query, varied: Mapping[Role, Sequence[float | str]]
) -> Iterator[dict[Role, float | str]]:
    """Every value of each role with every one of the others, but a figure only with the target it is of."""
    for values in product(*varied.values()):
        each = dict(zip(varied, values, strict=True))
        if _go_together(query, each):
            yield each


def _go_together(query: Query, values: Mapping[Role, float | str]) -> bool:
    own = _called_in(query, str(values.get(Role.TARGET, "")))
    for role, value in values.items() if Role.TARGET in values else ():
        of = {slot.of for slot in query.slots if slot.role is role and slot.value == value}
        if of and "" not in of and not of & own:
            return False
    return True


def of_target(query: Query, target: str) -> Query:
    """Without the figures that are of another target, as it is named."""
    own = _called_in(query, target)
    kept = tuple(slot for slot in query.slots if not slot.of or slot.of in own)
    return query.model_copy(update={"slots": kept})


def of_kernels(query: Query, runtime: str) -> Query:
    """Without the figures that are of other kernels: threads of those that run on cores."""
    others = set(query.all(Role.RUNTIME)) - {runtime}
    return query.model_copy(update={"slots": tuple(slot for slot in query.slots if slot.of not in others)})


def _called_in(query: Query, target: str) -> set[str]:
    """Its id, and how it is named."""
    return {target, *(slot.text for slot in query.slots if slot.role is Role.TARGET and slot.value == target)}


def own_numbers(query: Query, role: Role, target: Slot) -> list[Slot]:
    """The figures of a role that are of a target as it is named, or of all."""
    named = ("", target.text, target.value)
    return [slot for slot in query.slots if slot.role is role and slot.of in named]


def place_of(query: Query, slot: Slot) -> tuple[int, int] | None:
    """Where a target is named, and how long its words are; a part of its name may stand for it."""
    question = query.question
    at, length = question.find(slot.text), len(slot.text)
    if at < 0:
        found = query.targets.get(str(slot.value))
        parts = (
            set(re.findall(r"[a-z]+|\d+", f"{slot.value} {found.name} {found.vendor}".casefold()))
            if found
            else ()
        )
        said = (match for match in re.finditer(r"[A-Za-z]+|\d+", question) if match[0].casefold() in parts)
        match = next(said, None)
        if match is None:
            return None
        at, length = match.start(), len(match[0])
    return at, length


def is_the_one(query: Query, slot: Slot, of_it: AbstractSet[str]) -> bool:
    """Whether a family stands for the one of it that is named by more: the Jetson, after a Jetson Nano."""
    full = [s.text for s in query.slots if s.role is Role.TARGET and s.value in of_it]
    short = re.compile(rf"(?<!\w){re.escape(slot.text)}(?!\w)", re.IGNORECASE)
    return len(of_it) == 1 and any(short.search(text) for text in full)


def without_sizes_of_others(query: Query) -> Query:
    """A memory of before that was the size of the board of then is not that of another board."""
    here = set(query.all(Role.TARGET))
    dropped = {
        id(slot)
        for slot in query.slots
        if slot.role in _SIZES and slot.inherited and not here & _boards_of(query, slot)
    }
    slots = tuple(slot for slot in query.slots if id(slot) not in dropped)
    return query.model_copy(update={"slots": slots}) if dropped else query


def _boards_of(query: Query, size: Slot) -> set[str]:
    """Those that have about that size and were spoken of with it; what is here now, where none has."""
    told = (one for one in query.established if any(s.value == size.value for s in one.slots))
    named = {name for one in told for name in one.all(Role.TARGET)}
    known = {name: getattr(query.targets.get(name), _SIZES[size.role], None) for name in named}
    alike = {name for name, own in known.items() if own and abs(own - size.number) < _NEAR * own}
    return alike or set(query.all(Role.TARGET))


_SIZES = {Role.RAM_BYTES: "ram_bytes", Role.FLASH_BYTES: "flash_bytes"}
_NEAR = 0.1
"""Share by which 128 KB may differ from 128 KiB."""
