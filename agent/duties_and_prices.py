"""How long a day something works, what a day yields, and what an hour or a kWh costs: by their form alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .currencies import EVERY
from .figure_units import FACTORS, Family
from .figures import DIGITS, NUMBER, START, TIME, Figure, matched, number_in, patterns_of_figures
from .number_words import SHARES
from .patterns import compiled

_DUTY = compiled(
    rf"{START}(?:(?P<number>{NUMBER})|an?|half an)[\s-]?(?P<unit>{TIME})\b(?: of \w+)?"
    r"(?:\s?(?:\b(?:per|an?|each|every|the|of the)\s+|/\s?)(?:(?P<work>work(?:ing)?|week|office)[- ]?)?"
    r"(?P<per>day|morning|evening|night|shift|week|month|year)s?\b|\s(?P<daily>daily|nightly)\b)",
    re.I,
)
_BOTH = compiled(
    rf"{START}(?P<hours>(?P<number>\d{{1,2}}(?:\.\d+)?)[\s-]?(?:h|hrs?|hours?)(?:\s?(?:an?|per|each|/)\s?day)?)"
    r"\s?(?:,|/|x|×|\*|and|on|for)\s?"
    r"(?P<days>(?P<many>\d{1,2})\s?(?:(?:work(?:ing)?|week|office|business)[- ]?)?days)\b"
    r"(?! (?:an?|per|each|of)\b)",
    re.I,
)
"""Hours and days that belong together: 10 h, 22 days; 8 hours x 5 days."""
_WORK_DAYS, _WEEK_DAYS, _MONTH_DAYS = 5, 7, 30.4375
_OFTEN = compiled(
    r"\b(?:office|working|business|opening) hours\b|(?:\bper|\ban?|/) ?(?:month|week|year|kwh|h|hour)\b|"
    r"\bmonthly\b",
    re.I,
)
"""What is paid or used over and over, of which so many hours and days are a part."""
_EACH_DAY = compiled(
    r"\b(?:all|an?|each|every|per|the whole) (?P<per>day|night)\W{1,3}(?:for )?(?:about |around |some )?"
    rf"(?P<number>{NUMBER})[\s-]?(?P<unit>h|hrs?|hours?|min|mins|minutes?)\b\)?",
    re.I,
)
_IN_USE = (
    r"listening|record\w+|monitor\w+|watch(?:ing)?|sens(?:es|ing)|active|activity|awake|working|running|operation"
    r"|use|duty"
)
_OF_USE = compiled(
    rf"{START}(?P<number>{NUMBER})[\s-]?(?P<unit>h|hrs?|hours?)\b(?= (?:of|for) (?:\w+ )?(?:{_IN_USE})\b)"
    rf"|\b(?:{_IN_USE}|at night|by (?:day|night)|nights?|day(?:time|light))(?: \w+){{0,2}}[,:]? "
    rf"(?:for |about |only |just )*(?P<behind>{NUMBER})[\s-]?(?P<hours>h|hrs?|hours?)\b",
    re.I,
)
_RESTS = compiled(
    r"\b(?:the rest|the remain\w+|otherwise|rest of (?:the|each|every) (?:day|night|time)|at night"
    r"|by (?:day|night)|nights?|day(?:time|light)|a day|daily)\b|\bof (?:the )?24\b",
    re.I,
)
"""Where it stands, so many hours of use are of each day."""
_FROM_TO = compiled(
    r"(?<![\w.:])(?P<begins>[01]?\d|2[0-4])(?::00)?\s?(?P<am>[ap]m)?\s?(?:to|till|until|and|[-–])\s?"
    r"(?P<ends>[01]?\d|2[0-4])(?::00)?\s?(?P<pm>[ap]m)?(?:\s?o.clock)?(?![\w:%]|[.,]\d)",
    re.I,
)
_BY_THE_CLOCK = compiled(
    r"\d\s?[ap]m\b|\d:00\b|o.clock|\b(?:office|opening|business|working|school) hours\b", re.I
)
_READ = patterns_of_figures()
_DAYLONG = _READ["daylong"]
_SHARE_OF_DAY = compiled(
    rf"(?P<used>\b(?:busy|in use|runs?|loaded|switched on|{_IN_USE}) "
    r"(?:for |about |only |just |some ){0,2})?"
    rf"(?P<part>(?:an? )?(?:(?P<share>{'|'.join(SHARES)})|{START}(?P<percent>{DIGITS})\s?(?:%|percent)) "
    r"(?:of )?(?:the|each|every) (?:(?P<day>day)|time))\b",
    re.I,
)
_PRICE = compiled(
    rf"(?:(?P<sign>[$€£₹¥₩₺])\s?(?P<signed>{DIGITS})|{START}(?P<number>{NUMBER})\s?(?P<currency>"
    rf"(?=(?:/|per|an?|each)\s*(?:kwh|kilowatt[- ]?hour|hour|hr)\b)|(?:{EVERY})(?!\w)))"
    r"(?P<per>\s*(?:/|per|an?|each|the)\s*(?P<of>kwh|kilowatt[- ]?hour|hour|hr|h)\b)?",
    re.I,
)
_HARVEST = compiled(
    rf"{START}(?P<number>{DIGITS})\s?(?P<unit>m?wh|watt[- ]?hours?|j|joules?)\s*"
    r"(?:\b(?:per|an?|each|every)\s+|/\s?)(?P<per>hour|day|night|week|month)\b",
    re.I,
)
_WATTS = rf"(?P<number>{DIGITS})\s?(?P<unit>m?w|watts?|milliwatts?)"
_OF_SUN = (
    rf"(?P<hours>{NUMBER})\s?(?:(?:full|good|peak)\s)?(?:sun(?:ny)?[- ]|sunshine[- ])?(?:h|hrs?|hours?)\b"
    r"(?:\s(?:of\s)?(?:(?:full|good|direct|usable)\s)?(?:sun\w*|day ?light|light))?"
    r"(?:\s(?:an?|per|each|every)\s(?:summer |winter )?day)?"
)
_SUN = (
    compiled(rf"{START}{_WATTS}\b[^.?!]{{0,50}}?(?<![\w.]){_OF_SUN}", re.I),
    compiled(rf"{START}{_OF_SUN}[^.?!]{{0,50}}?(?<![\w.]){_WATTS}\b", re.I),
)
_OF_PANELS = compiled(r"\b(?:solar|sun\w*|photovoltaics?|pv)\b", re.I)
_OF_ELECTRICITY = _READ["of_electricity"]
_RENTED = _READ["rented"]
_PAID = _READ["paid"]
"""In a text in which so many an hour, without a currency, are a price."""
_NEAR = 64
"""Letters before a price among which it is said what it is of."""


def duties(text: str) -> Iterator[Figure]:
    """4 minutes a day, 40 hours a week, 24/7, busy a third of the day: hours of a day."""
    for match in _DAYLONG.finditer(text):
        yield matched(match, 24.0, Family.DUTY, "h/day", 24.0)
    for match in _SHARE_OF_DAY.finditer(text):
        hours = 24 * (SHARES[match["share"].lower()] if match["share"] else number_in(match["percent"]) / 100)
        if 0 < hours <= 24 and (match["day"] or match["used"]):
            yield Figure(*match.span("part"), match["part"], hours, Family.DUTY, "h/day", hours)
    for match in _BOTH.finditer(text) if _OFTEN.search(text) else ():
        hours, days = float(match["number"]), float(match["many"])
        share = 24 * days / (_WEEK_DAYS if days <= _WEEK_DAYS else _MONTH_DAYS)
        if 0 < hours <= 24 and 0 < share <= 24:
            yield Figure(*match.span("hours"), match["hours"], hours, Family.DUTY, "h/day", hours)
            yield Figure(*match.span("days"), match["days"], share, Family.DUTY, "days", days)
    for match in (*_DUTY.finditer(text), *_EACH_DAY.finditer(text)):
        spoken = match["number"] is None
        number = 0.5 if match[0].lower().startswith("half") else number_in(match["number"] or "1")
        per = FACTORS.get((match["per"] or "day").lower(), FACTORS["day"])[1]
        hours = 24 * number * FACTORS[match["unit"].lower()][1] / per
        hours *= _WORK_DAYS / _WEEK_DAYS if match.re is _DUTY and match["work"] else 1.0
        if 0 < hours <= 24:
            yield matched(match, hours, Family.DUTY, f"{match['unit']}/day", number, spoken=spoken)
    yield from _times_of_day(text)


def _times_of_day(text: str) -> Iterator[Figure]:
    """9 hours of listening and the rest asleep; office hours, 8 to 18; from 10 pm to 6 am."""
    if _BY_THE_CLOCK.search(text):
        for match in _FROM_TO.finditer(text):
            begins, ends = (
                int(match[hour]) % 12 + 12 * (half.lower() == "pm")
                if (half := match[part])
                else int(match[hour])
                for hour, part in (("begins", "am"), ("ends", "pm"))
            )
            hours = float((ends - begins) % 24)
            if hours:
                yield matched(match, hours, Family.DUTY, "h/day", hours)
    if _RESTS.search(text):
        for match in _OF_USE.finditer(text):
            part = "number" if match["number"] else "behind"
            hours = number_in(match[part])
            start, end = match.start(part), match.end("unit" if match["unit"] else "hours")
            if 0 < hours <= 24:
                yield Figure(start, end, text[start:end], hours, Family.DUTY, "h/day", hours)


def harvests(text: str) -> Iterator[Figure]:
    """3 Wh a day: an energy that comes or goes in a time is a mean power."""
    for match in _HARVEST.finditer(text):
        unit = match["unit"].lower().replace(" ", "-")
        number, hours = number_in(match["number"]), FACTORS[match["per"].lower()][1]
        milliwatts = number * FACTORS[unit][1] / hours
        yield matched(match, milliwatts, Family.POWER, f"{unit}/{match['per']}".lower(), number)
    if _OF_PANELS.search(text):
        yield from _of_panels(text)


def _of_panels(text: str) -> Iterator[Figure]:
    """A 10 W panel with 4 hours of sun a day: spread over the day that is a mean power too."""
    match = next(filter(None, (pattern.search(text) for pattern in _SUN)), None)
    hours = number_in(match["hours"].casefold()) if match else 0.0
    if match and 0 < hours <= 24:
        unit, number = match["unit"].lower(), number_in(match["number"])
        yield matched(match, number * FACTORS[unit][1] * hours / 24, Family.POWER, f"{unit}/day", number)


def prices(text: str) -> Iterator[Figure]:
    """38 ct per kWh, $1.20 an hour; electricity is 0.30 €."""
    for match in _PRICE.finditer(text):
        per, before = (match["of"] or "").lower(), text[max(0, match.start() - _NEAR) : match.start()]
        if not per and not _OF_ELECTRICITY.search(before) and not _RENTED.search(before):
            continue
        if per[:1] == "h" and not (match["sign"] or match["currency"] or _PAID.search(text)):
            continue
        rent = per[:1] == "h" if per else not _OF_ELECTRICITY.search(before)
        number = number_in(match["signed"] or match["number"])
        family = Family.RENT if rent else Family.TARIFF
        yield matched(match, number, family, match["sign"] or match["currency"], number)
