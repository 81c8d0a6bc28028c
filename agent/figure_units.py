"""Units as people write them, and what each measures."""

from __future__ import annotations

from enum import StrEnum


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


_S, _MIN, _H, _DAY = 1e3, 6e4, 3.6e6, 8.64e7
_KI = 1024.0
_UNITS: dict[Family, dict[str, float]] = {
    Family.TIME: {
        "ns nanosecond nanoseconds nanosec": 1e-6,
        "us µs μs usec microsec microsecond microseconds": 1e-3,
        "ms msec msecs millisec millisecs millisecond milliseconds": 1.0,
        "s sec secs second seconds": _S,
        "min mins minute minutes": _MIN,
        "h hr hrs hour hours": _H,
        "d day days night nights": _DAY,
        "week weeks wk": 7 * _DAY,
        "month months": 365.25 / 12 * _DAY,
        "y yr yrs year years": 365.25 * _DAY,
    },
    Family.RATE: {"fps hz ips img/s frames/s images/s inf/s inferences/s tok/s tokens/s tps qps": 1.0},
    Family.CLOCK: {"khz": 1e-3, "mhz megahertz": 1.0, "ghz gigahertz": 1e3},
    Family.BYTES: {
        "b byte bytes": 1.0,
        "kb kib kbyte kbytes kilobyte kilobytes ko": _KI,
        "mb mib meg megs mbyte mbytes megabyte megabytes mo": _KI**2,
        "gb gib gig gigs gbyte gbytes gigabyte gigabytes go": _KI**3,
        "tb tib": _KI**4,
        "kbit": _KI / 8,
        "mbit": _KI**2 / 8,
    },
    Family.ENERGY: {
        "nj": 1e-3,
        "uj µj μj microjoule microjoules": 1.0,
        "mj millijoule millijoules": 1e3,
        "j joule joules": 1e6,
        "mwh": 3.6e6,
        "wh watt-hour watt-hours watthour watthours": 3.6e9,
        "kwh kilowatt-hour kilowatt-hours": 3.6e12,
    },
    Family.POWER: {
        "uw µw μw microwatt microwatts": 1e-3,
        "mw milliwatt milliwatts": 1.0,
        "w watt watts": 1e3,
        "kw": 1e6,
    },
    Family.CHARGE: {"mah": 1.0, "ah amp-hours amp-hour": 1e3},
    Family.CURRENT: {
        "na": 1e-3,
        "ua µa μa microamp microamps": 1.0,
        "ma milliamp milliamps": 1e3,
        "a amp amps": 1e6,
    },
    Family.VOLTAGE: {"mv": 1e-3, "v volt volts": 1.0},
    Family.MONEY: {
        "$ usd dollar dollars buck bucks": 1.0,
        "€ eur euro euros £ gbp chf": 1.0,
        "cent cents": 0.01,
    },
    Family.SPEED: {
        "mops mop/s mflops": 1e-3,
        "mmac/s mmacs/s mmacps": 2e-3,
        "gmac/s gmacs/s gmacps": 2.0,
        "gops gop/s gflops gflop/s": 1.0,
        "tops top/s tflops tflop/s": 1e3,
    },
    Family.BANDWIDTH: {"mb/s": 1e-3, "gb/s": 1.0, "tb/s": 1e3},
    Family.PERCENT: {"% percent pct": 1.0},
    Family.FACTOR: {"x ×": 1.0},
    Family.SIDE: {"px pixel pixels": 1.0},
    Family.FOREIGN: {
        "m/s km/h kmh kph mph knots rpm g/s": 1.0,
        "°c °f ° degc degf degrees celsius fahrenheit kelvin": 1.0,
        "mm cm km metres meters metre meter inch inches feet ft mm2 mm² cm2 m2 m²": 1.0,
        "kg grams gram lbs lux nits lumens db dbm dbi ppm dpi lsb psi bar": 1.0,
        "kbps mbps gbps kbit/s mbit/s gbit/s kb/s baud bpm km2 acres hectares": 1.0,
    },
    Family.COUNT: {"k": 1e3, "million": 1e6, "m": 1e6, "billion bn": 1e9},
}
FACTORS = {
    name: (family, factor)
    for family, rows in _UNITS.items()
    for names, factor in rows.items()
    for name in names.split()
}
"""Unit in lower case → what it measures, and how much of the unit of that family it is. KB and KiB both are
1024 bytes, as engineers mean them."""
