"""Whether one of two is worth it, or better: the word first, then what it costs and brings."""

from __future__ import annotations

import re

from ...patterns import compiled
from ..query import LIMITS, Query, Role, Slot
from ..want import Want
from ..words import entries, patterns, spoken
from . import published, quantised
from .accuracy import ACCURACY
from .columns import CHIP, COLUMNS, ESTIMATE, MACS, Column
from .least import least_of, needs_a_host
from .rows import Row
from .table import Table, rank

_SAYS = patterns("worth")

_OF_SEVERAL, _BEFORE = compiled(r"\b(?:which|what|who|or|vs|versus)\b", re.IGNORECASE), 12
_BETTER = {
    "better": None, "difference": None, "faster": Want.LATENCY, "quicker": Want.LATENCY,
    "cheaper": Want.PRICE,
}  # fmt: skip
_LESS = frozenset(("less", "fewer", "shorter", "smaller", "lower"))
_MORE = frozenset(("more", "slower", "longer", "larger", "bigger", "higher"))
_MUCH, _HARDLY = 1.5, 1.1


def asks_worth(query: Query) -> bool:
    """Whether what it costs is weighed against what it brings."""
    found = _SAYS["asks"].search(query.question)
    return found is not None and found["how"].casefold() not in {*_BETTER, *_LESS, *_MORE}


def asks_gain(query: Query) -> bool:
    """Whether it asks if something is any better, or worth it, not by how much."""
    return _SAYS["asks"].search(query.question) is not None


def asks_need(text: str) -> bool:
    """Whether it asks if something has to be bought."""
    return _SAYS["needs"].search(text) is not None or _SAYS["too_much"].search(text) is not None


def verdict(table: Table) -> str:
    """Yes or no to whether one of two is better, or worth it; empty where that is not asked."""
    query, found = table.query, _SAYS["asks"].search(table.query.question)
    of_all = _SAYS["all"].search(query.question)
    if table.judged and of_all and not _ASKS_A_FIGURE.search(query.question[: of_all.start()]):
        found_to = [row.likely for row in table.rows]
        word = next(word for likely, word in entries("all_do").items() if likely in found_to)
        return word if {*found_to} != {*found_to, "no"} or {*found_to} == {"no"} else "Not all of them"
    if pair := _needed_of(table):
        return _needed(*pair, too_much=_SAYS["too_much"].search(query.question) is not None)
    if quantised.asks(query.question) and table.varied is not Role.DTYPE:
        return ""
    if (one := _judged_of(table)) is not None:
        rate = f", at {one.margin} the rate" if one.margin else ""
        return f"{_DOES[one.likely].format(name=one.name)}{rate}"
    if found is None or not _is_of_two(table) or (asked := _asked_of(table, found, alone=False)) is None:
        return ""
    other = next(row for row in table.order if row is not asked)
    how = found["how"].casefold()
    if (
        how == "better"
        and table.varied is Role.MODEL
        and (word := _by_accuracy(table, asked, other)) is not None
    ):
        return word
    if how in _MORE | _LESS:
        many, few = (asked, other) if how in _MORE else (other, asked)
        times = _ratio(many, few, COLUMNS[Want.LATENCY] if how == "slower" else table.main)
        return "" if times is None else _word(times)
    if query.has(*LIMITS) and how not in _BETTER:
        return _needed(asked, other)
    if asked.verdict == other.verdict == "FAIL":
        return ""
    if "FAIL" in (asked.verdict, other.verdict):
        return "No" if asked.verdict == "FAIL" else "Yes"
    of_time = next((column for column in table.columns if column.function == ESTIMATE), table.columns[0])
    wanted = _BETTER.get(how)
    first = wanted is Want.LATENCY and of_time == table.columns[0]
    column = of_time if wanted is None or first else COLUMNS[wanted]
    times, dearer = _times(other, asked, column), _times(asked, other, COLUMNS[Want.PRICE])
    if times is None:
        return ""
    if how in _BETTER:
        word = _word(times)
        if how == "difference":
            return word
        return f"{word}, {asked.name} is {how}" if word != "No" and column != table.columns[0] else word
    if times < 1:
        return f"No, {asked.name} is not worth it"
    if times < _HARDLY or (dearer is not None and dearer > _MUCH * times):
        return f"{asked.name} is hardly worth it"
    much = times >= _MUCH or (dearer is not None and times >= dearer)
    return f"Yes, {asked.name} is worth it" if much else f"{asked.name} brings a little"


