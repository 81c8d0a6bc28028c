"""A time or rate that was said and that no answer used, beside the one that the answer begins with."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ...patterns import compiled
from ...quantities import Family, Figure
from ..bench import Record
from ..query import Query, Role
from .phrases import joined

_TOLD = compiled(
    r"\{\{(?P<id>r\d+)\.(?P<path>[^{}|/*+()]*?(?P<field>latency_ms|_per_second))(?:\|[^{}]*)?\}\}"
)
_FAMILIES = {Family.TIME: "latency_ms", Family.RATE: "_per_second"}
_ROLES = frozenset((Role.LATENCY_MS, Role.CLAIMED_MS, Role.RATE_HZ, Role.CLAIMED_HZ))
_NEAR = 50.0
"""Times by which a figure may differ that can be about the same thing."""
_MOST_TOLD, _MOST_SAID = 2, 3
_WHERE = {
    (False, False): "neither surely above nor surely below", (True, False): "surely above",
    (False, True): "surely below",
}  # fmt: skip


def set_against(query: Query, answer: str, used: Collection[Role], records: Mapping[str, Record]) -> str:
    """How the figure stands to each that was left out: whichever role that plays, this holds.

    Args:
        answer: with references. Of two figures that it begins with, the second is what a change leads to.
        records: by their names.
    """
    taken = {s.text for s in query.slots if s.role in used or s.role not in _ROLES}
    shown = f"{answer} {' '.join(query.notes)}".casefold()
    left = [
        one
        for one in query.figures
        if one.family in _FAMILIES and one.upper is None and not one.spoken
        if one.text not in taken and one.text.casefold() not in shown
    ]
    told = (_beside(left, family, compiled(r"[;\n]").split(answer)[0], records) for family in _FAMILIES)
    return " ".join(filter(None, told))


def _beside(left: list[Figure], family: Family, first: str, records: Mapping[str, Record]) -> str:
    told = [(one["id"], one["path"]) for one in _TOLD.finditer(first) if one["field"] == _FAMILIES[family]]
    if not 0 < len(dict.fromkeys(told)) <= _MOST_TOLD or told[-1][0] not in records:
        return ""
    record, path = records[told[-1][0]], told[-1][1]
    if (ends := record.ends(path)) is None:
        return ""
    low, high = ends
    where: dict[str, list[str]] = {}
    for one in [one for one in left if one.family is family][:_MOST_SAID]:
        if low / _NEAR <= one.value <= high * _NEAR:
            where.setdefault(_WHERE[one.value < low, one.value > high], []).append(f"*{one.text}*")
    stands = joined(f"{how} {joined(dict.fromkeys(texts))}" for how, texts in where.items())
    return f"{record.ref(path, '~')} lies {stands}." if stands else ""
