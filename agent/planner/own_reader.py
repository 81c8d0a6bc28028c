"""The figures that a message measured or has of its own, each with its role.

A unit tells most of a figure's role; a word of `own_figures.toml` beside it the rest. Figures that belong
together stand together: a time, a draw and a rate make one consumer, in whatever order they come.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..figure_units import FACTORS
from ..names import Kind, Name
from ..quantities import Family, Figure
from ..stop_words import STOP_WORDS
from .asked_unit import price_in, pue_in
from .held import INTERVAL
from .own_cues import BREAKS, cue, cue_found, cues
from .own_figures import Consumer, OwnFigures

_BEHIND = re.compile(r"\s*(?:for|of|in|on) (?:the |my |our |an? )?(?P<name>[A-Za-z][\w-]+)", re.IGNORECASE)
_CELLS = re.compile(r"(?P<count>\d|two|three|four)\s*[x×]?\s*$", re.IGNORECASE)
_COUNTS = {"two": 2, "three": 3, "four": 4}
_CENTS = frozenset(("ct", "cent", "cents", "rappen", "pence", "p"))
_SIGNS = {
    **dict.fromkeys(("eur", "euro", "euros", "ct", "€"), "€"),
    **dict.fromkeys(("$", "usd", "dollar", "dollars", "cent", "cents", "bucks"), "$"),
}
_OF_LANGUAGE = frozenset(("tokens", "token", "tok", "tok/s", "tokens/s", "tps"))
_DONE = _OF_LANGUAGE | {
    "fps", "ips", "img/s", "frames/s", "images/s", "inf/s", "inferences/s", "qps", "images", "frames",
    "requests", "req", "pictures", "inferences",
}  # fmt: skip
"""What so many a second get done, one after the other."""
_ONCE = ("once", "twice", "every", "each", "one ")
_HOUR_MS, _DAY_MS = 3.6e6, 8.64e7
_DRAWS = {Family.POWER: "mW", Family.CURRENT: "uA", Family.ENERGY: "uJ"}
_FIELDS = {
    (Family.TIME, "life"): ("life_days", 1 / _DAY_MS),
    (Family.TIME, "hours"): ("hours_per_day", 1 / _HOUR_MS),
    (Family.ENERGY, "battery"): ("battery_wh", 1 / 3.6e9),
    (Family.ENERGY, "store"): ("store_uj", 1.0),
    (Family.POWER, "budget"): ("budget_mw", 1.0),
    (Family.POWER, "harvest"): ("budget_mw", 1.0),
    (Family.CURRENT, "budget"): ("budget_ua", 1.0),
    (Family.CURRENT, "harvest"): ("budget_ua", 1.0),
    (Family.VOLTAGE, "battery"): ("battery_v", 1.0),
    (Family.VOLTAGE, ""): ("supply_v", 1.0),
    (Family.CHARGE, ""): ("battery_mah", 1.0),
    (Family.PERCENT, "usable"): ("usable_share", 0.01),
    (Family.PERCENT, "headroom"): ("headroom", 0.01),
}
"""What a figure is alone, by its role, and what it is multiplied by."""


@dataclass
class _Reader:
    """What was read so far."""

    text: str
    figures: Sequence[Figure]
    names: Sequence[Name]
    own: dict[str, object] = field(default_factory=dict)
    consumers: list[Consumer] = field(default_factory=list)
    asleep: Consumer | None = None
    beside: list[Consumer] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    harvest_mw: float = 0.0

    def take(self, figure: Figure, **found: object) -> None:
        self.own |= found
        self.words.append(figure.text)

    def part(self, figure: Figure, name: str, **found: Any) -> None:
        """Of all consumers before it that lack it, a time or a share of the last alone; else of a new one."""
        given = next(iter(found))
        lacking = [at for at, one in enumerate(self.consumers) if not getattr(one, given)]
        if given in ("each_ms", "share_percent"):
            last = len(self.consumers) - 1
            lacking = [at for at in lacking if at == last and self.consumers[at].may_be_timed]
        for at in lacking:
            one = self.consumers[at]
            self.consumers[at] = replace(one, name=one.name or name, words=(*one.words, figure.text), **found)
        if not lacking:
            self.consumers.append(Consumer(name, words=(figure.text,), **found))
        self.words.append(figure.text)


def own_figures(text: str, names: Sequence[Name], figures: Sequence[Figure]) -> OwnFigures:
    """What the text says of its own; a claim of others, a limit and a percentile are none of it."""
    reader = _Reader(text, figures, names)
    priced = _money(reader)
    ends = [(match.start("low"), match.end("high")) for match in INTERVAL.finditer(text)]
    for at, figure in enumerate(figures):
        is_end = any(start <= figure.start < stop for start, stop in ends)
        if figure.family is not Family.MONEY and not is_end and not (priced and figure.text in priced):
            _read(reader, at, figure)
    _of_battery(reader, names)
    return OwnFigures(
        consumers=tuple(reader.consumers), asleep=reader.asleep, beside=tuple(reader.beside),
        words=tuple(reader.words), adds=bool(cues("adds").search(text)), **reader.own,  # type: ignore[arg-type]
    )  # fmt: skip


def _money(reader: _Reader) -> str:
    """The words of a price of electricity."""
    price, text = price_in(reader.text), reader.text
    if (pue := pue_in(text)) != 1.0:
        reader.take(next(figure for figure in reader.figures if figure.value == pue), overhead=pue)
    if price is None:
        return ""
    folded = price.currency.casefold()
    reader.own |= {
        "price": price.value / (100 if folded in _CENTS else 1),
        "currency": _SIGNS.get(folded, price.currency),
    }
    reader.words.append(price.words)
    return price.words


def _read(reader: _Reader, at: int, figure: Figure) -> None:
    role = cue(reader.text, reader.figures, at)
    if role in ("claim", "limit", "percentile"):
        return
    role = _role(reader, at, figure, role)
    if taken := _FIELDS.get((figure.family, role)):
        reader.take(figure, **{taken[0]: figure.value * taken[1]})
        reader.harvest_mw = (
            figure.value if role == "harvest" and taken[0] == "budget_mw" else reader.harvest_mw
        )
    else:
        _consumed(reader, at, figure, role)


def _role(reader: _Reader, at: int, figure: Figure, role: str) -> str:
    """With what the figure itself tells: a life is of days, Wh and volts behind a charge are of a battery."""
    match figure.family:
        case Family.TIME if role != "period":
            if figure.value >= _HOUR_MS and (
                role == "life" or (figure.value > _DAY_MS and not figure.spoken)
            ):
                return "life"
            return "" if figure.value < _HOUR_MS else "hours" if figure.value <= _DAY_MS else "none"
        case Family.ENERGY if figure.unit.lower().endswith("wh"):
            return "battery"
        case Family.VOLTAGE:
            before = reader.figures[at - 1] if at else None
            if before is not None and before.family is Family.CHARGE and figure.start - before.end < 6:
                return "battery"
    return role


def _consumed(reader: _Reader, at: int, figure: Figure, role: str) -> None:
    """What a figure tells of a consumer."""
    name = _name_before(reader, at)
    match figure.family, role:
        case Family.TIME, "period":
            _paced(reader, figure, 1e3 / figure.value)
        case Family.TIME, "":
            reader.part(figure, name, each_ms=figure.value)
        case Family.RATE, _:
            _rate(reader, figure, name)
        case ((Family.POWER | Family.CURRENT), ("sleep" | "extra")):
            one = Consumer("sleep", drawn=figure.value, unit=_DRAWS[figure.family], words=(figure.text,))
            reader.words.append(figure.text)
            if role == "sleep":
                reader.asleep = one
            else:
                reader.beside.append(replace(one, name=_name_of_extra(reader, at)))
        case ((Family.POWER | Family.CURRENT | Family.ENERGY), _):
            reader.part(figure, name, drawn=figure.value, unit=_DRAWS[figure.family])
        case Family.PERCENT, "load" if reader.consumers and not reader.consumers[-1].each_ms:
            reader.part(figure, name, share_percent=figure.value)
        case Family.COUNT, _:
            _count(reader, figure)


def _mean_allowed(reader: _Reader, figure: Figure, family: Family, amount: float, hours: float) -> None:
    """A charge or an energy for so many hours is a mean that is allowed."""
    if family is Family.ENERGY:
        reader.take(figure, budget_mw=amount / (hours * _HOUR_MS))
    else:
        reader.take(figure, budget_ua=amount * 1e3 / hours)


def _rate(reader: _Reader, figure: Figure, name: str) -> None:
    """A pace; else 8 hours a day, 22 days a month, 0.8 Wh per day; 1.2 s every 5 minutes is a run."""
    family, factor = FACTORS.get(figure.noun, (None, 0.0))
    period_ms = 1e3 * figure.written / figure.value if figure.value else 0.0
    each_ms = min(figure.written * factor, period_ms)
    if family not in (Family.ENERGY, Family.CHARGE, Family.TIME):
        _paced(reader, figure, figure.value, name)
    elif not period_ms:
        return
    elif family is not Family.TIME:
        _mean_allowed(reader, figure, family, figure.written * factor, period_ms / _HOUR_MS)
    elif reader.harvest_mw:
        reader.take(figure, budget_mw=reader.harvest_mw * each_ms / period_ms)
    elif each_ms >= _DAY_MS:
        reader.take(figure, days_per_month=each_ms / _DAY_MS)
    elif each_ms >= _HOUR_MS and period_ms <= 1.01 * _DAY_MS:
        reader.take(figure, hours_per_day=each_ms / _HOUR_MS)
    else:
        reader.part(figure, name, each_ms=each_ms)
        _paced(reader, figure, 1e3 / period_ms)


def _paced(reader: _Reader, figure: Figure, rate_hz: float, name: str = "") -> None:
    """The rate of every consumer before it without one; of one that is still to come where there is none."""
    unit = {figure.unit.lower(), figure.noun}
    nonstop = bool(unit & _DONE) and not figure.text.lower().startswith(_ONCE)
    reader.part(figure, name, rate_hz=rate_hz, nonstop=nonstop)


def _count(reader: _Reader, figure: Figure) -> None:
    behind = reader.text[figure.end : figure.end + 24]
    whole = figure.value == int(figure.value) and figure.value > 0
    if whole and cues("streams").match(behind.strip()):
        reader.take(figure, streams=int(figure.value))
    elif whole and (cues("devices").match(behind.strip()) or cues("apiece").search(behind)):
        reader.take(figure, devices=int(figure.value))
    elif figure.value > 1 and not figure.spoken and cues("pieces").match(behind.strip()):
        reader.take(figure, pieces=figure.value)


def _of_battery(reader: _Reader, names: Sequence[Name]) -> None:
    """The battery that is named, with how many in series."""
    name = next((name for name in names if name.kind is Kind.BATTERY), None)
    if name is None:
        return
    count = _CELLS.search(reader.text[: name.start])
    called = name.ids[0] if name.ids else name.text
    many = _COUNTS.get(count["count"].lower(), 0) or int(count["count"]) if count else 1
    charge = reader.own.get("battery_mah")
    if many > 1 and cue_found("parallel", reader.text) and isinstance(charge, float):
        reader.own |= {"battery": called, "battery_mah": many * charge}
    else:
        reader.own["battery"] = f"{many}x {called}" if many > 1 else called
    reader.words += [name.text, *([count[0].strip()] if count else [])]


def _name_before(reader: _Reader, at: int) -> str:
    """The name or the word right before a figure that tells what it is of."""
    before_it = [
        figure for figure in reader.figures[:at] if not (figure.spoken and figure.family is Family.COUNT)
    ]
    begin = before_it[-1].end if before_it else 0
    named = [name for name in reader.names if begin <= name.start < reader.figures[at].start]
    if named and named[-1].kind in (Kind.TARGET, Kind.MODEL, Kind.DTYPE):
        return named[-1].text
    before = BREAKS.split(reader.text[begin : reader.figures[at].start])[-1]
    words = [word for word in re.findall(r"[A-Za-z][\w-]+", before) if _is_name(word)]
    behind = _BEHIND.match(reader.text, reader.figures[at].end)
    if not words and behind and _is_name(behind["name"]):
        words = [behind["name"]]
    return words[-1].lower() if words else ""


def _is_name(word: str) -> bool:
    folded = word.casefold()
    return folded not in STOP_WORDS and not cues("verbs").fullmatch(folded)


def _name_of_extra(reader: _Reader, at: int) -> str:
    """The first word beside a figure that names what draws it."""
    until = reader.figures[at + 1].start if at + 1 < len(reader.figures) else len(reader.text)
    begin = reader.figures[at - 1].end if at else 0
    for match in cues("extra").finditer(reader.text, begin, until):
        if not cues("adds").fullmatch(match[0]):
            return match[0].lower()
    return "extra"


__all__ = ["own_figures"]
