"""What a comparison under limits comes to: who meets them, and which of these is enough."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace

from ..bench import NOT_KNOWN, Call, Record, call_of
from ..query import LIMITS, Query, Role
from ..want import Want
from ..words import spoken
from .columns import CHECK, CHIP, COLUMNS, ESTIMATE, LIFE, MODEL, Column
from .judging import counted
from .least import Enough, least_of
from .phrases import joined, said
from .rows import Row

_UNITS = {Role.LATENCY_MS: "ms", Role.RATE_HZ: "/s", Role.PRICE_USD: "USD"}


def limits_in_words(query: Query) -> str:
    """As the user said them."""
    words = [(said(query, role), role) for role in LIMITS if query.has(role)]
    bare = [f"{text} {_UNITS[role]}" if text.isdigit() and role in _UNITS else text for text, role in words]
    return joined(bare) or "your limits"


def wants_the_best(query: Query) -> bool:
    """Whether the quickest is asked for, and not what is enough."""
    asked = spoken("conclusion", query.question)
    return "best" in asked and "enough" not in asked


def weighed(query: Query, rows: Sequence[Row], varied: Role | None) -> Generator[Call, Record, list[Row]]:
    """The rows with what tells which of several is the least or the largest: their chips, or their size."""
    function = MODEL if _wants_the_largest(query) else CHIP if varied is Role.TARGET else ""
    if not function or not query.has(*LIMITS) or (wants_the_best(query) and function == CHIP):
        return list(rows)
    if sum(row.verdict != "FAIL" for row in rows) < 2:
        return list(rows)
    found = []
    for row in rows:
        record = row.records.get(function) or (yield call_of(function, row.query))
        known = row.records if record.result is None else {**row.records, function: record}
        found.append(replace(row, records=known))
    return found


def _wants_the_largest(query: Query) -> bool:
    return query.one_of and "largest" in spoken("conclusion", query.question)


def concluded(
    query: Query, order: Sequence[Row], main: Column, varied: Role | None
) -> tuple[str, list[Row], Enough | None]:
    """Who meets the limits, and what is enough; the rows with that one first."""
    by_goal = about(query, main) == main and main.path not in _OF_TIME
    main, limits = about(query, main), limits_in_words(query)
    runs = [row for row in order if row.verdict != "FAIL"]
    sure = [row for row in runs if row.verdict == "PASS"]
    good = sure or [row for row in runs if likely(row) == "probably"]
    if not good:
        word = "none surely meets" if runs else "none of them meets"
        nearest = f"{order[0].name} comes nearest with {_shown(order[0], main)}"
        return f"{word} {limits}; {nearest}", list(order), None
    if _wants_the_largest(query) and len(runs) > 1:
        return _largest(order, good, limits, main)
    listed = bool(spoken("listed", query.question))
    best = by_goal or wants_the_best(query) or listed
    enough = None if best or len(good) < 2 else least_of(query, good, varied)
    first = enough.row if enough else good[0]
    meets = "surely meets" if sure and len(sure) < len(order) else "meets" if sure else "probably meets"
    if len(runs) == 1 and len(order) > 1:
        only = meets.removeprefix("surely ")
        text = f"only {first.name} {only} {limits}{_with(first, main)}"
    elif enough:
        figure = f" ({enough.figure})" if enough.figure else ""
        so = "is enough" if sure else "is the one to try first"
        text = (
            f"{_who(good, order, meets)} {limits}, so {enough.words}{first.name}{figure} {so}, "
            f"with {_shown(first, main)}{_more(first, good, main)}"
        )
    elif listed and len(good) > 1:
        meet = meets.replace("meets", "meet")
        text = f"{len(good)} of {len(order)} {meet} {limits}: {_named(good, _MOST_LISTED)}"
    elif len(good) > 1:
        text = f"{first.name} {main.best} with {_shown(first, main)}; {_who(good, order, meets)} {limits}"
    else:
        text = f"{first.name} {meets} {limits}{_with(first, main)}"
    if all(row.verdict == "UNKNOWN" for row in good):
        text += ", not surely, as the intervals are wide"
    failing = [row for row in order if row.verdict == "FAIL"]
    names = joined((row.name for row in failing), "or") if len(failing) <= _MOST_NAMED else "the rest"
    parts = [text, _others(query, [row for row in runs if row not in good], first, varied)]
    parts += [f"not {names}"] if failing and len(runs) > 1 else []
    return "; ".join(filter(None, parts)), [first, *(row for row in order if row is not first)], enough


def _doubtful(rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """Names and what they do, of rows that are not sure, the likelier first."""
    for word in ("probably", "not sure", "probably not"):
        same = [row for row in rows if likely(row) == word]
        do = "do" if len(same) > 1 else "does"
        tell = {"probably": f"probably {do} too", "probably not": f"hardly {do}"}
        if same:
            yield joined(row.name for row in same), tell.get(word, "may or may not")


_MOST_NAMED, _MOST_LISTED = 3, 12
_ROOMY = 0.9
_CLEARLY = 0.75
"""Of the limit: an estimate below it leaves room for most of its error."""


def likely(row: Row) -> str:
    """Whether a row meets the limits, in a word: of what is not sure, on which side the estimate lies."""
    if row.verdict in _SURE:
        return _SURE[row.verdict]
    share = _share(row, "UNKNOWN")
    if share is None:
        return "not sure"
    return "probably" if share <= _CLEARLY else "not sure" if share <= 1 / _CLEARLY else "probably not"


_SURE = {"PASS": "yes", "MARGINAL": "probably", "FAIL": "no"}


def _share(row: Row, *verdicts: str) -> float | None:
    """The most that any doubtful check takes of its limit, by the estimate; None where one is not known."""
    check = row.records.get(CHECK)
    demanded = tuple(role for role in LIMITS if row.query.has(role))
    rows = counted(check["checks"] if check else (), demanded)
    doubtful = [one for one in rows if one["verdict"] in verdicts and one["name"] != "operators"]
    shares = [one["demand"] / one["bound"] for one in doubtful if one["demand"] is not None and one["bound"]]
    return max(shares) if shares and len(shares) == len(doubtful) else None


def _largest(
    order: Sequence[Row], good: Sequence[Row], limits: str, main: Column
) -> tuple[str, list[Row], Enough | None]:
    """Of a family, the one with the most to compute that does."""

    def size(row: Row) -> float:
        return row.records[MODEL].number("macs") or 0.0 if MODEL in row.records else 0.0

    first = max(good, key=size)
    word = "probably " if first.verdict == "MARGINAL" else ""
    text = f"{first.name} is the largest that {word}meets {limits}{_with(first, main)}"
    larger = [row for row in order if size(row) > size(first)]
    fails = [row.name for row in larger if row.verdict == "FAIL"]
    rest = "; ".join(f"{n} {words}" for n, words in _doubtful([r for r in larger if r.verdict != "FAIL"]))
    parts = [text, rest, f"not {joined(fails, 'or')}" if fails else ""]
    rows = sorted(order, key=lambda row: (row is not first, -size(row)))
    return "; ".join(filter(None, parts)), rows, None


def _who(good: Sequence[Row], order: Sequence[Row], meets: str) -> str:
    """Both meet; all three meet; a and b surely meet."""
    verb = meets.replace("meets", "meet") if len(good) > 1 else meets
    if len(good) == len(order):
        verb = verb.replace("surely ", "")
        return f"both {verb}" if len(good) == 2 else f"all of them {verb}"
    return f"{_named(good)} {verb}"


def _named(rows: Sequence[Row], most: int = _MOST_NAMED) -> str:
    more = [f"{len(rows) - most} others"] if rows[most:] else []
    return joined([row.name for row in rows[:most]] + more)


def _others(query: Query, rest: Sequence[Row], first: Row, varied: Role | None) -> str:
    """What may meet them too, and that it would be the lesser choice."""
    least = least_of(query, [*rest, first], varied) if varied is Role.TARGET and rest else None
    lesser = least.row.name if least and least.row is not first else ""
    said_of = []
    for names, words in _doubtful(rest):
        figure = f" ({least.figure})" if least and least.figure and names == lesser else ""
        roomy = least is not None and (_share(least.row, "UNKNOWN", "MARGINAL") or 0.0) <= _ROOMY
        try_it = roomy and names == lesser and words.startswith("probably does")
        advice = ", so try it first" if try_it else ""
        said_of.append(f"{names}{figure} {words}{advice}")
    return "; ".join(said_of)


def _more(first: Row, good: Sequence[Row], main: Column) -> str:
    """By how much the best of those that do is better than what is enough."""
    known = [row for row in good if row.number(main) is not None and not main.ratio and main.path]
    best = (max if main.largest else min)(known, key=lambda row: row.number(main) or 0.0, default=first)
    if best is first or first not in known:
        return ""
    top, bottom = (best, first) if main.largest else (first, best)
    return f"; {best.name} is {{{{{top.whole(main)}/{bottom.whole(main)}|x}}}} better"


_OF_TIME = (COLUMNS[Want.LATENCY].path, COLUMNS[Want.THROUGHPUT].path)


def about(query: Query, main: Column) -> Column:
    """What the limit is about, rather than a size, or a price that is limited itself."""
    of_time = COLUMNS[Want.THROUGHPUT if query.has(Role.RATE_HZ) else Want.LATENCY]
    timed = main.path in _OF_TIME and not main.ratio
    cheapest = main == COLUMNS[Want.PRICE] and "cheapest" in query.question.casefold()
    own = main.function in (ESTIMATE, LIFE) or cheapest
    return of_time if timed or not own else main


def _with(row: Row, main: Column) -> str:
    shown = _shown(row, main)
    return "" if shown.startswith(NOT_KNOWN) else f", with {shown}"


def _shown(row: Row, main: Column) -> str:
    return row.cell(main) + (f" {main.head}" if main.ratio else "")


__all__ = ["Enough", "about", "concluded", "likely", "limits_in_words", "weighed"]
