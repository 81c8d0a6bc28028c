"""Figures in the unit that a question asks for: how many months, in mWh."""

from __future__ import annotations

import contextlib
import re

from ...hardware_db.errors import EdgewrightError
from ...tools.core.dimensions import UnitError, measure
from ..figure_units import FACTORS, Family
from ..patterns import compiled
from ..quantities import find_figures
from ..references.evaluation import Results, evaluate
from ..references.filling import HOLE
from ..references.syntax import parsed

_SAID = (Family.TIME, Family.ENERGY, Family.POWER, Family.BYTES)
_HOURS = r"(?:milli|kilo|micro)?watt[- ]?hours?"
_UNITS = sorted((name for name, (family, _) in FACTORS.items() if family in _SAID), key=len, reverse=True)
_ASKED = compiled(rf"\b(?:how (?:many|much)|in) (?P<unit>{_HOURS}|{'|'.join(_UNITS)})\b", re.IGNORECASE)
_MICRO = compiled(r"^u(?=[JWs]$)")
_LEAST, _MOST = 1e-3, 1e5
"""What a figure comes to in a unit that it can be read in: no latency in months."""


def units_asked(question: str) -> tuple[str, ...]:
    """The units that it asks for and states no figure in, by the names that references know."""
    stated = [(one.start, one.end) for one in find_figures(question)]
    found = (
        m
        for m in _ASKED.finditer(question)
        if not any(a < m.end() and m.start("unit") < b for a, b in stated)
    )
    units: list[str] = []
    for each in found:
        with contextlib.suppress(UnitError):
            units.append(_MICRO.sub("µ", measure(re.sub(r"[- ]", "", each["unit"].casefold())).unit))
    return tuple(units)


def without_units(question: str) -> str:
    """The question without the words that ask for a unit."""
    return _ASKED.sub(" ", question)


def in_units(text: str, units: tuple[str, ...], results: Results) -> str:
    """The template with its references in these units, where they measure the same and can be read."""
    return HOLE.sub(lambda hole: _in_one_of(hole, units, results), text) if units else text


def _in_one_of(hole: re.Match[str], units: tuple[str, ...], results: Results) -> str:
    expression = (hole["hole"] or "").partition("|")[0].strip().rstrip("~ ")
    try:
        amount = evaluate(parsed(expression), results)
    except EdgewrightError:
        return hole[0]
    for unit in units:
        known = measure(unit)
        if known.dimension == amount.dimension and _LEAST <= abs(amount.value or 0.0) / known.factor <= _MOST:
            return f"{{{{{expression}|{known.unit}{'~' if '~' in hole[0] else ''}}}}}"
    return hole[0]
