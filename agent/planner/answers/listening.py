"""Whisper on a target: hours of sound, live streams, and beside a language model that replies."""

from __future__ import annotations

import math
import re
from collections.abc import Generator, Sequence

from ....tools.model_zoo.language_model import load_catalogue
from ...asked_unit import Per, price_in
from ...patterns import compiled
from ..bench import Answering, Call, Record, call_of, needed
from ..query import Query, Role
from ..speech import hears
from ..want import Want
from ..words import patterns
from ..writing import WORDS_A_TOKEN
from . import cases, per_unit
from .phrases import in_time, joined, language_models, lines, said, table
from .tokens import filled, where

_DAYS = {"day": 1.0, "daily": 1.0, "week": 7.0, "month": 30.4375}
_PERIOD = compiled(rf"\b(?:{'|'.join(_DAYS)})\b", re.IGNORECASE)
_WINDOW_MS, _WORDS_A_MINUTE = 30_000, 150
_TOKENS = _WINDOW_MS / 60_000 * _WORDS_A_MINUTE / WORDS_A_TOKEN
_TTFT, _RATE = "time_to_first_token_ms", "session_tokens_per_s"
_HOURS_FROM_MS = 2 * 3.6e6
_TALKED = compiled(r"\b(?:delay|latency|wait\w*|stops? talking|stops? speaking|respon\w+)\b", re.I)
_DOMINATES = compiled(r"\b(?:most|dominat\w+|bulk|bigger|larger|slower)\b", re.I)
_SPEECH = patterns("of_speech")
_EACH_CHUNK = (
    "Live, words come that much after their chunk, and a short chunk costs the encoder of a whole window."
)


def asks_speech(query: Query, wants: Sequence[Want]) -> bool:
    """Whether Whisper alone is to transcribe on a target that is named, and no bill is asked for."""
    alone = query.has(Role.TARGET) and bool(models := language_models(query)) and all(map(hears, models))
    billed = query.says(Role.TARIFF) and not query.has(Role.SOUND_MS) and per_unit.asks(query, wants)
    return alone and not billed


def speech(query: Query, _wants: object) -> Answering:
    """How fast each of them transcribes: hours of sound, cards for those of a day, or a live stream."""
    told: list[tuple[str, str]] = []
    known: list[Record] = []
    heard = list[Record]()
    for _, one in cases.kinds(query):
        heard.append((yield from _heard(one)))
    if len({one["target"] for one in heard}) > 1:
        heard.sort(key=lambda one: _takes_ms(one)[1] if one.knows(_TTFT, _RATE) else math.inf)
    for record in heard:
        if record.knows(_TTFT, _RATE):
            known.append(record)
            told.append((_transcribed(record, query), _window_of(record)))
        else:
            where_not = f"{record.ref('model')} on {record.ref('target')}"
            told.append((f"The speed of {where_not} is not known: no source gives its arithmetic.", ""))
    of_sizes = len(known) == len(told) > 1 and not query.has(Role.SOUND_MS)
    rest = [_sizes(known)] if of_sizes else [how for _, how in told]
    live = not query.has(Role.SOUND_MS) and Want.HOW_MANY not in query.wants
    return lines(
        *(line for line, _ in told), _EACH_CHUNK if live and known else "",
        (yield from _smaller(known[0], query)) if live and len(known) == 1 else "",
        *rest, *(_memory(record) for record in known if not of_sizes), _errs(query),
    )  # fmt: skip


def _heard(query: Query) -> Generator[Call, Record, Record]:
    """A window of sound, which is what it reads, and the words in it."""
    given = cases.asked(query) | {"context": 448, "prompt_tokens": 4}
    return needed((yield call_of("estimate_generation", query, **given)))