def _by_accuracy(table: Table, asked: Row, other: Row) -> str | None:
    """Whether one of two networks is better where both meet the limit, or nothing where accuracy is told
    already; None where it does not decide."""
    if table.varied is Role.MODEL and published.leads(table.query, table.query.wants):
        return ""
    one, two = asked.number(ACCURACY), other.number(ACCURACY)
    decides = table.main == ACCURACY and one and two and "FAIL" not in (asked.verdict, other.verdict)
    return ("Yes" if (one or 0.0) > (two or 0.0) else "No") if decides else None


_ASKS_A_FIGURE = compiled(r"\b(?:how|what|which)\b[^.?!;]*$", re.IGNORECASE)
_EITHER = compiled(r"\b(?:or|vs|versus)\b", re.IGNORECASE)
_DOES = {
    "yes": "Yes, {name} does", "probably": "Probably {name} does", "not sure": "Perhaps {name} does",
    "probably not": "Probably {name} does not", "no": "No, {name} does not",
}  # fmt: skip


def _judged_of(table: Table) -> Row | None:
    """Of several that are held against limits the one of which it is asked whether it does: *would the
    smaller one do the same job?* None where it is asked which of them does."""
    text = table.query.question
    if not table.limited or table.varied is None or "which" in table.query.asks:
        return None
    named = [
        slot for slot in table.query.slots if slot.role is table.varied and slot.text and not slot.inherited
    ]
    asked = []
    for slot in named:
        at = _place(text, slot)
        behind = text[at + len(slot.text) :]
        one = at >= 0 and _SAYS["judges"].search(text[:at]) and _SAYS["does"].match(behind)
        if one and not _EITHER.search(re.split(r"[.?!]", behind, maxsplit=1)[0]):
            asked.append(str(slot.value))
    rows = [row for row in table.order if row.query.text(table.varied) in asked]
    return rows[0] if len(rows) == 1 < len(table.order) else None


def _is_of_two(table: Table) -> bool:
    return "why" not in table.query.asks and table.varied is not None and len(table.order) == 2


def _needed_of(table: Table) -> tuple[Row, Row] | None:
    """Of two the one that would have to be bought, and the other; None where that is not asked."""
    of_a_setting = table.varied in (Role.DTYPE, Role.RUNTIME) and not table.query.has(*LIMITS)
    is_one = _is_of_two(table) and table.varied is not Role.MODEL and not of_a_setting
    text = table.query.question
    found = (_SAYS["of_a_board"].search(text) or _SAYS["too_much"].search(text)) if is_one else None
    named = [slot for slot in table.query.slots if slot.role is table.varied and slot.text]
    if found and found.re is _SAYS["of_a_board"]:
        is_named = any(text.startswith(slot.text, found.end()) for slot in named)
        found = found if is_named or _SAYS["one"].match(text, found.end()) else None
    asked = _asked_of(table, found, alone=True) if found else None
    other = next((row for row in table.order if row is not asked), None)
    return (asked, other) if asked and other else None


def _needed(asked: Row, other: Row, *, too_much: bool = False) -> str:
    """The one is not needed, or too much, where the other does what is demanded, or fits."""
    if other.likely in ("yes", "probably"):
        sure = other.likely == "yes"
        if too_much:
            return f"{'Yes' if sure else 'Probably'}, {asked.name} is more than is needed"
        return f"{'No' if sure else 'Probably not'}, {asked.name} is not needed"
    word = {"yes": "Yes", "probably": "Probably"}.get(asked.likely, "")
    return f"{'No' if too_much else word}, it takes {asked.name}" if word else ""


