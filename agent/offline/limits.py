"""What a sentence demands or claims in figures, in the tools' own units."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ...tools.core.units import show
from ..grounding.context import near_units
from ..grounding.families import Family, Reading
from ..grounding.figures import Figure, find_figures
from ..grounding.spoken_figures import in_digits
from .claimed import LIMIT_BEFORE, is_claimed

_RAM = r"(?:s?ram|memory|arena|heap|[di]?tcm|working memory)"
_FLASH = r"(?:flash|rom|storage|program memory|eeprom|disk)"
_MEMORY_AFTER = re.compile(
    rf"[ )]*(?:of |for |in )?(?:(?!{_RAM}\b|{_FLASH}\b|and |"
    rf"or )[\w']+ ){{0,4}}?(?:(?P<ram>{_RAM})|(?P<flash>{_FLASH}))\b",
    re.IGNORECASE,
)
_MEMORY_JUST_BEFORE = re.compile(
    rf"(?<!\d[kmgKMG] )(?<!\d[kmgKMG]B )(?<!\d[kmgKMG]iB )(?<! of )\b(?:(?P<ram>{_RAM})|(?P<flash>{_FLASH}))"
    r"[ :=<≤]{1,3}(?:of |is |under |below )?$",
    re.IGNORECASE,
)
_MEMORY_BEFORE = re.compile(rf"\b(?:(?P<ram>{_RAM})|(?P<flash>{_FLASH}))\b[^,;.?!]{{0,40}}$", re.IGNORECASE)
_LEFT_AFTER = re.compile(
    r"\s*(?:is |are |still )*(?:left|free|spare|to spare|available|remaining|to (?:play|work) with)\b", re.I
)
_TYPE_BETWEEN = re.compile(
    r"(\d) (?:(?:u?int8|int4|fp(?:8|16|32)|bf16|tf32|dense|sparse|peak) ){1,3}(\w*(?:OPS|FLOPS)\b)",
    re.IGNORECASE,
)
_CELL = re.compile(r"\b(?:18650|21700|14500|[CB]R ?\d{3,4}\w?|LR ?\d{2,4})\b", re.IGNORECASE)
"""Names of batteries, which look like figures."""
_PERIOD_BEFORE = re.compile(r"\b(?:every|each|once (?:every|per|in)|per)\s+$", re.IGNORECASE)
_NEEDS_BEFORE = re.compile(
    r"\b(?:needs?|takes?|uses?|requires?|fits in)\s+(?:only |just |about )*$", re.IGNORECASE
)
_PLAIN = {
    Family.ENERGY: ("energy_uj", 1e6),
    Family.POWER: ("power_mw", 1e3),
    Family.MONEY: ("price", 1.0),
    Family.CHARGE: ("battery_mah", 1e3),
    Family.CURRENT: ("sleep_ua", 1e6),
}
_NEVER_CLAIMED = frozenset((Family.MONEY, Family.CHARGE, Family.CURRENT))
"""No tool computes them: they are told to be used."""
_LONG_S = 30
"""Longer times are rarely what one inference may take."""
_AT = re.compile(r"\s*(?:at|@|from|on|,)\s*(?:an?\s+|its\s+)?")
_LOWEST_CLOCK_HZ = 1e5
_LOOSE_MEG = re.compile(
    rf"(?<![\w.])(\d+(?:[.,]\d+)?)m(?= (?:of )?(?:\w+ )?(?:{_RAM}|{_FLASH})\b)", re.IGNORECASE
)


@dataclass(frozen=True)
class Claim:
    """A figure that the question holds to be true."""

    text: str
    family: Family
    value: float
    """In base units of the family."""
    clause: str = ""
    """The words before it, which say of what."""


@dataclass
class Demands:
    """Limits in the names and units of the tools' arguments; what was read how; what the question claims."""

    limits: dict[str, float] = field(default_factory=dict)
    clocks_mhz: list[float] = field(default_factory=list)
    conventions: list[str] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    percents: list[float] = field(default_factory=list)


def demands_of(
    question: str, *, duty_cycle: bool, wishes: bool = False, facts: bool = False, names: Sequence[str] = ()
) -> Demands:
    """Figures of a question.

    `duty_cycle`: a rate is how often it runs, not how fast it has to be. `wishes`: what is sought has no
    figures yet that could be claimed, so that all are limits. `facts`: what is asked for are facts, so that
    all are claims. `names`: of hardware and models, whose figures are none.
    """
    question = _TYPE_BETWEEN.sub(r"\1 \2", question)
    text = _LOOSE_MEG.sub(lambda m: f"{m[1]}M", in_digits(question))
    figures = find_figures(text, [*names, *_CELL.findall(text)])
    found = Demands()
    for position, figure in enumerate(figures):
        if power_mw := _supplied(text, figures, position):
            found.limits.setdefault("power_mw", power_mw)
            continue
        reading = _reading(text, figures, position)
        if reading is not None:
            may_claim = not wishes and reading.family not in _NEVER_CLAIMED
            claimed = may_claim and (facts or is_claimed(text, figure, reading.family))
            _place(text, figure, reading, found, duty_cycle, claimed)
    return found


