"""What a unit measures, as powers of time, memory, energy, current, money, level, temperature and length.

A dimension's own unit is a product of ms, bytes, uJ, uA, USD, dB, °C and m, so that 1 uJ per ms is the mW
that results hold, and a count or a ratio has none.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

from ...hardware_db.errors import InputError, nearest
from .units import UNIT_FAMILIES


class Dimension(NamedTuple):
    time: int = 0
    memory: int = 0
    energy: int = 0
    current: int = 0
    money: int = 0
    level: int = 0
    temperature: int = 0
    length: int = 0

    def times(self, other: Dimension) -> Dimension:
        return Dimension(*(a + b for a, b in zip(self, other, strict=True)))

    def over(self, other: Dimension) -> Dimension:
        return Dimension(*(a - b for a, b in zip(self, other, strict=True)))

    def __str__(self) -> str:
        return _WORDS.get(self) or " ".join(
            f"{name}^{power}" if power != 1 else name
            for name, power in zip(self._fields, self, strict=True)
            if power
        )


NONE = Dimension()
TIME = Dimension(time=1)
RATE = Dimension(time=-1)
_OWN: dict[str, tuple[Dimension, float]] = {
    "ms": (TIME, 1.0),
    "1/s": (RATE, 1e-3),
    "B": (Dimension(memory=1), 1.0),
    "uJ": (Dimension(energy=1), 1.0),
    "mW": (Dimension(energy=1, time=-1), 1.0),
    "uA": (Dimension(current=1), 1.0),
    "mAh": (Dimension(current=1, time=1), 3.6e9),
    "V": (Dimension(energy=1, current=-1, time=-1), 1e-3),
    "MHz": (RATE, 1e3),
    "GOP/s": (RATE, 1e6),
    "GB/s": (Dimension(memory=1, time=-1), 1e6),
    "FLOP/byte": (Dimension(memory=-1), 1.0),
    "USD": (Dimension(money=1), 1.0),
    "dB": (Dimension(level=1), 1.0),
    "°C": (Dimension(temperature=1), 1.0),
    "m": (Dimension(length=1), 1.0),
    "": (NONE, 1.0),
    "1": (NONE, 1.0),
}
"""A unit of each family → its dimension, and how many of the dimension's own unit it is."""
_WORDS = {
    NONE: "a plain number",
    TIME: "a time",
    RATE: "a rate",
    Dimension(memory=1): "memory",
    Dimension(energy=1): "energy",
    Dimension(energy=1, time=-1): "power",
    Dimension(current=1): "current",
    Dimension(current=1, time=1): "charge",
    Dimension(memory=1, time=-1): "a bandwidth",
    Dimension(money=1): "money",
    Dimension(length=1): "a length",
}
_ALIASES = {
    "kb": "KiB", "mb": "MB", "gb": "GB", "sec": "s", "second": "s", "seconds": "s", "milliseconds": "ms",
    "microseconds": "us", "minutes": "min", "hours": "h", "hour": "h",
    "day": "days", "week": "weeks", "month": "months", "year": "years", "byte": "B",
    "bytes": "B", "millijoules": "mJ", "joules": "J", "microjoules": "uJ", "milliwatts": "mW", "watts": "W",
    "milliwatthours": "mWh", "watthours": "Wh", "kilowatthours": "kWh", "milliwatthour": "mWh",
    "watthour": "Wh", "kilowatthour": "kWh", "kilobytes": "KiB", "megabytes": "MiB", "gigabytes": "GiB",
    "percent": "%", "times": "x", "×": "x", "×x": "x", "img/s": "images/s", "inf/s": "inferences/s",
    "ips": "fps", "tok/s": "tokens/s", "tps": "tokens/s", "frames/s": "fps", "per second": "/s", "$": "USD",
    "million": "M", "ratio": "x", "hertz": "Hz", "flop/b": "FLOP/byte", "gops": "GOP/s", "tops": "TOP/s",
}  # fmt: skip


class UnitError(InputError):
    """A unit that does not exist, or does not measure what is to be shown."""


class Measure(NamedTuple):
    """`unit` by its own name; `factor` of them make one of the dimension's own."""

    unit: str
    dimension: Dimension
    factor: float


def measure(unit: str) -> Measure:
    """What a unit measures.

    Raises:
        UnitError: there is no such unit.
    """
    if (found := measured_in(unit)) is not None:
        return found
    known, unit = _measures(), _plain(unit)
    close = nearest(unit, known)
    hint = f"Nearest: {', '.join(close)}." if close else f"There is {', '.join(filter(None, known))}."
    raise UnitError(f"There is no unit {unit!r}.", hint=hint)


@functools.cache
def measured_in(unit: str) -> Measure | None:
    """What a unit measures, however it is spelt: `KB` and `kib` are KiB, kB are 1000 bytes; None: no unit."""
    known, unit = _measures(), _plain(unit)
    if unit in known:
        return known[unit]
    folded = {name.lower(): name for name in reversed(known)} | _ALIASES
    return known[folded[unit.lower()]] if unit.lower() in folded else None


def _plain(unit: str) -> str:
    return unit.replace("\u03bc", "\u00b5")


@functools.cache
def _measures() -> dict[str, Measure]:
    found: dict[str, Measure] = {}
    for family in UNIT_FAMILIES:
        own = base_unit(next(iter(family)))
        dimension, factor = _OWN[own]
        found |= {
            unit: Measure(unit, dimension, factor * each / family[own]) for unit, each in family.items()
        }
    return found


@functools.cache
def plainest_unit(dimension: Dimension) -> str:
    """The unit that results hold it in; `1` for a ratio.

    Raises:
        UnitError: nothing is measured in it, such as a time times a time.
    """
    if dimension == NONE:
        return "1"
    found = next((unit for unit, (own, _) in _OWN.items() if own == dimension), None)
    if found is None:
        raise UnitError(f"Nothing is measured in {dimension}.", hint="See what is multiplied and divided.")
    return found


def is_unit(unit: str) -> bool:
    """Whether results may hold it and calculate with it; `operators without a kernel` are none."""
    return unit in _measures()


def base_unit(unit: str) -> str:
    """The unit that results hold what is measured in `unit` in: bytes for KiB, GB/s for TB/s."""
    return next(each for each in family_of(unit) if each in _OWN)


def family_of(unit: str) -> dict[str, float]:
    """The units that measure the same in the same way, as multiples of one of them."""
    return next((family for family in UNIT_FAMILIES if unit in family), {unit: 1.0})
