"""The choice at the end of a conversation: what is taken and why, how sure that is, what speaks against."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ....tools.energy.ageing import AGED_DAYS
from ....tools.verdicts.ties import alike, apart
from ...patterns import compiled
from ..bench import NOT_KNOWN
from ..choice import links_in_words
from ..dossier import asks_to_choose, dossier_of, own_words
from ..paid import with_owners
from ..query import CELLS, Query, Role
from ..want import Want
from ..words import spoken
from . import cases, energies, judging
from .accuracy import ACCURACY
from .axes import same_in_all, several
from .columns import COLUMNS, LIFE, Column
from .contenders import (
    DEMANDED,
    GENERATION,
    LEVELS,
    Contender,
    Decision,
    columns_of,
    failing,
    has_links,
    is_paced,
    of_time,
)
from .least import needs_a_host
from .phrases import joined, language_models, said, table
from .table import limits_in_words

_OF_MONEY = (COLUMNS[Want.PRICE], COLUMNS[Want.POWER], COLUMNS[Want.ENERGY])
_MOST_COLUMNS, WIDE = 3, 1.05
_LEAKS, _YEAR = 0.3, 365.25
"""The share of its charge from which on a cell's own discharge is told, and the days of a year."""


def _linked(decision: Decision) -> str:
    """That not all connect by what is demanded, and the pick does; empty where that parts none of them."""
    has, pick = [one for one in decision.order if has_links(one)], decision.pick
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
    parts = [*why, _fits_likely(decision), unknown_of(decision), _with_host(decision)]
    return f"I would take {decision.pick.name}{_in_all(decision)}: it {'; '.join(filter(None, parts))}{of}"


def _fits_likely(decision: Decision) -> str:
    """That the pick only probably runs it, where no limit is told that says so."""
    tight = [str(one["name"]) for one in decision.pick.row.checks("MARGINAL")]
    untold = decision.pick.level == "probably" and not limits_of(decision)
    return f"its {joined(tight)} is probably enough, not surely" if untold and tight else ""


def _in_all(decision: Decision) -> str:
    """What an hour of it costs; as many as are bought, or one for each place, and what they cost together."""
    query, price = decision.dossier.query, COLUMNS[Want.PRICE]
    name = decision.pick.row.query.text(Role.TARGET)
    if decision.dossier.role is not Role.TARGET:
        return ""
    many = query.number(Role.PLACES) or query.number(Role.PIECES)
    if not many:
        own = [s for s in with_owners(query).slots if s.role is Role.RENT and s.of == name]
        return f" at {own[0].text}" if own else ""
    known = decision.pick.number(price) and not needs_a_host(decision.pick.row)
    whole = decision.pick.row.whole(price) if known else ""
    costs = f" for {{{{{many:.0f}*{whole}}}}} in all" if whole else ""
    each = f"one in each of {said(query, Role.PLACES)}" if query.has(Role.PLACES) else f"{many:,.0f} pieces"
    return f", {each}{costs}"


def set_apart(decision: Decision) -> str:
    """What a difference in price that the user states comes to over all pieces that are bought."""
    query, by = decision.dossier.query, decision.column
    found, many = _DEARER.search(query.question), query.number(Role.PIECES)
    figure = decision.pick.row.whole(by) if found else ""
    if found is None or not many or not figure:
        return ""
    each = float(_NUMBER.search(found["money"])[0].replace(",", "."))  # type: ignore[index]
    total = f"{{{{{many:.0f}*{each:g}*{figure}/{figure}|count}}}}"
    money = _NUMBER.sub(lambda _: total, found["money"], count=1)
    return f"{found[0].strip()} is {money} {found['which']} for all {many:,.0f}."


_NUMBER = compiled(r"\d+(?:[.,]\d+)?")
_COIN = r"(?:€|\$|£|eur(?:os?)?|usd|dollars?|chf|francs?|pounds?)"
_DEARER = compiled(
    rf"(?P<money>(?:{_COIN}\s?)?\d+(?:[.,]\d+)?(?:\s?{_COIN})?)\s(?P<which>more|extra|less|cheaper|dearer)\b"
    r"(?: expensive)?(?:,? (?:per|an?|each|for (?:each|a|one)) ?(?:piece|unit|board|chip|part|one)?\b)?",
    re.IGNORECASE,
)


