"""What several cells hold together: their name, charge, energy and volts."""

from __future__ import annotations

import re

from ...hardware_db.batteries import Battery, resolve_battery
from ...hardware_db.errors import EdgewrightError
from ..core.records import dataclass, replace

MOST_IN_SERIES = 9
_CELLS = re.compile(
    r"(?<=[ACDV])[- ](?:cells?|batter\w+|alkalines?|lithium)\b|^(?:lithium|alkaline)[- ](?=A)", re.IGNORECASE
)
_MANY = re.compile(r"(?:[- ](?:cells?|batter\w+)|s)$", re.IGNORECASE)
_OF_SEVERAL_V, _HIGHEST_CELL_V = 1.25, 3.7
"""Beyond so many times the volts of a cell they are of several."""


@dataclass(frozen=True)
class Pack:
    """A battery as somebody says it, then as `estimate_energy_budget` takes it."""

    name: str = ""
    cells: float = 1.0
    mah: float | None = None
    wh: float | None = None
    volts: float | None = None
    words: str = ""
    """How it is called."""
    holds: str = ""
    """How its charge or energy is called."""
    note: str = ""
    """What of it is not known."""


def packed(
    said: Pack,
    *,
    series: float | None = None,
    in_series: bool = False,
    aside: bool = False,
    of_all: bool = False,
) -> Pack:
    """The cells one after the other, which keep the charge of one and add their volts, or side by side.

    Args:
        said: the battery, with the charge or energy of one cell.
        series: cells in series, where it is said how many: 4S.
        in_series: that all of them are, where that is said; volts are those of all then.
        aside: that they are side by side, where that is said.
        of_all: that charge and energy are those of all cells.
    """
    name, own = said.name or ("lipo" if series else ""), said.mah is not None or said.wh is not None
    aside = aside or said.cells > MOST_IN_SERIES
    if not name:
        return _of_all_cells(said, 0.0, in_series=in_series, aside=aside, of_all=of_all)
    spelt = (name, _MANY.sub("", name), _CELLS.sub("", name).strip().removesuffix("s"))
    cell = next(filter(None, map(_resolved, spelt)), None)
    if cell is None:
        note = "" if own else f"I have no cited capacity of {name}: give it in mAh"
        unnamed = replace(said, name="", note=note)
        return _of_all_cells(unnamed, 0.0, in_series=in_series, aside=aside, of_all=of_all)
    words, many = said.words or cell.name, said.cells
    if cell.capacity_mah is None and not own:
        return replace(said, name="", note=f"a {cell.name} comes in every size: give its capacity in mAh")
    named = replace(said, name=cell.id, words=words)
    volts = cell.nominal_v.value
    found = _of_all_cells(named, volts, in_series=in_series, aside=aside, of_all=of_all)
    if series:
        found = replace(found, volts=series * cell.nominal_v.value)
    if many > 1 and cell.capacity_mah is not None and not own:
        if aside:
            return replace(
                found, words=f"{many:.0f} {words} side by side", mah=many * cell.capacity_mah.value
            )
        return replace(found, name=f"{many:.0f}x {cell.id}", words=f"{many:.0f} x {words}")
    return found


def _resolved(name: str) -> Battery | None:
    try:
        return resolve_battery(name)[0]
    except EdgewrightError:
        return None


def _of_all_cells(said: Pack, nominal_v: float, *, in_series: bool, aside: bool, of_all: bool) -> Pack:
    """Of what is said of each cell; `nominal_v` of one is 0 where that is not known."""
    one, volts = said.wh if said.mah is None else said.mah, said.volts or 0.0
    if said.cells <= 1 or one is None or of_all:
        return said
    words, many = f"{said.cells:.0f} x {said.holds}", said.cells
    of_several = volts > _OF_SEVERAL_V * (nominal_v or _HIGHEST_CELL_V)
    if said.mah is not None and not aside and (of_several or (in_series and volts and not nominal_v)):
        return replace(said, cells=1.0, holds=said.holds if in_series else words, volts=volts)
    if said.mah is not None and not aside and nominal_v and (in_series or not volts):
        return replace(said, cells=1.0, holds=words, volts=many * nominal_v)
    if said.mah is None:
        return replace(said, cells=1.0, holds=words, wh=many * one)
    return replace(said, cells=1.0, holds=words, mah=many * one)
