"""A power mode that stands in a board's name: an Orin Nano Super runs at the clock of its Super modes."""

from __future__ import annotations

from ...hardware_db.errors import EdgewrightError
from ...hardware_db.loader import load_target
from .query import Query, Role, Slot


def with_named_mode(query: Query) -> Query:
    """With the highest clock of the modes that are called as the last word of the name is."""
    if query.has(Role.CLOCK_MHZ):
        return query
    found = [slot for slot in query.slots if slot.role is Role.TARGET and slot.text and " " in slot.text]
    clocks: list[Slot] = []
    notes: list[str] = []
    for slot in found:
        word = slot.text.split()[-1].casefold()
        if (clock := _clock(str(slot.value), word)) is not None:
            clocks.append(Slot(role=Role.CLOCK_MHZ, value=clock, of=str(slot.value)))
            notes.append(f"I took {slot.text} at {clock:g} MHz, the highest of its {word} modes")
    update = {"slots": (*query.slots, *clocks), "notes": (*query.notes, *notes)}
    return query.model_copy(update=update) if clocks else query


def _clock(name: str, word: str) -> float | None:
    try:
        target = load_target(name)
    except EdgewrightError:
        return None
    modes = [mode for mode in target.power if mode.id.endswith(f"-{word}") and mode.clock_mhz is not None]
    return max((mode.clock_mhz.value for mode in modes if mode.clock_mhz), default=None)
