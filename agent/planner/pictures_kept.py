"""Pictures that stay in RAM beside the network are RAM that others take."""

from __future__ import annotations

from ...tools.core.units import show
from ..figures import PICTURES, number_in
from .query import Query, Role, Slot
from .words import entries, patterns

_READS = patterns("pictures_kept")
_BYTES = {kind: float(size) for kind, size in entries("bytes_of_a_pixel").items()}
_USUAL = "rgb565"


def with_kept_pictures(query: Query) -> Query:
    """With the bytes of pictures that are kept: how many, times width, height and bytes of a pixel."""
    text = query.question
    size, kind = _READS["size"].search(text), _READS["kind"].search(text)
    if size is None or not (_READS["kept"].search(text) and _READS["frames"].search(text)):
        return query
    if query.has(Role.TAKEN_BYTES) or not (kind or _READS["buffer"].search(text)):
        return query
    called = (size["called"] or "").casefold()
    width, height = PICTURES[called] if called else (float(size["width"]), float(size["height"]))
    name = (kind[0] if kind else _USUAL).casefold().replace("-", "")
    of_pixel = next(each for of, each in _BYTES.items() if name.startswith(of))
    said = _READS["many"].search(text)
    many = 2.0 if _READS["double"].search(text) else number_in(said["many"].casefold()) if said else 1.0
    words = f"{many:g} x {size[0]}" if many > 1 else size[0]
    taken = many * width * height * of_pixel
    note = f"I took {words} {name} to be {show(taken, 'bytes')} of RAM, {show(of_pixel, 'bytes')} a pixel"
    counted = said["many"] if said else ""
    slots = [s for s in query.slots if not (s.role is Role.SIDE and s.text in size[0])]
    slots = [s for s in slots if not (counted and s.text == counted)]
    return query.model_copy(
        update={
            "slots": (*slots, Slot(role=Role.TAKEN_BYTES, value=taken, text=f"{words} {name}")),
            "notes": (*query.notes, note),
            "unknown": tuple(one for one in query.unknown if one.text.casefold() not in name),
            "unread": tuple(one for one in query.unread if one != counted),
        }
    )
