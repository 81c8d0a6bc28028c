"""Whether one of two is worth it, or better: the word first, then what it costs and brings."""

from __future__ import annotations

import re

from ..factors import factor_in, factor_words
from ..query import LIMITS, Query
from ..want import Want
from ..words import spoken
from .columns import CHIP, COLUMNS, ESTIMATE, MACS, Column
from .least import least_of, needs_a_host
from .rows import Row
from .table import Table, rank

_ASKS = re.compile(
    r"\b(?:would|will|is|are|does|do)\b[^.?!;]*?\b(?P<how>better|faster|quicker|cheaper|worth|difference|"
    r"pays? (?:off|to)|make sense|justified|"
    r"(?:more|less|fewer|slower|longer|shorter|larger|bigger|smaller|higher|lower)(?=\b[^.?!;]*\bthan\b))\b",
    re.IGNORECASE,
)
_OF_SEVERAL, _BEFORE = re.compile(r"\b(?:which|what|who|or|vs|versus)\b", re.IGNORECASE), 12
_LARGER = re.compile(
    r"\b(?:bigger|larger|dearer|faster|upper|stronger|expensive|better) one\b", re.IGNORECASE
)
_BETTER = {
    "better": None, "difference": None, "faster": Want.LATENCY, "quicker": Want.LATENCY,
    "cheaper": Want.PRICE,
}  # fmt: skip
_LESS = frozenset(("less", "fewer", "shorter", "smaller", "lower"))
_MORE = frozenset(("more", "slower", "longer", "larger", "bigger", "higher"))
_MUCH, _HARDLY, _ABOUT = 1.5, 1.1, 1.25


def asks_worth(query: Query) -> bool:
    """Whether what it costs is weighed against what it brings."""
    found = _ASKS.search(query.question)
    return found is not None and found["how"].casefold() not in {*_BETTER, *_LESS, *_MORE}


def verdict(table: Table) -> str:
    """Yes or no to whether one of two is better, or worth it; empty where that is not asked."""
    query, found = table.query, _ASKS.search(table.query.question)
    if found is None or "why" in query.asks or table.varied is None or len(table.order) != 2:
        return ""
    asked, how = _asked_of(table, found), found["how"].casefold()
    if asked is None:
        return ""
    other = next(row for row in table.order if row is not asked)
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


def _needed(asked: Row, other: Row) -> str:
    """Under limits the one is not worth it where the other meets them."""
    if other.likely in ("yes", "probably"):
        return f"{'No' if other.likely == 'yes' else 'Probably not'}, {asked.name} is not needed"
    word = {"yes": "Yes", "probably": "Probably"}.get(asked.likely, "")
    return f"{word}, it takes {asked.name}" if word else ""


def _asked_of(table: Table, found: re.Match[str]) -> Row | None:
    """The row that the question is about: the one that it names where it asks, or the only one that it names.

    Of two that it names the first, where it names none what is quicker is to be worth it. None where it asks
    which of them: between two that are named stands an `or`.
    """
    query, varied = table.query, table.varied
    text, start, weighed = query.question, found.start(), asks_worth(query)
    named = [slot for slot in query.slots if slot.role is varied and slot.text and not slot.inherited]
    than, named = text.find(" than ", start), sorted(named, key=lambda slot: text.find(slot.text))
    places = [(text.find(slot.text, start), slot) for slot in named]
    behind = sorted((at, str(slot.value)) for at, slot in places if at >= 0 and not 0 <= than < at)
    ends = slice(behind[0][0], behind[1][0]) if len(behind) > 1 else slice(start, found.end())
    of_two = _OF_SEVERAL.search(text[ends]) and not (weighed and len(behind) > 1)
    if of_two or _OF_SEVERAL.search(text[max(0, start - _BEFORE) : start]):
        return None
    if not behind and (weighed or _LARGER.search(found[0])):
        return min(table.order, key=lambda row: rank(row, COLUMNS[Want.LATENCY]))
    first = str(named[0].value) if len(named) == 1 or (named and than >= 0) else ""
    meant = behind[0][1] if behind else first
    return next((row for row in table.order if varied and row.query.text(varied) == meant), None)


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


def claimed(table: Table) -> str:
    """Whether the first of two is as many times better as is claimed; empty where no factor is."""
    claim, figures = factor_in(table.query.question), [row.number(table.main) for row in table.order]
    if claim is None or len(figures) != 2 or not figures[0] or not figures[1] or table.query.has(*LIMITS):
        return ""
    times, words = max(figures[0] / figures[1], figures[1] / figures[0]), factor_words(table.query.question)
    if claim / _ABOUT <= times <= claim * _ABOUT:
        return f"Yes, about *{words}*"
    return f"{'Yes, more' if times > claim else 'No, less'} than *{words}*"


def worth(table: Table) -> str:
    """What the dearer brings, and for which time the lesser is enough; empty where limits decide."""
    query = table.query
    if "enough" not in spoken("conclusion", query.question) or query.has(*LIMITS):
        return ""
    least, told = least_of(query, table.order, table.varied), [_for_the_money(table)]
    estimate = least.row.records[ESTIMATE] if least else None
    if least and estimate and estimate.knows("latency_ms.high"):
        wait = estimate.ref("latency_ms.high")
        told.append(f"{least.row.name} is enough where you can wait {wait}, its upper end")
    return "; ".join(filter(None, told))


def _for_the_money(table: Table) -> str:
    """What the dearer of two costs more; an add-on costs its board too."""
    order, price = table.order, COLUMNS[Want.PRICE]
    priced = all(row.copies == 1 and row.number(price) and CHIP in row.records for row in order)
    if len(order) != 2 or not priced:
        return ""
    hosted = [row for row in order if needs_a_host(row)]
    cost = {row.name: row.number(price) or 0.0 for row in order}
    shown = {row.name: row.whole(price) for row in order}
    if len(hosted) == 1:
        shown[hosted[0].name] = f"({'+'.join(shown.values())})"
        cost[hosted[0].name] = sum(cost.values())
    low, dear = sorted(order, key=lambda row: cost[row.name])
    beside = f" with {low.name} beside it" if hosted == [dear] else ""
    return f"{dear.name}{beside} costs {{{{{shown[dear.name]}/{shown[low.name]}|x}}}} what {low.name} does"


__all__ = ["asks_worth", "by_macs", "claimed", "verdict", "worth"]
