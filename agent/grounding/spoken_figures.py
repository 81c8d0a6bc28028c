"""Figures as people say them, in digits: "a watt and a half" is 1.5 W, "every other second" every 2 s."""

from __future__ import annotations

import re
from fractions import Fraction

from .units import readings_of

_COUNTS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SMALL = {word: value for value, word in enumerate(_COUNTS)}
_SMALL |= {word: 10 * value for value, word in enumerate(_TENS, 2)}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_LOOSE_COUNTS = {"couple of": 2, "couple": 2, "dozen": 12, "pair of": 2}
_PARTS = {
    "half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10,
    "twelfth": 12, "fifteenth": 15, "twentieth": 20, "twenty-fifth": 25, "thirtieth": 30, "fiftieth": 50,
    "sixtieth": 60, "hundredth": 100, "thousandth": 1000, "millionth": 1_000_000,
}  # fmt: skip
_MOST_WORDS = 9
"""Of one number."""
_SYMBOLS = {"milli": "m", "micro": "u", "nano": "n", "kilo": "k", "mega": "M", "giga": "G"}
_MISSPELT = {"mili": "milli", "mikro": "micro"}
_BASES = {
    "second": "s", "sec": "s", "joule": "J", "watt": "W", "byte": "B", "hertz": "Hz", "amp": "A",
    "ampere": "A", "volt": "V",
}  # fmt: skip
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_CENTS = re.compile(r"\b(?P<whole>\d+) (?:dollars?|bucks) (?:and )?(?P<cents>\d{2})\b", re.IGNORECASE)
_ADVERBS = {"hourly": "every 3600 s", "daily": "every 86400 s", "weekly": "every 604800 s"}
_ORDINALS = {"other": "2", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "tenth": "10"}


