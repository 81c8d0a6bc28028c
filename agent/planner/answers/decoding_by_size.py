"""A language model that is not known, of a size that is said: counted by its size, beside one like it."""

from __future__ import annotations

import re

from ...patterns import compiled
from ..bench import Answering, Record
from ..language import families_in
from ..query import Query, Role
from .cases import estimated
from .phrases import language_models, sentence
from .tokens import given

_SIZE = compiled(r"(?:the )?(\d{1,4}(?:\.\d+)?)\s?(?:b|bn|billion)", re.IGNORECASE)
_NAME = compiled(
    r"[\"'“”]?((?:(?!(?:I|Is|Can|Will|Does|How|What|Our|The|A|My|With|On|For|And)\b)[A-Z][\w.-]*[\s-]+"
    r"(?:\d+(?:\.\d+)?[\s-]+)?){1,4})$"
)
_SAME = 0.03
"""Share by which the parameters of the same size differ."""
_RATE = "decode_tokens_per_s"


def unknown_of_a_size(query: Query) -> tuple[str, str, float]:
    """Its name, the words for its size and its billions of parameters, where a known one stands for it."""
    slots = [slot for slot in query.slots if slot.role is Role.MODEL]
    size = _SIZE.fullmatch(slots[0].text) if len(slots) == 1 and not slots[0].inherited else None
    if size is None or not any(f"I took {slots[0].text} to be" in note for note in query.notes):
        return "", "", 0.0
    before = _NAME.search(query.question.partition(slots[0].text)[0])
    words = before[1].strip(" -") if before else ""
    own = re.sub("|".join(map(re.escape, families_in(words))) or "$^", "", words, flags=re.IGNORECASE)
    return (f"{words} {slots[0].text}" if own.strip() else ""), slots[0].text, float(size[1])


def by_size(query: Query) -> Answering:
    """What it takes and how fast it would write by its size alone; that the rest is of another."""
    name, words, billions = unknown_of_a_size(query)
    if not billions or len(set(language_models(query))) > 1 or len(set(query.all(Role.TARGET))) != 1:
        return f"I do not know {name}." if name else ""
    record = yield from estimated(query)
    parameters = (record.number("parameters") or 0.0) / 1e9
    if record.result is None or not parameters:
        return ""
    alike = abs(parameters - billions) <= _SAME * billions
    bears = f"-{billions:g}b-" in f"{record['model']}-"
    if not name and (alike or bears):
        return ""
    unknown = f"I do not know {name}; " if name else ""
    i, count = record.id, f"{billions * 1e9:.0f}"
    if alike:
        return f"{unknown}{record.ref('model')} of the same size stands for it, whose cache may differ."
    takes = f"{{{{{count}*{i}.weights_bytes/{i}.parameters|GiB}}}} of weights in {record.ref('weights')}"
    writes = f" and writes some {{{{{i}.parameters*{i}.{_RATE}*1s/{count}|count}}}} tokens/s"
    rate = writes if record.knows(_RATE) else ""
    return sentence(
        f"{unknown}by its size, {words}, it takes {takes}, of {given(record)}: it "
        f"{_fits(record, billions)}{rate}, if it is dense. What follows is of "
        f"{record.ref('model')}, the nearest in size that I know."
    )


def _fits(record: Record, billions: float) -> str:
    """Whether so many parameters with the cache and the buffers of the one that is like it fit."""
    own, cache, buffers, usable, parameters = (
        record.number(path) or 0.0
        for path in ("weights_bytes", "kv_cache_bytes", "buffer_bytes", "usable_bytes", "parameters")
    )
    if not usable or not parameters:
        return "which may fit"
    return "fits" if own * billions * 1e9 / parameters + cache + buffers <= usable else "does not fit"