def _meets(decision: Decision) -> str:
    limits = limits_of(decision)
    return f"meets {limits}" if limits else "fits" if decision.dossier.writes else "runs it"


def _but(why: str, told: str) -> str:
    """What else it lacks."""
    lacks = [part for part in why.split(" and ") if not part.startswith(told)]
    return f", but {joined(lacks)}" if lacks and len(lacks) == len(why.split(" and ")) else ""


def limits_of(decision: Decision) -> str:
    query = decision.dossier.query
    left_out = [Role.RATE_HZ] if is_paced(decision.dossier) and not _parted_by_rate(decision) else []
    left_out += [] if query.has(*CELLS) else [Role.LIFE_MS]
    of_the_board = decision.dossier.writes or judging.is_of_a_computer(query)
    left_out += [Role.RAM_BYTES] if of_the_board else []  # what one of them has
    query = query.without(left_out)
    return limits_in_words(query, DEMANDED) if query.has(*DEMANDED) else ""


def _parted_by_rate(decision: Decision) -> bool:
    """Whether one of them keeps the rate less surely than the others."""
    checks = (check for one in decision.order for row in one.rows for check in row.checks())
    return len({check["verdict"] for check in checks if check["name"] == "rate"}) > 1


def reason(decision: Decision) -> str:
    """Why the first of them: by what is aimed at, and whether it meets what is demanded."""
    pick, by, limits = decision.pick, decision.by, limits_of(decision)
    if not limits and decision.order[1:] and all(one.level == "no" for one in decision.order[1:]):
        time = of_time(decision.dossier)
        return f"alone {_meets(decision)}{f', {pick.plain(time)}' if pick.number(time) is not None else ''}"
    if not limits:
        return f"{_tied(decision)}{_best(decision)}"
    meets = {"yes": "surely meets", "probably": "probably meets", "not sure": "may meet"}[pick.level]
    time = of_time(decision.dossier)
    alone = len(decision.order) > 1 and all(one.level != pick.level for one in decision.order[1:])
    with_time = f" with {pick.plain(time)}" if pick.number(time) is not None else ""
    first = f"{'alone ' if alone else ''}{meets} {limits}{with_time}"
    if alone:
        return f"{first}, {pick.plain(by)}" if by not in (None, time) and pick.number(by) else first
    if by is None:
        return f"{first} and {decision.enough}"
    return f"{first if by != time else f'{meets} {limits}'} and {_tied(decision)}{_best(decision)}"


def _tied(decision: Decision) -> str:
    """In what the first two hardly differ, and how far that is the cell's own doing."""
    by, second, life = decision.tied, decision.second, decision.pick.row.records.get(LIFE)
    if by is None or second is None:
        return ""
    leak, days = "battery.self_discharge_share", "battery.life_days"
    used = life if by.function == LIFE else None
    share = (used.number(leak) or 0.0) * (used.number(days) or 0.0) / _YEAR if used else 0.0
    lost = f"{{{{{used.id}.{leak}*{used.id}.{days}/{_YEAR}days|%}}}}" if used else ""
    why = f", in which the cell discharges {lost} by itself" if share > _LEAKS else ""
    figures = f"{decision.pick.plain(by)} against {second.plain(by)}"
    return f"hardly differs from {second.name} in {by.head}, {figures}{why}, and "


def _best(decision: Decision) -> str:
    pick, second, by = decision.pick, decision.second, decision.column
    if pick.number(by) is None:
        return "is the one of which most is known"
    best = f"{by.best} with {pick.plain(by)}"
    if second is None:
        alone = by == decision.wished and unknown_of(decision)
        return f"is the one whose {by.head} is known, {pick.plain(by)}" if alone else best
    if alike(pick.number(by), second.number(by)):
        return f"{best}, as {second.name} does"
    return best + ahead(pick, second, by)


