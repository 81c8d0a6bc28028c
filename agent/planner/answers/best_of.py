"""What a table of rows comes to: which is best and by how much, which hold, which do not and why."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from ..bench import is_named
from ..query import Query, Role
from ..want import Want
from .columns import CHECK, ESTIMATE, LIFE, Column
from .concluding import Enough, about, concluded
from .judging import limits_said
from .phrases import apart, batch_of, joined
from .rows import Row

_JUDGED = frozenset((Want.FITS, Want.MEETS))
_OF_ENERGY = ("energy_uj", "battery.life_days")
_MOST_REASONED, _MOST_WORDS, _PAIR = 4, 45, 2


def rank(row: Row, column: Column) -> tuple[bool, bool, float]:
    """What fails last, then what is not known, then by the figure."""
    number = row.number(column)
    return (
        row.verdict == "FAIL",
        number is None,
        (-number if column.largest else number) if number is not None else 0.0,
    )


def in_order(rows: Sequence[Row], columns: Sequence[Column]) -> list[Row]:
    """By the first figure; what is the same in it by the next."""
    return sorted(rows, key=lambda row: [_coarse(rank(row, column)) for column in columns])


def _coarse(place: tuple[bool, bool, float]) -> tuple[bool, bool, float]:
    """Two figures alike within a hundredth or so are one."""
    number = place[2]
    return (*place[:2], round(math.log(abs(number)), 2) * math.copysign(1.0, number) if number else 0.0)


def summed_up(
    query: Query, wants: Sequence[Want], order: list[Row], columns: Sequence[Column], varied: Role | None
) -> tuple[str, list[Row], Enough | None]:
    """Which is best and by how much; where limits decide, who meets them and which of these is enough.

    Returns:
        The sentence, the rows as they are to be shown, and what is enough, if that is told.
    """
    main = columns[0]
    if all(row.number(main) is None for row in order):
        return _unknown(query, wants, order, columns, varied)
    order = in_order(order, columns)
    best = order[0]
    if limits_said(query, wants) and best.number(about(query, main)) is not None:
        return _asked_first(query, main, *concluded(query, order, main, varied))
    if best.number(main) is None:
        known = next(row for row in order if row.number(main) is not None)
        fails = ", which cannot run it as it is" if known.verdict == "FAIL" else ""
        shown = known.cell(main)
        return f"I know the {main.head} of {known.name} alone, {shown}{fails}", order, None
    return _without_limits(query, wants, order, columns), order, None


def _asked_first(
    query: Query, main: Column, text: str, order: list[Row], enough: Enough | None
) -> tuple[str, list[Row], Enough | None]:
    """Of a figure that no limit is about, who is best before who meets the limits of an earlier question."""
    known = sorted((row for row in order if row.number(main) is not None), key=lambda row: rank(row, main)[2])
    limited = query.has(Role.ENERGY_UJ, Role.POWER_MW)
    if about(query, main) != main or main.path not in _OF_ENERGY or len(known) < 2 or limited:
        return text, order, enough
    best = f"{known[0].name} {main.best} with {known[0].cell(main)}"
    if text.startswith(best):
        return text, order, enough
    best += _ahead(known[0], known[1], main)
    return f"{best}; {text.replace(f', with {known[0].cell(main)}', '')}", order, enough


def _unknown(
    query: Query, wants: Sequence[Want], order: list[Row], columns: Sequence[Column], varied: Role | None
) -> tuple[str, list[Row], Enough | None]:
    """The first figure is known of none of them: what the next one comes to, and that it is not known."""
    main, *others = columns
    tell = "; say what each draws, such as *20 mA at 3.3 V*" if main.function == LIFE else ""
    missing = f"the {main.head} of none of them is known{tell}"
    if not any(row.number(column) is not None for row in order for column in others):
        return f"I cannot tell, as {missing}", order, None
    text, order, enough = summed_up(query, wants, order, others, varied)
    return f"{text}; {missing}", order, enough


def _without_limits(
    query: Query, wants: Sequence[Want], order: Sequence[Row], columns: Sequence[Column]
) -> str:
    best, main = order[0], columns[0]
    runs = [row for row in order if row.verdict != "FAIL"]
    shown = best.cell(main) + (f" {main.head}" if main.ratio else "")
    verdicts = _which(order, "fit") if _JUDGED & set(wants) else ""
    if len(set(query.all(Role.MODEL))) > 1 and runs and _JUDGED & set(wants[:1]):
        return verdicts
    if not runs:
        return f"none of them fits; {best.name} comes nearest with {shown}"
    if len(runs) == 1 and len(order) > 1:
        return f"{best.name} is the only one that it fits, with {shown}{_were_it_to_run(best, order, main)}"
    first = f"{best.name} {main.best} with {shown}"
    others = [row for row in order[1:] if row.verdict != "FAIL" and row.number(main) is not None]
    ahead = (_alike(best, others[0], columns) or _ahead(best, others[0], main)) if others else ""
    if missing := [row.name for row in runs if row.number(main) is None]:
        ahead += f"; the {main.head} of {joined(missing)} is not known"
    return f"{verdicts}; {first}{ahead}" if verdicts else first + ahead


def _alike(best: Row, second: Row, columns: Sequence[Column]) -> str:
    """That two do not differ in the first figure, and what the next one decides."""
    if _coarse(rank(best, columns[0])) != _coarse(rank(second, columns[0])):
        return ""
    same = f", the same as {second.name}"
    decides = next((c for c in columns[1:] if _coarse(rank(best, c)) < _coarse(rank(second, c))), None)
    return f"{same}; of the two {best.name} {decides.best} with {best.cell(decides)}" if decides else same


def _were_it_to_run(best: Row, order: Sequence[Row], main: Column) -> str:
    """By how much one that does not run is better, by the figures alone."""
    known = [row for row in order if row is not best and row.number(main) is not None]
    first = min(known, key=lambda row: rank(row, main), default=best)
    if rank(best, main)[2] <= rank(first, main)[2]:
        return ""
    return f"; by the figure alone {first.name} is ahead{_ahead(first, best, main)}"


def _which(rows: Sequence[Row], do: str) -> str:
    """Which of them hold, and which do not."""
    yes = joined(row.name for row in rows if row.verdict in ("PASS", "MARGINAL"))
    unsure = joined(row.name for row in rows if row.verdict == "UNKNOWN")
    no = joined((row.name for row in rows if row.verdict == "FAIL"), "or")
    said = [f"{yes} {do}" if yes else f"none surely {do}".replace("none surely fit", "none surely fits")]
    said += [f"{unsure} may"] if unsure else []
    return "; ".join([*said, f"not {no}"] if no else said)


def _ahead(best: Row, second: Row, main: Column) -> str:
    """How many times better, and whether that is sure; several of one kind count together."""
    one, other = best.whole(main), second.whole(main)
    if not best.number(main) or not second.number(main) or "{chip}" in main.ratio or not one or not other:
        return ""
    top, bottom = (one, other) if main.largest else (other, one)
    ends, of_second = best.ends(main), second.ends(main)
    exact = ends is None or ends[0] == ends[1]
    unsure = "" if exact or apart(ends, of_second) else ", though their intervals overlap"
    return f", {{{{{top}/{bottom}|x}}}} better than {second.name}{unsure}"


def differences(one: Row, other: Row, columns: Sequence[Column]) -> str:
    """In what the first of two is worse or better, with both figures and how many times as much."""
    known = [c for c in columns if one.number(c) and other.number(c) and not c.ratio]
    known = [c for c in known if _coarse(rank(one, c)) != _coarse(rank(other, c))] or known[:1]
    worse = [c for c in known if rank(one, c)[2] > rank(other, c)[2]]
    ways = [("worse", worse), ("better", [column for column in known if column not in worse])]
    ways = [(how, of) for how, of in (ways if known[0] in worse else ways[::-1]) if of]
    how, of = ways[0]
    first = f"{one.name} is {how} than {other.name} in {joined(column.head for column in of)}"
    first += "".join(f", {how} in {joined(column.head for column in of)}" for how, of in ways[1:])
    return "; ".join([first, *(_difference(one, other, column) for column in known)])


def _difference(one: Row, other: Row, column: Column) -> str:
    top, bottom = sorted((one, other), key=lambda row: -(row.number(column) or 0.0))
    times = f"{{{{{top.whole(column)}/{bottom.whole(column)}|x}}}} {'more' if top is one else 'less'}"
    ends = top.ends(column), bottom.ends(column)
    unsure = "" if apart(*ends) or None in ends else ", though their intervals overlap"
    return f"{column.head} {one.cell(column)} instead of {other.cell(column)}, {times}{unsure}"


def others_best(
    columns: Sequence[Column], order: Sequence[Row], wanted: Collection[Column], said: str
) -> str:
    """Where another figure has another best, or one that is asked for by name the same."""
    found: dict[str, list[str]] = {}
    for column in columns[1:3]:
        known = [row for row in order if row.number(column) is not None and row.verdict != "FAIL"]
        best = min(known, key=lambda row: rank(row, column), default=None)
        ranks = {_coarse(rank(row, column)) for row in known}
        if best is None or len(ranks) < _PAIR or f"{best.name} {column.best}" in said:
            continue
        if best is not order[0] or best.number(columns[0]) is None or column in wanted:
            found.setdefault(best.name, []).append(column.best)
    return joined(f"{name} {joined(does)}" for name, does in found.items())


def refused(rows: Sequence[Row]) -> list[str]:
    """Why those that fail do, in the words of the check that decides it; one where all fail by the same."""
    said: dict[str, str] = {}
    for row in rows if len(rows) <= _MOST_REASONED else ():
        check = row.records.get(CHECK)
        if row.verdict != "FAIL" or check is None:
            continue
        failing = [one for one in check["checks"] if one["verdict"] == "FAIL"]
        why = next((one for one in failing if one["name"] == "operators"), failing[0])
        if why["name"] == "operators":
            operators = check.ref("checks[operators].demand", "count")
            kernels_of = check.ref("deployment.runtime")
            run = "operator does" if why["demand"] == 1 else "operators do"
            said.setdefault("operators", f"{row.name}: {operators} {run} not run with {kernels_of}.")
            continue
        stop = "" if str(why["statement"]).endswith(".") else "."
        if len(str(why["statement"]).split()) <= _MOST_WORDS:
            path = "checks[" + why["name"] + "].statement"
            said.setdefault(why["name"], f"{row.name}: {check.ref(path)}{stop}")
    return list(said.values())


_SERVERS = ("gpu", "gpu-soc")


def _classes(query: Query) -> list[str]:
    found = (query.targets.get(target) for target in query.all(Role.TARGET))
    return [each.target_class for each in found if each is not None]


def kernels(query: Query, rows: Sequence[Row]) -> str:
    """Which kernels and type were taken where the question names none."""
    if query.has(Role.RUNTIME) or not rows or all(row.query.has(Role.RUNTIME) for row in rows):
        return ""
    taken = [row.records[ESTIMATE] for row in rows]
    typed = not query.has(Role.DTYPE) and all(is_named(row.query.text(Role.MODEL)) for row in rows)
    dtype = f", {taken[0].ref('dtype')}" if typed and len({str(one["dtype"]) for one in taken}) == 1 else ""
    of_one = not query.has(Role.BATCH) and all(one in _SERVERS for one in _classes(query))
    dtype += ", batch 1" if of_one and {batch_of(one) for one in taken} == {1} else ""
    of = {row.query.text(Role.TARGET): one for row, one in zip(rows, taken, strict=True)}
    runtimes = {str(one["deployment"]["runtime"]) for one in taken}
    if len(runtimes) == 1:
        return f"With {taken[0].ref('deployment.runtime')}{dtype}."
    if len(of) < len(rows):
        return ""
    each = [f"{one.ref('deployment.runtime')} on {target}" for target, one in of.items()]
    return f"With {joined(each)}{dtype}."
