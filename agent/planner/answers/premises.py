"""That one of two is slower, as a question takes for granted: held against the figures of both."""

from __future__ import annotations

from collections.abc import Generator

from ....tools.verdicts.ties import apart
from ...pages import sections_of
from ..bench import Call, Record, call_of
from ..query import Query, Role
from ..want import Want
from ..words import patterns
from .bounds import bound_in
from .columns import COLUMNS, LIFE, ROOF
from .phrases import joined
from .rows import Row
from .suspects import besides
from .table import Table

_SAYS = patterns("premises")

_ALIKE, _MOST, _SEEN = 1.1, 3, 0.03
"""Times by which two differ that hardly do; kinds of operators that are told, and the least share of one."""
_MULTIPLIED = ("CONV_2D", "FULLY_CONNECTED", "BATCH_MATMUL")
"""What units for small integers compute; of the rest a smaller type saves the bytes alone."""
_PAGE = ("concepts/quantization.md", "When int8 is slower")


def denied(table: Table) -> Generator[Call, Record, str]:
    """That it is not so by the figures, and what could make it so where it was measured; else empty."""
    found, column = _SAYS["taken"].search(table.query.question), COLUMNS[Want.LATENCY]
    found = None if table.main.function == LIFE else found
    asked = _asked(table) if "why" in table.query.asks and len(table.order) == 2 else None
    if found is None or asked is None or _SAYS["per_work"].search(table.query.question):
        return ""
    other = next(row for row in table.order if row is not asked)
    one, two = asked.number(column), other.number(column)
    if not one or not two:
        return ""
    slower = (found["how"].casefold() in ("slower", "longer")) != bool(found["no"])
    differs = one / two if slower else two / one
    if differs >= _ALIKE or (found["no"] and differs > 1 / _ALIKE):
        return ""
    figures = f"{asked.cell(column)} against {other.cell(column)} for {other.name}"
    overlap = "" if apart(asked.ends(column), other.ends(column)) else ", which overlap"
    how = f"not {found['how'].casefold()}" if not found["no"] else "faster"
    first = f"By my figures {asked.name} is {how}, with {figures}{overlap}."
    if differs > 1 / _ALIKE:
        first = f"By my figures they hardly differ: {asked.name} {figures}{overlap}."
    late = asked if slower else other
    why = (yield from of_type(late.query)) if table.varied is Role.DTYPE else ""
    return f"{first} {why or f'What would make {late.name} slower than that: {besides(late.query)}.'}"


def _asked(table: Table) -> Row | None:
    """The one that is said to be slower or faster: the first that is named."""
    text = table.query.question
    named = [s for s in table.query.slots if s.role is table.varied and s.text and not s.inherited]
    named.sort(key=lambda slot: text.find(slot.text))
    of = str(named[0].value) if named and table.varied else ""
    return next((row for row in table.order if table.varied and row.query.text(table.varied) == of), None)


def of_type(query: Query) -> Generator[Call, Record, str]:
    """The share of its time that a smaller type hardly shortens, by kinds of operators."""
    roof = yield call_of(ROOF, query)
    shares: dict[str, float] = roof["op_shares"] or {}
    kept = [op for op in shares if op not in _MULTIPLIED and shares[op] >= _SEEN]
    kept.sort(key=lambda op: -shares[op])
    told = joined(f"{roof.ref(f'op_shares.{op}', '%')} {_called(op, shares)}" for op in kept[:_MOST])
    first = f"Of its time {told} gain little from it, as they move more than they multiply" if told else ""
    if roof["bound"] == "overhead":
        first += f"; {roof.ref('bound_shares.overhead', '%')} is {bound_in(roof)}"
    page = next(one for one in sections_of(_PAGE[0]) if one.heading == _PAGE[1])
    reasons = page.summary.partition(": ")[2].partition(". ")[0] or page.summary
    return f"{first}{'. ' if first else ''}Besides: {reasons} (from {page.place})."


def _called(op: str, shares: dict[str, float]) -> str:
    """An operator by name; the product that squeeze-and-excitation ends with is told as that."""
    gated = op == "MUL" and {"MEAN", "LOGISTIC"} <= set(shares)
    return f"{op} (squeeze-and-excitation)" if gated else op
