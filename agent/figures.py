"""A figure of a text, the numbers that it is written with, and where one may begin."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..hardware_db.kept import toml_in
from ..tools.core.records import dataclass
from .figure_units import FACTORS, Family
from .number_words import NUMBER_WORDS, word_value
from .patterns import compiled


@dataclass(frozen=True)
class Figure:
    """A stretch of text and the figure that it states."""

    start: int
    end: int
    text: str
    value: float
    """In the unit that names its family; of a range, the lower end."""
    family: Family
    unit: str = ""
    """As it was written; empty for a bare number."""
    written: float = 0.0
    """The number as it stands in front of `unit`."""
    upper: float | None = None
    """The upper end of a range."""
    noun: str = ""
    """What is counted: `images` of 1000 images per second, `threads` of 4 threads."""
    spoken: bool = False
    """In words, not digits."""


TIMES = sorted((n for n, (f, _) in FACTORS.items() if f is Family.TIME), key=len, reverse=True)
TIME = "|".join(TIMES)
DIGITS = (
    r"(?:\d{1,3}(?:['’]\d{3})+(?:\.\d+)?|\d{1,3}(?:,\d{3})+(?:\.\d+)?"
    r"|\d{1,3}(?:\.\d{3}){2,}(?![\w.])|\d{1,3}(?: \d{3})* \d00(?![\w.,%])"
    r"|\d+(?:[.,]\d+)?|\.\d+)"
    r"(?:[eE][-+]?\d{1,3})?"
)
NUMBER = rf"(?:{DIGITS}|{NUMBER_WORDS})"
_FOUND = toml_in(Path(__file__).with_name("figures.toml"))
PICTURES: Mapping[str, Sequence[float]] = _FOUND["pictures"]
MANY_OF = r"frames|images|pictures|photos|windows|inferences|times|looks|runs|clips|clas\w+s"
"""What there are so many of a second."""
LOOKS = compiled(rf"(?:{MANY_OF})", re.I)
OFTEN = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
START = r"(?<![\w.])(?<![A-Za-z]-)(?<!\d-)"


def matched(
    match: re.Match[str],
    value: float,
    family: Family,
    unit: str,
    written: float,
    *,
    upper: float | None = None,
    noun: str = "",
    spoken: bool = False,
) -> Figure:
    """The figure that a pattern found."""
    return Figure(match.start(), match.end(), match[0], value, family, unit, written, upper, noun, spoken)


def number_in(text: str) -> float:
    """Digits, or words for a number; a comma divides thousands where three digits follow it, a quote does."""
    if text[0].isalpha():
        return word_value(text)
    text = re.sub(r"[ '’]", "", text)
    text = text.replace(".", "") if text.count(".") > 1 else text
    whole, comma, rest = text.partition(",")
    decimal = comma and "," not in rest and "." not in rest and (len(rest) != 3 or whole == "0")
    return float(text.replace(",", "." if decimal else ""))


def count_in(text: str, noun: str) -> float:
    """Likewise of things that are counted whole: 40.000 tokens are forty thousand."""
    grouped = noun.removesuffix("s") != noun and _GROUPED.fullmatch(text)
    return number_in(text.replace(".", "") if grouped else text)


_GROUPED = compiled(r"[1-9]\d{0,2}\.\d{3}")


def patterns_of_figures() -> Mapping[str, re.Pattern[str]]:
    """The patterns of `figures.toml`, by name."""
    return {name: compiled(pattern, re.I) for name, pattern in _FOUND.items() if name != "pictures"}
