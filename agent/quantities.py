"""Figures in English text: `256 KB`, `half a second`, `30 fps`, `once a minute`, `10–20 ms`, `1e6`, `$5`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from .duties_and_prices import duties, harvests, prices
from .figure_units import FACTORS, Family
from .figures import (
    DIGITS,
    LOOKS,
    MANY_OF,
    NUMBER,
    OFTEN,
    PICTURES,
    START,
    TIME,
    Figure,
    count_in,
    matched,
    number_in,
    patterns_of_figures,
)  # fmt: skip
from .joined_figures import as_often, at_the_same_pace, in_the_same_unit, while_in_view
from .number_words import SHARES
from .patterns import compiled
from .ranges import apart

_MONEYS = "|".join(re.escape(n) for n, (f, _) in FACTORS.items() if f is Family.MONEY)
_UNIT = "|".join(re.escape(name) for name in sorted(FACTORS, key=len, reverse=True))
_SIZE = compiled(
    rf"{START}(\d{{1,5}})\s?[x×]\s?(\d{{1,5}})(?:\s?[x×]\s?\d{{1,5}})?(?![\w.]*\w)(?!\s?m?[aw]h\b)", re.I
)
_MONEY = compiled(rf"{START}(?P<sign>[$€£])\s?(?P<number>{DIGITS})(?!\w)")
_PERIOD = compiled(
    rf"(?<!\w)(?:(?P<often>once|twice|thrice)\s+)?\b(?P<each>every|each|per|an?|all(?=\s+{NUMBER}))\s+"
    rf"(?:(?P<part>other|second|half(?:\s+an?)?|(?:a\s+)?quarter(?:\s+(?:of\s+)?an?)?)\s+)?"
    rf"(?P<number>{NUMBER})?[\s-]?(?P<unit>{TIME})\b",
    re.I,
)
_PLAIN = compiled(
    rf"{START}(?P<number>{NUMBER})"
    rf"(?:(?<=\d)\s?(?:[-–—]|to|and|\.\.)\s?(?P<upper>{DIGITS})(?=[\s-]?(?:{_UNIT})(?![\w/])))?",
    re.I,
)
_BEHIND = compiled(
    rf"\+?(?P<gap>[\s-]?)(?P<unit>{_UNIT})(?!\w)|"
    rf"(?P<more> (?:extra|more|additional) )(?P<money>{_MONEYS})(?!\w)",
    re.I,
)
_MORE = frozenset(("extra", "more", "additional", "less", "cheaper", "dearer"))
"""Behind a price: what one thing costs beyond another."""
_PER = compiled(
    rf"(?: (?!(?:and|or|for)\b)[a-z-]+(?= (?:{MANY_OF})\b| [a-z]+s (?:per|an?|each) (?:hour|day|week)\b))?"
    rf"(?:\s?(?P<noun>(?!(?:per|an?|every|each|in|on|at|or|and|for|costs?|uses?|draws?|needs?)\b)[A-Za-z]+)\b(?:\.(?=\s?/)|\s+of\s+[\w./-]+)?)?"
    rf"\s*(?:\b(?:per|an?|each|every)\s+|(?P<within>\bin\s+)(?=\d)"
    r"|\bin (?:the|an?|one)\s+(?=s(?:ec)?|min)|\bin\s+(?=second\b)|/\s?)"
    rf"(?P<number>{DIGITS})?\s?(?P<unit>{TIME})(?!\w)",
    re.I,
)
_BUILT = frozenset(
    ("units", "pieces", "pcs", "devices", "boards", "products", "sensors", "nodes", "chips", "cameras")
)
_A_SECOND, _A_BATCH, _A_JOB = 1e3, 100.0, 10e3
_OF_ORDERS = frozenset(("month", "months", "quarter", "year", "years", "yr", "annum"))
"""So many of the first in one of the second are made, and nothing runs so often."""
_COUNTED = compiled(r"\s?(k|m|million)(?=\W)", re.I)
_NOUN = compiled(r"[\s-]([A-Za-z][A-Za-z]+)")
_IN_MEMORY = (
    r"s?ram|flash|memory|rom|arena|heap|stack|bootloader|firmware|rtos|softdevice|buffers?|framebuffer"
)
_MEMORY = compiled(
    rf"{START}(?P<number>{DIGITS})\s?(?P<unit>[kKmM]|meg)(?=\s(?:of\s(?:\w+\s){{0,3}}?|\w+\s)?(?:{_IN_MEMORY})\b)",
    re.I,
)
_OF_FIRMWARE = compiled(
    rf"{START}(?P<number>{DIGITS})(?P<unit>[kK])(?= (?:on|used|in|free|left|total|of)\b| ?[,.;:?!)]|$)"
)
"""With one of the first and none of the second a `412K` are bytes."""
_COUNTS = compiled(
    rf"{START}(?P<many>{NUMBER})\s+(?P<of>[a-z]+s)\b,? (?:(?:and|with|of|having) )?(?P<number>{NUMBER})\s+"
    r"(?P<noun>(?!threads|cores|tokens|words|requests|images|frames|layers)[a-z]{2,}s)"
    r"(?= (?:(?:in|at|on|for) )?each\b| per (?!second|minute|hour|day|week|month|year)[a-z]+\b)",
    re.I,
)
_PRODUCT = compiled(
    rf"{START}(?P<factors>\d{{1,6}}(?:\s?[*×]\s?\d{{1,6}}){{1,4}})(?:\s?(?P<unit>bytes?|B))?(?![\w.]*\w)"
)
_MANY_CHANNELS = r"single|dual|two|quad|four|six|eight|[1-8]|12"
_DIMM = compiled(
    rf"(?<!\w)(?:(?P<before>{_MANY_CHANNELS})[ -]channels? (?:of )?)?(?:lp)?ddr[3-5]x?(?: at | ?[-@ ]?)"
    rf"(?P<rate>\d{{4}})(?:\s?(?:mt/s|mhz))?(?:,? (?:in )?(?P<behind>{_MANY_CHANNELS})[ -]channels?)?(?!\w)",
    re.I,
)
_CHANNELS = {"single": 1, "dual": 2, "two": 2, "quad": 4, "four": 4, "six": 6, "eight": 8}
_OF_A_PC, _BYTES_OF_A_CHANNEL = 2, 8
_BATCH = compiled(r"(?<!\w)bs[ =:]?(?P<number>\d{1,5})(?!\w)", re.I)
_PICTURE = compiled(rf"(?<![\w.])(?:{'|'.join(PICTURES)})(?![\w-])", re.I)
_CELLS = compiled(r"(?<![\w.])([1-9]\d?)S(?![\w])")
_PARAMETERS = compiled(r"(?<![\w.])(\d{1,3}(?:\.\d+)?)B(?!\w)")
_ONLY_OF_WORDS = frozenset(
    ("s", "a", "d", "h", "j", "v", "w", "b", "k", "m", "y", "x", "min", "na", "go", "mo")
)
"""What a word may be, where it stands a blank behind a number in words."""
_READ = patterns_of_figures()
_MADE, _FAR = _READ["made"], 24
_PART = _READ["part"]
_ARTICLE, _DAYS = _READ["article"], _READ["days"]
_COMPOUND = _READ["compound"]
_RECLOCKED = _READ["reclocked"]
_FLASHED = _READ["flashed"]
_TOKENS = _READ["tokens"]
_YEAR = compiled(
    r"\b(?:from|since|early|late|mid|(?:bought|built|made|released) in)[ -](?P<year>19[89]\d|20[0-4]\d)\b"
    r"(?=\s*(?:[,.;:?!)](?!\d)|$)|\s(?:and|with|but)\b)",
    re.I,
)
"""When a thing was made, which is no figure of it: a Core i5 from 2021."""
_VAGUE = compiled(
    r"\b(?:few|several|couple(?: of)?|many|some)\s(?:tens?|hundreds?|thousands?|millions?)\b", re.I
)
"""A few hundred milliseconds are none to reckon with."""
_PARTS = {"other": 2.0, "second": 2.0, "half": 0.5, "quarter": 0.25, "a": 0.25}
_MOST = 2_000
"""Figures of one text; what comes later is not read."""
_LONGEST_KEPT = 600
"""Letters of a text whose figures are kept: a question is looked through a dozen times."""


def find_figures(text: str, taken: Sequence[tuple[int, int]] = ()) -> tuple[Figure, ...]:
    """Every figure in its order, none overlapping another.

    Args:
        text: English words and figures; digits within a name (`ResNet-50`, `STM32F4`) are none.
        taken: stretches, (start, end), that name things and hold no figures.
    """
    if len(text) > _LONGEST_KEPT:
        return _found_figures.__wrapped__(text, tuple(taken))
    return _found_figures(text, tuple(taken))


@lru_cache(64)
def _found_figures(text: str, taken: tuple[tuple[int, int], ...]) -> tuple[Figure, ...]:
    found: list[Figure] = []
    free = bytearray(b"\1") * len(text)
    years = (match.span("year") for match in _YEAR.finditer(text))
    vague = (match.span() for match in _VAGUE.finditer(text))
    for start, end in (*taken, *years, *vague):
        free[start:end] = bytes(max(0, min(end, len(text)) - start))
    for reader in (
        harvests, duties, prices, _products, _clocks, _counts, _parts, _of_memory, _modules, _packs, _sizes,
        _pictures, _batches, _money, _rates, _periods, _plain, _articles,
    ):  # fmt: skip
        for figure in reader(text):
            of_a_name = figure.family is Family.RATE and free[figure.end - 1]  # 5 vww inferences a second
            end = figure.start + len(figure.text.split()[0]) if of_a_name else figure.end
            if all(free[figure.start : end]) and math.isfinite(figure.value):
                free[figure.start : figure.end] = bytes(figure.end - figure.start)
                found.append(figure)
            if len(found) >= _MOST:
                break
    in_order = sorted(as_often(text, found, taken), key=lambda figure: figure.start)
    paced = at_the_same_pace(text, while_in_view(text, in_order), [start for start, _ in taken])
    return in_the_same_unit(text, paced)


def _of_memory(text: str) -> Iterator[Figure]:
    """80 k of RAM, a 150k stack, firmware of 412K."""
    firmware = _OF_FIRMWARE.finditer(text) if _FLASHED.search(text) and not _TOKENS.search(text) else ()
    for match in (*_MEMORY.finditer(text), *firmware):
        factor = 1024.0 if match["unit"].lower() == "k" else 1024.0**2
        number = number_in(match["number"])
        yield matched(match, number * factor, Family.BYTES, match["unit"], number)


def _modules(text: str) -> Iterator[Figure]:
    """DDR4-3200 moves 25.6 GB/s in each channel of 64 bits; a computer has two where none are counted."""
    for match in _DIMM.finditer(text):
        said = (match["before"] or match["behind"] or str(_OF_A_PC)).lower()
        channels = _CHANNELS.get(said) or int(said)
        speed = channels * _BYTES_OF_A_CHANNEL * float(match["rate"]) / 1e3
        yield matched(match, speed, Family.BANDWIDTH, "MT/s", float(match["rate"]))


def _clocks(text: str) -> Iterator[Figure]:
    """Overclocked from 400 to 480."""
    for match in _RECLOCKED.finditer(text):
        start, end = match.start("number"), match.end()
        before, after = float(match["number"]), float(match["upper"])
        yield Figure(start, end, text[start:end], before, Family.CLOCK, "MHz", before, after)


def _products(text: str) -> Iterator[Figure]:
    """30*1024: with such a factor, or the word behind it, they are bytes."""
    for match in _PRODUCT.finditer(text):
        factors = [float(number) for number in re.findall(r"\d+", match["factors"])]
        if match["unit"] or ("*" in match[0] and 1024.0 in factors):
            yield matched(match, math.prod(factors), Family.BYTES, "B", math.prod(factors))


def _counts(text: str) -> Iterator[Figure]:
    """40 stores, 4 scanners each; 12 sites with 6 cameras per site: as many as both together."""
    for match in _COUNTS.finditer(text):
        value, noun = (
            number_in(match["many"].lower()) * number_in(match["number"].lower()),
            match["noun"].lower(),
        )
        if not {noun, match["of"].lower()} & FACTORS.keys():  # 4 cameras, 15 fps each
            yield matched(match, value, Family.COUNT, "", value, noun=noun)


def _parts(text: str) -> Iterator[Figure]:
    """Half of the RAM, a third of the GPU, as per cent."""
    for match in _PART.finditer(text):
        part = next(part for name, part in SHARES.items() if name in match["share"].lower())
        yield matched(match, 100 * part, Family.PERCENT, "", 100 * part, spoken=True)


def _packs(text: str) -> Iterator[Figure]:
    """4S is four cells; 7B are seven billion weights, 512B are bytes."""
    for match in _CELLS.finditer(text):
        yield matched(match, float(match[1]), Family.CELLS, "S", float(match[1]))
    for match in _PARAMETERS.finditer(text):
        if (number := float(match[1])) < 64:
            yield matched(match, number * 1e9, Family.COUNT, "B", number, noun="parameters")


def _sizes(text: str) -> Iterator[Figure]:
    for match in _SIZE.finditer(text):
        side, other = float(match[1]), float(match[2])
        yield matched(match, side, Family.SIDE, "px", side, upper=other if other != side else None)


def _pictures(text: str) -> Iterator[Figure]:
    """QVGA, 1080p: pictures of a size that has a name."""
    for match in _PICTURE.finditer(text):
        side, other = map(float, PICTURES[match[0].lower()])
        yield matched(match, side, Family.SIDE, "px", side, upper=other)


def _batches(text: str) -> Iterator[Figure]:
    """The 64 of bs64."""
    for match in _BATCH.finditer(text):
        start, end, number = match.start("number"), match.end(), float(match["number"])
        yield Figure(start, end, text[start:end], number, Family.COUNT, written=number)


def _money(text: str) -> Iterator[Figure]:
    for match in _MONEY.finditer(text):
        number, noun = number_in(match["number"]), _noun(text, match.end())
        extra = noun if noun in _MORE else ""
        yield matched(match, number, Family.MONEY, match["sign"], number, noun=extra)


def _rates(text: str) -> Iterator[Figure]:
    """20 times a second, 1 frame every 10 s."""
    for match in _PLAIN.finditer(text):
        if match["upper"] is not None or _is_foreign(text, match.end()):
            continue
        end = match.end()
        scale = _COUNTED.match(text, end)
        factor = FACTORS[scale[1].lower()][1] if scale else 1.0
        if (per := _PER.match(text, scale.end() if scale else end)) is None:
            continue
        unit = FACTORS.get(f"{per['noun']}/{per['unit']}".lower())
        if unit is not None and unit[0] is not Family.RATE:  # GB/s
            continue
        number = number_in(match["number"]) * factor
        if per["within"] and not (_is_a_pace(per) if number == 1 else _is_a_burst(per)):
            continue
        every = number_in(per["number"]) if per["number"] else 1.0
        if not every:
            continue
        if (per["noun"] or "").lower() in FACTORS and FACTORS[per["noun"].lower()][0] is Family.TIME:
            continue
        noun = (per["noun"] or "").lower()
        if per["unit"].lower() in _OF_ORDERS and (noun in _BUILT or _is_made(text, match.start(), noun)):
            text_of_it = text[match.start() : per.end()]
            yield Figure(
                match.start(), per.end(), text_of_it, number, Family.COUNT, written=number, noun=noun
            )
            continue
        yield Figure(
            match.start(), per.end(), text[match.start() : per.end()],
            number * 1e3 / (every * FACTORS[per["unit"].lower()][1]), Family.RATE, f"/{per['unit']}", number,
            noun=(per["noun"] or "").lower(), spoken=match["number"][0].isalpha(),
        )  # fmt: skip


def _is_a_pace(per: re.Match[str]) -> bool:
    """One inference in 10 s; not 1 kWh in 2 hours, and one in 20 ms is the time that it takes."""
    counted = per["noun"] is not None and per["noun"].lower() not in FACTORS
    return counted and FACTORS[per["unit"].lower()][1] >= _A_SECOND


def _is_made(text: str, start: int, noun: str) -> bool:
    """`We plan 5,000 doorbells a year`; not `we make 5,000 inferences a year`."""
    return not LOOKS.fullmatch(noun) and _MADE.search(text, max(0, start - _FAR), start) is not None


def _is_a_burst(per: re.Match[str]) -> bool:
    """Three pictures in 0.4 s; not 1000 images in 2 hours, a job, nor 8 in 30 ms, a batch."""
    period = number_in(per["number"] or "1") * FACTORS[per["unit"].lower()][1]
    return bool(LOOKS.fullmatch(per["noun"] or "")) and _A_BATCH <= period < _A_JOB


def _is_foreign(text: str, end: int) -> bool:
    """1.4 m/s is a speed, 1.4 M/s are inferences."""
    behind = _BEHIND.match(text, end)
    unit = behind["unit"] if behind else None
    return unit is not None and unit[0] != "M" and FACTORS[unit.lower()][0] is Family.FOREIGN


def _periods(text: str) -> Iterator[Figure]:
    """Three cloudy days; every 10 seconds, once a minute, every half hour."""
    for match in _DAYS.finditer(text):
        number, unit = number_in(match["number"]), match["unit"].lower().replace("night", "day")
        yield matched(match, number * FACTORS[unit][1], Family.TIME, unit, number)
    for match in _PERIOD.finditer(text):
        if not match["often"] and match["each"].lower() not in ("every", "each", "all"):
            continue
        if match["each"].lower() == "all" and text.startswith(" of ", match.end()):
            continue
        number = number_in(match["number"]) if match["number"] else 1.0
        number *= _PARTS[match["part"].lower().split()[0]] if match["part"] else 1.0
        often = OFTEN[match["often"].lower()] if match["often"] else 1.0
        period = number * FACTORS[match["unit"].lower()][1]
        if period:
            spoken = not (match["number"] or "a")[0].isdigit()
            yield matched(match, often * 1e3 / period, Family.RATE, f"/{match['unit']}", often, spoken=spoken)


def _plain(text: str) -> Iterator[Figure]:
    for match in apart(_PLAIN, text):
        if (figure := _with_unit(text, match)) is not None:
            yield figure


def _with_unit(text: str, match: re.Match[str]) -> Figure | None:
    number, spoken = number_in(match["number"]), match["number"][0].isalpha()
    start, end = match.span()
    upper = None if match["upper"] is None else number_in(match["upper"])
    behind = _BEHIND.match(text, end)
    if behind is None or _is_no_unit(behind, spoken):
        if upper is not None or _goes_on(text, end):
            return None
        noun = _noun(text, end)
        number = count_in(match["number"], noun)
        return Figure(start, end, text[start:end], number, Family.COUNT, "", number, None, noun, spoken)
    unit = behind["unit"] or behind["money"]
    family, factor = FACTORS[unit.lower()]
    value, stop = number * factor, behind.end()
    more = _COMPOUND.match(text, stop) if family is Family.TIME else None
    if more and (finer := FACTORS[more["unit"].lower()][1]) < factor:
        value, stop = value + float(more["number"]) * finer, more.end()
    noun = _noun(text, stop) if family in (Family.COUNT, Family.PERCENT, Family.FACTOR) else ""
    if family is Family.MONEY:
        noun = (behind["more"] or "").strip().lower() or next(iter({_noun(text, stop)} & _MORE), "")
    scaled = None if upper is None else upper * factor
    return Figure(start, stop, text[start:stop], value, family, unit, number, scaled, noun, spoken)


def _is_no_unit(behind: re.Match[str], spoken: bool) -> bool:
    """`5 a day`, `one s`, `3D`: a letter apart is an article more often than a unit, a capital one a name."""
    unit, apart = behind["unit"] or behind["money"], behind["gap"] == " "
    return (
        (unit in ("a", "d", "y", "m", "x") and apart)
        or unit in ("D", "H", "S", "Y", "X")
        or (spoken and unit.lower() in _ONLY_OF_WORDS)
    )


def _goes_on(text: str, end: int) -> bool:
    """Digits that a name or a version goes on behind: `3D`, `1.2.3`, `2nd`."""
    rest = text[end : end + 2]
    return bool(rest) and (rest[0].isalnum() or rest[0] == "_" or (rest[0] in ".:" and rest[1:].isdigit()))


def _articles(text: str) -> Iterator[Figure]:
    """Half a second, a year; a second alone may be the ordinal, and counts only with a share."""
    for match in _ARTICLE.finditer(text):
        share = (match["share"] or "").lower()
        if not share and match["unit"].lower() == "second":
            continue
        part = next((part for name, part in SHARES.items() if name in share), 1.0)
        factor = FACTORS[match["unit"].lower()][1]
        yield matched(match, part * factor, Family.TIME, match["unit"], part, spoken=True)


def _noun(text: str, end: int) -> str:
    found = _NOUN.match(text, end)
    return found[1].lower() if found else ""


__all__ = ["Family", "Figure", "find_figures"]
