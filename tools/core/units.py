"""Figures with units as people write them, and as we print them."""

from __future__ import annotations

import math
import re
from enum import StrEnum

from ...hardware_db.errors import LimitsError, UsageError


class Dimension(StrEnum):
    """What a figure measures, named by the unit that it is kept in."""

    TIME_MS = "ms"
    RATE_HZ = "inferences per second"
    BYTES = "bytes"
    ENERGY_UJ = "uJ"
    POWER_MW = "mW"
    CLOCK_MHZ = "MHz"
    PRICE_USD = "USD"


_KI = 1024.0
_TIME = {"ns": 1e-6, "us": 1e-3, "µs": 1e-3, "ms": 1.0, "s": 1e3, "min": 6e4, "h": 3.6e6, "days": 8.64e7,
         "weeks": 6.048e8, "months": 2.6298e9, "years": 3.15576e10}  # fmt: skip
_RATE = {"1/s": 1.0, "/s": 1.0, "fps": 1.0, "Hz": 1.0, "/min": 1 / 60, "/h": 1 / 3600, "images/s": 1.0,
         "inferences/s": 1.0, "tokens/s": 1.0}  # fmt: skip
_BYTES = {"B": 1.0, "bytes": 1.0, "KiB": _KI, "MiB": _KI**2, "GiB": _KI**3, "kB": 1e3, "MB": 1e6, "GB": 1e9}
_ENERGY = {"nJ": 1e-3, "uJ": 1.0, "µJ": 1.0, "mJ": 1e3, "J": 1e6, "mWh": 3.6e6, "Wh": 3.6e9,
           "kWh": 3.6e12}  # fmt: skip
_POWER = {"uW": 1e-3, "µW": 1e-3, "mW": 1.0, "W": 1e3}
_CURRENT = {"nA": 1e-3, "uA": 1.0, "µA": 1.0, "mA": 1e3, "A": 1e6}
_CLOCK = {"kHz": 1e-3, "MHz": 1.0, "GHz": 1e3}
UNIT_FAMILIES: tuple[dict[str, float], ...] = (
    _TIME, _RATE, _BYTES, _ENERGY, _POWER, _CURRENT, _CLOCK,
    {"mAh": 1.0, "Ah": 1e3}, {"mV": 1e-3, "V": 1.0}, {"MOP/s": 1e-3, "GOP/s": 1.0, "TOP/s": 1e3},
    {"B/s": 1e-9, "MB/s": 1e-3, "GB/s": 1.0, "TB/s": 1e3}, {"1": 1.0, "x": 1.0, "fraction": 1.0, "%": 0.01},
    {"": 1.0, "count": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "MAC": 1.0, "MMAC": 1e6, "GMAC": 1e9,
     "cycles": 1.0},
    {"FLOP/byte": 1.0}, {"USD": 1.0}, {"dB": 1.0}, {"°C": 1.0},
    {"mm": 1e-3, "cm": 1e-2, "m": 1.0, "km": 1e3},
)  # fmt: skip
"""Units that measure the same, each in multiples of the one that results hold. KiB is 1024 bytes, kB 1000."""


def _typed(family: dict[str, float], **more: float) -> dict[str, float]:
    return {unit.lower(): factor for unit, factor in family.items()} | more


UNITS: dict[Dimension, dict[str, float]] = {
    Dimension.TIME_MS: _typed(_TIME),
    Dimension.RATE_HZ: _typed(_RATE, ips=1.0),
    Dimension.BYTES: _typed(
        _BYTES, k=_KI, kb=_KI, m=_KI**2, mb=_KI**2, meg=_KI**2, g=_KI**3, gb=_KI**3, mbit=_KI**2 / 8,
        kbit=_KI / 8,
    ),
    Dimension.ENERGY_UJ: _typed(_ENERGY),
    Dimension.POWER_MW: _typed(_POWER),
    Dimension.CLOCK_MHZ: _typed(_CLOCK),
    Dimension.PRICE_USD: {"usd": 1.0, "$": 1.0, "dollar": 1.0, "dollars": 1.0},
}  # fmt: skip
"""Lower-cased unit that a user may type → factor to the dimension's own. Of memory, k, KB and KiB all are
1024 bytes, as engineers mean them."""

_MEASURE = re.compile(r"\s*([0-9]+(?:[.,][0-9]+)?(?:[eE][-+]?[0-9]+)?)\s*([A-Za-zµ/$]*)\s*")


def parse_measure(text: str, dimension: Dimension) -> float:
    """The figure in the dimension's own unit: parse_measure("50us", Dimension.TIME_MS) is 0.05.

    Raises:
        LimitsError: no figure, no unit, or the unit of another dimension.
    """
    match = _MEASURE.fullmatch(text)
    known = UNITS[dimension]
    if match is None:
        raise LimitsError(
            f"{text!r} is not a figure with a unit.", hint=f"Write it like {_example(dimension)}."
        )
    figure, unit = float(match[1].replace(",", ".")), match[2].lower()
    if not unit:
        raise LimitsError(f"{text!r} has no unit.", hint=f"Write it like {_example(dimension)}.")
    if unit not in known:
        raise LimitsError(f"{text!r} is in the wrong unit.", hint=f"Write it like {_example(dimension)}.")
    value = figure * known[unit]
    if not math.isfinite(value) or value <= 0:
        raise LimitsError(f"{text!r} must be above zero.")
    return math.floor(value) if dimension is Dimension.BYTES else value


