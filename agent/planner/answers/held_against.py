"""A figure of the message that no slot took, held against the figure of its kind that the answer shows."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence

from ....tools.core.paths import PathError, resolve
from ...answer import ToolCallRecord
from ...quantities import Family, find_figures
from ..query import LIMITS, Query, Role

_FIELDS: Mapping[Family, tuple[str, ...]] = {
    Family.TIME: ("latency_ms",), Family.RATE: ("inferences_per_second", "tokens_per_second"),
    Family.ENERGY: ("energy_uj",), Family.POWER: ("power_mw", "average_power_mw"),
}  # fmt: skip
"""Family of a figure → the fields that are of it, in its unit."""
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
    for match in _REFERENCE.finditer(answer):
        if match["path"].rpartition(".")[2] not in fields:
            continue
        try:
            found = resolve(match["path"], results.get(match["id"], {}))
        except PathError:
            continue
        own, value = figures[0].value, found.value
        if not isinstance(value, int | float) or not own or not 1 / _FAR <= value / own <= _FAR:
            return ""
        low, high = found.low, found.high
        inside = low is not None and high is not None and low <= own <= high and low < high
        within = ", though inside its interval" if inside else ""
        return f"*{text}* is {'more' if own > value else 'less'} than {match[0]}{within}."
    return ""
