"""Whether one of two is worth it, or better: the word first, then what it costs and brings."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..query import LIMITS, Query, Role
from ..want import Want
from ..words import spoken
from .best_of import rank
from .columns import CHIP, COLUMNS, ESTIMATE, Column
from .concluding import likely
from .least import least_of, needs_a_host
from .rows import Row

_ASKS = re.compile(
    r"\b(?:would|will|is|are|does|do)\b[^.?!;]*?\b(?P<how>better|faster|quicker|cheaper|worth|"
    r"pays? (?:off|to)|make sense|justified)\b",
    re.IGNORECASE,
)
_OF_SEVERAL, _BEFORE = re.compile(r"\b(?:which|what|who|or|vs|versus)\b", re.IGNORECASE), 12
_LARGER = re.compile(
    r"\b(?:bigger|larger|dearer|faster|upper|stronger|expensive|better) one\b", re.IGNORECASE
)
_BETTER = ("better", "faster", "quicker", "cheaper")
_GOOD, _MUCH, _HARDLY = ("yes", "probably"), 1.5, 1.1


def verdict(query: Query, order: Sequence[Row], columns: Sequence[Column], varied: Role | None) -> str:
    """Yes or no to whether one of two is better, or worth it; empty where that is not asked."""
    found = _ASKS.search(query.question) if "why" not in query.asks else None
    asked = _asked_of(query, order, found, varied) if found and varied else None
    if found is None or asked is None or len(order) != 2:
        return ""
    return _judged(query, found["how"].casefold(), asked, order, columns)


def _judged(query: Query, how: str, asked: Row, order: Sequence[Row], columns: Sequence[Column]) -> str:
    other = next(row for row in order if row is not asked)
    of_worth, name = how not in _BETTER, asked.name
    if query.has(*LIMITS) and of_worth:
        if likely(other) in _GOOD:
            return f"{'No' if likely(other) == 'yes' else 'Probably not'}, {name} is not needed"
        word = {"yes": "Yes", "probably": "Probably"}.get(likely(asked), "")
        return f"{word}, it takes {name}" if word else ""
    timed = how in ("faster", "quicker") and columns[0].function != ESTIMATE
    column = next((each for each in columns if each.function == ESTIMATE), columns[0])
    column = (
        COLUMNS[Want.PRICE if how == "cheaper" else Want.LATENCY] if how == "cheaper" or timed else column
    )
    times = _times(other, asked, column)
    if "FAIL" in (asked.verdict, other.verdict) and asked.verdict != other.verdict:
        return "No" if asked.verdict == "FAIL" else "Yes"
    if times is None:
        return ""
    dearer = _times(asked, other, COLUMNS[Want.PRICE])
    if not of_worth:
        word = "No" if times < 1 else "Yes" if times >= _HARDLY else "Hardly"
        return f"{word}, {name} is {how}" if word != "No" and column is not columns[0] else word
    if times < 1:
        return f"No, {name} is not worth it"
    if times < _HARDLY or (dearer is not None and dearer > _MUCH * times):
        return f"{name} is hardly worth it"
    much = times >= _MUCH or (dearer is not None and times >= dearer)
    return f"Yes, {name} is worth it" if much else f"{name} brings a little"


def asks_worth(query: Query) -> bool:
    """Whether what it costs is weighed against what it brings."""
    found = _ASKS.search(query.question)
    return found is not None and found["how"].casefold() not in _BETTER


def _asked_of(query: Query, order: Sequence[Row], found: re.Match[str], varied: Role) -> Row | None:
    """The row that the question is about: the one that it names where it asks, or the only one that it names.

    Where it names both, or none, what is to be worth it is the quicker; of two to be better the first. None
    where it asks which of them: between two that are named stands an `or`.
    """
    named = [slot for slot in query.slots if slot.role is varied and slot.text and not slot.inherited]
    places = [(query.question.find(slot.text, found.start()), str(slot.value)) for slot in named]
    than = query.question.find(" than ", found.start())
    inside = sorted(place for place in places if place[0] >= 0 and not 0 <= than < place[0])
    ends = [inside[0][0], inside[1][0]] if len(inside) > 1 else [found.start(), found.end()]
    which = query.question[max(0, found.start() - _BEFORE) : found.start()]
    if _OF_SEVERAL.search(query.question[ends[0] : ends[1]]) or _OF_SEVERAL.search(which):
        return None
    if len(inside) != 1 and (found["how"].casefold() not in _BETTER or _LARGER.search(found[0])):
        return min(order, key=lambda row: rank(row, COLUMNS[Want.LATENCY]))
    first = min(named, key=lambda slot: query.question.find(slot.text), default=None)
    meant = inside[0][1] if inside else str(first.value) if first and (len(named) == 1 or than >= 0) else ""
    return next((row for row in order if row.query.text(varied) == meant), None)


def _times(over: Row, under: Row, column: Column) -> float | None:
    """How many times the figure of one is that of the other, the right way round."""
    a, b = over.number(column), under.number(column)
    if not a or not b:
        return None
    return b / a if column.largest else a / b


def worth(query: Query, order: Sequence[Row], columns: Sequence[Column], varied: Role | None) -> str:
    """Empty where nothing of it is asked, or limits decide."""
    if "enough" not in spoken("conclusion", query.question) or query.has(*LIMITS):
        return ""
    told = (_for_the_money(order, columns), _if_time_allows(query, order, varied))
    return "; ".join(filter(None, told))


def _for_the_money(order: Sequence[Row], columns: Sequence[Column]) -> str:
    """What the dearer of two costs more, and what it brings; an add-on costs its board too."""
    column = next((each for each in columns if each.function == ESTIMATE), COLUMNS[Want.LATENCY])
    if len(order) != 2 or any(row.copies > 1 or not row.number(COLUMNS[Want.PRICE]) for row in order):
        return ""
    prices = {row.name: f"{row.records[CHIP].id}.price_usd" for row in order}
    hosted = [row for row in order if needs_a_host(row)]
    if len(hosted) == 1:
        prices[hosted[0].name] = f"({'+'.join(prices.values())})"
    cost = {row.name: row.number(COLUMNS[Want.PRICE]) or 0.0 for row in order}
    low, dear = sorted(order, key=lambda row: sum(cost.values()) if row in hosted else cost[row.name])
    times = _times(low, dear, column)
    if times is None:
        return ""
    with_host = f" with {low.name} beside it" if dear in hosted else ""
    top, bottom = (low, dear) if (times > 1) != column.largest else (dear, low)
    brings = f"is {{{{{top.whole(column)}/{bottom.whole(column)}|x}}}} better"
    brings = brings if times > 1 else f"is no better ({column.head} {dear.cell(column)})"
    price = f"{{{{{prices[dear.name]}/{prices[low.name]}|x}}}}"
    return f"for {price} the price of {low.name}, {dear.name}{with_host} {brings}"


def _if_time_allows(query: Query, order: Sequence[Row], varied: Role | None) -> str:
    """Of what is to be enough for no limit that was stated: for which time the least of them is."""
    least = least_of(query, order, varied)
    estimate = least.row.records[ESTIMATE] if least else None
    if least is None or estimate is None or not estimate.knows("latency_ms.high"):
        return ""
    return f"{least.row.name} is enough where you can wait {estimate.ref('latency_ms.high')}, its upper end"


__all__ = ["asks_worth", "verdict", "worth"]