def _asked_of(table: Table, found: re.Match[str], *, alone: bool) -> Row | None:
    """The row that the question is about: the one that it names where it asks, or the only one that it names.

    Of two that it names the first, or the one that is changed to; where it names none, what is quicker is to
    be worth it. None where it asks which of them: between two that are named stands an `or`. Members of one
    family go by the end of their ids: the 256-MAC one.

    Args:
        alone: whether what is named first behind it is meant, whatever stands around it.
    """
    query, varied = table.query, table.varied
    text, start, weighed = query.question, found.start(), alone or asks_worth(query)
    named = [slot for slot in query.slots if slot.role is varied and slot.text and not slot.inherited]
    if len({slot.text for slot in named}) < len(named):
        named = [slot.model_copy(update={"text": str(slot.value).rpartition("-")[2]}) for slot in named]
    than, named = text.find(" than ", start), sorted(named, key=lambda slot: _place(text, slot))
    places = [(_place(text, slot, start), slot) for slot in named]
    behind = [(at, slot.text, str(slot.value)) for at, slot in places if at >= 0 and not 0 <= than < at]
    behind.sort(key=lambda place: (place[0], -len(place[1])))
    two = len(behind) > 1
    ends = slice(behind[0][0], behind[1][0]) if two else slice(start, found.end())
    of_two = _OF_SEVERAL.search(text[ends]) and not (weighed and two)
    if not alone and (of_two or _OF_SEVERAL.search(text[max(0, start - _BEFORE) : start])):
        return None
    if not behind and (weighed or _SAYS["larger"].search(found[0])):
        if not all(row.runs for row in table.order):
            return None
        by = COLUMNS[Want.PRICE].other_end if _SAYS["dear"].search(text) else COLUMNS[Want.LATENCY]
        return min(table.order, key=lambda row: rank(row, by)[1:])
    first = str(named[0].value) if len(named) == 1 or (named and than >= 0) else ""
    onto = two and not alone and _SAYS["onto"].fullmatch(text, behind[0][0] + len(behind[0][1]), behind[1][0])
    meant = behind[1 if onto else 0][2] if behind else first
    return next((row for row in table.order if varied and row.query.text(varied) == meant), None)


def _place(text: str, slot: Slot, start: int = 0) -> int:
    """Where it is named as it stands, no part of a longer name; -1 where it is not."""
    found = re.compile(rf"{re.escape(slot.text)}(?![\w-])").search(text, start)
    return found.start() if found else -1


def _word(times: float) -> str:
    return "No" if times < 1 else "Yes" if times >= _HARDLY else "Hardly"


def _times(over: Row, under: Row, column: Column) -> float | None:
    """How many times the figure of one is that of the other, the right way round."""
    return _ratio(under, over, column) if column.largest else _ratio(over, under, column)


def _ratio(over: Row, under: Row, column: Column) -> float | None:
    a, b = over.number(column), under.number(column)
    return a / b if a and b else None


def by_macs(table: Table) -> str:
    """Whether the time goes with the MACs: how much longer a MAC of one network takes than of another."""
    time = COLUMNS[Want.LATENCY]
    known = [row for row in table.rows if row.number(time) and row.number(MACS)]
    if MACS not in table.columns or len(known) < 2:
        return ""
    each = [(row.number(time) or 0.0) / (row.number(MACS) or 1.0) for row in known]
    slow, quick = known[each.index(max(each))], known[each.index(min(each))]
    ratio = f"{slow.whole(time)}/{slow.whole(MACS)}/({quick.whole(time)}/{quick.whole(MACS)})"
    alike = max(each) < _HARDLY * min(each)
    word = "MACs tell it here" if alike else "MACs alone do not tell"
    more = "" if alike else ", as bytes, operators and their kernels count too"
    return f"{word}: a MAC of {slow.name} takes {{{{{ratio}|x}}}} as long as one of {quick.name}{more}"


def worth(table: Table) -> str:
    """What the dearer brings, and for which time the lesser is enough; empty where limits decide."""
    query = table.query
    pair = _needed_of(table)
    if not (pair or "enough" in spoken("conclusion", query.question)) or query.has(*LIMITS):
        return ""
    least, told = least_of(query, table.order, table.varied), [_for_the_money(table)]
    row = pair[1] if pair else least.row if least else None
    estimate = row.records[ESTIMATE] if row else None
    if row and estimate and estimate.knows("latency_ms.high"):
        wait = estimate.ref("latency_ms.high")
        told.append(f"{row.name} is enough where you can wait {wait}, its upper end")
    return "; ".join(filter(None, told))


def _for_the_money(table: Table) -> str:
    """What the dearer of two costs more; a bare add-on is not held against a board."""
    order, price = table.order, COLUMNS[Want.PRICE]
    priced = all(row.copies == 1 and row.number(price) and CHIP in row.records for row in order)
    if len(order) != 2 or not priced:
        return ""
    if len({needs_a_host(row) for row in order}) > 1:
        return ""
    low, dear = sorted(order, key=lambda row: row.number(price) or 0.0)
    return f"{dear.name} costs {{{{{dear.whole(price)}/{low.whole(price)}|x}}}} what {low.name} does"
