"""Batteries by name: capacity, voltage and self-discharge, each from a source that was read."""

import functools
import re
from pathlib import Path

from ..cited import Closed, Leaf, Source
from ..errors import UnknownNameError, UsageError, nearest
from ..kept import yaml_in
from ..names import folded

FILE = Path(__file__).parent / "batteries.yaml"
_CHARGE = re.compile(r"(?<![\w.])(?<!\d,)(\d{1,6}(?:[.,]\d+)?) ?(m?)ah\b", re.IGNORECASE)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}$)")


class Battery(Closed):
    id: str
    name: str
    aliases: tuple[str, ...] = ()
    capacity_mah: Leaf[float] | None = None
    """Rated; None for a kind of cell that comes in every size."""
    nominal_v: Leaf[float]
    self_discharge_per_month: Leaf[float] | None = None
    """Share of the capacity, 0 to 1."""
    pulse_ma: Leaf[float] | None = None
    """The most that it gives in pulses of milliseconds to seconds."""
    shelf_life_years: Leaf[float] | None = None
    """How long it can be used, drawn from or not."""


class Batteries(Closed):
    sources: dict[str, Source]
    batteries: tuple[Battery, ...]


@functools.cache
def load_batteries() -> Batteries:
    return Batteries.model_validate(yaml_in(FILE))


def resolve_battery(name: str) -> tuple[Battery, float | None]:
    """The battery that a name means, and the capacity in mAh that the name itself tells: "LiPo 500 mAh".

    Raises:
        UnknownNameError: no battery of that name whose figures are known.
    """
    bare, stated = without_charge(name)
    key = folded(bare)
    spelt = {folded(text): b for b in load_batteries().batteries for text in (b.id, b.name, *b.aliases)}
    if key in spelt:
        return spelt[key], stated
    known = [battery.id for battery in load_batteries().batteries]
    raise UnknownNameError(
        "battery",
        name,
        nearest(key, known),
        hint=f"Known: {', '.join(known)}. Of any other give the capacity and the voltage: 230 mAh 3 V.",
    )


def without_charge(name: str) -> tuple[str, float | None]:
    """("LiPo", 500.0) of "LiPo 500 mAh": the name, and the capacity in mAh that it tells.

    Raises:
        UsageError: a capacity of nothing.
    """
    found = _CHARGE.search(name)
    if found is None:
        return name, None
    figure = float(_THOUSANDS.sub("", found[1]).replace(",", "."))
    if figure == 0:
        raise UsageError(f"A battery of {name!r} holds nothing.", hint="Give its capacity above zero.")
    return _CHARGE.sub("", name), figure * (1 if found[2] else 1000)
