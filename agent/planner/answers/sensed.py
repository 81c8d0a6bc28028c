"""How long a battery lasts with what the network listens or looks with, which mostly draws more than it."""

from __future__ import annotations

from collections.abc import Generator

from ..bench import Call, Record, call_of
from ..query import Query, Role
from ..words import patterns, spoken_in_turn
from .phrases import figure

LIFE = "battery.life_days"
_BUDGET, _ON_S, _OFTEN_HZ = "estimate_energy_budget", 1.0, 0.5
"""The time on that is told where the rate leaves so much between two inferences."""
_OF_NETWORKS = patterns("senses_of_networks")


def sensor_of(query: Query) -> str:
    """The kind that is said, now or before, else the one that such a network is for; empty for none."""
    for turn in (query, *reversed(query.established)):
        if said := spoken_in_turn(turn.question, "senses"):
            return said[0]
    name = query.text(Role.MODEL).casefold()
    return next((kind for kind, names in _OF_NETWORKS.items() if names.search(name)), "")


def lives(query: Query, alone: Record) -> Generator[Call, Record, tuple[str, Record | None]]:
    """The life with that sensor on, in words, and the record of it on all the time.

    Args:
        alone: the budget of the chip.
    """
    chip = query.targets.get(str(alone.arguments["target"]))
    kind = sensor_of(query)
    if not kind or chip is None or chip.target_class != "mcu" or alone.number("sensor_power_mw"):
        return "", None
    always = yield call_of(_BUDGET, query, sensor=kind)
    if not always.knows(LIFE):
        return "", None
    rate = query.number(Role.RATE_HZ)
    told = f"with {_called(always)} {spelt(always)}"
    if rate and rate < _OFTEN_HZ:
        each = yield call_of(_BUDGET, query, sensor=kind, sensor_on_s=_ON_S)
        told += f", {spelt(each, of_each=True)}"
    return told, always


def spelt(record: Record, *, of_each: bool = False) -> str:
    """What it draws on and for how long it is, and the life with it."""
    on = (
        f"for {_ON_S:g} s of each inference"
        if of_each
        else f"of {record.ref('sensor_draws')} on all the time"
    )
    return (
        f"{on} {figure(record, LIFE, 'days' if (record.number(LIFE) or 0) < _DAYS else 'years', basis=False)}"
    )


_DAYS = 730


def _called(record: Record) -> str:
    """`a microphone (such as MP34DT05)`, from the words of the record."""
    return str(record["sensor"]).partition(" on ")[0]
