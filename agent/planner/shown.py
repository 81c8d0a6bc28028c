"""The table that an answer showed: a later question may point at one of its rows, or mean them all."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..quantities import find_figures
from .answers.columns import COLUMNS
from .query import Query, Role, Row, Slot
from .want import Want
from .words import spoken

_HEADS = {
    "board": Role.TARGET, "GPU": Role.TARGET, "": Role.TARGET, "network": Role.MODEL,
    "kernels": Role.RUNTIME, "type": Role.DTYPE, "batch": Role.BATCH, "threads": Role.THREADS,
    "clock": Role.CLOCK_MHZ, "input": Role.SIDE, "width": Role.WIDTH,
}  # fmt: skip
"""What the first column of a table names, and the second where it is of kernels."""
_NUMBERS = frozenset((Role.BATCH, Role.THREADS, Role.CLOCK_MHZ, Role.SIDE, Role.WIDTH))
_POINTS = re.compile(r"(?:\b(?P<verb>\w+) )?\b(?:the|that|your) (?P<which>[\w-]+)(?: (?P<noun>\w+))?", re.I)
_ORDINALS = {
    "first": 0, "1st": 0, "top": 0, "former": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3,
    "4th": 3, "last": -1, "bottom": -1, "latter": -1,
}  # fmt: skip
_IN_A_TABLE = frozenset(
    ("", "one", "board", "chip", "option", "row", "entry", "candidate", "choice", "then", "and", "but", "at",
     "with", "in", "you", "of", "is", "cost", "from", "instead", "please", "module", "suggestion")
)  # fmt: skip
"""What may stand behind `the second` where it is a row, unlike a layer or an inference."""
_TAKES = frozenset(
    ("take", "taking", "pick", "choose", "with", "use", "using", "buy", "order", "on", "about", "of", "and",
     "does", "would", "will", "for")
)  # fmt: skip
"""What stands before `the cheapest` where it is taken, unlike where it is asked for."""
_NARROWS = re.compile(
    r"\b(?:take|pick|choose|go(?:ing)? (?:with|for)|use|only|just|st(?:ay|ick) with|keep)\b", re.I
)
_WHY = re.compile(r"^\W*(?:and |but |so |ok )?(?:why|what makes)\b", re.I)
_BEST = {
    "cheapest": Want.PRICE, "frugal": Want.ENERGY, "fastest": Want.LATENCY, "smallest": Want.RAM,
    "longest": Want.BATTERY_LIFE,
}  # fmt: skip


def rows_of(answer: str, query: Query) -> tuple[Row, ...]:
    """The rows of the first table of an answer, each with the figures shown of it so far."""
    start = answer.find("|")
    block = answer[max(start, 0) :].split("\n\n", maxsplit=1)[0].splitlines()
    table = [[cell.strip() for cell in line.strip()[1:-1].split("|")] for line in block if line[:1] == "|"]
    if start < 0 or len(table) < 3:
        return ()
    head, _, *body = table
    rows = [_row(head, cells, query) for cells in body if len(cells) == len(head)]
    before = {row.slots: row.figures for row in query.shown}
    known = [(row, {**before.get(row.slots, {}), **row.figures}) for row in rows if row.slots]
    return tuple(row.model_copy(update={"figures": figures}) for row, figures in known)


def _row(head: Sequence[str], cells: Sequence[str], query: Query) -> Row:
    names = re.split(r", | and ", head[0])
    of, _, kernels = cells[0].partition(" with ")
    values = of.split(", ")
    named = [*zip(names, values, strict=False)] + [
        pair for pair in zip(head[1:2], cells[1:2], strict=True) if pair[0] == "kernels"
    ]
    named += [("kernels", kernels)] if kernels else []
    slots = [slot for name, value in named if name in _HEADS if (slot := _slot(_HEADS[name], value, query))]
    figures = {
        name: found[0].value for name, cell in zip(head, cells, strict=True) if (found := find_figures(cell))
    }
    return Row(slots=tuple(slots), figures=figures)


def _slot(role: Role, shown: str, query: Query) -> Slot | None:
    if role in _NUMBERS:
        found = re.search(r"\d+(?:\.\d+)?", shown)
        return Slot(role=role, value=float(found[0])) if found else None
    shown = re.sub(r" \([^)]*\)$", "", shown)
    if role is Role.TARGET and shown not in query.targets:
        return None
    whole = next((model for model in query.all(Role.MODEL) if model.rpartition("/")[2] == shown), shown)
    return Slot(role=role, value=whole if role is Role.MODEL else shown)


def with_row(query: Query, rows: Sequence[Row], *, chosen: bool) -> Query:
    """With what the row that the question points at, or whose board it names, is of.

    `The second one`, `take the cheaper`; `go with the nRF` takes along the kernels that it was shown with.
    `It` is the first, unless one was `chosen` before; `slower than the first` compares the two.
    """
    if not rows:
        return query
    named = query.text(Role.TARGET)
    if named:
        found = [row for row in rows if named in (slot.value for slot in row.slots)]
        alone = len(found) == 1 and len(set(query.all(Role.TARGET))) == 1
        row = found[0] if alone else None
    else:
        row = _pointed(query, rows) or (rows[0] if "picked" in query.asks and not chosen else None)
    if row is None:
        return query
    kept = tuple(slot for slot in query.slots if slot.role is not Role.TARGET or not _is_a_place(slot))
    pointed = not named or len(kept) < len(query.slots)
    if pointed and not chosen and len(rows) > 1 and _WHY.search(query.question):
        targets = tuple(slot for row in rows for slot in row.slots if slot.role is Role.TARGET)
        changes = {"slots": (*kept, *targets), "kernels": kernels_of(rows), "wants": (Want.COMPARE,)}
        return query.model_copy(update=changes)
    if chosen and not named and {Want.COMPARE, Want.WHY_SLOWER} & set(query.wants):
        beside = tuple(slot for slot in row.slots if slot.role is Role.TARGET)
        return query.model_copy(update={"slots": (*query.slots, *beside), "kernels": kernels_of(rows)})
    new = [slot for slot in row.slots if not query.has(slot.role)]
    picks = query.picks or not named or _NARROWS.search(query.question) is not None
    return query.model_copy(update={"slots": (*query.slots, *new), "picks": picks})


def _is_a_place(slot: Slot) -> bool:
    """Whether it was said by its place in the table: `the first`."""
    return slot.text.casefold() in _ORDINALS


def _pointed(query: Query, rows: Sequence[Row]) -> Row | None:
    for match in _POINTS.finditer(query.question):
        which, noun = match["which"].casefold(), (match["noun"] or "").casefold()
        at = _ORDINALS.get(which)
        if at is not None and noun in _IN_A_TABLE and at < len(rows):
            return rows[at]
        best = next((want for name in spoken("best", which) if (want := _BEST[name])), None)
        if best is not None and (match["verb"] or "").casefold() in _TAKES:
            return _best(query, rows, best)
    return None


def _best(query: Query, rows: Sequence[Row], want: Want) -> Row | None:
    """By the column of the table; by the price of the chips where it shows none. None where none is known."""
    column = COLUMNS[want]
    figures = [row.figures.get(column.head) for row in rows]
    if want is Want.PRICE and not any(figures):
        prices = {target: summary.price_usd for target, summary in query.targets.items()}
        figures = [prices.get(str(row.slots[0].value)) for row in rows]
    known = [(figure, i) for i, figure in enumerate(figures) if figure is not None]
    return rows[(max if column.largest else min)(known)[1]] if known else None


def kernels_of(rows: Sequence[Row]) -> dict[str, str]:
    """Target → the kernels that it was shown with."""
    return {row.text(Role.TARGET): row.text(Role.RUNTIME) for row in rows}


def targets_of(rows: Sequence[Row]) -> tuple[str, ...]:
    found = (str(slot.value) for row in rows for slot in row.slots if slot.role is Role.TARGET)
    return tuple(dict.fromkeys(found))


__all__ = ["kernels_of", "rows_of", "targets_of", "with_row"]
