"""A camera's picture that stays in RAM beside the network is RAM that others take."""

from __future__ import annotations

from ...tools.core.units import show
from .query import Query, Role, Slot
from .words import entries, patterns

_READS = patterns("pictures_kept")
_BYTES = {kind: float(size) for kind, size in entries("bytes_of_a_pixel").items()}


def with_kept_pictures(query: Query) -> Query:
    """With the bytes of a picture that is kept: width times height times those of a pixel."""
    match = _READS["picture"].search(query.question)
    if match is None or not _READS["kept"].search(query.question) or query.has(Role.TAKEN_BYTES):
        return query
    kind = (match["kind"] or "").casefold().replace("-", "")
    size = next((each for name, each in _BYTES.items() if kind.startswith(name)), _BYTES["rgb565"])
    many = 2 if _READS["double"].search(query.question) else 1
    taken = many * float(match["width"]) * float(match["height"]) * size
    slots = tuple(slot for slot in query.slots if not (slot.role is Role.SIDE and slot.text in match[0]))
    note = f"I took the {match[0]} to be {show(taken, 'bytes')} of RAM, {show(size, 'bytes')} a pixel"
    more = Slot(role=Role.TAKEN_BYTES, value=taken, text=match[0])
    unknown = tuple(name for name in query.unknown if name.text not in match[0])
    return query.model_copy(
        update={"slots": (*slots, more), "notes": (*query.notes, note), "unknown": unknown}
    )
