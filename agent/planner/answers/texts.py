"""A job of so many texts for a language model: its time, one by one and several at once, and its price."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...asked_unit import Per
from ...figures import count_in
from ..bench import Answering, Record, call_of
from ..paid import price_said
from ..query import Query, Role
from ..want import Want
from ..words import patterns
from ..writing import WORDS_A_TOKEN
from . import cases
from .phrases import language_models, lines
from .tokens import beyond, where
from .workloads import time_of

_SAYS = patterns("of_texts")
_AT_ONCE, _ANSWER, _PROMPT = 16, 256.0, 64.0
_FEW, _LEAST, _HOUR_S = 10, 512, 3600


class _Job(NamedTuple):
    words: str
    texts: float
    read: float
    """Tokens of each."""
    written: float


def asks(query: Query) -> bool:
    """Whether so many texts of so many tokens or words each are to be read or written."""
    return bool(language_models(query)) and query.has(Role.TARGET) and _job(query) is not None


def _job(query: Query) -> _Job | None:
    match = _SAYS["job"].search(query.question)
    if match is None or _SAYS["often"].match(query.question, match.end()):
        return None
    texts, each = (count_in(match[name].casefold(), "texts") for name in ("many", "each"))
    texts *= 1e6 if (match["million"] or "").strip() else 1.0
    tokens = each / WORDS_A_TOKEN if match["unit"].casefold().startswith("word") else each
    if texts < _FEW:
        return None
    if _SAYS["written"].search(match["what"]):
        return _Job(match[0], texts, query.number(Role.PROMPT) or _PROMPT, tokens)
    answers = (s.number for s in query.slots if s.role is Role.WRITTEN and s.text and s.text not in match[0])
    return _Job(match[0], texts, tokens, next(answers, _ANSWER))


def job(query: Query, _wants: Sequence[Want]) -> Answering:
    """How long it takes, whether in its time, and what it costs."""
    asked = _job(query)
    assert asked is not None
    hours, window = time_of(query.without([Role.RUNS]))
    plain = query.without([Role.BATCH, Role.DEVICES, Role.PROMPT, Role.WRITTEN, Role.CONTEXT])
    records: list[Record] = []
    for batch in (1, _AT_ONCE):
        given = cases.asked(plain) | {"batch": batch, "context": max(_LEAST, int(asked.read + asked.written))}
        record = yield call_of("estimate_generation", plain, **given)
        fits = record.result is not None and record["verdict"] != "FAIL"
        if fits and all(record.number(f"{name}_tokens_per_s") for name in ("decode", "prefill")):
            records.append(record)
    if not records:
        return "It cannot be told: it does not fit, or how fast it reads or writes is not known."
    times = [_time(asked, record) for record in records]
    seconds = [_seconds(asked, record) for record in records]
    takes = [
        f"{{{{{time}|{'h' if each >= _HOUR_S else 'min'}}}}} {_pace(one)}"
        for time, each, one in zip(times, seconds, records, strict=True)
    ]
    word = "" if hours is None else _verdict(seconds, _HOUR_S * hours)
    within = f", of {window}" if window else ""
    each = f"{asked.read:.0f} tokens read and {asked.written:.0f} written each"
    return lines(
        f"{word}{asked.words} take {', '.join(takes)}{within}: {where(records[0])}.",
        _cost(query, records, times),
        f"Taken as {each}.",
        beyond(records[0]),
    )


def _verdict(seconds: Sequence[float], most: float) -> str:
    if seconds[0] <= most:
        return "Yes, "
    return "Only several at once: " if seconds[-1] <= most else "No, "


def _pace(record: Record) -> str:
    return f"with {record.ref('batch')} at once" if record["batch"] > 1 else "one after another"


def _time(asked: _Job, record: Record) -> str:
    i = record.id
    return (
        f"({asked.texts * asked.written:.9g}/{i}.decode_tokens_per_s"
        f"+{asked.texts * asked.read:.9g}/{i}.prefill_tokens_per_s)"
    )


def _seconds(asked: _Job, record: Record) -> float:
    writes, reads = (record.number(f"{name}_tokens_per_s") or 0.0 for name in ("decode", "prefill"))
    return asked.texts * (asked.written / writes + asked.read / reads)


def _cost(query: Query, records: Sequence[Record], times: Sequence[str]) -> str:
    paid = price_said(query)
    if paid is None:
        return ""
    costs = []
    for record, time in zip(records, times, strict=True):
        watts = f"{record.id}.energy_uj_per_token*{record.id}.decode_tokens_per_s"
        if paid.per is Per.ENERGY and not record.knows("energy_uj_per_token"):
            return f"What it costs is not known, as no source gives the power of {record.ref('target')}."
        spent = f"{watts}*{time}/1000Wh" if paid.per is Per.ENERGY else f"{time}/1h"
        money = paid.shown(f"{paid.term}*{spent}", "")
        costs.append(f"{money} {_pace(record)}")
    return f"At {paid.words} that costs {' or '.join(costs)}."
