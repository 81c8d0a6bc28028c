"""How large a solar panel has to be for what runs at a rate."""

from __future__ import annotations

from collections.abc import Sequence

from ...figures import number_in
from ..bench import NOT_KNOWN, Answering, Record, call_of, needed
from ..query import Query, Role, Slot
from ..want import Want
from ..words import patterns
from .energies import averaged_in, not_counted
from .phrases import lines, said, sentence, subject

_SAYS = patterns("panels")
_DAY_H, _MOST_H = 24.0, 24.0


def asks(query: Query) -> bool:
    """Whether the panel itself is asked for, and how many hours of sun there are."""
    placed = query.has(Role.MODEL) and len(set(query.all(Role.TARGET))) == 1
    return placed and bool(_SAYS["asks"].search(query.question)) and 0 < _hours(query) <= _MOST_H


def panel(query: Query, _wants: Sequence[Want]) -> Answering:
    """Its watts: the mean power of the board over the share of the day that the sun shines."""
    hours, sun = _hours(query), _sun(query)
    used = (s for s in query.slots if s.role is Role.HOURS_A_DAY and s.text and s.text.split()[0] in sun)
    query = query.without([Role.HOURS_A_DAY]) if next(used, None) else query
    many = query.number(Role.DEVICES) or 1.0
    rate = (query.number(Role.RATE_HZ) or 0.0) * many
    budget = needed((yield call_of("estimate_energy_budget", query, rate_hz=rate or None)))
    path = averaged_in(budget)
    if not budget.knows(path):
        return sentence(f"{NOT_KNOWN}: {budget.ref('statement')}")
    watts = f"{{{{{budget.id}.{path}*{_DAY_H / hours:.6g}|~}}}}"
    least = "" if path == "average_power_mw" else f"At least that, {not_counted(budget)}."
    pace = f", at {said(query, Role.RATE_HZ)}" if rate else ", nonstop"
    return lines(
        f"A panel of {watts}, before the losses of charging and for average days: it has {sun} a day "
        f"for the {budget.ref(path, '~')} that {subject(query, budget)} takes on average{pace}.",
        least,
    )


def named(query: Query) -> Slot | None:
    """The watts of a panel whose hours of sun are not said, which nothing may exceed."""
    limits = (slot for slot in query.slots if slot.role is Role.POWER_MW and "/" not in slot.text)
    return next((slot for slot in limits if slot.text and _of_a_panel(query.question, slot.text)), None)


def _of_a_panel(question: str, watts: str) -> bool:
    return any(watts in found[0] for found in _SAYS["watts"].finditer(question))


def sun_for(query: Query, row: Record) -> str:
    """How long the sun has to shine on such a panel each day for what never rests; empty where unknown."""
    panel = named(query)
    if panel is None or not row.knows("power_mw"):
        return ""
    hours = f"{{{{{_DAY_H:g}h*{row.id}.power_mw/{panel.value:g}mW|h~}}}}"
    return (
        f"The *{panel.text}* are for full sun: {row.ref('target')} takes {hours} of it a day where it "
        "computes day and night, before the losses of charging."
    )


def _sun(query: Query) -> str:
    match = _SAYS["sun"].search(query.question)
    assert match is not None
    return match[0] if "sun" in match[0].casefold() else f"{match[0]} of sun"


def _hours(query: Query) -> float:
    match = _SAYS["sun"].search(query.question)
    return number_in(match["hours"].casefold()) if match else 0.0
