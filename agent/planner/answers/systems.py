"""What an operating system or a radio stack takes beside a network, where a question speaks of one."""

from __future__ import annotations

import re
from collections.abc import Generator

from ....hardware_db.systems import systems_in
from ...patterns import compiled
from ..bench import Call, Record, call_of
from ..query import Query, Role, Slot
from .templates import put

_UNKNOWN = compiled(r"\b(?:threadx|rt-?thread|nuttx|embos|riot|contiki|rtos|lorawan|zigbee|lwip)\b", re.I)


def beside(query: Query) -> Generator[Call, Record, tuple[Query, str]]:
    """The query with what they take or leave, and that in words; what the user says it takes goes first."""
    if query.has(Role.TAKEN_BYTES) or query.says(Role.RAM_BYTES) or not query.has(Role.TARGET):
        return query, ""
    told, text = [], query.question
    for slot in query.slots:
        text = text.replace(slot.text, " ") if slot.role is Role.TARGET and slot.text else text
    for name in systems_in(text, query.text(Role.TARGET)):
        share = yield call_of("system_share", query, system=name)
        if left := share.number("leaves_bytes"):
            check = yield call_of("check_constraints", query)
            room = check.number("checks[ram].bound")
            words = f"what {share['system']} leaves"
            query = query.put(Role.RAM_BYTES, left, text=words) if room and left < room else query
            told.append(put("{system} leaves {leaves_bytes} of RAM free ({what}); {on_top}.", share))
        elif share.result is not None:
            taken = ((Role.TAKEN_BYTES, "ram_bytes"), (Role.TAKEN_FLASH_BYTES, "flash_bytes"))
            slots = tuple(
                Slot(role=role, value=number, text=str(share["system"]))
                for role, field in taken
                if (number := share.number(field))
            )
            query = query.model_copy(update={"slots": (*query.slots, *slots)})
            takes = "{system} by itself takes at least {ram_bytes} of RAM[ and {flash_bytes} of flash] "
            told.append(put(f"{takes}({{what}}); {{on_top}}.", share))
    if not told and (unknown := _UNKNOWN.search(query.question)):
        told.append(
            f"Not counted: what {unknown[0]} takes, which I have no figure of; say it, such as *20 KB*."
        )
    return query, " ".join(told)