def _example(dimension: Dimension) -> str:
    return {
        Dimension.TIME_MS: "50ms",
        Dimension.RATE_HZ: "20fps",
        Dimension.BYTES: "256KiB",
        Dimension.ENERGY_UJ: "1mJ",
        Dimension.POWER_MW: "0.5W",
        Dimension.CLOCK_MHZ: "80MHz",
        Dimension.PRICE_USD: "20USD",
    }[dimension]


_BYTE_SCALES = ((_KI**3, "GiB"), (_KI**2, "MiB"), (_KI, "KiB"), (1.0, "B"))
_SCALES: dict[str, tuple[tuple[float, str], ...]] = {
    "ms": ((1e3, "s"), (1.0, "ms"), (1e-3, "µs"), (1e-6, "ns")),
    "s": ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")),
    "h": ((1.0, "h"), (1 / 60, "min"), (1 / 3600, "s"), (1 / 3.6e6, "ms")),
    "uJ": ((1e6, "J"), (1e3, "mJ"), (1.0, "µJ"), (1e-3, "nJ")),
    "mW": ((1e3, "W"), (1.0, "mW"), (1e-3, "µW")),
    "uA": ((1e3, "mA"), (1.0, "µA"), (1e-3, "nA")),
    "bytes": _BYTE_SCALES,
    "B": _BYTE_SCALES,
    "1/s": ((1.0, "/s"),),
    "Wh": ((1e3, "kWh"), (1.0, "Wh"), (1e-3, "mWh")),
    "J": ((1.0, "J"), (1e-3, "mJ"), (1e-6, "µJ")),
    "MiB": ((_KI, "GiB"), (1.0, "MiB"), (1 / _KI, "KiB")),
    "B/s": ((1e12, "TB/s"), (1e9, "GB/s"), (1e6, "MB/s")),
    "GOP/s": ((1e3, "TOP/s"), (1.0, "GOP/s"), (1e-3, "MOP/s")),
    "GB/s": ((1e3, "TB/s"), (1.0, "GB/s"), (1e-3, "MB/s")),
    "fraction": ((0.01, "%"),),
    "1": ((1.0, ""),),
}
"""Unit that a result holds → the units that people read it in, the largest first, in multiples of it."""
_ROLLS_OVER = 0.9995
"""What rounds up to the next unit at three digits is shown in it: 999.7 µs is 1 ms."""


def unit_scales(unit: str) -> tuple[tuple[float, str], ...]:
    """(factor, unit) of each unit that figures in `unit` are read in, the largest first."""
    return _SCALES.get(unit, ((1.0, unit),))


def scale_for(value: float, unit: str) -> tuple[float, str]:
    """(factor, unit) that prints `value` with digits before the point."""
    scales = unit_scales(unit)
    if not value:
        return next((s for s in scales if s[0] == 1.0), scales[-1])
    return next((s for s in scales if abs(value) >= _ROLLS_OVER * s[0]), scales[-1])


def show(value: float | None, unit: str, significant: int = 3) -> str:
    """`value` in the unit that reads best, to three digits: show(1536, "bytes") is "1.5 KiB"."""
    if value is None:
        return "unknown"
    factor, name = scale_for(value, unit)
    return f"{digits(value / factor, significant)} {name}".rstrip()


_MOST_APART = 9


def show_apart(one: float, other: float, unit: str) -> tuple[str, str]:
    """Both with as many digits as tell them apart: of 22,820 and 22,819 bytes both to the byte."""
    for significant in range(3, _MOST_APART + 1):
        shown = show(one, unit, significant), show(other, unit, significant)
        if shown[0] != shown[1] or one == other:
            return shown
    return shown


def digits(value: float, significant: int = 3) -> str:
    """Three significant digits, whole numbers in full, and never in scientific notation."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    if abs(value) >= 10 ** (significant - 1):
        return f"{value:,.0f}"
    places = max(0, significant - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def factor_between(unit: str, other: str) -> float:
    """What a figure in `unit` is multiplied with to be one in `other`: factor_between("ms", "us") is 1000.

    Raises:
        UsageError: units of two dimensions, or one that does not exist (with those that do).
    """
    if unit == other:
        return 1.0
    factors = next((family for family in UNIT_FAMILIES if unit in family), {unit: 1.0})
    if other not in factors:
        raise UsageError(
            f"{unit!r} does not convert to {other!r}.", hint=f"Units for it: {', '.join(factors)}."
        )
    return factors[unit] / factors[other]