def _smaller(record: Record, query: Query) -> Answering:
    """Where a stream is not surely kept up with, the largest size that probably does."""
    if _takes_ms(record)[2] <= _WINDOW_MS:
        return ""
    fewer = [each for each in load_catalogue().models if hears(each.id)]
    fewer = [each for each in fewer if each.parameters < float(record["parameters"])]
    for each in sorted(fewer, key=lambda one: -one.parameters):
        other = yield from _heard(query.put(Role.MODEL, each.id))
        if other.knows(_TTFT, _RATE) and _takes_ms(other)[1] <= _WINDOW_MS:
            told = _transcribed(other, query)
            return f"A smaller size, {told[:1].lower()}{told[1:]}"
    return ""


def _sizes(known: Sequence[Record]) -> str:
    """What each takes of time and memory."""
    head = "target" if len({each["model"] for each in known}) < len(known) else "model"
    cells = [
        [each.ref(head), f"{{{{{_WINDOW_MS * (each['batch'] or 1)}ms/{_window(each)}|x}}}}",
         f"{{{{{_window(each)}|~}}}}", filled(each)]
        for each in known
    ]  # fmt: skip
    return table(
        ("", "as fast as spoken", f"30 s of sound at {_WORDS_A_MINUTE} words a minute", "takes"), cells
    )


def _memory(record: Record) -> str:
    return f"{record.ref('model')} takes {filled(record)}." if record.knows("ram_bytes") else ""


def _errs(query: Query) -> str:
    """That what it hears wrong is not known here, where a language or that is spoken of."""
    found = _SPEECH["tongue"].search(query.question)
    if found is None and not _SPEECH["errs"].search(query.question):
        return ""
    tongue = f" in {found[0].title()}" if found else ""
    return (
        f"How many words each size gets wrong{tongue} is not known here; it differs by language, and "
        "appendix D of Whisper's paper (arxiv.org/abs/2212.04356) lists it by both."
    )


def _window(record: Record) -> str:
    """Seconds for 30 s of sound of every stream, as an expression."""
    return f"({record.id}.{_TTFT}+{_TOKENS:g}/{record.id}.{_RATE})"


def _takes_ms(record: Record) -> tuple[float, float, float]:
    """Least, likely and most of a window."""
    (least, most), (slow, fast) = record.ends(_TTFT) or (0.0, 0.0), record.ends(_RATE) or (1.0, 1.0)
    likely = (record.number(_TTFT) or 0.0) + 1e3 * _TOKENS / (record.number(_RATE) or 1.0)
    return least + 1e3 * _TOKENS / fast, likely, most + 1e3 * _TOKENS / slow


def _window_of(record: Record) -> str:
    return (
        f"{{{{{_window(record)}|~}}}} for 30 s of sound at {_WORDS_A_MINUTE} words a minute: "
        f"{record.ref(_TTFT)} until the first token, then {record.ref(_RATE)}, {where(record)}."
    )


def _transcribed(record: Record, query: Query) -> str:
    """All of a recording by when, machines for what comes every day, or whether a stream is kept up with."""
    streams, sound, target = record["batch"] or 1, query.number(Role.SOUND_MS), record.ref("target")
    place = f"{record.ref('model')} on {target}"
    times = f"{{{{{_WINDOW_MS * streams}ms/{_window(record)}|x}}}} as fast as it is spoken"
    if sound is None:
        if Want.HOW_MANY in query.wants:
            streams_at_once = f"{{{{floor({_WINDOW_MS}ms/{_window(record)})|count}}}} live streams"
            return f"{streams_at_once}, one window after another: {times}, {place}."
        several = f" {streams} streams at once," if streams > 1 else ""
        return f"{in_time(_takes_ms(record), _WINDOW_MS)}:{several} {times}, {place}."
    words, windows = said(query, Role.SOUND_MS), math.ceil(sound / _WINDOW_MS) / streams
    work = f"{windows:.9g}*{_window(record)}"
    if period := _PERIOD.search(words):
        busy = f"{work}/{_DAYS[period[0].casefold()] * 86400:.9g}s"
        keeps = f"{words} keep one busy {{{{{busy}|%}}}} of the time, {{{{{work}|~}}}}"
        return f"{{{{ceil({busy})|count}}}} of {target}: {keeps}, {times}, {place}."
    least, price = query.number(Role.LATENCY_MS), price_in(query.question)
    takes = [windows * each for each in _takes_ms(record)]
    first = f"{in_time(takes, least)}, against {said(query, Role.LATENCY_MS)}: " if least else ""
    if price is not None and price.per is Per.TIME:
        first = f"{price.shown(f'{price.term}*{work}/1h')} at {price.words}: "
    hours = "|h~" if takes[1] > _HOURS_FROM_MS else "|~"
    return f"{first}{{{{{work}{hours}}}}} for {words}: {place}, {times}."


