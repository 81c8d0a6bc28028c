"""How much of a card a steady load takes: requests of so many tokens."""

from __future__ import annotations

from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from ..words import patterns
from . import cases
from .phrases import language_models, lines, said
from .tokens import where

_REQUESTS = patterns("of_serving")["requests"]
_TOGETHER = 16


def asks_requests(query: Query) -> bool:
    """Whether so many requests come in a time, of a language model on a target."""
    rate = _rate_words(query)
    counted = query.has(Role.PROMPT, Role.WRITTEN)
    return bool(rate and counted and language_models(query) and query.has(Role.TARGET))


def _rate_words(query: Query) -> str:
    words = said(query, Role.RATE_HZ)
    return words if _REQUESTS.search(words) else ""


def requests(query: Query, _wants: object) -> Answering:
    """Cards by what reading and writing take of one, several requests together."""
    rate = query.number(Role.RATE_HZ) or 0.0
    asked = cases.asked(query) | {"batch": _TOGETHER}
    read = query.number(Role.PROMPT) or 512
    written = query.number(Role.WRITTEN) or 256
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
