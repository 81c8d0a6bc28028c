"""Numbers with their units as they stand in a text."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from .families import Family, Reading
from .names import without_names
from .number_words import ARTICLES_OF_ONE, MULTIPLE, SPOKEN, WORD_VALUES, multiple_of
from .units import unit_at
from .words import ABOUT, FOREIGN

_SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_NUMBER = re.compile(
    r"(?<![\w.¤])(?<![\d¤]-)"
    r"(?P<sign>(?<![\w)\]])[-−+]\s?)?(?P<money>US\$|[$€£]\s?)?"
    r"(?:(?P<mantissa>\d+(?:\.\d+)?)\s?[×x·*]\s?10(?:\^|\*\*)?(?P<power>[-−]?\d+|[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
    r"|(?P<grouped>\d{1,3}(?:[,'_\u00a0\u202f\u2009]\d{3})+(?!\d)(?:\.\d+)?"
    r"|(?<!tensor )(?<!layer )(?<!op )(?<!, )(?<!and )(?<!or )[1-9]\d{0,2}(?: \d{3})+(?![\d.,]\d))"
    r"|(?P<plain>\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\.\d+))"
)
_DECIMAL_COMMA = re.compile(r"(?<![\w.,¤])(\d+),(\d+)(?![\d.,]*\d)")
_SIDES = re.compile(r"(?<![\w.,¤])\d+(?:\s?[x×]\s?\d+)+(?![\w])")
_INDEX_BEFORE = re.compile(
    r"(?:\b(?:layers?|ops?|operators?|nodes?|index|indices|tensors?|no\.|"
    r"Schicht(?:en)?|couches?|capas?)|#)[ \t#(:]*$|\blayers? \w+:[ \t]*$",
    re.IGNORECASE,
)
_EXPLAINED = re.compile(r"[*_`]* \((?=[\d.,]+\s?(?:ms|µs|us|s|%|KiB|kB|bytes|MACs|mJ|µJ))")
_MORE_THAN = re.compile(r"(?<!\w)(?:more than|over|well over|above|at least)[\s*_`]*(?:a )?$", re.IGNORECASE)
_LESS_THAN = re.compile(
    r"(?<!\w)(?:less than|under|below|not even|at most|up to)[\s*_`]*(?:a )?$", re.IGNORECASE
)
_FACTOR = re.compile(
    r"(?<!\w)factor(?: of)?[\s*_`≈~]*(?:about |around |roughly |nearly |almost )?$", re.IGNORECASE
)
_OF_NUMBER = re.compile(r" ?(?:of )?(?:the|its|all|your) (?=\d)")
_SMALLEST_ROUNDED = 3
"""Of the numbers in words: eleven may stand for 11.02 as 11 does."""
_COUNTED_NOUN = re.compile(
    r"(?:[^\W\d]+[ -]){0,2}?(?:measurements|networks|models|boards)(?!\w)", re.IGNORECASE
)
_LAYERS_BEFORE = re.compile(r"(?<!\w)(?:layers|operators|ops)(?!\w)(?:[^.;\n]|\.(?=\d))*$")
_MOST_LAYERS = 10_000
_FOREIGN = re.compile(rf"(?<!\w)(?:{FOREIGN})(?!\w)")
_OVERLONG = re.compile(r"\S{400,}")
"""No number and no name is that long: it is read as one number that nothing equals."""
_SHOWN = 40
_ABOUT_WORDS = 0.08
_WORDS = 0.02
_FURTHEST = 0.15
"""No number stands for one that is further off: 1 MiB is not half a MiB."""
_LIST_GAP = re.compile(r"\s*(?:,|and|or|&|,\s*and|–|-|to)\s*")
_ABOUT = re.compile(rf"(?<!\w)(?:{ABOUT})[\s*_`]*$", re.IGNORECASE)

_NOT_AFTER_ARTICLE = frozenset(
    (
        Family.OPERATORS,
        Family.PARAMETERS,
        Family.PIECES,
        Family.MACS,
        Family.CYCLES,
        Family.BARE,
        Family.TIME,
        Family.RATIO,
    )
)


@dataclass(frozen=True)
class Figure:
    """A number as printed: `value` in its own unit, which can be read in one or more ways."""

    text: str
    start: int
    end: int
    value: float
    step: float
    """Weight of the last digit printed; 0 for a number in words."""
    unit: str
    readings: tuple[Reading, ...]
    """Empty for a bare number."""
    about: bool = False
    """Introduced as approximate."""
    beyond: int = 0
    """Told as more (1) or less (-1) than this: the true one may lie further off on that side."""
    otherwise: tuple[float, float] | None = None
    """Value and step where a point groups thousands, or a comma starts the fraction."""

    @property
    def family(self) -> Family | None:
        return self.readings[0].family if self.readings else None

    def as_index(self) -> Figure:
        return replace(self, readings=(Reading(Family.INDEX, 1.0),), unit="index")

    def meanings(self) -> Iterable[tuple[float, float]]:
        """Each value that it may be, with how far the true one may lie from it."""
        yield self.value, tolerance(self)
        if self.beyond:
            far = self.value + self.beyond * (_last_digit(self) if self.step else self.value / 2)
            yield (self.value + far) / 2, abs(far - self.value) / 2
        if self.otherwise is not None:
            other = replace(self, value=self.otherwise[0], step=self.otherwise[1], otherwise=None)
            yield other.value, tolerance(other)


def find_figures(text: str, names: Iterable[str] = ()) -> list[Figure]:
    """Every number of a text with its unit, in order; `names` may be spelt with digits and are no numbers."""
    overlong = [m for m in _OVERLONG.finditer(text) if any(c.isdigit() for c in m[0])]
    masked = without_names(_OVERLONG.sub(lambda m: "¤" * len(m[0]), text), names)
    sides = list(_sides(masked))
    masked = _SIDES.sub(lambda m: "¤" * len(m[0]), masked)
    masked = _DECIMAL_COMMA.sub(_with_point, masked)
    unread = [Figure(m[0][:_SHOWN], m.start(), m.end(), -1.0, 0.0, "", ()) for m in overlong]
    written = list(_written(text, masked))
    spans = {end for one in written for end in range(one.start + 1, one.end)}
    spoken = [one for one in _spoken(text, masked) if one.start not in spans]
    taken = {one.start for one in spoken}
    multiples = (one for one in _multiples(text, masked) if one.start not in taken)
    found = [*unread, *sides, *written, *spoken, *multiples]
    return _indices(text, sorted(found, key=lambda f: f.start))


def _with_point(match: re.Match[str]) -> str:
    """12,5 ms is 12.5 ms; 1,024 stays, and so does 4,8 without a unit: a list."""
    thousands = len(match[2]) == 3 and match[1] != "0"
    unit = unit_at(match.string, match.end())
    if thousands or (not unit.readings and match[1] != "0"):
        return match[0]
    return f"{match[1]}.{match[2]}"


def _written(text: str, masked: str) -> Iterable[Figure]:
    foreign = _FOREIGN.search(text) is not None
    for match in _NUMBER.finditer(masked):
        value, step = _value(match)
        end, unit = match.end(), unit_at(masked, match.end())
        if not unit.readings and masked[end : end + 1].isidentifier():
            continue  # 2D, 3rd, 0x1F: a word
        readings, name = unit.readings, unit.text
        if match["money"]:
            family = Family.MONEY if "$" in match["money"] else Family.OTHER_MONEY
            scale = readings[0].factor if readings and readings[0].family is Family.BARE else 1.0
            readings, name = (Reading(family, scale),), match["money"].strip()
        stop = unit.end if unit.readings else end
        before = _before(masked, match.start())
        about = _ABOUT.search(before) is not None
        if not readings and _FACTOR.search(before):
            readings = (Reading(Family.RATIO, 1.0),)
        start = match.start()
        yield Figure(
            text[start:stop].strip(),
            start,
            stop,
            value,
            step,
            name,
            readings,
            about,
            beyond=_beyond(before),
            otherwise=_otherwise(match) if foreign else None,
        )


def _before(text: str, position: int) -> str:
    """The words just before a position; an answer may be long."""
    return text[max(0, position - 40) : position]


def _value(match: re.Match[str]) -> tuple[float, float]:
    if match["mantissa"]:
        power = int(match["power"].translate(_SUPERSCRIPTS).replace("−", "-"))
        scale = 10.0 ** max(-300, min(300, power))
        return float(match["mantissa"]) * scale, _step(match["mantissa"]) * scale
    digits = re.sub(r"[,'_\s]", "", match["grouped"] or match["plain"])
    value = float(digits)
    base, _, power_text = digits.lower().partition("e")
    return value, _step(base) * 10.0 ** max(-300, min(300, int(power_text or 0)))


def _otherwise(match: re.Match[str]) -> tuple[float, float] | None:
    """12.345 may be twelve thousand, and 12,345 twelve and a third."""
    if match["plain"] and re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", match["plain"]):
        return float(match["plain"].replace(".", "")), 1.0
    if match["grouped"] and re.fullmatch(r"\d{1,3},\d{3}", match["grouped"]):
        return float(match["grouped"].replace(",", ".")), 1e-3
    return None


def _step(digits: str) -> float:
    _, _, decimals = digits.partition(".")
    return 10.0 ** -len(decimals)


def _sides(masked: str) -> Iterable[Figure]:
    """96x96x3 is three bare numbers."""
    for match in _SIDES.finditer(masked):
        for part in re.finditer(r"\d+", match[0]):
            start = match.start() + part.start()
            yield Figure(match[0], start, match.start() + part.end(), float(part[0]), 1.0, "", ())


def _spoken(text: str, masked: str) -> Iterable[Figure]:
    for match in SPOKEN.finditer(masked):
        unit = unit_at(masked, match.end())
        words = match["words"].casefold()
        article = words in ARTICLES_OF_ONE
        if not unit.readings and WORD_VALUES[words] > 1 and _OF_NUMBER.match(masked, match.end() - 1):
            yield Figure(match["words"], match.start(), match.end("words"), WORD_VALUES[words], 1.0, "", ())
        counted = not article and WORD_VALUES[words] >= _SMALLEST_ROUNDED and WORD_VALUES[words] % 1 == 0
        if not unit.readings and counted and _COUNTED_NOUN.match(masked, match.end()):
            yield Figure(match["words"], match.start(), match.end("words"), WORD_VALUES[words], 1.0, "", ())
        if not unit.readings or (article and unit.readings[0].family in _NOT_AFTER_ARTICLE):
            continue
        yield Figure(
            text[match.start() : unit.end],
            match.start(),
            unit.end,
            WORD_VALUES[words],
            1.0 if WORD_VALUES[words] >= _SMALLEST_ROUNDED and WORD_VALUES[words] % 1 == 0 else 0.0,
            unit.text,
            unit.readings,
            about=_ABOUT.search(_before(masked, match.start())) is not None,
            beyond=_beyond(_before(masked, match.start())),
        )


def _multiples(text: str, masked: str) -> Iterable[Figure]:
    """Twice as fast, half the arena: ratios, roughly."""
    ratio = (Reading(Family.RATIO, 1.0),)
    for match in MULTIPLE.finditer(masked):
        start, stop = match.span("alone") if match["alone"] else match.span()
        if not unit_at(masked, stop).readings:
            value = multiple_of(match)
            beyond = _beyond(_before(masked, start)) * (-1 if match["verb"] and value < 1 else 1)
            yield Figure(
                text[start:stop], start, stop, value, 0.0, match[0], ratio, about=True, beyond=beyond
            )


def _beyond(before: str) -> int:
    return bool(_MORE_THAN.search(before)) - bool(_LESS_THAN.search(before))


def _indices(text: str, figures: list[Figure]) -> list[Figure]:
    """Numbers after "layer", and those listed after them, name a layer."""
    out: list[Figure] = []
    for figure in figures:
        whole = figure.step == 1.0 and not figure.readings and figure.value < _MOST_LAYERS
        named = _INDEX_BEFORE.search(_before(text, figure.start)) is not None
        listed = (
            bool(out)
            and out[-1].family is Family.INDEX
            and _LIST_GAP.fullmatch(text[out[-1].end : figure.start])
        )
        if whole and (named or listed or _is_index_of_list(text, figure)):
            out.append(figure.as_index())
        else:
            out.append(figure)
    return out


def _is_index_of_list(text: str, figure: Figure) -> bool:
    """The slowest layers are 7 (4.31 ms) and 1 (3.83 ms)."""
    return bool(_EXPLAINED.match(text, figure.end)) and bool(
        _LAYERS_BEFORE.search(text[max(0, figure.start - 120) : figure.start])
    )


def tolerance(figure: Figure) -> float:
    """How far from the printed number the true one may lie, in the printed unit."""
    exact = 1e-9 * max(1.0, abs(figure.value))
    if figure.step == 0.0:
        return (_ABOUT_WORDS if figure.about else _WORDS) * abs(figure.value)
    half = min(figure.step / 2, _FURTHEST * abs(figure.value)) if figure.value else figure.step / 2
    if figure.about and figure.value:
        half = max(half, min(_last_digit(figure) / 2, 0.05 * abs(figure.value)))
    return half + exact


def _last_digit(figure: Figure) -> float:
    """Weight of the last digit that is not zero."""
    last = figure.step
    while figure.value and math.isclose(
        figure.value / (last * 10), round(figure.value / (last * 10)), abs_tol=1e-9
    ):
        last *= 10
    return last


def strictly(figure: Figure) -> Figure:
    """In an answer kB are 1000 bytes; a question may also mean 1024."""
    if figure.unit != "kB":
        return figure
    return replace(figure, readings=tuple(r for r in figure.readings if r.factor % 1000 == 0))
