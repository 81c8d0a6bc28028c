"""How long a battery lasts with what the network listens or looks with, which mostly draws more than it."""

from __future__ import annotations

import re
from collections.abc import Generator

from ....hardware_db.sensors import load_sensors
from ..bench import Call, Record, call_of
from ..query import Query, Role
from ..words import patterns, spoken_in_turn
from .phrases import figure

LIFE = "battery.life_days"
_BUDGET, _ON_S, _OFTEN_HZ, _DAYS = "estimate_energy_budget", 1.0, 0.5, 730
"""The time on that is told where the rate leaves so much between two inferences."""
_OF_NETWORKS = patterns("senses_of_networks")


def named(query: Query) -> str:
    """The part that listens or looks as it is named, now or before, by its name first; else empty."""
    known = load_sensors()
    words = {one.name: one.name for one in known.sensors}
    words |= {word: kind for kind, of in known.kinds.items() for word in (kind, *of) if word != "motion"}
    said = "\n".join(turn.question for turn in (*query.established, query))
    own = r"(?<!no )(?<!without )(?<!without a )\b{}\b"
    return next((part for word, part in words.items() if re.search(own.format(word), said, re.I)), "")


def sensor_of(query: Query) -> str:
    """What is named, else the kind that is said, now or before, else the one that such a network is for."""
    if part := named(query):
        return part
    for turn in (query, *reversed(query.established)):
        if said := spoken_in_turn(turn.question, "senses"):
            return said[0]
    name = query.text(Role.MODEL).casefold()
    return next((kind for kind, names in _OF_NETWORKS.items() if names.search(name)), "")


def lives(query: Query, alone: Record) -> Generator[Call, Record, tuple[str, str, Record | None]]:
    """The life with that sensor on all the time and for a second of each run, in words; the first's record.

    Args:
        alone: the budget of the chip.
    """
    chip = query.targets.get(str(alone.arguments["target"]))
    kind = sensor_of(query)
    if not kind or chip is None or chip.target_class != "mcu" or alone.number("sensor_power_mw"):
        return "", "", None
    always = yield call_of(_BUDGET, query, sensor=kind)
    if not always.knows(LIFE):
        return "", "", None
    rate = query.number(Role.RATE_HZ)
    told = ""
    if rate and rate < _OFTEN_HZ:
        each = yield call_of(_BUDGET, query, sensor=kind, sensor_on_s=_ON_S)
        told = f"for {_ON_S:g} s of each inference {_lasts(each)}"
    return f"{always_on(always)} {_lasts(always)}", told, always


def always_on(always: Record) -> str:
    """`with a microphone (such as MP34DT05) of 650 µA on all the time`, from the words of the record."""
    what = str(always["sensor"]).partition(" on ")[0]
    return f"with {what} of {always.ref('sensor_draws')} on all the time"


def _lasts(record: Record) -> str:
    return figure(record, LIFE, "days" if (record.number(LIFE) or 0) < _DAYS else "years", basis=False)
