"""A number alone in a later turn: it takes the place of a figure that was spoken of."""

from __future__ import annotations

from ..asked_unit import price_in
from ..quantities import Family, find_figures
from .factors import factor_in
from .query import Query, Role, Slot
from .subject import SUBJECTS
from .writing import counts_text


def _without_odd_side(query: Query, earlier: Query) -> Query:
    """A number alone that no input is wide is none, where no width was spoken of: `and if it is 2000?`"""
    odd = [s for s in query.slots if s.role is Role.SIDE and s.text.isdigit() and s.number % _OF_SIDES]
    if len(odd) != 1 or query.unread or earlier.has(Role.SIDE):
        return query
    return query.without([Role.SIDE]).model_copy(update={"unread": (odd[0].text,)})


_OF_SIDES = 32
"""Networks halve their input five times."""


def with_number(query: Query, earlier: Query) -> Query:
    """`And at 20?` after 10 fps: a number alone takes the place and the unit of the last figure."""
    figures = (slot for slot in earlier.slots if slot.text[:1].isdigit() and isinstance(slot.value, float))
    before = [slot for slot in figures if slot.role is not Role.SOUND_MS]
    own = [slot for slot in before if not slot.inherited]
    query = _without_odd_side(query, earlier) if before else query
    numbers = [figure for figure in find_figures(" ".join(query.unread)) if figure.family is Family.COUNT]
    if len(query.unread) != 1 or len(numbers) != 1 or not before or query.says(*SUBJECTS, Role.RUNTIME):
        return query
    if factor_in(query.question) or counts_text(query.question) or price_in(query.question):
        return query
    last = own[-1] if own else before[0]
    written = next(iter(find_figures(last.text)), None)
    if written is None or not written.written:
        return query
    value, text = numbers[0].value, numbers[0].text
    if not numbers[0].unit:
        value *= last.number / written.written
        text = f"{text} {last.text.removeprefix(f'{written.written:g}').strip()}"
    slots = (*query.slots, Slot(role=last.role, value=value, text=text))
    return query.model_copy(update={"slots": slots, "unread": ()})
