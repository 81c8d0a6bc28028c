"""What figures measure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Family(StrEnum):
    """What a figure measures, named by the base unit."""

    TIME = "s"
    RATE = "1/s"
    FREQUENCY = "Hz"
    BYTES = "B"
    BANDWIDTH = "B/s"
    ENERGY = "J"
    POWER = "W"
    CURRENT = "A"
    CHARGE = "Ah"
    VOLTAGE = "V"
    MONEY = "USD"
    OTHER_MONEY = "money"
    INTENSITY = "FLOP/byte"
    THROUGHPUT = "op/s"
    MACS = "MAC"
    MACS_PER_CYCLE = "MAC/cycle"
    BYTES_PER_CYCLE = "B/cycle"
    CURRENT_PER_CLOCK = "A/Hz"
    PARAMETERS = "parameter"
    OPERATORS = "operator"
    CYCLES = "cycle"
    PIECES = "piece"
    RATIO = "ratio"
    DECIBEL = "dB"
    INDEX = "index"
    BARE = "1"


@dataclass(frozen=True)
class Reading:
    """One way to understand a unit: `factor` base units of `family`."""

    family: Family
    factor: float


BARE = Reading(Family.BARE, 1.0)
