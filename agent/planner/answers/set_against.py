"""A time or rate that was said and that no answer used, beside the one that the answer begins with."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping

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
_SETTINGS = (Role.DTYPE, Role.RUNTIME)
_CLAIMED = frozenset((Role.CLAIMED_MS, Role.CLAIMED_HZ))
_AGREES = "agrees with"
_ROUNDED = 0.005
"""A figure that differs by no more is the estimate itself, as it was told."""
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
    first = compiled(r"[;\n]").split(answer)[0]
    told = (_beside(query, left, family, first, records) for family in _FAMILIES)
    return " ".join(filter(None, told))


def _beside(
    query: Query, left: list[Figure], family: Family, first: str, records: Mapping[str, Record]
) -> str:
    told = [(one["id"], one["path"]) for one in _TOLD.finditer(first) if one["field"] == _FAMILIES[family]]
    if not 0 < len(dict.fromkeys(told)) <= _MOST_TOLD or told[-1][0] not in records:
        return ""
    record, path = records[told[-1][0]], told[-1][1]
    where: dict[str, dict[str, list[str]]] = {}
    measured = {slot.text for slot in query.slots if slot.role in _CLAIMED}
    for one in [one for one in left if one.family is family][:_MOST_SAID]:
        of, setting = _measured(query, one, record, records.values())
        if math.isclose(one.value, of.number(path) or 0.0, rel_tol=_ROUNDED):
            return f"*{one.text}* is that estimate."
        if (ends := of.ends(path)) and ends[0] / _NEAR <= one.value <= ends[1] * _NEAR:
            inside = ends[0] <= one.value <= ends[1] and one.text in measured
            how = _AGREES if inside else _WHERE[one.value < ends[0], one.value > ends[1]]
            about = f"{of.ref(path, '~')}{setting}{'' if inside else ' lies'}"
            where.setdefault(about, {}).setdefault(how, []).append(f"*{one.text}*")
    return " ".join(
        f"{about} {joined(f'{how} {joined(dict.fromkeys(texts))}' for how, texts in stands.items())}."
        for about, stands in where.items()
    )


def _measured(query: Query, figure: Figure, told: Record, records: Iterable[Record]) -> tuple[Record, str]:
    """What was estimated with the setting named nearest to the figure: 28 ms with fp16, and in int8?"""
    rows = [one for one in records if one.name == told.name]
    near: list[tuple[int, Record, str]] = []
    for slot in query.slots:
        at = query.question.find(slot.text) if slot.text and slot.role in _SETTINGS else -1
        own = [one for one in rows if slot.value in _settings(one)]
        if at >= 0 and 0 < len(own) < len(rows):
            apart = max(at - figure.end, figure.start - at - len(slot.text))
            near.append((apart, own[0], str(slot.value)))
    _, of, setting = min(near, key=lambda one: one[0], default=(0, told, ""))
    return (of, f" with {setting}") if setting and setting not in _settings(told) else (told, "")


def _settings(record: Record) -> Collection[str]:
    return [str(record.arguments.get(name)) for name in ("runtime", "dtype")]
