"""The worst and the best case: the ends of the interval of what was spoken of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..bench import Answering, Call, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from ..words import spoken
from . import decoding, energies
from .phrases import assumed, language_models, lines, said, subject
from .tokens import where


class _Of(NamedTuple):
    """Which figure tells of a want, and whether more of it is worse."""

    function: str
    path: str
    more_is_worse: bool


_TIME = _Of("estimate_performance", "latency_ms", more_is_worse=True)
_FIGURES: Mapping[Want, _Of] = {
    Want.LATENCY: _TIME, Want.MEETS: _TIME, Want.FITS: _TIME, Want.BOUND: _TIME, Want.COMPARE: _TIME,
    Want.THROUGHPUT: _Of("estimate_performance", "inferences_per_second", more_is_worse=False),
    Want.ENERGY: _Of("estimate_performance", "energy_uj", more_is_worse=True),
    Want.POWER: _Of("estimate_performance", "power_mw", more_is_worse=True),
    Want.BATTERY_LIFE: _Of("estimate_energy_budget", "battery.life_days", more_is_worse=False),
    Want.RAM: _Of("plan_memory", "arena", more_is_worse=True),
    Want.FLASH: _Of("plan_memory", "flash", more_is_worse=True),
}  # fmt: skip
_RATE = _Of("estimate_generation", "decode_tokens_per_s", more_is_worse=False)
_FIRST = _Of("estimate_generation", "time_to_first_token_ms", more_is_worse=True)


def asks(query: Query) -> bool:
    """Whether the end of an interval is asked for, of one deployment that is known."""
    if not spoken("extreme", query.question) or not (query.has(Role.MODEL) and query.has(Role.TARGET)):
        return False
    return len(set(query.all(Role.TARGET))) == 1 and len(set(query.all(Role.MODEL))) == 1


def extreme(query: Query, wants: Sequence[Want]) -> Answering:
    """That end first, with what it is the end of, and whether a limit still holds there."""
    of = _of(query, wants)
    record = needed((yield _call(query, of)))
    ends = record.ends(of.path)
    if ends is None:
        return f"That is not known: {_subject(query, record)}."
    worst = "worst" in spoken("extreme", query.question)
    end = "high" if worst == of.more_is_worse else "low"
    side = "upper" if end == "high" else "lower"
    path = f"{of.path}.{end}" if record.knows(f"{of.path}.{end}") else of.path
    shown = record.ref(path, "tokens/s" if of is _RATE else "")
    first = (
        f"At {'worst' if worst else 'best'} {shown}: the {side} end of the 90 % interval of "
        f"{record.ref(of.path, '~')}, {_subject(query, record)}."
    )
    held = _held(query, of, ends[1] if end == "high" else ends[0])
    beyond = "One case in ten lies outside; a measurement of your own narrows it (`edgewright calibrate`)."
    notes = assumed(query, record) if record["deployment"] else ""
    return lines(first, " ".join(part for part in (held, beyond) if part), notes)


def _of(query: Query, wants: Sequence[Want]) -> _Of:
    if language_models(query):
        return _FIRST if "first_token" in query.asks else _RATE
    return next((_FIGURES[want] for want in (*wants, *query.topic) if want in _FIGURES), _TIME)


def _call(query: Query, of: _Of) -> Call:
    if of.function == "estimate_generation":
        return call_of(of.function, query, **decoding.asked(query))
    return call_of(
        of.function, energies.sized(query)[0] if of.function == "estimate_energy_budget" else query
    )


def _subject(query: Query, record: Record) -> str:
    return where(record) if record.name == "estimate_generation" else subject(query, record)


def _held(query: Query, of: _Of, value: float) -> str:
    """Against the limit that was stated."""
    if of in (_TIME, _FIGURES[Want.THROUGHPUT]):
        time_ms = value if of is _TIME else 1e3 / value
        limit, rate = query.number(Role.LATENCY_MS), query.number(Role.RATE_HZ)
        least = limit or (1e3 / rate if rate else None)
        if least is None:
            return ""
        words = said(query, Role.LATENCY_MS if limit else Role.RATE_HZ)
        return f"{'Still within' if time_ms <= least else 'That misses'} {words}."
    return ""


__all__ = ["asks", "extreme"]
