"""What can be told of a user's own figures once they are added up: a clause for each thing asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..bench import Record
from ..own_figures import Consumer, OwnFigures
from ..query import Query
from .phrases import joined
from .templates import how_often, put

_YEARS_FROM, _SMALL_WH = 730, 100.0
_PERIOD = re.compile(
    r"\b(?:(?:per|an?|each|every)\s|/\s?)(day|month|year)\b|\b(daily|monthly|yearly|annual)", re.I
)
_ADVERBS = {"daily": "day", "monthly": "month", "yearly": "year", "annual": "year"}
_MILLION = re.compile(
    r"\b(?:per|a|each|of a) million(?: (tokens|images|inferences|requests|frames|runs|pictures))?",
    re.I,
)
_STREAMS_ASKED = re.compile(
    r"\bhow many\b.{0,24}\b(?:cameras?|cams?|streams?|channels?|feeds?|videos?)\b", re.I
)
_PIECE = re.compile(r"\b(?:(token|image|frame|request|detection|picture)s?|tok)\b", re.I)
_LIFE_ASKED = re.compile(r"\b(?:one|a|1) (week|month|year)\b", re.I)
_DAYS = {"week": 7.0, "month": 30.44, "year": 365.25}
_ENERGY = "loads[#0].energy_uj"


@dataclass(frozen=True)
class View:
    """One sum, and what was asked of it."""

    query: Query
    figures: OwnFigures
    record: Record
    names: Sequence[str]
    asked: Sequence[str]

    @property
    def first(self) -> Consumer:
        return next(iter(self.figures.consumers), Consumer())

    def put(self, template: str, **words: str) -> str:
        """The template, which may speak of the average, a price, a currency and how many devices."""
        told = {
            "average": "".join(self.means("average_")[:1]),
            "price": f"{self.figures.price or 0:g} {self.figures.currency}".strip() + "/kWh",
            "currency": self.figures.currency,
            "devices": self.record.ref("devices") if (self.figures.devices or 1) > 1 else "",
        }
        return put(template, self.record, **(told | words))

    def means(self, prefix: str) -> list[str]:
        """Power and current on average, the one first in which it was told."""
        paths = [f"{prefix}power_mw", f"{prefix}current_ua"]
        if self.first.unit == "uA" and "power" not in self.query.question:
            paths.reverse()
        return [self.record.ref(path, "~") for path in paths if self.record.knows(path)]

    def rows(self, field: str, unit: str = "", begin: int = 0) -> list[str]:
        """A field of each load that it is known of, behind its name."""
        shown = [put(f"{{name}} {{loads[#{at}].{field}{unit}}}", self.record, name=name)
                 for at, name in enumerate(self.names) if at >= begin]  # fmt: skip
        return list(filter(None, shown))

    def product(self) -> str:
        """85 ms × 38 mA × 3.3 V."""
        if self.first.unit == "uA":
            return self.put("{loads[#0].each_ms} × {loads[#0].power_mw/supply_v|mA} × {supply_v} V")
        return self.put("{loads[#0].each_ms} × {loads[#0].power_mw}")

    def period(self) -> str:
        """day, month or year, as the question asks for it."""
        for match in _PERIOD.finditer(self.query.question):
            if not any(match[0] in words for words in self.figures.words):
                return (match[1] or _ADVERBS[match[2].casefold()]).casefold()
        small = (self.record.number("energy_month_wh") or 0.0) < _SMALL_WH
        return "day" if small and not self.figures.price else "month"


def _life(view: View) -> str:
    days, wanted = view.record.number("battery.life_days") or 0.0, view.figures.life_days
    unit = "years" if days >= _YEARS_FROM else "days" if days >= 2 else "h"
    low, high = view.record.ends("battery.life_days") or (0.0, 0.0)
    verdict = ""
    if wanted is not None and view.figures.consumers:
        verdict = "yes, " if low >= wanted else "no, " if high < wanted else "likely, not surely: "
    capacity = "" if view.figures.battery_wh else "[ on {battery.capacity_mah}]"
    about = f"[{{verdict}}]about {{battery.life_days|{unit}~}}{capacity}"
    return view.put(f"{about}, at {{average}} on average{_shares(view)}", verdict=verdict)


def _shares(view: View) -> str:
    """Who takes how much of it, where several do."""
    rows = view.rows("share", "|%") if len(view.names) > 1 else []
    return f" ({', '.join(rows)})" if rows else ""


def _share(view: View) -> str:
    shares = _shares(view).strip(" ()")
    return f"of the average: {shares}" if shares else ""


def _cost(view: View) -> str:
    price, pieces = view.figures.price, view.figures.pieces
    if not price:
        return ""
    million = _MILLION.search(view.query.question)
    of = f"a million {million[1] or 'of them'}" if million else f"for {pieces or 0:,.0f}, at {{price}}"
    if (million or pieces) and view.record.knows(_ENERGY):
        many = 1e6 if million else pieces
        return view.put(f"{{{price:.9g}*{many:.0f}*{_ENERGY}/1000Wh|count}}[ {{currency}}] {of}")
    unit = view.period()
    year = "" if unit == "year" else ", {cost_year}[ {currency}] a year"
    whole = f"{{cost_{unit}}}[ {{currency}}] a {unit}[ for {{devices}} devices]: {{energy_{unit}_wh}}"
    return _above_idle(view, unit) or view.put(f"{whole} at {{price}}{year}")


def _above_idle(view: View, unit: str) -> str:
    """What running costs beyond what is drawn without it, where both are told of the same device."""
    one, without = view.first, view.figures.asleep
    if without is None or one.each_ms or one.share_percent or {one.unit, without.unit} != {"mW"}:
        return ""
    rest = f"(loads[#0].power_mw-{without.drawn:.9g}mW)/loads[#0].power_mw"
    cost, energy = f"{{{rest}*cost_{unit}|count}}[ {{currency}}]", f"{{{rest}*energy_{unit}_wh|kWh}}"
    told = f"{cost} a {unit} for what it draws beyond the {{drawn}} without, {energy} at {{price}}"
    return view.put(told, drawn=without.words[0])


def _rate(view: View) -> str:
    """What a budget allows, else what the time does."""
    record, figures, one = view.record, view.figures, view.first
    allowed = record.number("allowance.rate_hz")
    if allowed is not None:
        often = how_often(view.query.question, allowed, "allowance.rate_hz")
        of = "current_ua" if figures.budget_ua or not record.knows("allowance.power_mw") else "power_mw"
        less = joined(view.rows("power_mw", begin=len(figures.consumers)))
        within = f"within {{allowance.{of}|~}} on average[ less {{less}}]"
        between = "[, one every {allowance.period_s}]"
        told = f"at most {often}{between}, {within}" if allowed else "not at all: {statement}"
        return view.put(told, less=less)
    if record.knows("store_runs"):
        return view.put(f"{{store_runs|count}} of {{{_ENERGY}}} each")
    if not one.each_ms:
        return ""
    free = f" with {figures.headroom * 100:g} % kept free" if figures.headroom else ""
    whole = f"{{highest_rate_hz}} at {{loads[#0].each_ms}} each{free}"
    if streams := figures.streams:
        return view.put(f"up to {{highest_rate_hz/{streams}|fps}} for each of {streams}, {whole} in all")
    if one.rate_hz and (one.nonstop or _STREAMS_ASKED.search(view.query.question)):
        count = int((record.number("highest_rate_hz") or 0.0) / one.rate_hz)
        return view.put(f"up to {whole}: {count} at {one.rate_hz:g} /s each")
    return view.put(f"up to {whole} (one {{name}} after the other)", name=view.names[0])


def _allowed(view: View) -> str:
    shown = " or ".join(view.means("allowance."))
    return f"on average {shown}" if shown else ""


def _size(view: View) -> str:
    """The charge or energy that the life wanted takes."""
    asked = _LIFE_ASKED.search(view.query.question)
    days = view.figures.life_days or (_DAYS[asked[1].lower()] if asked else 0.0)
    volts = view.figures.battery_v or view.figures.supply_v
    energy = f"average_power_mw*{days * 24:.6g}h"
    charge = f"{{{energy}/{volts:g}V|mAh}} at {volts:g} V, " if volts else ""
    told = f"{charge}{{{energy}|Wh}} for {days:g} days, at {{average}} on average"
    return view.put(f"{told}, before what no cell gives up") if days else ""


def _each(view: View) -> str:
    record, figures, last = view.record, view.figures, f"loads[#{len(view.names) - 1}].power_mw"
    known = [at for at in range(len(figures.consumers)) if record.knows(f"loads[#{at}].energy_uj")]
    if not known:
        return ""
    if "on_top" in view.asked and figures.asleep and record.knows(last):
        above = f"{{(loads[#0].power_mw-{last})*loads[#0].each_ms|~}}"
        return view.put(f"{above} on top of idle, {{{_ENERGY}}} in all")
    if len(known) > 1:
        return _of_several(view, known)
    all_of_them = f"{figures.pieces or 0:.0f}*{_ENERGY}"
    pieces = f"{{{all_of_them}|J}} for {figures.pieces:,.0f}" if figures.pieces else ""
    if pieces and figures.battery_wh:
        pieces += f"[, {{{all_of_them}/{figures.battery_wh:g}Wh|%}} of {figures.battery_wh:g} Wh]"
    found = _PIECE.search(" ".join((view.query.question, *figures.words)))
    what = (found[1] or "token").lower() if found else view.names[0]
    made = "[: {loads[#0].power_mw} / {loads[#0].rate_hz}]" if view.first.nonstop else ""
    made = f": {view.product()}" if view.first.each_ms else made
    told = f"{{{_ENERGY}}} {'an' if what[:1] in 'aeiou' else 'a'} {{what}}"
    return view.put(
        f"{pieces}{'; ' if pieces else ''}{told}{'' if view.first.unit == 'uJ' else made}", what=what
    )


def _of_several(view: View, known: Sequence[int]) -> str:
    """Each of them, the thriftiest first, and by how much."""
    order = sorted(known, key=lambda at: view.record.number(f"loads[#{at}].energy_uj") or 0.0)
    rows = joined(f"{view.names[at]} {view.record.ref(f'loads[#{at}].energy_uj')}" for at in order)
    ratio = f"{{loads[#{order[-1]}].energy_uj/loads[#{order[0]}].energy_uj|x}}"
    told = f"{{best}} takes least: {{rows}} each, a ratio of {ratio}"
    return view.put(told, best=view.names[order[0]], rows=rows)


def _period(view: View) -> str:
    unit = view.period()
    charge = "[, {charge_day_mah}]" if unit == "day" else ""
    small = unit == "day" and (view.record.number("energy_day_wh") or 0.0) < 0.1
    energy = "{average_power_mw*24h|J}" if small else f"{{energy_{unit}_wh}}"
    return view.put(f"{energy} a {unit}[ for {{devices}} devices]{charge}, {{average}} on average")


def _average(view: View) -> str:
    shown = " or ".join(view.means("average_"))
    return f"on average {shown}{_shares(view)}" if shown else ""


def _fits(view: View) -> str:
    """Whether the runs find their time."""
    share, headroom = view.record.number("active_share"), view.figures.headroom or 0.0
    if not share or not any(one.each_ms and one.rate_hz for one in view.figures.consumers):
        return ""
    word = "no" if share > 1 - headroom else "yes"
    if len(view.figures.consumers) > 1:
        return view.put(f"{word}: busy {{active_share|%}} of the time, one after the other")
    free = f", {headroom * 100:g} % kept free" if headroom else ""
    most = "{highest_rate_hz} can be reached, for {loads[#0].rate_hz}"
    return view.put(f"{word}: busy {{active_share|%}} of the time{free}; {most}")


CLAUSES: dict[str, Callable[[View], str]] = {
    "life": _life, "cost": _cost, "rate": _rate, "size": _size, "allowed": _allowed,
    "period": _period, "each": _each, "average": _average, "share": _share, "fits": _fits,
}  # fmt: skip
_SAYS = {
    "cost": ("period",),
    "share": ("each", "period", "average"),
    "life": ("average",),
    "rate": ("fits", "allowed", "each"),
    "period": ("each",),
}
"""What the first says already."""


def order_of(view: View) -> list[str]:
    """What was asked; else what the figures are good for, the furthest first."""
    asked = [name for name in view.asked if name in CLAUSES]
    allowance = view.record["allowance"] is not None
    paced = any(one.each_ms and one.rate_hz for one in view.figures.consumers) and not allowance
    left_out = {name for over, names in _SAYS.items() if over in asked for name in names}
    left_out -= {"fits"} if paced else set()
    asked = [name for name in asked if name not in left_out]
    if view.figures.price and "cost" not in asked:
        asked = ["cost" if name == "period" else name for name in asked]
    if told := [name for name in asked if CLAUSES[name](view)]:
        return told
    first = ["each"] if view.figures.pieces else ["rate"] if allowance else []
    usual = (*first, "life", "cost", "each", "rate", "average", "fits")
    return [name for name in usual if CLAUSES[name](view)][:1]


__all__ = ["CLAUSES", "View", "order_of"]
