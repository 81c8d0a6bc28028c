"""Limits as they are typed after /check and /limits: figures whose unit says what they limit."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...hardware_db.errors import LimitsError
from ...tools.core.units import UNITS, Dimension, parse_measure, show
from ...tools.verdicts.flags import FLAGS

_LIMIT = re.compile(r"(?:([A-Za-z]+)\s*[=:<≤]\s*)?([0-9][0-9.,]*)\s*([A-Za-zµ/]*)(?=[\s,;]|$)[\s,;]*")
_USUAL = {
    Dimension.TIME_MS: "latency",
    Dimension.RATE_HZ: "rate",
    Dimension.BYTES: "ram",
    Dimension.ENERGY_UJ: "energy",
    Dimension.POWER_MW: "power",
    Dimension.PRICE_USD: "price",
}
"""What a figure limits that is not named."""
_SPELT = {"ram": "RAM"}
_SHOWN_AS = {Dimension.RATE_HZ: "1/s"}
_EXAMPLE = "Write them like 50ms 256KiB flash=1MiB 20fps 1mJ 500mW."


def read_limits(text: str) -> dict[str, float | int]:
    """Arguments of the check: read_limits("50ms 256KiB") is {"latency_ms": 50.0, "ram_bytes": 262144}.

    Raises:
        LimitsError: what is no figure with a unit, no known limit, or limits the same thing twice.
    """
    limits: dict[str, float | int] = {}
    text, position = text.strip(), 0
    while position < len(text):
        match = _LIMIT.match(text, position)
        if match is None:
            raise LimitsError(f"{text[position:].split(maxsplit=1)[0]!r} is no limit.", hint=_EXAMPLE)
        name = (match[1] or _usual(match[3])).casefold()
        if name not in FLAGS:
            raise LimitsError(f"There is no limit {name!r}.", hint=f"Known: {', '.join(FLAGS)}.")
        field, dimension = FLAGS[name]
        if field in limits:
            raise LimitsError(f"Two limits on {name}.", hint="Name what each is for: ram=64KiB flash=1MiB.")
        limits[field] = parse_measure(match[2] + match[3], dimension)
        position = match.end()
    return limits


def shown_limits(limits: Mapping[str, float]) -> str:
    """`latency ≤ 50 ms, RAM ≤ 256 KiB`; empty without any."""
    if not limits:
        return ""
    shown = []
    for name, (field, dimension) in FLAGS.items():
        if field in limits:
            sign = "≥" if dimension is Dimension.RATE_HZ else "≤"
            unit = _SHOWN_AS.get(dimension, dimension.value)
            shown.append(f"{_SPELT.get(name, name)} {sign} {show(limits[field], unit)}")
    return ", ".join(shown)


def _usual(unit: str) -> str:
    for dimension, known in UNITS.items():
        if unit.casefold() in known and dimension in _USUAL:
            return _USUAL[dimension]
    raise LimitsError(f"{unit!r} is no unit of a limit." if unit else "A limit has no unit.", hint=_EXAMPLE)
