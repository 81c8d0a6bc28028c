"""The table that an answer showed, as rows that a later question may point at."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...tools.model_zoo.language_model import is_language_model
from ..quantities import find_figures
from .query import Query, Role, Row, Slot

_HEADS = {
    "board": Role.TARGET, "GPU": Role.TARGET, "": Role.TARGET, "network": Role.MODEL,
    "kernels": Role.RUNTIME, "type": Role.DTYPE, "batch": Role.BATCH, "threads": Role.THREADS,
    "clock": Role.CLOCK_MHZ, "weights": Role.WEIGHTS, "input": Role.SIDE, "width": Role.WIDTH,
}  # fmt: skip
"""What the first column of a table names, and the second where it is of kernels."""
_NUMBERS = frozenset((Role.BATCH, Role.THREADS, Role.CLOCK_MHZ, Role.SIDE, Role.WIDTH))


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
        pair for pair in zip(head[1:], cells[1:], strict=True) if pair[0] in ("kernels", "weights")
    ]
    named += [("kernels", kernels)] if kernels else []
    slots = [slot for name, value in named if name in _HEADS if (slot := _slot(_HEADS[name], value, query))]
    slots += _cards(values[0], slots) if is_language_model(query.text(Role.MODEL)) else []
    figures = {
        name: found[0].value for name, cell in zip(head, cells, strict=True) if (found := find_figures(cell))
    }
    return Row(slots=tuple(slots), figures=figures)


_SEVERAL = re.compile(r"(\d+) x (?=[a-z])")


def _cards(shown: str, slots: Sequence[Slot]) -> list[Slot]:
    """How many of a target a row is of: 3 x rtx-3090."""
    many, place = _SEVERAL.match(shown), next((s for s in slots if s.role is Role.TARGET), None)
    return [Slot(role=Role.CARDS, value=float(many[1]), of=str(place.value))] if many and place else []


def _slot(role: Role, shown: str, query: Query) -> Slot | None:
    if role in _NUMBERS:
        found = re.search(r"\d+(?:\.\d+)?", shown)
        return Slot(role=role, value=float(found[0])) if found else None
    shown = _SEVERAL.sub("", re.sub(r" \([^)]*\)$", "", shown))
    if role is Role.TARGET and shown not in query.targets:
        return Slot(role=Role.MODEL, value=shown) if is_language_model(shown) else None
    whole = next((model for model in query.all(Role.MODEL) if model.rpartition("/")[2] == shown), shown)
    unasked = 0.5 if role is Role.WEIGHTS else 1.0
    return Slot(role=role, value=whole if role is Role.MODEL else shown, chance=unasked)


def kernels_of(rows: Sequence[Row]) -> dict[str, str]:
    """Target → the kernels that it was shown with."""
    return {row.text(Role.TARGET): row.text(Role.RUNTIME) for row in rows}


def targets_of(rows: Sequence[Row]) -> tuple[str, ...]:
    found = (str(slot.value) for row in rows for slot in row.slots if slot.role is Role.TARGET)
    return tuple(dict.fromkeys(found))