def ahead(pick: Contender, second: Contender, by: Column) -> str:
    """How many times better than the next, and whether that is sure."""
    top, bottom = (pick, second) if by.largest else (second, pick)
    whole = [one.rows[0].whole(by) for one in (top, bottom)]
    aged = by.path.endswith("life_days") and (pick.number(by) or 0.0) > AGED_DAYS
    if len(pick.rows) > 1 or not all(whole) or aged or by == ACCURACY:
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
    for one in decision.slow:
        yield f"not {one.name}, which is too slow beside it at {one.plain(of_time(decision.dossier))}"
    for one in rest:
        if (LEVELS.index(one.level) >= len(_DO) and limits_of(decision)) or one.level == "no":
            yield fails(one)


_DO = {
    "yes": ("meets it too", "meet it too"), "probably": ("probably does", "probably do"),
    "not sure": ("may or may not", "may or may not"),
}  # fmt: skip


def is_better(one: Contender, other: Contender, by: Column) -> bool:
    first, second = one.number(by), other.number(by)
    return bool(first and second) and ((first or 0.0) > (second or 0.0)) is by.largest


def ranked(decision: Decision) -> Iterator[str]:
    """Each with the figure that it goes by, whether it does, and in what it is the best of them."""
    columns = dict.fromkeys([decision.column, *columns_of(decision.dossier), COLUMNS[Want.PRICE]])
    able = [one for one in decision.order if one.level != "no"]
    firsts = {
        c: [one for one in able if not any(two is not one and is_better(two, one, c) for two in able)]
        for c in columns
    }
    limits = {"yes": "meets it", "no": "fails", "probably not": "hardly meets it"}
    for one in decision.order:
        best = [c.best for c, first in firsts.items() if first == [one] and one.number(c)]
        does = limits.get(one.level, f"{one.level} meets it") if limits_of(decision) else ""
        figure = failing(one.row) if does == "fails" else one.plain(decision.column)
        yield f"{one.name} {', '.join(filter(None, [figure, does, joined(best)]))}"


def headroom(decision: Decision) -> str:
    """How many times over the pick does what is demanded of its time."""
    row, query = decision.pick.row, decision.dossier.query
    rate, most = query.number(Role.RATE_HZ), query.number(Role.LATENCY_MS)
    whole = row.whole(COLUMNS[Want.THROUGHPUT if rate else Want.LATENCY])
    if not whole or not (rate or most) or decision.dossier.writes:
        return ""
    times = f"{whole}/{rate:.6f}fps" if rate else f"{most:.6f}ms/{whole}"
    return f"Headroom of {decision.pick.name}: {{{{{times}|x}}}} what is demanded."


def fails(one: Contender) -> str:
    why = failing(one.row)
    of = f"{one.row.query.text(Role.MODEL).rpartition('/')[2]}: " if len(one.rows) > 1 and why else ""
    word = "not" if one.level == "no" else "hardly" if one.level == "probably not" else "perhaps"
    return f"{word} {one.name}{f' ({of}{why})' if why else ''}"


def unknown_of(decision: Decision) -> str:
    """Of which of those that would do the figure is not known that it would go by."""
    by = decision.wished
    named = [one for one in decision.order if one.number(by) is None and one.level != "no"]
    bounds = [one.plain(by) for one in named if one.plain(by) != NOT_KNOWN]
    most = f" ({joined(bounds)})" if bounds else ""
    told = f"the {by.head} of {joined(one.name for one in named)} is not known{most}"
    tells = 0 < len(named) < len(decision.order) or (named and decision.dossier.stated)
    return told if tells and decision.by else ""


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
        watts = [COLUMNS[Want.POWER]] if not dossier.query.has(*CELLS) else []
        columns += [c for c in watts if c not in columns and any(one.number(c) for one in decision.order)]
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
    budgets = [row.records[LIFE] for one in decision.order for row in one.rows if LIFE in row.records]
    return [
        table(heads, cells) if len(cells) > 1 else "",
        *decision.errors[:2],
        energies.budget(dossier.query, budgets, _without_life(decision)),
    ]


def _without_life(decision: Decision) -> list[str]:
    """Those whose life is what it goes by and is not known."""
    life = COLUMNS[Want.BATTERY_LIFE]
    unknown = (one for one in decision.order if one.level != "no" and one.plain(life) == NOT_KNOWN)
    return [one.name for one in unknown] if life in columns_of(decision.dossier) else []


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