def _supplied(text: str, figures: Sequence[Figure], position: int) -> float | None:
    """15 mA at 3.3 V are 49.5 mW; None for any other figure."""
    here, families = figures[position], [figure.family for figure in figures]
    if families[position : position + 2] != [Family.CURRENT, Family.VOLTAGE]:
        return None
    volts = figures[position + 1]
    if not _AT.fullmatch(text[here.end : volts.start]):
        return None
    return _tidy(here.value * here.readings[0].factor * volts.value * volts.readings[0].factor * 1e3)


def _reading(text: str, figures: Sequence[Figure], position: int) -> Reading | None:
    figure = figures[position]
    readings = figure.readings or near_units(text, figures, position)
    in_bytes = next((r for r in readings if r.family is Family.BYTES), None)
    if figure.unit in ("k", "K", "M", "G"):
        return in_bytes if _memory(text, figure) or _limits(text, figure) else None
    return in_bytes or (readings[0] if readings else None)


def _place(
    text: str, figure: Figure, reading: Reading, found: Demands, duty_cycle: bool, claimed: bool
) -> None:
    value = figure.value * reading.factor
    if value <= 0:
        return
    if claimed and reading.family is Family.FREQUENCY and value >= _LOWEST_CLOCK_HZ:
        found.clocks_mhz.append(_tidy(value / 1e6))
    if claimed and not (
        reading.family is Family.BYTES and _memory(text, figure) and not _needs(text, figure)
    ):
        found.claims.append(Claim(figure.text, reading.family, value, _clause(text, figure)))
        return
    match reading.family:
        case Family.TIME:
            periodic = _PERIOD_BEFORE.search(text[: figure.start]) is not None
            if periodic:
                _set(found, "rate_hz", 1 / value)
            elif value < _LONG_S or _limits(text, figure):
                _set(found, "latency_ms", value * 1e3)
        case Family.RATE:
            _rate(found, figure, value, duty_cycle)
        case Family.FREQUENCY:
            _clock_or_rate(found, figure, value, duty_cycle)
        case Family.BYTES:
            _bytes(text, figure, value, found, claimed)
        case family if family in _PLAIN:
            name, scale = _PLAIN[family]
            _set(found, name, value * scale)
        case Family.RATIO if reading.factor < 1:
            found.percents.append(figure.value)
        case Family.INTENSITY | Family.MACS | Family.PARAMETERS | Family.THROUGHPUT | Family.BANDWIDTH:
            found.claims.append(Claim(figure.text, reading.family, value))


def _set(found: Demands, name: str, value: float) -> None:
    found.limits.setdefault(name, _tidy(value))


def _tidy(value: float) -> float:
    return float(f"{value:.9g}")


def _rate(found: Demands, figure: Figure, per_second: float, duty_cycle: bool) -> None:
    if duty_cycle:
        _set(found, "rate_hz", per_second)
        return
    _set(found, "latency_ms", 1e3 / per_second)
    deadline = show(found.limits["latency_ms"], "ms")
    found.conventions.append(f"I read {figure.text} as a deadline of {deadline} for each inference.")


def _clock_or_rate(found: Demands, figure: Figure, hertz: float, duty_cycle: bool) -> None:
    if hertz >= _LOWEST_CLOCK_HZ or figure.unit.casefold() in ("mhz", "ghz"):
        found.clocks_mhz.append(_tidy(hertz / 1e6))
    else:
        _rate(found, figure, hertz, duty_cycle)


def _bytes(text: str, figure: Figure, value: float, found: Demands, claimed: bool) -> None:
    kind = _memory(text, figure)
    name = f"{kind or 'ram'}_bytes"
    if name in found.limits:
        return
    found.limits[name] = float(int(value))
    if claimed:
        found.claims.append(Claim(figure.text, Family.BYTES, value, _clause(text, figure)))
    if figure.unit.casefold() not in ("kib", "mib", "gib", "b", "byte", "bytes") or not kind:
        meant = "" if kind else " of RAM"
        found.conventions.append(
            f"I read {figure.text} as {show(value, 'bytes')} ({int(value):,} bytes){meant}."
        )


def _memory(text: str, figure: Figure) -> str:
    """ram or flash, whichever word stands behind the figure, or in its clause before it."""
    if just_before := _MEMORY_JUST_BEFORE.search(text[: figure.start]):
        return "ram" if just_before["ram"] else "flash"
    if after := _MEMORY_AFTER.match(text, figure.end):
        return "ram" if after["ram"] else "flash"
    before = _MEMORY_BEFORE.search(text[: figure.start])
    words = list(_memory_words(before[0])) if before else []
    return words[-1] if words else ""


def _memory_words(clause: str) -> Iterator[str]:
    for word in re.finditer(rf"\b(?:(?P<ram>{_RAM})|(?P<flash>{_FLASH}))\b", clause, re.IGNORECASE):
        yield "ram" if word["ram"] else "flash"


def _clause(text: str, figure: Figure) -> str:
    return re.split(r"[,.;:?!]\s", text[: figure.start])[-1]


def _needs(text: str, figure: Figure) -> bool:
    """What a model is said to need is no limit; what a chip is said to have is one."""
    return _NEEDS_BEFORE.search(text[: figure.start]) is not None


def _limits(text: str, figure: Figure) -> bool:
    before = LIMIT_BEFORE.search(text[: figure.start]) is not None
    return before or _LEFT_AFTER.match(text, figure.end) is not None
