"""Figures with units as people write them, and as we print them."""

from __future__ import annotations

import math
import re
from enum import StrEnum

from ...hardware_db.errors import LimitsError


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
UNITS: dict[Dimension, dict[str, float]] = {
    Dimension.TIME_MS: {"s": 1e3, "ms": 1.0, "us": 1e-3, "µs": 1e-3, "ns": 1e-6, "min": 6e4, "h": 3.6e6},
    Dimension.RATE_HZ: {"fps": 1.0, "hz": 1.0, "/s": 1.0, "ips": 1.0, "/min": 1 / 60, "/h": 1 / 3600},
    Dimension.BYTES: {
        "b": 1.0, "bytes": 1.0, "k": _KI, "kb": _KI, "kib": _KI, "m": _KI**2, "mb": _KI**2, "mib": _KI**2,
        "meg": _KI**2, "g": _KI**3, "gb": _KI**3, "gib": _KI**3, "mbit": _KI**2 / 8, "kbit": _KI / 8,
    },
    Dimension.ENERGY_UJ: {"j": 1e6, "mj": 1e3, "uj": 1.0, "µj": 1.0, "nj": 1e-3},
    Dimension.POWER_MW: {"w": 1e3, "mw": 1.0, "uw": 1e-3, "µw": 1e-3},
    Dimension.CLOCK_MHZ: {"ghz": 1e3, "mhz": 1.0, "khz": 1e-3},
    Dimension.PRICE_USD: {"usd": 1.0, "$": 1.0, "dollar": 1.0, "dollars": 1.0},
}  # fmt: skip
"""Lower-cased unit → factor to the dimension's own. Of memory, k, KB and KiB all are 1024 bytes, as
engineers mean them."""

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
    "ms": ((1e3, "s"), (1.0, "ms"), (1e-3, "µs")),
    "uJ": ((1e6, "J"), (1e3, "mJ"), (1.0, "µJ")),
    "mW": ((1e3, "W"), (1.0, "mW"), (1e-3, "µW")),
    "bytes": _BYTE_SCALES,
    "B": _BYTE_SCALES,
    "1/s": ((1.0, "/s"),),
}


def scale_for(value: float, unit: str) -> tuple[float, str]:
    """(factor, unit) that prints `value` with digits before the point."""
    scales = _SCALES.get(unit, ((1.0, unit),))
    return next((s for s in scales if abs(value) >= s[0]), scales[-1])


def show(value: float | None, unit: str) -> str:
    """`value` in the unit that reads best, to three digits: show(1536, "bytes") is "1.5 KiB"."""
    if value is None:
        return "unknown"
    factor, name = scale_for(value, unit)
    return f"{digits(value / factor)} {name}".rstrip()


def digits(value: float) -> str:
    """Three significant digits, never in scientific notation for what people read daily."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    places = max(0, 2 - math.floor(math.log10(abs(value))))
    text = f"{value:.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
