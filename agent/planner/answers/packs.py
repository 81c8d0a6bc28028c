"""The battery that a question names, as the tools take it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ....hardware_db.later import Later
from ...patterns import compiled
from ..bench import Record
from ..query import CELLS, Query, Role
from .phrases import said, sentence

if TYPE_CHECKING:
    from ....tools.energy import pack
else:
    pack = Later("....tools.energy.pack", __package__)


def sized(query: Query) -> tuple[Query, str]:
    """The battery as the tools take it, and what of it is not known."""
    holds = next((role for role in (Role.CHARGE_MAH, Role.BATTERY_WH) if query.has(role)), Role.CHARGE_MAH)
    volts, name = query.number(Role.BATTERY_V), query.text(Role.BATTERY)
    cells = pack.Pack(
        name, query.number(Role.CELLS) or 1.0, query.number(Role.CHARGE_MAH), query.number(Role.BATTERY_WH),
        volts, said(query, Role.BATTERY), said(query, holds),
    )  # fmt: skip
    turns = (query, *reversed(query.established))
    words = next((one.question.casefold() for one in turns if one.says(Role.CELLS, *CELLS)), "")
    found = pack.packed(
        cells,
        series=query.number(Role.SERIES),
        in_series="in series" in words,
        aside="parallel" in words,
        of_all=bool(_OF_ALL.search(words)) and "each" not in words,
    )
    query = (
        query.put(Role.BATTERY, found.name, text=found.words) if found.name else query.without([Role.BATTERY])
    )
    query = query.put(Role.BATTERY_V, found.volts) if found.volts and found.volts != volts else query
    query = query.without([Role.CELLS]) if found.cells != cells.cells else query
    for role, value in ((Role.CHARGE_MAH, found.mah), (Role.BATTERY_WH, found.wh)):
        if value is not None:
            query = query.put(role, value, text=found.holds)
    return query, found.note


_OF_ALL = compiled(r"\b(?:packs?|together|in all|in total|altogether)\b", re.I)


_HIGHER = 1.2
"""Times the voltage that a figure is told at, from which on a cell gives clearly more."""


def at_their_supply(lives: Mapping[str, Record]) -> str:
    """Why a battery gives more than the energy that is told, where that is of a lower voltage.

    Args:
        lives: by the names of what lasts so long.
    """
    told = []
    for name, record in lives.items():
        own, cell = record.number("power.supply_v"), record.number("battery.nominal_v")
        if own and cell and cell > _HIGHER * own:
            own_v, cell_v = record.ref("power.supply_v"), record.ref("battery.nominal_v")
            times = f"{{{{{record.id}.battery.nominal_v/{record.id}.power.supply_v|x}}}}"
            at = f"the energy of {name} is told at {own_v}"
            told.append(f"{at}: from {cell_v} its current takes {times} of it")
    return sentence("; ".join(told)) if told else ""
