"""What a conversation has of its own figures: what draws how much, how long, how often, and from what."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path

DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_MEASURED = re.compile(DATA["own"]["measured"], re.IGNORECASE)
_ASKS = {name: re.compile(words, re.IGNORECASE) for name, words in DATA["asks"].items()}
_STATED = re.compile(
    r"§\s*(?:on average|average|(?:per|an?|each) (?!day|month|year|kwh)\w+|each)\b", re.IGNORECASE
)
_SENTENCE = re.compile(r"[^.?!\n]+(?:[.](?=\S)[^.?!\n]*)*[?]?")
_ASKING = re.compile(
    r"\s*(?:and |so |ok(?:ay)?,? )?(?:how|what|which|when|does|do|is|can|could|will)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Consumer:
    """One thing that draws; what is 0 was not said."""

    name: str = ""
    each_ms: float = 0.0
    drawn: float = 0.0
    unit: str = ""
    """Of `drawn`: mW, uA or uJ."""
    rate_hz: float = 0.0
    share_percent: float = 0.0
    nonstop: bool = False
    """Whether the rate is what it gets done one after the other, as 30 fps are, and once a minute is not."""
    words: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether what one run takes is known."""
        return bool(self.drawn) and bool(self.each_ms or self.unit == "uJ" or self.nonstop)

    @property
    def may_be_timed(self) -> bool:
        """Whether a time told of it makes a run of it, and no energy or share does already."""
        return self.unit != "uJ" and not self.share_percent

    @property
    def lacks_time(self) -> bool:
        """Whether it is known what it draws and how often it runs, and not for how long."""
        return bool(self.drawn and self.rate_hz) and not self.whole

    def spec(self, name: str) -> str:
        """As `add_up_loads` takes it."""
        parts = [f"{self.each_ms:.10g}ms"] if self.each_ms else []
        parts += [f"{self.drawn:.10g}{self.unit}"] if self.drawn else []
        parts += [f"{self.rate_hz:.10g}/s"] if self.rate_hz and not self.lacks_time else []
        parts += [f"{self.share_percent:.10g}%"] if self.share_percent else []
        return f"{name}={','.join(parts)}"


@dataclass(frozen=True)
class OwnFigures:
    """All of them; None and 0 are what was not said."""

    consumers: tuple[Consumer, ...] = ()
    asleep: Consumer | None = None
    beside: tuple[Consumer, ...] = ()
    """What draws all the time."""
    supply_v: float | None = None
    battery: str = ""
    battery_mah: float | None = None
    battery_v: float | None = None
    battery_wh: float | None = None
    usable_share: float | None = None
    life_days: float | None = None
    budget_mw: float | None = None
    budget_ua: float | None = None
    store_uj: float | None = None
    headroom: float | None = None
    devices: int | None = None
    streams: int | None = None
    hours_per_day: float | None = None
    days_per_month: float | None = None
    price: float | None = None
    currency: str = ""
    overhead: float | None = None
    pieces: float | None = None
    """Tokens of an answer, images of a job."""
    words: tuple[str, ...] = ()
    """What was read, as it was written."""
    adds: bool = False
    """Whether it says that it comes on top."""

    @property
    def drawing(self) -> tuple[Consumer, ...]:
        """All that may draw."""
        return (*self.consumers, *self.beside, *filter(None, (self.asleep,)))


def asked_of(question: str, told: OwnFigures | None) -> tuple[str, ...]:
    """What is asked of figures, in the order of the words; the figures themselves ask nothing."""
    for words in sorted(told.words if told else (), key=len, reverse=True):
        question = question.replace(words, "§")
    question = _STATED.sub("§", question)
    parts = _SENTENCE.findall(question)
    asking = [part for part in parts if part.endswith("?")] or [part for part in parts if _ASKING.match(part)]
    return _asked_in(" ".join(asking)) or _asked_in(question)


def _asked_in(text: str) -> tuple[str, ...]:
    found = [(match.start(), name) for name, words in _ASKS.items() if (match := words.search(text))]
    return tuple(name for _, name in sorted(found))


def good_for(told: OwnFigures | None, before: tuple[str, ...]) -> tuple[str, ...]:
    """What a message is after that only adds a battery, a price or a budget: else what was asked before."""
    if told is None or {"rate", "allowed", "size"} & set(before):
        return before
    if told.battery_mah or told.battery_wh or told.battery:
        return ("life",)
    if told.price:
        return ("cost",)
    return ("rate",) if told.budget_mw or told.budget_ua else before


def says_measured(text: str) -> bool:
    """Whether it says that figures are the user's own."""
    return bool(_MEASURED.search(text))


def together(earlier: OwnFigures | None, new: OwnFigures) -> OwnFigures:
    """What a later message says over what an earlier one said: it replaces, fills in, or comes on top."""
    if earlier is None:
        return new
    kept = {
        name: getattr(new, name) if getattr(new, name) not in (None, "") else getattr(earlier, name)
        for name in _SINGLE
    }
    if new.battery_mah or new.battery_wh:
        kept["battery_mah"], kept["battery_wh"] = new.battery_mah, new.battery_wh
        kept["battery"] = new.battery or ("" if new.battery_v else earlier.battery)
    elif new.battery:
        kept |= {"battery_mah": None, "battery_wh": None, "battery_v": new.battery_v}
    if new.budget_mw or new.budget_ua:
        kept["budget_mw"], kept["budget_ua"] = new.budget_mw, new.budget_ua
    consumers, beside = _merged(earlier, new)
    return OwnFigures(
        consumers=consumers, asleep=new.asleep or earlier.asleep, beside=beside, words=new.words,
        adds=new.adds, **kept,
    )  # fmt: skip


_SINGLE = tuple(
    each.name
    for each in fields(OwnFigures)
    if each.name not in ("consumers", "asleep", "beside", "words", "adds")
)


def _merged(earlier: OwnFigures, new: OwnFigures) -> tuple[tuple[Consumer, ...], tuple[Consumer, ...]]:
    """A whole consumer replaces those before it or comes on top; a part of one goes into the first."""
    beside = (*(one for one in earlier.beside if one.name not in {x.name for x in new.beside}), *new.beside)
    if not new.consumers or not earlier.consumers:
        return new.consumers or earlier.consumers, beside
    first, new_first = earlier.consumers[0], new.consumers[0]
    known = {name: value for name in _OF_A_RUN if (value := getattr(new_first, name))}
    known |= {"nonstop": new_first.nonstop} if new_first.rate_hz else {}
    filled = replace(first, **known, words=(*first.words, *new_first.words))
    return (filled, *earlier.consumers[1:]), beside


_OF_A_RUN = ("each_ms", "drawn", "unit", "rate_hz", "share_percent")


__all__ = ["DATA", "Consumer", "OwnFigures", "asked_of", "good_for", "says_measured", "together"]
