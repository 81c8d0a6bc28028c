"""What a table comes to: who meets the limits, which of them is best or enough, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from ....tools.core.records import dataclass, replace
from ....tools.verdicts.ties import alike, apart, is_tie, rounded
from ..bench import NOT_KNOWN
from ..choice import of_a_supply
from ..query import LIMITS, Query, Role
from ..want import Want
from ..words import spoken
from .accuracy import ACCURACY
from .columns import COLUMNS, ESTIMATE, LIFE, MODEL, SAME, Column, goals_of
from .judging import limits_said
from .least import Enough, least_of
from .packs import sized
from .phrases import joined, model_shown, said
from .rows import Row

_JUDGED = frozenset((Want.FITS, Want.MEETS))
_UNITS = {Role.LATENCY_MS: "ms", Role.RATE_HZ: "/s", Role.PRICE_USD: "USD"}
_MOST_NAMED, _MOST_LISTED, _IN_TURN, _PAIR = 3, 12, 5, 2


@dataclass(frozen=True)
class Table:
    """What is named is a row, what is wanted a column, of which the first that is known decides."""

    query: Query
    wants: Sequence[Want]
    rows: Sequence[Row]
    columns: Sequence[Column]
    varied: Role | None
    """What alone differs between the rows; None where it is more than one thing."""

    @cached_property
    def main(self) -> Column:
        return next((column for column in self.columns if self.knows(column)), self.columns[0])

    def knows(self, column: Column) -> bool:
        return any(row.number(column) is not None for row in self.rows)

    @cached_property
    def order(self) -> list[Row]:
        """By the deciding figure; what is the same in it by the next, what fails last."""
        columns = [self.main, *(column for column in self.columns if column != self.main)]
        order = sorted(self.rows, key=lambda row: [coarse(rank(row, column)) for column in columns])
        networks = list(dict.fromkeys(model_shown(row.query) for row in self.rows))
        return (
            sorted(order, key=lambda r: networks.index(model_shown(r.query))) if self.of_networks else order
        )

    @property
    def of_networks(self) -> bool:
        """Whether it has several networks on several of something else: each is a table of its own."""
        several = len({model_shown(row.query) for row in self.rows}) > 1
        return several and self.varied is None

    @cached_property
    def judged_by(self) -> Column:
        """What the limits are about, rather than a size, or a price that is limited itself."""
        rate, time = COLUMNS[Want.THROUGHPUT], COLUMNS[Want.LATENCY]
        cheapest = self.main == COLUMNS[Want.PRICE] and "cheapest" in self.query.question.casefold()
        within = self.main == rate and not self.query.has(Role.RATE_HZ)
        of_itself = self.main.function in (ESTIMATE, LIFE, ACCURACY.function)
        if (self.main not in (rate, time) and (of_itself or cheapest)) or within:
            return self.main
        return rate if self.query.has(Role.RATE_HZ) and self.knows(rate) else time

    @cached_property
    def limited(self) -> bool:
        """Whether limits are stated that decide, or a life that is wanted."""
        return bool(limits_said(self.query, self.wants) or self.of_life) and self.knows(self.judged_by)

    @property
    def of_life(self) -> bool:
        return self.query.has(Role.LIFE_MS) and self.main.function == LIFE

    @property
    def judged(self) -> bool:
        """Whether it is asked, or matters, which of them hold."""
        asked = limits_said(self.query, self.wants) or _JUDGED & set(self.wants) or self.of_life
        return bool(asked) or any(row.verdict == "FAIL" for row in self.rows)


def rank(row: Row, column: Column) -> tuple[bool, bool, float]:
    """What fails last, then what is not known, then by the figure."""
    number = row.number(column)
    last = row.verdict == "FAIL" and (not column.turned or row.query.has(*LIMITS))
    return last, number is None, (-number if column.largest else number) if number else 0.0


def coarse(place: tuple[bool, bool, float]) -> tuple[bool, bool, float]:
    return (*place[:2], rounded(place[2]))


def limits_in_words(query: Query, roles: Sequence[Role] = LIMITS) -> str:
    """As the user said them; a power at a rate is one on average."""
    words = [(said(query, role), role) for role in roles if query.has(role)]
    power = "while computing" if of_a_supply(query) else "on average" if query.has(Role.RATE_HZ) else ""
    units = {**_UNITS, **({Role.POWER_MW: power} if power else {})}
    told = [f"{text} {units[role]}" if role in units and (text.isdigit() or role is Role.POWER_MW) else text
            for text, role in words]  # fmt: skip
    return joined(told) or "your limits"


class Conclusion(NamedTuple):
    """The first sentence, the rows as they are to be shown, and what is enough, if that is told."""

    text: str
    order: list[Row]
    enough: Enough | None = None


def concluded(table: Table) -> Conclusion:
    """Who holds, and which of these is best or enough; what of it nobody knows."""
    main, order = table.main, table.order
    missing = table.columns[: table.columns.index(main)]
    running = [row.name for row in order if row.runs]
    whose = f"{joined(running)} is not" if 0 < len(running) < len(order) else "none of them is"
    unknown = [f"the {column.head} of {whose} known" for column in missing]
    note = sized(table.query)[1] or "say what each draws, such as *20 mA at 3.3 V*"
    tell = f"; {note}" if table.columns[0].function == LIFE else ""
    if not any(row.runs for row in order):
        return Conclusion("none of them runs it as it is", order)
    if all(row.number(main) is None for row in order):
        return Conclusion(f"I cannot tell, as the {main.head} of none of them is known{tell}", order)
    known = [r for r in order if (main.turned or r.verdict != "FAIL") and r.number(main) is not None]
    if not known and not table.limited and any(row.verdict != "FAIL" for row in order):
        one = next(row for row in order if row.number(main) is not None)
        alone = f"I know the {main.head} of {one.name} alone, {one.cell(main)}, which cannot run it as it is"
        return Conclusion(alone, order)
    found = _judged(table)
    return found._replace(text="; ".join([found.text, *unknown]) + (tell if unknown else ""))


def _judged(table: Table) -> Conclusion:
    """Who holds, and of these the best where a goal is named or nothing is demanded, else what is enough."""
    query, order, limited = table.query, table.order, table.limited
    main, spoken_of = table.judged_by if limited else table.main, spoken("conclusion", query.question)
    do = "last" if table.of_life else "meet" if limited else "fit"
    limits = f" {limits_in_words(query, (Role.LIFE_MS,) if table.of_life else LIMITS)}" if limited else ""
    worst = main.turned and not limited
    runs = [row for row in order if row.verdict != "FAIL" or worst]
    sure = [row for row in runs if row.verdict == "PASS"]
    good = sure or [row for row in runs if row.likely == "probably"]
    if not runs or (limited and not good):
        word = f"none surely {do}s" if runs else f"none of them {do}s"
        return Conclusion(f"{word}{limits}; {order[0].name} comes nearest{_with(order[0], main)}", order)
    rate, time = COLUMNS[Want.THROUGHPUT], COLUMNS[Want.LATENCY]
    by_goal = main == table.main and main != time and (main != rate or not query.has(Role.RATE_HZ))
    best = by_goal or ("best" in spoken_of and "enough" not in spoken_of) or spoken("listed", query.question)
    enough = least_of(query, good, table.varied) if limited and len(good) > 1 and not best else None
    of_good = limited and (not by_goal or main == ACCURACY)
    of = good if of_good else [row for row in runs if row.number(main) is not None]
    of = of or good or runs
    of = of if main == table.main else sorted(of, key=lambda row: rank(row, main))
    first = enough.row if enough else of[0]
    surely = "surely " if sure and len(sure) < len(order) else "" if sure else "probably "
    who = _who(good, order, f"{surely}{do}{limits}") if good else f"none surely {do}s"
    asked = limited or bool(_JUDGED & set(table.wants))
    if len(runs) == 1 < len(order):
        probably = surely.removeprefix("surely ")
        text = f"only {first.name} {probably}{do}s{limits}{_with(first, main)}"
    elif enough:
        figure = f" ({enough.figure})" if enough.figure else ""
        so = f"so {enough.words}{first.name}{figure} is {'enough' if sure else 'the one to try first'}"
        text = f"{who}, {so}, with {_shown(first, main)}{_more(first, good, main)}"
    elif len(of) == 1 and len(good) <= 1 and asked:
        holder = good[0] if good else first
        known = "" if holder is first else f"; of {first.name} I know {_shown(first, main)}"
        text = f"{who}{_with(holder, main)}{known}"
    else:
        bounded = [row for row in runs if row.number(main) is None and row.bound(main) is not None]
        of = [*of[:_PAIR], *bounded] if asked else runs
        parts = [best_of(of, table.columns, main), *([who] if asked else [])]
        text = "; ".join(parts if limited else parts[::-1])
    if (
        by_goal
        and not of_good
        and limited
        and not main.turned
        and not query.has(Role.ENERGY_UJ, Role.POWER_MW, Role.LIFE_MS)
    ):
        text = _best_of_all(table, main) + text
    wide = ", not surely, as the intervals are wide" if good and good[0].verdict == "UNKNOWN" else ""
    doubts = _doubts(replace(table, rows=order), good, first) if asked else []
    rows = sorted(order, key=lambda row: row is not first)
    return Conclusion("; ".join([text + wide, *doubts, *_missing(runs, main)]), rows, enough)


def _missing(rows: Sequence[Row], main: Column) -> list[str]:
    """What is known at most, or not at all, where the figure itself is not."""
    shown = {row.name: row.cell(main) for row in rows if row.number(main) is None}
    unknown = joined(name for name, cell in shown.items() if cell == NOT_KNOWN)
    told = [f"{name} {cell}" for name, cell in shown.items() if cell != NOT_KNOWN]
    return [*told, f"the {main.head} of {unknown} is not known"] if unknown else told


def _best_of_all(table: Table, main: Column) -> str:
    """What is sought, where it does not meet the limits."""
    known = sorted((r for r in table.order if r.number(main) is not None), key=lambda r: rank(r, main)[2])
    return f"{best_of(known, table.columns, main)}; " if known and known[0].verdict == "FAIL" else ""


def of_each_network(table: Table) -> str:
    """Of several networks on several of something else, which is best for each."""
    networks = dict.fromkeys(model_shown(row.query) for row in table.rows)
    groups = {name: replace(table, rows=_without(table.rows, name)) for name in networks}
    if table.limited:
        return "; ".join(f"{name}: {concluded(group).text}" for name, group in groups.items())
    won: dict[str, list[tuple[str, str]]] = {}
    for name, group in groups.items():
        best, *others = group.order
        if best.number(table.main) is not None:
            times = _times(best, others[0], table.main) if others else ""
            won.setdefault(best.name, []).append((name, times))
    told = []
    for winner, of in won.items():
        times = ", ".join(ratio for _, ratio in of if ratio)
        least = f", {{{{min({times})|x}}}} to {{{{max({times})|x}}}} better" if len(of) > 1 and times else ""
        by = least or (f", {{{{{times}|x}}}} better" if times else "")
        told.append(f"{winner} {table.main.best} for {joined(name for name, _ in of)}{by}")
    return "; ".join(told)


def _without(rows: Sequence[Row], network: str) -> list[Row]:
    """The rows of a network, without its name."""
    of = [row for row in rows if model_shown(row.query) == network]
    return [replace(row, name=", ".join(p for p in row.name.split(", ") if p != network)) for row in of]


def best_of(rows: Sequence[Row], columns: Sequence[Column], main: Column) -> str:
    """The first of them with its figure, by how much it is ahead, and the next in their turn."""
    best, *others = [row for row in rows if row.number(main) is not None]
    if len(rows) == 1:
        return f"of {best.name} I know {_shown(best, main)}"
    text = f"{best.name} {main.best} with {_shown(best, main)}"
    if not others:
        unknown = [row.bound(main) for row in rows if row is not best]
        wins = all(_is_worse(bound, best, main) for bound in unknown)
        return text if wins else f"I know the {main.head} of {best.name} alone, {best.cell(main)}"
    if same := _alike(best, others[0], columns, main):
        return text + same
    if undecided := _undecided(best, others[0], main):
        return undecided
    text += _ahead(best, others[0], main)
    behind = others[1 : _IN_TURN - 1] if len(others) < _IN_TURN else []
    last = f" with {_shown(behind[-1], main)}" if behind else ""
    return f"{text}, then {joined(row.name for row in behind)}{last}" if behind else text


def _is_worse(bound: float | None, best: Row, main: Column) -> bool:
    """Whether a figure is surely no better that is known at best."""
    ends = best.ends(main)
    if bound is None or ends is None:
        return False
    return bound <= ends[0] if main.largest else bound >= ends[1]


def _alike(best: Row, second: Row, columns: Sequence[Column], main: Column) -> str:
    """That two do not differ in the figure, and what the next one decides."""
    if coarse(rank(best, main)) != coarse(rank(second, main)):
        return ""
    same = f", the same as {second.name}"
    decides = next((c for c in columns if coarse(rank(best, c)) < coarse(rank(second, c))), None)
    return f"{same}; of the two {best.name} {decides.best} with {best.cell(decides)}" if decides else same


def _undecided(best: Row, second: Row, main: Column) -> str:
    """That a small lead within wide intervals decides nothing; empty for a lead that counts."""
    one, other = best.number(main), second.number(main)
    if main.ratio or alike(one, other) or not is_tie(one, other, best.ends(main), second.ends(main)):
        return ""
    shown = f"{main.head} {_shown(best, main)} against {_shown(second, main)}"
    return f"{best.name} and {second.name} cannot be told apart: {shown}, which overlap: time both to decide"


def _ahead(best: Row, second: Row, main: Column) -> str:
    """How many times better, and whether that is sure; several of one kind count together."""
    if main == ACCURACY:
        return f", {second.name} {_shown(second, main)}"
    ends, of_second = best.ends(main), second.ends(main)
    exact = ends is None or ends[0] == ends[1]
    unsure = "" if exact or apart(ends, of_second) else ", though their intervals overlap"
    apart_placed = any(
        best.query.text(role) != second.query.text(role) for role in (Role.TARGET, Role.RUNTIME)
    )
    if unsure and apart_placed and ends and of_second:  # else what is unsure of the one is so of the other
        each = ((best.number(main) or 0.0, of_second), (second.number(main) or 0.0, ends))
        wide = all(low <= number <= high for number, (low, high) in each)
        unsure += " so far that only measuring both decides" * wide
    times = _times(best, second, main)
    how = "better than" if not main.turned else "as much as" if main.largest else "less than"
    return f", {{{{{times}|x}}}} {how} {second.name}{unsure}" if times else ""


def _times(best: Row, second: Row, main: Column) -> str:
    """How many times better, as an expression; empty where it cannot be told."""
    one, other = best.whole(main), second.whole(main)
    if not best.number(main) or not second.number(main) or "{chip}" in main.ratio or not one or not other:
        return ""
    return f"{one}/{other}" if main.largest else f"{other}/{one}"


def _more(first: Row, good: Sequence[Row], main: Column) -> str:
    """By how much the best of those that do is better than what is enough."""
    known = [row for row in good if row.number(main) is not None and not main.ratio]
    best = min(known, key=lambda row: rank(row, main), default=first)
    if best is first or first not in known:
        return ""
    return f"; {best.name} is {{{{{_times(best, first, main)}|x}}}} better"


def _who(good: Sequence[Row], order: Sequence[Row], meet: str) -> str:
    """Both meet; all of them meet; a and b surely meet."""
    if len(good) == len(order) > 1:
        return f"{'both' if len(good) == _PAIR else 'all of them'} {meet.removeprefix('surely ')}"
    verb, _, rest = meet.removeprefix("surely ").removeprefix("probably ").partition(" ")
    how = meet[: meet.index(verb)]
    more = [f"{len(good) - _MOST_LISTED} others"] if good[_MOST_LISTED:] else []
    names = joined([row.name for row in good[:_MOST_LISTED]] + more)
    return f"{names} {how}{verb if len(good) > 1 else f'{verb}s'} {rest}".rstrip()


def _doubts(table: Table, good: Sequence[Row], first: Row) -> list[str]:
    """What may do too, and which of it would be the lesser choice; then what does not."""
    rest = [row for row in table.order if row.verdict != "FAIL" and row not in good]
    least = (
        least_of(table.query, [*rest, first], table.varied) if table.varied is Role.TARGET and rest else None
    )
    lesser = least if least and least.row is not first else None
    told = []
    for word, do in _DOUBTFUL.items():
        if not (same := [row for row in rest if row.likely == word]):
            continue
        alone = lesser is not None and same == [lesser.row]
        figure = f" ({lesser.figure})" if lesser and alone and lesser.figure else ""
        does = do.format("do" if len(same) > 1 else "does")
        advice = ", so try it first" if alone and word == "probably" else ""
        told.append(f"{joined(row.name for row in same)}{figure} {does}{advice}")
    failing = [row for row in table.order if row.verdict == "FAIL"]
    names = joined((row.name for row in failing), "or") if len(failing) <= _MOST_NAMED else "the rest"
    return [*told, f"not {names}"] if failing and len(table.order) > 1 + len(failing) - len(good) else told


_DOUBTFUL = {"probably": "probably {} too", "not sure": "may or may not", "probably not": "hardly {}"}


def _with(row: Row, main: Column) -> str:
    shown = _shown(row, main)
    return "" if shown.startswith(NOT_KNOWN) else f", with {shown}"


def _shown(row: Row, main: Column) -> str:
    return row.cell(main) + (f" {main.head}" if main.ratio or main.function == MODEL else "")


def opened(text: str, rows: Sequence[Row]) -> str:
    """With a capital, but where a name begins it."""
    named = any(text.startswith(part) for row in rows for part in row.name.split(", "))
    return text if named else text[:1].upper() + text[1:]


def others_best(table: Table, told: str) -> str:
    """Which wins by the other figures, where that is not told."""
    found: dict[str, list[str]] = {}
    wants = (SAME.get(want, want) for want in (*table.wants, *goals_of(table.query)))
    asked = [COLUMNS[want] for want in wants if want in COLUMNS]
    for column in [column for column in table.columns if column != table.main][:2]:
        if table.main.turned and column not in asked:
            continue
        known = [row for row in table.order if row.number(column) is not None and row.verdict != "FAIL"]
        best = min(known, key=lambda row: rank(row, column), default=None)
        ranks = {coarse(rank(row, column)) for row in known}
        if best is None or len(ranks) < _PAIR or f"{best.name} {column.best}" in told:
            continue
        if best is not table.order[0] or column in asked:
            figure = f" with {_shown(best, column)}" if column in asked else ""
            found.setdefault(best.name, []).append(f"{column.best}{figure}")
    return joined(f"{name} {joined(does)}" for name, does in found.items())
