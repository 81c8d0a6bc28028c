"""A sum of a user's own figures, and the pieces that what is told of it has in common."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..bench import Record
from ..own_figures import OwnFigures
from ..query import Query

_BRIEFLY = {"at least": "70 to 100 % of the charge usable", "self-dis": "no self-discharge"}
"""What a note of the tool begins with, and what it comes to."""
YEARS_FROM, _SMALL_WH = 730, 100.0
_PERIODS = {
    "day": "day", "daily": "day", "month": "month", "monthly": "month", "year": "year", "annual": "year",
    "annually": "year", "yearly": "year",
}  # fmt: skip
_PERIOD = re.compile(
    r"\b(?:(?:per|an?|each|every|in an?|/)\s?(?P<unit>day|month|year)|(?P<adverb>\w+ly|annual))\b", re.I
)


@dataclass
class View:
    """One sum, and what was asked of it."""

    query: Query
    figures: OwnFigures
    record: Record
    names: Sequence[str]
    asked: Sequence[str]
    lacks: str = field(default="")
    """What was asked and cannot be told."""

    def ref(self, path: str, unit: str = "") -> str:
        return self.record.ref(path, unit)

    @property
    def average(self) -> str:
        """Average power, or the current where that is what was told or no voltage is known."""
        of_currents = bool(self.figures.consumers) and self.figures.consumers[0].unit == "uA"
        paths = ("average_current_ua", "average_power_mw")
        paths = paths if of_currents and "power" not in self.query.question else paths[::-1]
        path = next((path for path in paths if self.record.knows(path)), "")
        return self.ref(path, "~") if path else ""

    def how(self, clauses: Sequence[str]) -> str:
        """Energy of a run as a product of what was told, where it is not the answer itself."""
        one = next(iter(self.figures.consumers), None)
        if one is None or not one.each_ms or one.unit == "uJ" or not self.record.knows("loads[#0].energy_uj"):
            return ""
        energy = self.ref("loads[#0].energy_uj")
        if any(energy in text for text in clauses):
            return ""
        return f"Each {self.names[0]}: {self.product(0)} = {energy}."

    def product(self, at: int) -> str:
        """85 ms × 38 mA × 3.3 V."""
        one = self.figures.consumers[at]
        parts = [self.ref(f"loads[#{at}].each_ms")]
        if one.unit == "uA":
            parts += [f"{{{{{self.record.id}.loads[#{at}].power_mw/{self.record.id}.supply_v|mA}}}}"]
            parts += [f"{{{{{self.record.id}.supply_v}}}} V"]
        else:
            parts.append(self.ref(f"loads[#{at}].power_mw"))
        return " × ".join(parts)

    def assumed(self, order: Sequence[str]) -> str:
        """What the tool assumed of the battery, where a battery counts."""
        notes = [_BRIEFLY.get(str(note)[:8], str(note)) for note in self.record["assumptions"]]
        if self.record["battery"] is None or not {"life", "rate", "allowed"} & set(order):
            return ""
        return f"Assumed: {'; '.join(notes)}." if notes else ""

    def period(self) -> str:
        """day, month or year, as the question asks for it."""
        for match in _PERIOD.finditer(self.query.question):
            word = _PERIODS.get((match["unit"] or match["adverb"] or "").casefold())
            stated = any(match[0] in words for words in self.figures.words)
            if word and not stated:
                return word
        small = (self.record.number("energy_month_wh") or 0.0) < _SMALL_WH
        return "day" if small and not self.figures.price else "month"
