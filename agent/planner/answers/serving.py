"""How much of a card a steady load takes: hours of sound a day, or requests of so many tokens."""

from __future__ import annotations

import re

from ....tools.model_zoo.language_model import language_model_meant
from ...quantities import number_in
from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from ..writing import WORDS_A_TOKEN
from . import cases
from .phrases import language_models, lines, said
from .tokens import where

_SPEECH = re.compile(
    r"\bwhisper(?:[-_ ](?P<size>tiny|base|small|medium|(?:large[-_ ]v3[-_ ])?turbo|large(?:[-_ ]v\d)?))?\b",
    re.I,
)
_SOUND = re.compile(
    r"(?P<count>\d[\d.,]*)\s?(?:h|hrs?|hours?)\b.{0,32}?\b(?:a|per|each|every)\s(?P<period>day|week|month)|"
    r"(?P<daily>\d[\d.,]*)\s?(?:h|hrs?|hours?) (?:daily|a day)",
    re.I,
)
_TIMED = re.compile(r"\breal.?time\b|\btranscri\w+|\bhow many\b|\bkeep up\b|\benough\b|\blive\b", re.I)
_DAYS = {"day": 1.0, "week": 7.0, "month": 30.4375}
_WINDOW_S, _WORDS_A_MINUTE = 30, 150
_TOKENS = _WINDOW_S / 60 * _WORDS_A_MINUTE / WORDS_A_TOKEN
_REQUESTS = re.compile(
    r"\b(?:requests?|questions?|queries|messages?|prompts?|calls?|tickets?|e-?mails?)\b", re.I
)
_OUT = re.compile(r"(?P<count>\d[\d.,]*)\s?(?:tokens? )?(?:out\b|of output|output|written|generated)", re.I)
_TOGETHER = 16


def asks_speech(query: Query) -> bool:
    """Whether Whisper is to keep up with sound on a target that is named."""
    timed = _TIMED.search(query.question) or _SOUND.search(query.question)
    return bool(_SPEECH.search(query.question) and timed and query.has(Role.TARGET))


def speech(query: Query, _wants: object) -> Answering:
    """How fast sound is transcribed, one window after another, and the cards for the hours of a day."""
    named, load = _SPEECH.search(query.question), _SOUND.search(query.question)
    assert named is not None
    model = language_model_meant(f"whisper {named['size'] or 'small'}".replace("_", " ")) or "whisper-small"
    given = {"model": model, "context": 448, "prompt_tokens": 4}
    record = needed((yield call_of("estimate_generation", query, **given)))
    if not record.knows("time_to_first_token_ms", "decode_tokens_per_s"):
        return f"It cannot be told: the speed of {model} on {record.ref('target')} is not known."
    window = f"({record.id}.time_to_first_token_ms+{_TOKENS:g}/{record.id}.decode_tokens_per_s)"
    times = f"{{{{{_WINDOW_S}s/{window}|x}}}} as fast as it is spoken"
    how = (
        f"{{{{{window}|~}}}} for {_WINDOW_S} s of sound at {_WORDS_A_MINUTE} words a minute: "
        f"{record.ref('time_to_first_token_ms')} until the first token, then "
        f"{record.ref('decode_tokens_per_s')}, {where(record)}. One stream after another; several at once "
        "share the reading of weights."
    )
    if load is None:
        seconds = record.number("time_to_first_token_ms") or 0.0
        seconds = seconds / 1e3 + _TOKENS / (record.number("decode_tokens_per_s") or 1.0)
        return lines(f"{'Yes' if seconds < _WINDOW_S else 'No'}: {times}.", how)
    hours = number_in(load["count"] or load["daily"]) / _DAYS[(load["period"] or "day").casefold()]
    busy = f"{hours * 3600 / _WINDOW_S:.9g}*{window}/86400s"
    return lines(
        f"{{{{ceil({busy})|count}}}} of {record.ref('target')}: {load[0]} keep one busy "
        f"{{{{{busy}|%}}}} of the day, {times}.",
        how,
    )


def asks_requests(query: Query) -> bool:
    """Whether so many requests come in a time, of a language model on a target."""
    rate = _rate_words(query)
    counted = query.has(Role.PROMPT, Role.WRITTEN) or _OUT.search(query.question)
    return bool(rate and counted and language_models(query) and query.has(Role.TARGET))


def _rate_words(query: Query) -> str:
    words = said(query, Role.RATE_HZ)
    return words if _REQUESTS.search(words) else ""


def requests(query: Query, _wants: object) -> Answering:
    """Cards by what reading and writing take of one, several requests together."""
    rate, out = query.number(Role.RATE_HZ) or 0.0, _OUT.search(query.question)
    asked = cases.asked(query) | {"batch": _TOGETHER}
    read = query.number(Role.PROMPT) or 512
    written = query.number(Role.WRITTEN) or (number_in(out["count"]) if out else 256)
    record = needed((yield call_of("estimate_generation", query, **asked)))
    if record["verdict"] == "FAIL" or not record.knows("decode_tokens_per_s", "prefill_tokens_per_s"):
        return f"It cannot be told: {_why(record)}, {where(record)}."
    writes = f"1s*{record.id}.decode_tokens_per_s"
    busy = f"({rate * written:.9g}*1/({writes})+{rate * read:.9g}*1/(1s*{record.id}.prefill_tokens_per_s))"
    return lines(
        f"{{{{ceil({busy})|count}}}} of {record.ref('target')}: {_rate_words(query)} of {read:g} tokens "
        f"read and {written:g} written keep one busy {{{{{busy}|%}}}} of the time.",
        f"With {_TOGETHER} at once it writes {record.ref('decode_tokens_per_s', '~')} and reads "
        f"{record.ref('prefill_tokens_per_s')}: {where(record)}. Above some 70 % requests wait: leave room.",
    )


def _why(record: Record) -> str:
    return "it does not fit" if record["verdict"] == "FAIL" else "its speed is not known"
