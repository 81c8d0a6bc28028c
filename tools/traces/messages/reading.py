"""Figures of memory and the operator out of a message, by the words that stand beside them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...codegen.operators import ADD_METHODS
from .message_report import MessageReport

if TYPE_CHECKING:
    from ...hardware_catalog.pages import TargetPage

_NUMBER = (
    r"(?P<value>\d[\d,]*(?:\.\d+)?)(?:\s*\*\s*(?P<times>1024|1000))?\s*(?P<unit>(?:[kmg]i?b?|bytes?|b)\b)?"
)
_UNITS = {"k": 1024, "m": 1024**2, "g": 1024**3}
_LEAST_WITHOUT_UNIT = 100
"""A smaller number without a unit counts something else."""
_NEEDED = (
    r"(?:needed|needs?|requested|requires?|required|requesting|tried to allocate|(?:sketch|program) uses|"
    rf"\bsize|(?:failed|unable|cannot) (?:to )?allocate)(?: at least| of| is)?\W{{0,3}}{_NUMBER}",
)
_AVAILABLE = (
    rf"(?:available|but only|maximum is|maximum|limit is)\W{{0,3}}{_NUMBER}",
    rf"{_NUMBER}\s+(?:is |was |were )?(?:available|free)\b",
)
_TOTAL = (rf"{_NUMBER} total capacity", rf"total capacity of {_NUMBER}")
_HELD = (rf"{_NUMBER} already allocated", rf"{_NUMBER} memory in use")
_OVERFLOWED = (rf"(?:overflowed by|too (?:large|big|long) by|over by|exceeded by)\W{{0,3}}{_NUMBER}",)
_MISSING = (rf"(?:missing|short (?:of|by))\W{{0,3}}{_NUMBER}",)
_ARENA = (
    rf"arena(?:_?size)?(?: size| of| is| has|\W){{0,3}}{_NUMBER}",
    rf"{_NUMBER}\s+(?:tensor[ _-]?)?arena",
)
_OPERATOR = re.compile(
    r"\b(?:op ?codes?|op|operator|semantics for|node|no kernel for|registration for)\W{1,3}"
    r"(?P<name>[A-Z][A-Z0-9_]{1,40})\b"
)
_METHOD = re.compile(r"(?:MicroMutableOpResolver|[Rr]esolver).{0,12}?(?:::|\.|->)(?P<method>Add[A-Z]\w+)")
_BY_METHOD = {method: name for name, method in ADD_METHODS.items()}


def read_message(text: str, page: TargetPage | None = None) -> MessageReport:
    """What `text` holds, beside the memory of a target."""
    needed, available = _figure(text, _NEEDED), _figure(text, _AVAILABLE)
    total, held = _figure(text, _TOTAL), _figure(text, _HELD)
    if available is None and total is not None and held is not None:
        available = total - held
    overflow, missing = _figure(text, _OVERFLOWED), _figure(text, _MISSING)
    if overflow is None and missing is None and needed is not None and available is not None:
        missing = needed - available if needed > available else None
    arena = _figure(text, _ARENA)
    operator = operator_in(text)
    ram = page.ram_bytes if page else None
    return MessageReport(
        needed_bytes=needed,
        available_bytes=available,
        missing_bytes=missing if overflow is None else overflow,
        arena_bytes=arena,
        least_arena_bytes=arena + missing if arena and missing else None,
        largest_arena_bytes=arena - overflow if arena and overflow and arena > overflow else None,
        operator=operator,
        register_call=f"{ADD_METHODS[operator]}()" if operator in ADD_METHODS else "",
        target=page.id if page else "",
        ram_bytes=ram,
        largest_region_bytes=page.largest_region_bytes if page else None,
        left_bytes=ram - needed if ram is not None and needed is not None else None,
        flash_bytes=page.flash_bytes if page else None,
    )


def operator_in(text: str) -> str:
    """The operator that a lookup did not find, by its name or by the resolver's method; empty without one."""
    for found in _METHOD.finditer(text):
        if found["method"] in _BY_METHOD:
            return _BY_METHOD[found["method"]]
    names = [found["name"] for found in _OPERATOR.finditer(text)]
    return next((name for name in names if name not in ("CUSTOM", "TFLITE")), "")


def _figure(text: str, patterns: tuple[str, ...]) -> int | None:
    """Bytes of the first figure with such words beside it."""
    for pattern in patterns:
        for found in re.finditer(pattern, text, re.IGNORECASE):
            value = float(found["value"].replace(",", "")) * int(found["times"] or 1)
            unit = (found["unit"] or "").casefold()
            if unit or value >= _LEAST_WITHOUT_UNIT:
                return round(value * _UNITS.get(unit[:1], 1))
    return None
