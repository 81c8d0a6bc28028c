"""Numbers in words, in English, German, French and Spanish."""

from __future__ import annotations

import re

from .words import ABOUT

_UNITS = {  # the Spanish eleven is left out: it is spelled like the English "once"
    0: "zero null zéro cero",
    1: "one eins ein eine un une uno una",
    2: "two zwei deux dos",
    3: "three drei trois tres",
    4: "four vier quatre cuatro",
    5: "five fünf cinq cinco",
    6: "six sechs seis",
    7: "seven sieben sept siete",
    8: "eight acht huit ocho",
    9: "nine neun neuf nueve",
    10: "ten zehn dix diez",
    11: "eleven elf onze",
    12: "twelve zwölf douze doce",
    13: "thirteen dreizehn treize trece",
    14: "fourteen vierzehn quatorze catorce",
    15: "fifteen fünfzehn quinze quince",
    16: "sixteen sechzehn seize dieciséis",
    17: "seventeen siebzehn dix-sept diecisiete",
    18: "eighteen achtzehn dix-huit dieciocho",
    19: "nineteen neunzehn dix-neuf diecinueve",
    20: "twenty zwanzig vingt veinte",
    30: "thirty dreißig trente treinta",
    40: "forty vierzig quarante cuarenta",
    50: "fifty fünfzig cinquante cincuenta",
    60: "sixty sechzig soixante sesenta",
    70: "seventy siebzig soixante-dix setenta",
    80: "eighty achtzig quatre-vingts ochenta",
    90: "ninety neunzig quatre-vingt-dix noventa",
    100: "hundred hundert cent cien",
    1000: "thousand tausend mille mil",
}
_PHRASES = {
    "half": 0.5, "quarter": 0.25, "a quarter": 0.25, "a third": 1 / 3, "two thirds": 2 / 3, "a fifth": 0.2,
    "a tenth": 0.1, "a hundredth": 0.01, "a thousandth": 0.001, "three quarters": 0.75,
    "one and a half": 1.5, "two and a half": 2.5, "three and a half": 3.5,
    "a couple": 2, "a hundred": 100, "a thousand": 1000,
    "eine halbe": 0.5, "ein halbes": 0.5, "einen halben": 0.5, "halbe": 0.5, "anderthalb": 1.5,
    "une demi": 0.5, "un demi": 0.5, "medio": 0.5, "media": 0.5,
}  # fmt: skip
ARTICLES_OF_ONE = frozenset(("a", "an", "ein", "eine", "un", "une", "una", "one", "uno"))
"""What says one only before some units."""


def _values() -> dict[str, float]:
    found: dict[str, float] = {word: value for value, words in _UNITS.items() for word in words.split()}
    simple = {value: words.split()[0] for value, words in _UNITS.items()}
    for tens in range(20, 100, 10):
        for one in range(1, 10):
            for joint in "- ":
                found[f"{simple[tens]}{joint}{simple[one]}"] = tens + one
    for count in range(1, 10):
        found[f"{simple[count]} hundred"] = 100 * count
        found[f"{simple[count]} thousand"] = 1000 * count
    return found | _PHRASES | {"a": 1, "an": 1}


WORD_VALUES = _values()
SPOKEN = re.compile(
    r"(?<![\w-])(?P<words>"
    + "|".join(sorted((re.escape(word).replace(r"\ ", " ") for word in WORD_VALUES), key=len, reverse=True))
    + r")[ -](?:of |de )?(?:an? )?",
    re.IGNORECASE,
)

_MEASURED = (
    r"latency|(?:inference |run ?)?time|energy|power|arena|ram|flash|speed|macs|size|memory|clock|frequency|"
    r"rate|throughput|cycles|bandwidth|code|weights|budget|limit"
)
_TIMES = {"twice": 2.0, "double": 2.0, "triple": 3.0, "thrice": 3.0, "quadruple": 4.0,
          "doppelt": 2.0, "dreimal": 3.0, "halb": 0.5, "half": 0.5}  # fmt: skip
_VERBS = {"halv": 0.5, "doubl": 2.0, "tripl": 3.0, "quadrupl": 4.0}
_PARTS = {"half": 2, "halves": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
          "ninth": 9, "tenth": 10}  # fmt: skip
_SOME = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4}
_GOES_ON = (
    r"of|less|more|fewer|lower|higher|smaller|larger|bigger|shorter|longer|faster|slower|cheaper|the|that|its|as|"
    r"in|goes|is|are|remains?|left|free"
)
MULTIPLE = re.compile(
    rf"(?<![\w-])(?:(?P<times>{'|'.join(_TIMES)})(?= (?:as|so|that of|of (?:the|its|your|that|all|it|"
    rf"which|them|this|these|our|each|every)|"
    rf"(?:the|its|your) (?:[\w-]+ )?(?:{_MEASURED}|\d))\b)"
    rf"|(?P<verb>{'|'.join(_VERBS)})(?:es|e|s|ed|ing)(?= (?:the |its |your )?(?:{_MEASURED})\b| (?:from|"
    rf"to)\b|[,.;:])"
    rf"|(?<!within )(?P<some>{'|'.join(_SOME)})[ -](?P<part>{'|'.join(_PARTS)})s?"
    rf"(?=\W*$|[,.;:)]|[ *_]+(?:{_GOES_ON})\b)"
    rf"|(?:{ABOUT}) (?P<alone>half)(?=[,.;:)]|$| (?:{_GOES_ON})\b))",
    re.IGNORECASE,
)


def multiple_of(match: re.Match[str]) -> float:
    """What a match of `MULTIPLE` says in numbers."""
    if match["times"]:
        return _TIMES[match["times"].casefold()]
    if match["verb"]:
        return _VERBS[match["verb"].casefold()]
    if match["part"]:
        return _SOME[match["some"].casefold()] / _PARTS[match["part"].casefold()]
    return 1 / _PARTS[match["alone"].casefold().rpartition(" ")[2]]
