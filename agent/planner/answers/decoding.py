"""Language models: whether one fits, its tokens a second, its key-value cache."""

from __future__ import annotations

from ....tools.model_zoo.language_model import language_model_names
from ...names import Kind
from ..bench import Answering, call_of, needed
from ..left_over import unknown
from ..query import Query, Role
from .phrases import is_known, joined, lines, quantity, verdict_word

_ANY_TARGET = "a100-sxm4-80gb"
"""For the key-value cache, which the hardware does not change."""
_WEIGHTS = {"float32": "F32", "float16": "F16", "bfloat16": "BF16", "int8": "int8", "int4": "int4"}
_LISTED = 6


def generation(query: Query) -> Answering:
    """Of a language model on a target; its cache alone without one."""
    known = [name for name in query.all(Role.MODEL) if name in language_model_names()]
    boards = [name for name in query.unknown if name.kind is Kind.TARGET]
    if not known:
        strange = [name.text for name in query.unknown if name.kind is Kind.MODEL]
        first = f"I do not know {joined(strange)}." if strange else "Which language model?"
        some = joined(language_model_names()[:_LISTED])
        return lines(first, f"I know such as {some}.", unknown(boards) if boards else "")
    if boards and not query.has(Role.TARGET):
        return unknown(boards)
    anywhere = not query.has(Role.TARGET)
    more = {"context": _context(query), "weights": _WEIGHTS.get(query.text(Role.DTYPE)), "model": known[0]}
    if anywhere:
        more |= {"target": _ANY_TARGET, "runtime": None}
    record = needed((yield call_of("estimate_generation", query, **more)))
    weights = f"{record.ref('weights_bytes', 'GiB')} of weights ({record.ref('weights')})"
    cache = f"{record.ref('kv_cache_bytes', 'GiB')} of key-value cache at {record.ref('context')} tokens"
    name = record.ref("model")
    if anywhere:
        ask = "" if query.has(Role.CONTEXT) else "Name a board, and I tell its tokens a second."
        return lines(f"{name} takes {cache} ({record.ref('kv')}), beside {weights}.", ask)
    where = f"{name} on {record.ref('target')} with {record.ref('runtime')}"
    word = verdict_word(record["verdict"])
    if not is_known(record, "decode_tokens_per_s"):
        return f"{word}: {where} takes {weights} and {cache}, of {record.ref('ram_bytes', 'GiB')} of memory."
    speed = quantity(record, "decode_tokens_per_s")
    said = f"- published: {record.ref('published[#0]')}" if record["published"] else ""
    return lines(
        f"{speed}: {where}, {record.ref('weights')}.",
        f"{word}, it fits: {weights} and {cache}, of {record.ref('ram_bytes', 'GiB')}.",
        f"The first token comes after {record.ref('time_to_first_token_ms')}.",
        said,
    )


def _context(query: Query) -> int | None:
    """8k tokens are 8192."""
    slot = next((slot for slot in query.slots if slot.role is Role.CONTEXT), None)
    if slot is None:
        return None
    return int(slot.number * 1.024) if slot.text.lower().endswith("k") else int(slot.number)
