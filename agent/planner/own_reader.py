"""The figures that a message measured or has of its own, each with its role.

A unit tells most of a figure's role; a word of `own_figures.toml` beside it the rest. Figures that belong
together stand together: a time, a draw and a rate make one consumer, in whatever order they come.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..figure_units import FACTORS
from ..names import Kind, Name
from ..quantities import Family, Figure
from ..stop_words import STOP_WORDS
from .asked_unit import price_in, pue_in
from .intervals_said import INTERVAL
from .own_cues import BREAKS, cue, cue_found, cues
from .own_figures import Consumer, OwnFigures

_A_TIME = re.compile(r"\s*(?:/\s*|(?:per|an?|each|every)\s+)(?P<unit>day|d|h|hour|week)\b", re.IGNORECASE)
_OHMS = re.compile(r"(\d+(?:\.\d+)?)\s*(m?)(?:ohms?|Ω)", re.IGNORECASE)
_BEHIND = re.compile(r"\s*(?:for|of|in|on) (?:the |my |our |an? )?(?P<name>[A-Za-z][\w-]+)", re.IGNORECASE)
_CELLS = re.compile(r"(?P<count>\d|two|three|four)\s*[x×]?\s*$", re.IGNORECASE)
_COUNTS = {"two": 2, "three": 3, "four": 4}
_CENTS = frozenset(("ct", "cent", "cents", "rappen", "pence", "p"))
_SIGNS = {
    **dict.fromkeys(("eur", "euro", "euros", "ct", "€"), "€"),
    **dict.fromkeys(("$", "usd", "dollar", "dollars", "cent", "cents", "bucks"), "$"),
}
_OF_LANGUAGE = frozenset(("tokens", "token", "tok"))
_THROUGHPUTS = frozenset(
    (
        "fps",
        "ips",
        "img/s",
        "frames/s",
        "images/s",
        "inf/s",
        "inferences/s",
        "tok/s",
        "tokens/s",
        "tps",
        "qps",
    )
)
_PIECES = frozenset(
    ("images", "frames", "tokens", "token", "tok", "requests", "req", "pictures", "inferences")
)
_HOUR_MS, _DAY_MS = 3.6e6, 8.64e7
_MW, _UA, _UJ = "mW", "uA", "uJ"
_DRAWS = {Family.POWER: _MW, Family.CURRENT: _UA, Family.ENERGY: _UJ}


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

    def fill(self, at: int, figure: Figure, **found: object) -> None:
        """More of a consumer that is there."""
        one = self.consumers[at]
        self.consumers[at] = replace(one, words=(*one.words, figure.text), **found)  # type: ignore[arg-type]

    def add(self, figure: Figure, name: str = "", **found: object) -> None:
        self.consumers.append(Consumer(name, words=(figure.text,), **found))  # type: ignore[arg-type]


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
    if price is not None:
        folded = price.currency.casefold()
        value = price.value / (100 if folded in _CENTS else 1)
        reader.own |= {"price": value, "currency": _SIGNS.get(folded, price.currency)}
        reader.words.append(price.words)
        return price.words
    bare = next((figure for figure in reader.figures if figure.family is Family.MONEY), None)
    if bare is not None and cue_found("power", text):
        reader.take(bare, price=bare.value, currency=_SIGNS.get(bare.unit.casefold(), bare.unit))
    return ""


def _read(reader: _Reader, at: int, figure: Figure) -> None:
    role = cue(reader.text, reader.figures, at)
    if role in ("claim", "limit", "percentile"):
        drawn = figure.family in (Family.POWER, Family.CURRENT)
        if role != "limit" or not drawn or not cue_found("budget", reader.text):
            return
        role = "budget"
    match figure.family:
        case Family.TIME:
            _time(reader, figure, role, at)
        case Family.RATE:
            _rate(reader, figure, at)
        case Family.ENERGY:
            _energy(reader, figure, role, at)
        case Family.POWER | Family.CURRENT:
            _draw(reader, figure, role, at)
        case Family.VOLTAGE:
            _voltage(reader, figure, role, at)
        case Family.CHARGE:
            hours = _hours_for(reader.text, figure)
            if hours is None:
                reader.take(figure, battery_mah=figure.value)
            else:
                reader.take(figure, budget_ua=figure.value * 1e3 / hours)
        case Family.PERCENT:
            _percent(reader, figure, role)
        case Family.COUNT:
            _count(reader, figure)


def _hours_for(text: str, figure: Figure) -> float | None:
    """24 of 20 mAh a day."""
    match = _A_TIME.match(text, figure.end)
    return FACTORS[match["unit"].lower()][1] / _HOUR_MS if match else None


def _time(reader: _Reader, figure: Figure, role: str, at: int) -> None:
    if role == "period" and figure.value:
        _paced(reader, figure, 1e3 / figure.value)
    elif figure.value >= _HOUR_MS and (role == "life" or (figure.value > _DAY_MS and not figure.spoken)):
        reader.take(figure, life_days=figure.value / _DAY_MS)
    elif figure.value > _DAY_MS:
        return
    elif figure.value >= _HOUR_MS:
        reader.take(figure, hours_per_day=figure.value / _HOUR_MS)
    else:
        _timed(reader, figure, figure.value, _name_before(reader, at))


def _timed(reader: _Reader, figure: Figure, each_ms: float, name: str) -> None:
    """The time of the consumer before it that has none, or of a new one."""
    last = reader.consumers[-1] if reader.consumers else None
    if last is not None and not last.each_ms and last.unit != _UJ and not last.share_percent:
        reader.fill(-1, figure, each_ms=each_ms, name=last.name or name)
    else:
        reader.add(figure, name, each_ms=each_ms)
    reader.words.append(figure.text)


def _rate(reader: _Reader, figure: Figure, at: int) -> None:
    family, factor = FACTORS.get(figure.noun, (None, 0.0))
    if family is Family.TIME:
        _of_a_time(reader, figure, figure.written * factor, _name_before(reader, at))
    elif family in (Family.ENERGY, Family.CHARGE):
        hours = figure.written / figure.value / 3600 if figure.value else 0.0
        amount = figure.written * factor / hours if hours else 0.0
        of_energy = (
            {"budget_mw": amount / _HOUR_MS} if family is Family.ENERGY else {"budget_ua": amount * 1e3}
        )
        reader.take(figure, **of_energy)
    else:
        _paced(reader, figure, figure.value, _name_before(reader, at))


def _of_a_time(reader: _Reader, figure: Figure, each_ms: float, name: str) -> None:
    """8 hours a day, 22 days a month; 1.2 s every 5 minutes is a run."""
    period_ms = 1e3 * figure.written / figure.value if figure.value else 0.0
    each_ms = min(each_ms, period_ms)
    if not period_ms:
        return
    if reader.harvest_mw:
        reader.take(figure, budget_mw=reader.harvest_mw * each_ms / period_ms)
    elif each_ms >= _DAY_MS:
        reader.take(figure, days_per_month=each_ms / _DAY_MS)
    elif each_ms >= _HOUR_MS and period_ms <= 1.01 * _DAY_MS:
        reader.take(figure, hours_per_day=each_ms / _HOUR_MS)
    else:
        _timed(reader, figure, each_ms, name)
        _paced(reader, figure, 1e3 / period_ms)


def _paced(reader: _Reader, figure: Figure, rate_hz: float, name: str = "") -> None:
    """The rate of every consumer before it without one; of one that is still to come where there is none."""
    unpaced = [at for at, one in enumerate(reader.consumers) if not one.rate_hz]
    done = figure.unit.lower() in _THROUGHPUTS or figure.noun in _PIECES
    nonstop = done and not figure.text.lower().startswith(("once", "twice", "every", "each", "one "))
    for at in unpaced:
        reader.fill(at, figure, rate_hz=rate_hz, nonstop=nonstop)
    if not unpaced:
        language = figure.noun in _OF_LANGUAGE or figure.unit in ("tok/s", "tokens/s", "tps")
        if language and reader.consumers and not reader.consumers[-1].drawn:
            reader.consumers.pop()
        reader.add(figure, name, rate_hz=rate_hz, nonstop=nonstop)
    reader.words.append(figure.text)


def _energy(reader: _Reader, figure: Figure, role: str, at: int) -> None:
    hours = _hours_for(reader.text, figure)
    if cues("more").match(reader.text[figure.end : figure.end + 8].strip()):
        return
    if hours is not None:
        reader.take(figure, budget_mw=figure.value / (hours * _HOUR_MS))
    elif figure.unit.lower().endswith("wh") or role == "battery":
        reader.take(figure, battery_wh=figure.value / 3.6e9)
    elif role == "store":
        reader.take(figure, store_uj=figure.value)
    else:
        _drawing(reader, figure, _UJ, at)


def _draw(reader: _Reader, figure: Figure, role: str, at: int) -> None:
    unit, value = _DRAWS[figure.family], figure.value
    one = Consumer("sleep", drawn=value, unit=unit, words=(figure.text,))
    match role:
        case "harvest" | "budget":
            reader.harvest_mw = value if unit == _MW else 0.0
            reader.take(figure, **({"budget_mw": value} if unit == _MW else {"budget_ua": value}))
        case "sleep":
            reader.asleep = one
            reader.words.append(figure.text)
        case "extra":
            reader.beside.append(replace(one, name=_name_of_extra(reader, at)))
            reader.words.append(figure.text)
        case _:
            _drawing(reader, figure, unit, at)


def _drawing(reader: _Reader, figure: Figure, unit: str, at: int) -> None:
    """The draw of all consumers before it that have none; else a new one's."""
    bare = [i for i, one in enumerate(reader.consumers) if not one.drawn]
    name = _name_before(reader, at)
    for i in bare:
        reader.fill(i, figure, drawn=figure.value, unit=unit, name=reader.consumers[i].name or name)
    if not bare:
        reader.add(figure, name, drawn=figure.value, unit=unit)
    reader.words.append(figure.text)


def _voltage(reader: _Reader, figure: Figure, role: str, at: int) -> None:
    """Over a shunt it is a current; right behind a charge it is the battery's."""
    shunt = _OHMS.search(reader.text)
    if shunt is not None and figure.value < 1:
        ohms = float(shunt[1]) / (1e3 if shunt[2] else 1.0)
        _drawing(reader, replace(figure, value=figure.value / ohms * 1e6), _UA, at)
        return
    before = reader.figures[at - 1] if at else None
    behind_charge = before is not None and before.family is Family.CHARGE and figure.start - before.end < 6
    if role == "battery" or behind_charge:
        reader.take(figure, battery_v=figure.value)
    else:
        reader.take(figure, supply_v=figure.value)


def _percent(reader: _Reader, figure: Figure, role: str) -> None:
    if role == "usable":
        reader.take(figure, usable_share=figure.value / 100)
    elif role == "headroom":
        reader.take(figure, headroom=figure.value / 100)
    elif role == "load" and reader.consumers and not reader.consumers[-1].each_ms:
        reader.fill(-1, figure, share_percent=figure.value)
        reader.words.append(figure.text)


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