def _any(words: dict[str, int]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_WORD = rf"(?:{_any(_SMALL | _SCALES)})"
_SPAN = r"(?P<span>seconds?|secs?|minutes?|mins?|hours?|days?|weeks?)\b"
_UNIT = r"(?P<unit>[A-Za-zµμ]+)\b"

_PREFIX = "|".join([*_SYMBOLS, *_MISSPELT])
_PREFIXED = re.compile(
    rf"\b(?P<prefix>{_PREFIX})[ -]?(?P<unit>{'|'.join(_BASES)})s?(?P<hours>[ -]?hours?)?\b(?![ -]?sec)",
    re.IGNORECASE,
)
_MILLIS = re.compile(r"(?<=\d) ?milli(?:s|secs?)?\b", re.IGNORECASE)
_BARE_BINARY = re.compile(r"(?<=\d) ?([KkMm])i\b")
_LOOSE_COUNT = re.compile(rf"\b(?P<half>half )?(?:an? )?(?P<words>{_any(_LOOSE_COUNTS)})\b", re.IGNORECASE)
_IN_WORDS = re.compile(
    rf"(?<![\w-])(?P<first>an? (?=hundred|thousand|million))?"
    rf"(?P<words>{_WORD}(?:(?: and |[ -]){_WORD})*)(?![\w-]*\w)",
    re.IGNORECASE,
)
_DIGIT_BEFORE = re.compile(r"\d[ -]$")
_AFTER_ONE = re.compile(
    r"[ -](?P<unit>[A-Za-zµμ]+)(?P<rate> (?:per|an?|every|each) (?:second|minute|hour|day)\b)?", re.IGNORECASE
)
_AND_A_PART = re.compile(
    rf"(?<![\w.])(?P<whole>\d+|an?|one) (?:(?P<unit>[A-Za-zµμ]+) )?and (?:an? |"
    rf"one )?(?P<part>{_any(_PARTS)})s?\b"
    r"(?: (?P<after>[A-Za-zµμ]+)\b)?",
    re.IGNORECASE,
)
_PART_OF = re.compile(
    rf"(?<![\w.])(?:(?P<count>\d+|an?|the)[ -])?(?P<part>{_any(_PARTS)})s?[ -](?:of )?(?:an? |1 )?{_UNIT}",
    re.IGNORECASE,
)
_OVER = re.compile(
    rf"(?<![\w./])(?P<over>\d{{1,2}})/(?P<under>[1-9]\d{{0,3}})(?:th|rd)?(?: of (?:an? )?)? ?{_UNIT}"
)
_EVERY_FEW = re.compile(
    rf"\b(?:every|each) (?P<nth>{'|'.join(_ORDINALS)}|\d+(?=st|nd|rd|th))\w* {_SPAN}", re.IGNORECASE
)
_EVERY_ONE = re.compile(
    rf"\b(?:(?:once|1 times?) (?:an?|per|every|each|in an?)|every(?: single| 1)?|each) {_SPAN}", re.IGNORECASE
)
_PER_SPAN = re.compile(rf"\b(?:1|one) (?:[a-z]+ ){{1,3}}(?:per|an?|each|every) {_SPAN}", re.IGNORECASE)
_TIMES_PER = re.compile(
    r"\b(?:(?P<twice>twice)|(?P<thrice>thrice)|(?P<count>\d+(?:\.\d+)?)(?: ?x| (?:[a-z-]+ )?[a-z-]+)) ?"
    r"(?:per|an?|each|every|in an?|/) ?(?P<slow>minutes?|mins?|hours?|days?|weeks?)\b",
    re.IGNORECASE,
)
_PER_SECOND = re.compile(
    r"(?:(?P<twice>twice)|(?P<thrice>thrice)|(?<![\w.,])(?P<count>\d+(?:\.\d+)?) "
    r"(?!cycles|macs?\b|operations|ops\b|g?flops?\b|[a-z]*bytes|tokens|bits|mb|gb|kb|"
    r"gops)(?:[a-z]+ )?[a-z]+s?) ?"
    r"(?:per|by|an?|in (?:the|one|1|a)|each|every|/) ?(?:seconds?|secs?|s)\b",
    re.IGNORECASE,
)


def in_digits(text: str) -> str:
    """The text with counts, fractions, units and periods in digits and symbols; what is no figure stays."""
    text = _PREFIXED.sub(_symbol, text)
    text = _LOOSE_COUNT.sub(
        lambda m: str(_LOOSE_COUNTS[m["words"].casefold()] // (2 if m["half"] else 1)), text
    )
    text = _IN_WORDS.sub(_counted, text)
    text = _MILLIS.sub(" ms", _BARE_BINARY.sub(r" \1iB", text))
    text = _EVERY_FEW.sub(_every_few, text)
    text = _AND_A_PART.sub(_with_part, text)
    text = _PART_OF.sub(_share, text)
    text = _OVER.sub(lambda m: _amount(m, Fraction(int(m["over"]), int(m["under"])), m["unit"]), text)
    text = _EVERY_ONE.sub(lambda m: f"every {_span_s(m['span'])} s", text)
    text = _TIMES_PER.sub(lambda m: f"every {float(_span_s(m['slow']) / _times(m)):.9g} s", text)
    text = _PER_SECOND.sub(lambda m: f"{float(_times(m)):.9g} /s", text)
    text = _CENTS.sub(r"\g<whole>.\g<cents> dollars", text)
    text = _PER_SPAN.sub(lambda m: f"every {_span_s(m['span'])} s", text)
    for word, period in _ADVERBS.items():
        text = re.sub(rf"\b{word}\b", period, text, flags=re.IGNORECASE)
    return text


def _symbol(match: re.Match[str]) -> str:
    """5 milli-amp hours are 5 mAh."""
    hours = "h" if match["hours"] and match["unit"].casefold().startswith("amp") else ""
    if match["hours"] and not hours:
        return match[0]
    prefix = match["prefix"].casefold()
    return f"{_SYMBOLS[_MISSPELT.get(prefix, prefix)]}{_BASES[match['unit'].casefold()]}{hours}"


def _counted(match: re.Match[str]) -> str:
    """The digits; a lone "one" stays, as it rarely counts."""
    words = [word for word in re.split(r" and |[ -]", match["words"].casefold()) if word]
    if words[0] in _SCALES and _DIGIT_BEFORE.search(match.string, 0, match.start()):
        return match[0]
    if len(words) > _MOST_WORDS:
        return match[0]
    if words == ["one"]:
        following = _AFTER_ONE.match(match.string, match.end())
        counts = following is not None and (following["rate"] or readings_of(following["unit"]))
        return "1" if counts else match[0]
    total, group = Fraction(0), Fraction(0)
    for word in words:
        if word in _SMALL:
            group += _SMALL[word]
        elif word == "hundred":
            group = (group or Fraction(1)) * 100
        else:
            total, group = total + (group or Fraction(1)) * _SCALES[word], Fraction(0)
    return f"{float(total + group):.15g}"


def _with_part(match: re.Match[str]) -> str:
    """A watt and a half, 2 and a half seconds."""
    unit = match["unit"] or match["after"] or ""
    if not readings_of(unit) or (match["unit"] and match["after"] and readings_of(match["after"])):
        return match[0]
    whole = Fraction(match["whole"]) if match["whole"].isdigit() else Fraction(1)
    rest = f" {match['after']}" if match["unit"] and match["after"] else ""
    return _amount(match, whole + Fraction(1, _PARTS[match["part"].casefold()]), unit) + rest


def _share(match: re.Match[str]) -> str:
    """A fifth of a second, 3 quarters of a meg, half a joule."""
    count = Fraction(match["count"]) if (match["count"] or "").isdigit() else Fraction(1)
    return _amount(match, count / _PARTS[match["part"].casefold()], match["unit"])


def _amount(match: re.Match[str], amount: Fraction, unit: str) -> str:
    return f"{float(amount):.9g} {unit}" if readings_of(unit) else match[0]


def _every_few(match: re.Match[str]) -> str:
    nth = match["nth"].casefold()
    return f"every {_ORDINALS.get(nth, nth)} {match['span']}"


def _times(match: re.Match[str]) -> Fraction:
    if match["twice"] or match["thrice"]:
        return Fraction(2 if match["twice"] else 3)
    return Fraction(match["count"])


def _span_s(span: str) -> int:
    return _SECONDS[span[0].casefold()]
