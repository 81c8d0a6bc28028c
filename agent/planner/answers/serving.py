"""How much of a card hours of sound a day take."""

from __future__ import annotations

import re

from ....tools.model_zoo.language_model import language_model_meant
from ...quantities import number_in
from ..bench import Answering, call_of, needed
from ..query import Query, Role
from ..writing import WORDS_A_TOKEN
from .phrases import lines
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


__all__ = ["asks_speech", "speech"]
