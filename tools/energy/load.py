"""What draws power, by the user's own figures: `inference=85ms,38mA,1/min`, `sleep=6uA`, `radio=180uA`."""

from __future__ import annotations

import math
import re

from ...hardware_db.errors import UsageError
from ..core.quantity import Basis, Quantity
from ..core.records import dataclass

_FACTORS: dict[str, dict[str, float]] = {
    "ms": {"ns": 1e-6, "us": 1e-3, "µs": 1e-3, "ms": 1.0, "s": 1e3, "min": 6e4, "h": 3.6e6, "d": 8.64e7},
    "mW": {"uw": 1e-3, "µw": 1e-3, "mw": 1.0, "w": 1e3, "kw": 1e6},
    "uA": {"na": 1e-3, "ua": 1.0, "µa": 1.0, "ma": 1e3, "a": 1e6},
    "uJ": {"nj": 1e-3, "uj": 1.0, "µj": 1.0, "mj": 1e3, "j": 1e6, "mwh": 3.6e6, "wh": 3.6e9},
    "1/s": {
        "/s": 1.0, "hz": 1.0, "fps": 1.0, "/min": 1 / 60, "/h": 1 / 3600, "/d": 1 / 86400, "/day": 1 / 86400,
    },
    "%": {"%": 1.0},
}  # fmt: skip
_UNITS = {name: (unit, factor) for unit, names in _FACTORS.items() for name, factor in names.items()}
_FIGURE = re.compile(
    r"(?P<every>every\s+)?(?P<low>\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?:\.\.(?P<high>\d+(?:\.\d+)?(?:e[-+]?\d+)?))?"
    r"\s*(?P<unit>/?[a-zµ%]+)",
    re.IGNORECASE,
)
_BETWEEN = frozenset(("sleep", "idle", "standby"))
_FIELDS = {"ms": "each", "mW": "power", "uA": "current", "uJ": "energy", "1/s": "rate", "%": "share"}
LONGEST, EXAMPLE = 200, "inference=85ms,38mA,1/min"


@dataclass(frozen=True)
class Load:
    """One consumer. With a time it runs so often, without one it is on all the time."""

    name: str
    each: Quantity | None = None
    """Time of one run, in ms."""
    power: Quantity | None = None
    """While it runs, in mW."""
    current: Quantity | None = None
    """While it runs, in uA."""
    energy: Quantity | None = None
    """Of one run, in uJ."""
    rate: Quantity | None = None
    """Runs per second; beside a power alone, what it gets done per second nonstop."""
    share: Quantity | None = None
    """Of the time, in per cent, that it is on."""
    between: bool = False
    """Whether it is on only while nothing runs that has a time: asleep, idle."""


def load_of(text: str) -> Load:
    """The load that a text such as `inference=85ms,38mA,1/min` says; `1..2mJ` is anything from one to two.

    Raises:
        UsageError: a figure without a known unit, two of one kind, or figures that do not go together.
    """
    name, equals, rest = text[:LONGEST].partition("=")
    name, rest = (name.strip(), rest) if equals else ("inference", text[:LONGEST])
    found: dict[str, Quantity] = {}
    for part in rest.split(","):
        kind, figure = _figure(part.strip(), text)
        if kind in found:
            raise UsageError(f"{text!r} has two figures of one kind.", hint=f"Write it like {EXAMPLE}.")
        found[kind] = figure
    if len(found.keys() & {"power", "current", "energy"}) > 1:
        raise UsageError(
            f"{text!r} says twice what it draws.", hint="Leave one of power, current and energy."
        )
    between = name.casefold() in _BETWEEN and not found.keys() & {"each", "rate", "share"}
    return Load(name=name or "inference", between=between, **found)


def _figure(part: str, text: str) -> tuple[str, Quantity]:
    match = _FIGURE.fullmatch(part)
    known = _UNITS.get(match["unit"].lower()) if match else None
    if match is None or known is None:
        raise UsageError(
            f"{part!r} in {text!r} is no figure that a load has.", hint=f"Write it like {EXAMPLE}."
        )
    unit, factor = known
    low = float(match["low"]) * factor
    high = float(match["high"]) * factor if match["high"] else low
    if not 0 < low <= high < math.inf:
        raise UsageError(f"{part!r} in {text!r} must be above zero, the lower end first.")
    if unit == "%" and high > 100:
        raise UsageError(f"{part!r} in {text!r} is more than all of the time.")
    if match["every"]:
        if unit != "ms":
            raise UsageError(f"{part!r} in {text!r} is no period.", hint="Write it like every 10s.")
        unit, low, high = "1/s", 1e3 / high, 1e3 / low
    value = math.sqrt(low * high)
    return _FIELDS[unit], Quantity(value=value, low=low, high=high, unit=unit, basis=Basis.MEASURED)
