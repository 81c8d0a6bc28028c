"""How many boards are wanted, and what one may cost where the money is for all of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..patterns import compiled
from ..quantities import Family, Figure
from .query import Query, Role, Slot
from .want import Want
from .words import patterns

_READS = patterns("pieces")
_FEWEST, _PAIR = 2.0, 2.0
_CHOOSES = frozenset((Want.RECOMMEND, Want.CHEAPEST))
_COUNTED = (Role.DEVICES, Role.BATCH, Role.RUNS, Role.CELLS, Role.CARDS)
"""What a number of pieces may be taken for."""
_MANY, _THOSE = 10.0, compiled(r"\b(?:the|these|those|all|both|of)\s*$", re.IGNORECASE)
"""So few may be those that are spoken of: which of the three boards."""
_TO_NAME = compiled(
    r"\s?(?:x|×|of (?:the |these |those )?|pcs\.? |pieces of )?\s?"
    r"(?:(?!(?:on|with|at|in|for|vs|and|or)\b)\w+ )?$",
    re.IGNORECASE,
)


def with_pieces(query: Query, figures: Sequence[Figure]) -> Query:
    """With how many are wanted; a budget for all of them is so much for each."""
    query = _of_each_piece(query)
    text, targets = query.question, [s.text for s in query.slots if s.role is Role.TARGET and s.text]
    counts = [f for f in figures if f.family is Family.COUNT and f.value >= _FEWEST and f.unit in ("", "k")]
    found = next((one for one in counts if _is_of_pieces(text, one, targets)), None)
    counted = _COUNTED if found is None or found.value >= _MANY else set(_COUNTED) - {Role.CARDS}
    free = found is not None and all(s.role in counted for s in query.slots if s.text == found.text)
    free = free and not (query.says(Role.CELLS) and query.says(Role.BATTERY))
    if found is None or not free or query.has(Role.PLACES):
        return query
    pairs = _READS["of_pairs"].search(text) is not None
    many = found.value // _PAIR if pairs else found.value
    slots = [s for s in query.slots if not (s.text == found.text and s.role in _COUNTED)]
    shared = any(s.role is Role.DEVICES for s in slots)
    slots.append(Slot(role=Role.CARDS if shared else Role.PIECES, value=many, text=found.text))
    unread = tuple(said for said in query.unread if said != found.text)
    query = query.model_copy(update={"slots": tuple(slots), "unread": unread})
    money = [s for s in slots if s.role is Role.PRICE_USD]
    if len(money) != 1 or not _CHOOSES & set(query.wants) or not _READS["in_all"].search(text):
        return query
    each = money[0].model_copy(update={"value": money[0].number / many})
    note = f"I took {money[0].text} as what all {many:g} may cost together, {each.number:.4g} each"
    kept = tuple(s for s in query.slots if s is not money[0])
    return query.model_copy(update={"slots": (*kept, each), "notes": (*query.notes, note)})


def _of_each_piece(query: Query) -> Query:
    """So many boards, of which each does what is told of a unit, are pieces that share nothing."""
    if not _READS["per_piece"].search(query.question):
        return query
    slots = tuple(
        slot.model_copy(update={"role": Role.PIECES, "of": ""})
        if slot.role is Role.CARDS and slot.of
        else slot
        for slot in query.slots
    )
    return query.model_copy(update={"slots": slots})


def _is_of_pieces(text: str, figure: Figure, targets: Sequence[str]) -> bool:
    behind = text[figure.end :]
    if figure.value < _MANY and _THOSE.search(text[: figure.start]):
        return False
    if _READS["ordered_before"].search(text[: figure.start]) or _READS["behind"].match(behind):
        return True
    return any(name in behind and _TO_NAME.fullmatch(behind[: behind.index(name)]) for name in targets)
