"""The choice at the end of a conversation: what is taken and why, how sure that is, what speaks against."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace

from ..bench import Call, Record
from ..choice import links, links_in_words
from ..dossier import Dossier, asks_to_choose, dossier_of, own_words
from ..query import CELLS, LIMITS, Query, Role
from ..want import Want
from ..words import spoken
from . import cases
from .axes import same_in_all, several
from .columns import COLUMNS, ESTIMATE, Column
from .contenders import (
    DEMANDED,
    GENERATION,
    LEVELS,
    Contender,
    alike,
    columns_of,
    contenders,
    failing,
    in_order,
    is_paced,
    least,
    of_time,
    runs,
)
from .energies import AGED_DAYS
from .least import needs_a_host
from .phrases import apart, joined, language_models, table
from .side_by_side import kernels
from .table import limits_in_words

_OF_MONEY = (COLUMNS[Want.PRICE], COLUMNS[Want.POWER], COLUMNS[Want.ENERGY])
_MOST_COLUMNS, WIDE = 3, 1.05


@dataclass(frozen=True)
class Decision:
    """What is to be chosen from in the order in which one would take it, and what it goes by."""

    dossier: Dossier
    order: tuple[Contender, ...]
    by: Column | None
    """None where all that do are alike, and the least of them is taken."""
    enough: str
    """Why that one of them: the least price or power, or that the user has it."""
    errors: tuple[str, ...]

    @property
    def pick(self) -> Contender:
        return self.order[0]

    @property
    def does(self) -> bool:
        """Whether the first of them meets what is demanded, or may."""
        return LEVELS.index(self.pick.level) < LEVELS.index("probably not")

    @property
    def column(self) -> Column:
        return self.by or of_time(self.dossier)

    @property
    def second(self) -> Contender | None:
        """The next that does as surely, by what it goes by."""
        others = [one for one in self.order[1:] if one.level == self.pick.level and one.number(self.column)]
        return others[0] if others and self.pick.number(self.column) else None


def decision_of(dossier: Dossier) -> Generator[Call, Record, Decision | None]:
    """The figures of each, and which of them to take."""
    found, errors = yield from contenders(dossier)
    if not found:
        return None
    linked = [one for one in found if _has_links(one)] or found
    top = min(LEVELS.index(one.level) for one in linked)
    good = [one for one in linked if LEVELS.index(one.level) == top]
    limited = dossier.query.has(*LIMITS) and not is_paced(dossier)
    cheapest = least(dossier, good) if limited and dossier.aim is None and top < 2 else None
    columns = columns_of(dossier)
    known = [c for c in columns if any(one.number(c) is not None for one in good)]
    by = of_time(dossier) if limited and top > 2 else next(iter(known), columns[0])
    order = sorted(
        in_order(found, by), key=lambda one: (one not in linked, one.level == "no" and not runs(one.row))
    )
    own = [one for one in good if one.rows[0].query.text(Role.TARGET) in dossier.query.cast.mine()]
    if limited and not dossier.stated and len(own) == 1 < len(good) and top < 2:
        cheapest = own[0], "you have it"
    if cheapest is not None:
        order = [cheapest[0], *(one for one in order if one is not cheapest[0])]
    return Decision(
        dossier, tuple(order), None if cheapest else by, cheapest[1] if cheapest else "", tuple(errors)
    )


def _has_links(one: Contender) -> bool:
    """Whether it is known to connect by what is demanded."""
    query = one.rows[0].query
    found = query.targets.get(query.text(Role.TARGET))
    return links(query) <= {*(found.interfaces if found else ())}


def _linked(decision: Decision) -> str:
    """That not all connect by what is demanded, and the pick does; empty where that parts none of them."""
    has, pick = [one for one in decision.order if _has_links(one)], decision.pick
    if not has or len(has) == len(decision.order):
        return ""
    known = f"known to have {links_in_words(decision.dossier.query)} on the chip or board itself"
    only = "the only one" if len(has) == 1 else "the first of those"
    return f"is {only} {known}, with {pick.plain(decision.column)}"


def asks(query: Query) -> bool:
    """Whether one of several that are meant is to be chosen."""
    if not asks_to_choose(query):
        return False
    if query.has(Role.MODEL) and names_several(query):
        return bool(spoken("decides", query.question))
    return dossier_of(query) is not None


def names_several(query: Query) -> bool:
    """Whether this very question names what is to be chosen from."""
    own = own_words(query) if query.established else query.slots
    named = query.model_copy(update={"slots": tuple(own)})
    return len(cases.kinds(query)) > 1 if language_models(named) else several(named)


def told(decision: Decision) -> str:
    """The choice in a sentence without its full stop."""
    of, dossier = _same(decision), decision.dossier
    if not decision.does:
        pick, by = decision.pick, decision.column
        by = by if pick.number(by) is not None else of_time(dossier)
        nearest = f"{pick.name} comes nearest with {pick.plain(by)}{_but(failing(pick.row), pick.plain(by))}"
        surely = "" if all(one.level == "no" for one in decision.order) else " surely"
        rest = [fails(one) for one in decision.order[1:]]
        return f"None of them{surely} {_meets(decision)}: {'; '.join([nearest, *rest])}{of}"
    why = [_linked(decision)] if _linked(decision) else [reason(decision), *_others(decision)]
    parts = [*why, unknown_of(decision), _with_host(decision)]
    return f"I would take {decision.pick.name}: it {'; '.join(filter(None, parts))}{of}"


def _meets(decision: Decision) -> str:
    limits = limits_of(decision)
    return f"meets {limits}" if limits else "fits" if decision.dossier.writes else "runs it"


def _but(why: str, told: str) -> str:
    """What else it lacks."""
    lacks = [part for part in why.split(" and ") if not part.startswith(told)]
    return f", but {joined(lacks)}" if lacks and len(lacks) == len(why.split(" and ")) else ""


def limits_of(decision: Decision) -> str:
    query = decision.dossier.query
    left_out = [Role.RATE_HZ] if is_paced(decision.dossier) else []
    left_out += [] if query.has(*CELLS) else [Role.LIFE_MS]
    query = query.without(left_out)
    return limits_in_words(query, DEMANDED) if query.has(*DEMANDED) else ""


def reason(decision: Decision) -> str:
    """Why the first of them: by what is aimed at, and whether it meets what is demanded."""
    pick, by, limits = decision.pick, decision.by, limits_of(decision)
    if not limits:
        return _best(decision)
    meets = {"yes": "surely meets", "probably": "probably meets", "not sure": "may meet"}[pick.level]
    time = of_time(decision.dossier)
    alone = len(decision.order) > 1 and all(one.level != pick.level for one in decision.order[1:])
    with_time = f" with {pick.plain(time)}" if pick.number(time) is not None else ""
    first = f"{'alone ' if alone else ''}{meets} {limits}{with_time}"
    if alone:
        return f"{first}, {pick.plain(by)}" if by not in (None, time) and pick.number(by) else first
    if by is None:
        return f"{first} and {decision.enough}"
    return f"{first if by != time else f'{meets} {limits}'} and {_best(decision)}"


def _best(decision: Decision) -> str:
    pick, second, by = decision.pick, decision.second, decision.column
    if pick.number(by) is None:
        return "is the one of which most is known"
    best = f"{by.best} with {pick.plain(by)}"
    if second is None and unknown_of(decision):
        return f"is the one whose {by.head} is known, {pick.plain(by)}"
    if second is None:
        return best
    if alike(pick.number(by), second.number(by)):
        return f"{best}, as {second.name} does"
    return best + ahead(pick, second, by)


def ahead(pick: Contender, second: Contender, by: Column) -> str:
    """How many times better than the next, and whether that is sure."""
    top, bottom = (pick, second) if by.largest else (second, pick)
    whole = [one.rows[0].whole(by) for one in (top, bottom)]
    aged = by.path.endswith("life_days") and (pick.number(by) or 0.0) > AGED_DAYS
    if len(pick.rows) > 1 or not all(whole) or aged:
        return f", against {second.plain(by)} of {second.name}"
    return f", {{{{{whole[0]}/{whole[1]}|x}}}} better than {second.name}{overlap(pick, second, by)}"


def overlap(pick: Contender, second: Contender, by: Column) -> str:
    one, other = pick.ends(by), second.ends(by)
    exact = one is None or other is None or one[0] == one[1]
    return "" if exact or apart(one, other) else ", though their intervals overlap"


def _others(decision: Decision) -> Iterator[str]:
    """What becomes of the rest, the likelier first."""
    pick, by, rest = decision.pick, decision.column, decision.order[1:]
    for level, (does, do) in _DO.items() if limits_of(decision) else ():
        same = [one for one in rest if one.level == level]
        better = [one for one in same if level != pick.level and is_better(one, pick, by)]
        cells = [one.plain(by) if len(same) == 1 else f"{one.plain(by)} on {one.name}" for one in better]
        figures = f" ({joined(cells)})" if better else ""
        if same:
            yield f"{joined(one.name for one in same)} {do if len(same) > 1 else does}{figures}"
    for one in rest:
        if LEVELS.index(one.level) >= len(_DO) and limits_of(decision):
            yield fails(one)
        elif one.level == "no":
            yield fails(one) if runs(one.row) else f"not {one.name}, which does not run it"


_DO = {
    "yes": ("meets it too", "meet it too"), "probably": ("probably does", "probably do"),
    "not sure": ("may or may not", "may or may not"),
}  # fmt: skip


def is_better(one: Contender, other: Contender, by: Column) -> bool:
    first, second = one.number(by), other.number(by)
    return bool(first and second) and ((first or 0.0) > (second or 0.0)) is by.largest


def fails(one: Contender) -> str:
    why = failing(one.row)
    of = f"{one.row.query.text(Role.MODEL).rpartition('/')[2]}: " if len(one.rows) > 1 and why else ""
    word = "not" if one.level == "no" else "hardly" if one.level == "probably not" else "perhaps"
    return f"{word} {one.name}{f' ({of}{why})' if why else ''}"


def unknown_of(decision: Decision) -> str:
    """Of which of those that would do the figure is not known that decides."""
    by = decision.column
    names = [one.name for one in decision.order if one.number(by) is None and one.level != "no"]
    return f"the {by.head} of {joined(names)} is not known" if names and decision.by else ""


def _with_host(decision: Decision) -> str:
    row = decision.pick.row
    limited = row.query.has(Role.PRICE_USD, Role.POWER_MW)
    if not (limited or decision.by in _OF_MONEY or decision.enough) or not needs_a_host(row):
        return ""
    return f"the board that it sits on comes on top of {'that' if decision.by in _OF_MONEY else 'its price'}"


def _same(decision: Decision) -> str:
    dossier = decision.dossier
    if dossier.role is Role.MODEL:
        places = {one.row.query.text(Role.TARGET) for one in decision.order}
        return f", on {places.pop()}" if len(places) == 1 else ""
    names = joined(name.rpartition("/")[2] for name in dossier.networks)
    if len(dossier.networks) == 1 and not dossier.writes:
        return f": {same_in_all(dossier.query.without([Role.TARGET, Role.CLOCK_MHZ, Role.THREADS]))}"
    weights = (
        {str(one.row.records[GENERATION]["weights"]) for one in decision.order} if dossier.writes else ()
    )
    return f": {names}{f', {next(iter(weights))}' if len(weights) == 1 else ''}"


def shown(decision: Decision) -> list[str]:
    """The table, and with what it was calculated."""
    dossier, limits = decision.dossier, bool(limits_of(decision))
    several_networks = len(dossier.networks) > 1 and dossier.role is Role.TARGET
    columns = list(dict.fromkeys([decision.column, *columns_of(dossier)]))
    columns = columns[: _MOST_COLUMNS - several_networks]
    price = COLUMNS[Want.PRICE]
    priced = decision.enough or dossier.query.has(Role.PRICE_USD)
    if priced and price not in columns and any(one.number(price) for one in decision.order):
        columns.append(price)
    of = (
        f" of {joined(name.rpartition('/')[2] for name in dossier.networks)}"
        if len(dossier.networks) > 1
        else ""
    )
    of = "" if dossier.role is Role.MODEL else of
    heads = ["board" if dossier.role is Role.TARGET else "network", *(f"{c.head}{of}" for c in columns)]
    cells = [[one.name, *(one.cell(column) for column in columns)] for one in decision.order]
    if limits:
        heads.append("limits")
        cells = [[*each, one.level] for each, one in zip(cells, decision.order, strict=True)]
    return [
        table(heads, cells) if len(cells) > 1 else "",
        *decision.errors[:2],
        "" if dossier.writes else _kernels(decision),
    ]


def _kernels(decision: Decision) -> str:
    bare = [one.rows[0] for one in decision.order]
    bare = [replace(row, query=row.query.without([Role.RUNTIME])) for row in bare]
    query = decision.dossier.query.without([Role.RUNTIME])
    return kernels(query, bare) if all(ESTIMATE in row.records for row in bare) else ""


_LIMITED = {
    Want.LATENCY: Role.LATENCY_MS, Want.THROUGHPUT: Role.RATE_HZ, Want.ENERGY: Role.ENERGY_UJ,
    Want.POWER: Role.POWER_MW,
}  # fmt: skip
"""What a limit is on, in the unit of its column."""


def undecided(decision: Decision) -> Column | None:
    """Of the pick, the figure whose limit lies inside its interval: what it stands or falls with."""
    for want, role in _LIMITED.items():
        limit = decision.dossier.query.number(role)
        ends = [row.ends(COLUMNS[want]) for row in decision.pick.rows]
        if limit and any(each and each[0] < limit < each[1] for each in ends):
            return COLUMNS[want]
    return None


def least_sure(decision: Decision) -> str:
    """What the pick stands or falls with, else the figure with the widest interval of all."""
    by = undecided(decision)
    found = [
        (ends[1] / ends[0], f"{row.cell(column)} on {row.query.text(Role.TARGET)}")
        for one in ((decision.pick,) if by else decision.order)
        for row in one.rows
        for column in ((by,) if by else columns_of(decision.dossier))
        if (ends := row.ends(column)) and ends[0] > 0
    ]
    width, words = max(found, default=(1.0, ""))
    return f"Least sure: {words}; measure that first." if width > WIDE else ""