def asks_beside(query: Query) -> bool:
    """Whether a model that listens and one that writes are to share a target."""
    models = language_models(query)
    return query.has(Role.TARGET) and any(map(hears, models)) and not all(map(hears, models))


def beside(query: Query, _wants: object) -> Answering:
    """What both take of one memory, and how long after the last word said the first of the reply comes."""
    models = language_models(query)
    own = query.without([Role.CONTEXT, Role.PROMPT, Role.WEIGHTS, Role.KV, Role.DTYPE])
    own = own.put(Role.MODEL, next(filter(hears, models)))
    given = cases.asked(own) | {"context": 448, "prompt_tokens": 4}
    heard = needed((yield call_of("estimate_generation", own, **given)))
    left = int((heard.number("ram_bytes") or 0) - (heard.number("total_bytes") or 0))
    told = []
    for name in dict.fromkeys(name for name in models if not hears(name)):
        one = query.put(Role.MODEL, name)
        written = needed((yield from cases.estimated(one, **({"memory_bytes": left} if left > 0 else {}))))
        fit = [_both_fit(heard, written, room=left > 0), _delay(heard, written)]
        told += [_most(heard, written)] if _DOMINATES.search(query.question) else []
        told += fit[::-1] if "first_token" in query.asks or _TALKED.search(query.question) else fit
        told.append(f"{written.ref('model')} writes {written.ref(_RATE, '~')} while the other is silent.")
    return lines(*told)


def _larger(heard: Record, written: Record) -> tuple[str, str]:
    """Which of both takes most of the memory, and of the wait."""
    both = (heard, written)
    waits = _takes_ms(heard)[1], written.number(_TTFT) or 0.0
    room = max(both, key=lambda each: each.number("total_bytes") or 0)
    return room.ref("model"), both[waits[1] > waits[0]].ref("model")


def _most(heard: Record, written: Record) -> str:
    room, wait = _larger(heard, written)
    return f"Most of the wait is that of {wait}, most of the memory that of {room}."


def _both_fit(heard: Record, written: Record, *, room: bool) -> str:
    """The sum of both against the memory that there is."""
    word = "Yes, both fit" if room and written["verdict"] != "FAIL" else "No, they do not fit together"
    both = ((each, each.ref("total_bytes", "GiB")) for each in (heard, written))
    parts = joined(f"{size} of {each.ref('model')} ({each.ref('weights')})" for each, size in both)
    total = f"{{{{{heard.id}.total_bytes+{written.id}.total_bytes|GiB}}}} of {heard.ref('ram_bytes', 'GiB')}"
    context = f"at {written.ref('context')} tokens of context"
    return f"{word} on {heard.ref('target')}: {parts}, {total} {context}."


def _delay(heard: Record, written: Record) -> str:
    """From the last word that is said to the first of the reply."""
    if not (heard.knows(_TTFT, _RATE) and written.knows(_TTFT)):
        return ""
    most, window = _larger(heard, written)[1], _window(heard)
    return (
        f"{{{{{window}+{written.id}.{_TTFT}|~}}}} from the last word said to the first of the reply, most of "
        f"it that of {most}: {{{{{window}|~}}}} for a window of sound with {heard.ref('model')}, then "
        f"{written.ref(_TTFT)} for {written.ref('prompt_tokens')} tokens of prompt."
    )
