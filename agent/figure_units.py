"""Units as people write them, and what each measures."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from ..hardware_db.kept import toml_in


class Family(StrEnum):
    """What a figure measures, named by the unit that its `value` is in."""

    TIME = "ms"
    RATE = "1/s"
    CLOCK = "MHz"
    BYTES = "B"
    ENERGY = "uJ"
    POWER = "mW"
    CHARGE = "mAh"
    CURRENT = "uA"
    VOLTAGE = "V"
    MONEY = "USD"
    DUTY = "h/day"
    """Hours of a day that it is in use: `4 minutes a day`, `40 h a week`, `5 days a week`."""
    TARIFF = "/kWh"
    """What a kWh costs, in the user's currency."""
    RENT = "/h"
    """What an hour costs, in the user's currency."""
    SPEED = "GOP/s"
    BANDWIDTH = "GB/s"
    PERCENT = "%"
    FACTOR = "x"
    SIDE = "px"
    CELLS = "S"
    """Cells in series of a pack, as in 4S."""
    FOREIGN = "?"
    """Of what nothing here calculates with: a speed, a temperature, a length, a weight."""
    COUNT = ""


_UNITS = toml_in(Path(__file__).parents[1] / "tools/core/written_units.toml")
FACTORS = {
    name: (Family[family], float(factor))
    for family, rows in _UNITS.items()
    for names, factor in rows.items()
    for name in names.split()
}
"""Unit in lower case → what it measures, and how much of the unit of that family it is."""
