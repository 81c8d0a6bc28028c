"""A figure of the message that no slot took, held against the figure of its kind that the answer shows."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence

from ....tools.core.paths import PathError, resolve
from ...answer import ToolCallRecord
from ...quantities import Family, find_figures
from ..query import LIMITS, Query, Role

_FIELDS: Mapping[Family, tuple[tuple[str, float], ...]] = {
    Family.TIME: (("latency_ms", 1.0),),
    Family.RATE: (("inferences_per_second", 1.0), ("tokens_per_second", 1.0)),
    Family.ENERGY: (("energy_uj", 1.0),),
    Family.POWER: (("power_mw", 1.0), ("average_power_mw", 1.0)),
}
"""Family of a figure → the fields that are of it, and what its value is multiplied by."""
_REFERENCE = re.compile(r"\{\{(?P<id>r\d+)\.(?P<path>[^}|]+)(?:\|[^}]*)?\}\}")
_FAR = 1_000.0


def held_against(query: Query, answer: str, records: Sequence[ToolCallRecord], used: Container[Role]) -> str:
    """For each such figure one sentence; empty where none is left or the answer shows nothing of its kind.

    Args:
        used: roles that went into calls.
    """
    results = {record["id"]: record["result"] for record in records if record["result"]}
    roles = [role for role in LIMITS if role not in used]
    limits = (slot.text for slot in query.slots if slot.role in roles and slot.text and not slot.inherited)
    left = (text for text in dict.fromkeys((*query.unread, *limits)) if text not in answer)
    return " ".join(filter(None, (_sentence(text, answer, results) for text in left)))


def _sentence(text: str, answer: str, results: Mapping[str, Mapping[str, object]]) -> str:
    figures = find_figures(text)
    fields = _FIELDS.get(figures[0].family, ()) if len(figures) == 1 else ()
    for field, factor in fields:
        shown = _shown(answer, field, results)
        if shown is None:
            continue
        reference, value, low, high = shown
        own = figures[0].value * factor
        if not own or not value or max(own / value, value / own) > _FAR:
            return ""
        side = "more" if own > value else "less"
        inside = ", though inside its interval" if low <= own <= high and low < high else ""
        return f"*{text}* is {side} than {reference}{inside}."
    return ""


def _shown(
    answer: str, field: str, results: Mapping[str, Mapping[str, object]]
) -> tuple[str, float, float, float] | None:
    """The first reference to a field of this name, with its value and interval."""
    for match in _of_field(answer, field):
        try:
            found = resolve(match["path"], results.get(match["id"], {}))
        except PathError:
            continue
        if isinstance(found.value, int | float):
            value = float(found.value)
            low = value if found.low is None else found.low
            return match[0], value, low, value if found.high is None else found.high
    return None


def _of_field(answer: str, field: str) -> Iterable[re.Match[str]]:
    return (m for m in _REFERENCE.finditer(answer) if m["path"].rpartition(".")[2] == field)


__all__ = ["held_against"]
