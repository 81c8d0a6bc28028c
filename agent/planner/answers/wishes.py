"""What stands beside a choice: what would be nice as well, and why it is not what somebody asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...pages import Subject
from ...patterns import compiled
from ..bench import Record
from ..query import Query, Role, Slot
from .passages import APT, search, shortened
from .phrases import joined

_NAMED, _MOST_WORDS = 3, 60
_WHY_NOT = compiled(r"\bwhy not\b[^.?!;]*", re.IGNORECASE)


def granted(row: Record, wished: Sequence[Slot]) -> bool:
    """Whether it keeps to what would be nice."""
    most = ((slot.role, 1e3 / slot.number if slot.role is Role.RATE_HZ else slot.number) for slot in wished)
    return all((row.number(_WISHED[role]) or float("inf")) <= limit for role, limit in most)


_WISHED = {
    Role.LATENCY_MS: "latency_ms", Role.RATE_HZ: "latency_ms", Role.ENERGY_UJ: "energy_uj",
    Role.POWER_MW: "power_mw", Role.PRICE_USD: "price_usd", Role.RAM_BYTES: "arena_bytes",
    Role.FLASH_BYTES: "flash_bytes",
}  # fmt: skip


def of_wishes(rows: Sequence[Record], wished: Sequence[Slot]) -> str:
    """Which of them keep to what would be nice as well."""
    if not wished:
        return ""
    words, kept = joined(f"*{slot.text}*" for slot in wished), [row for row in rows if granted(row, wished)]
    if not kept:
        has = rows[0].ref(_WISHED[wished[0].role])
        return f"None of them is known to keep to {words} too; the first has {has}."
    rest = f" and {len(kept) - _NAMED} more" if len(kept) > _NAMED else ""
    shown = joined(row.ref("target") for row in kept[:_NAMED])
    return f"{shown}{rest} keep{'s' if len(kept) == 1 else ''} to {words} too."


def why_not(query: Query) -> str:
    """What a page says against the hardware that a question asks `why not` of."""
    found = _WHY_NOT.search(query.question)
    if found is None or not query.has(Role.WITHOUT):
        return ""
    where = " in a battery device" if "battery" in query.question.casefold() else ""
    pages = search(found[0] + where, 1, APT, (Subject.CONCEPT,))
    return shortened(pages[0], _MOST_WORDS) if pages else ""
