"""Language models: whether one fits, its tokens a second, its key-value cache, and where it runs."""

from __future__ import annotations

import math
import re
from collections.abc import Generator, Sequence
from typing import Any

from ....tools.generation.memory import ROOMY
from ....tools.model_zoo.language_model import language_model_names
from ...names import Kind
from ..bench import Answering, Call, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from . import decoding_table
from .decoding_choice import OF_KINDS, kind_named, models_in, models_on, none_runs, sessions, targets_ranked
from .passages import SURE, quoted, search
from .phrases import ASKS_LANGUAGE_MODEL, figure, joined, language_models, lines, said
from .tokens import (
    SAME_MEMORY,
    cache,
    estimated,
    for_sessions,
    host_bytes,
    is_narrow,
    kept_format,
    on_one,
    told,
    weights,
)

_ANY_TARGET = "a100-sxm4-80gb"
"""For figures of memory, which the hardware does not change."""
_WEIGHTS = {"float32": "F32", "float16": "F16", "bfloat16": "BF16", "int8": "int8", "int4": "int4"}
_LISTED = 6
_USUAL_CONTEXT = 4096
_NARROW = "Q4_K_M"
_MOST_CARDS = 1_000_000
_NO_WRITERS = frozenset(("mcu", "dsp"))
"""Classes of targets that no runtime of language models runs on."""
_CHOICES = frozenset((Want.RECOMMEND, Want.CHEAPEST, Want.PRICE))


def generation(query: Query, wants: Sequence[Want]) -> Answering:
    """Of a language model on targets; of one side alone which of the other suit, or its memory."""
    known, targets = language_models(query), query.all(Role.TARGET)
    if not known and targets and not query.unknown:
        return (yield from models_on(query, _ranked(query) | _own_memory(query)))
    if not known and query.has(Role.RAM_BYTES) and not query.unknown:
        bare = _ranked(query) | {"memory_bytes": int(query.number(Role.RAM_BYTES) or 0)}
        return (yield from models_in(query, bare))
    if not known:
        strange = [name.text for name in query.unknown if name.kind is Kind.MODEL]
        if not strange and (found := search(query.question, 1, SURE)):
            return quoted(found[0])
        first = f"I do not know {joined(strange)}." if strange else ASKS_LANGUAGE_MODEL
        return lines(first, f"I know such as {joined(language_model_names()[:_LISTED])}.")
    if targets and known and (chip := query.targets.get(targets[0])) and chip.target_class in _NO_WRITERS:
        return (yield from none_runs(query, known[0]))
    if targets and "many_users" in query.asks and not query.says(Role.BATCH, Role.DEVICES):
        return (yield from sessions(query, asked(query)))
    if targets and len(kinds := decoding_table.kinds(query)) > 1:
        return (yield from decoding_table.side_by_side(kinds, query, wants, asked, estimated))
    if targets:
        record = needed((yield from estimated(query, asked(query))))
        if (cards := query.number(Role.CARDS)) and cards > 1:
            return (yield from _across(record, query, int(cards)))
        record = yield from _fast_enough(record, query)
        text = lines(on_one(record, query, wants), _changed(record, query))
        return (yield from _with_what_would_do(text, record, query))
    if query.has(Role.RATE_HZ, Role.PRICE_USD) or set(wants) & _CHOICES:
        kind = kind_named(query)
        ranked = _ranked(query) | {"model": known[0], "target": None}
        ranked |= {"target_class": OF_KINDS} if kind else {}
        return targets_ranked(needed((yield call_of("rank_generation", query, **ranked))), kind)
    if not query.has(Role.RAM_BYTES) and len(each := decoding_table.kinds(query)) > 1:
        return (yield from _caches(each, query))
    memory, cards = query.number(Role.RAM_BYTES), query.number(Role.CARDS) or 1.0
    memory = None if memory is None else cards * memory
    more = asked(query) | {"memory_bytes": None if memory is None else int(memory), "target": _ANY_TARGET}
    record = needed((yield call_of("estimate_generation", query, **more)))
    return _memory(record, query) if memory is not None else _cache_alone(record, query)


def _changed(record: Record, query: Query) -> str:
    """That the format of before, or the usual context, is not that of this answer."""
    before, usual = kept_format(query), not query.has(Role.CONTEXT, Role.PROMPT)
    if record["verdict"] == "FAIL":
        return ""
    if usual and (record.number("context") or 0) < _USUAL_CONTEXT:
        return f"{_USUAL_CONTEXT:,} tokens each do not fit; this is at {record.ref('context')} each."
    if not before or record["weights"] == before:
        return ""
    return f"{before} of before does not go here, so it is {record.ref('weights')} now."


def _fast_enough(record: Record, query: Query) -> Generator[Call, Record, Record]:
    """In four bits where the widest format that fits is slower than is asked for, and none was named."""
    least, rate = query.number(Role.RATE_HZ), record.number("session_tokens_per_s")
    named = query.has(Role.DTYPE) or (query.has(Role.WEIGHTS) and not kept_format(query))
    if least is None or rate is None or rate >= least or named:
        return record
    narrow = yield call_of("estimate_generation", query, **{**asked(query), "weights": _NARROW})
    return narrow if (narrow.number("session_tokens_per_s") or 0.0) > rate else record


def asked(query: Query) -> dict[str, Any]:
    """Model, formats, lengths and sessions, as far as the question says them."""
    return (
        _settings(query)
        | {
            "model": language_models(query)[0],
            "prompt_tokens": _tokens(query, Role.PROMPT),
            "gpu_layers": _whole(query.number(Role.GPU_LAYERS)),
        }
        | _own_memory(query)
    )


def _own_memory(query: Query) -> dict[str, int]:
    """What the user's own has: the Mac with 8 GB. A size that goes with the name is the target's."""
    found, beside = query.targets.get(query.text(Role.TARGET)), host_bytes(query)
    own = next((size for size in query.numbers(Role.RAM_BYTES) if size != beside), 0.0)
    if not own or found is None or len(set(query.all(Role.TARGET))) > 1:
        return {}
    same = found.ram_bytes is not None and abs(own - found.ram_bytes) < SAME_MEMORY * own
    return {} if same else {"memory_bytes": int(own)}


def _settings(query: Query) -> dict[str, Any]:
    context, prompt = _tokens(query, Role.CONTEXT), _tokens(query, Role.PROMPT)
    if prompt and prompt > (context or _USUAL_CONTEXT):
        context = prompt + (_tokens(query, Role.WRITTEN) or 0)
    split = query.has(Role.GPU_LAYERS)
    sessions = None if split else query.number(Role.BATCH) or query.number(Role.DEVICES)
    return {
        "context": context, "batch": _whole(sessions),
        "weights": query.text(Role.WEIGHTS) or _WEIGHTS.get(query.text(Role.DTYPE)),
        "kv": query.text(Role.KV) or None, "runtime": query.text(Role.ENGINE) or None,
    }  # fmt: skip


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)


def _ranked(query: Query) -> dict[str, Any]:
    rate, price = query.number(Role.RATE_HZ), query.number(Role.PRICE_USD)
    named = {} if not kept_format(query) else {"weights": None}
    return _settings(query) | named | {"min_tokens_per_s": rate, "max_price_usd": price}


def _with_what_would_do(said: str, record: Record, query: Query) -> Answering:
    """Of what does not fit one: the computer around it, several together, and the cheapest that holds it."""
    cards = query.number(Role.CARDS) or 1
    if record["verdict"] != "FAIL" or cards > 1 or query.has(Role.GPU_LAYERS):
        return said
    if is_narrow(record, query):
        in_four = yield call_of("estimate_generation", query, **asked(query) | {"weights": _NARROW})
        record = in_four if in_four.result else record
    count = f"{{{{ceil({record.id}.total_bytes/{record.id}.ram_bytes)|count}}}}"
    room = (
        math.ceil((record.number("total_bytes") or 0) / (record.number("ram_bytes") or 1))
        * record["ram_bytes"]
    )
    split = asked(query) | {"memory_bytes": room, "weights": record["weights"]}
    together = yield call_of("estimate_generation", query, **split)
    pace = (
        f": {figure(together, 'decode_tokens_per_s')}, its layers split over them" if together.result else ""
    )
    some = f"{count} of them together have room for {record.ref('weights')}{pace}."
    ranked = _ranked(query) | {"model": record["model"], "target": None}
    ranking = yield call_of("rank_generation", query, **ranked)
    alone = targets_ranked(ranking, with_table=False) if ranking.result else ""
    beside = _beside(record, int(size)) if (size := host_bytes(query)) else ""
    return lines(said, beside, some, f"Alone it fits: {alone}" if alone else "")


def _beside(record: Record, size: int) -> str:
    """Layers on the card and the others in the memory of its computer."""
    both, total = (record.number("ram_bytes") or 0.0) + size, record.number("total_bytes") or 0.0
    room = f"{{{{{record.id}.ram_bytes+{size}B*{record.id}.batch/{record.id}.batch|GiB}}}}"
    if total > both:
        return f"The computer's memory does not hold the rest: {record.ref('total_bytes', 'GiB')} of {room}."
    fits = "it fits" if total <= ROOMY * both else "it only just fits, with nothing left for other programs"
    return (
        f"Split with the computer's memory {fits}: {record.ref('total_bytes', 'GiB')} in "
        f"{record.ref('weights')} of {room}, {record.ref('most_gpu_layers')} of {record.ref('layers')} "
        "layers on the card. How fast is then set by that memory, many times slower than the card's: name "
        "the processor, and I compute it."
    )


def _across(alone: Record, query: Query, cards: int) -> Answering:
    """Whether the memory of several cards holds it together, and what one of them does."""
    each = alone.number("ram_bytes")
    if cards > _MOST_CARDS:
        return (
            f"I count no more than {_MOST_CARDS:,} of them; on one: {figure(alone, 'decode_tokens_per_s')}."
        )
    if not each:
        return f"I cannot tell: the memory of {alone.ref('target')} is not known."
    whole = asked(query) | {"memory_bytes": int(cards * each)}
    record = needed((yield call_of("estimate_generation", query, **whole)))
    fits = record["verdict"] != "FAIL"
    room = f"{{{{{cards}*{alone.id}.ram_bytes|GiB}}}}"
    first = (
        f"{'Yes' if fits else 'No'}, {record.ref('total_bytes', 'GiB')} {'fit' if fits else 'do not fit'} "
        f"the {room} of {said(query, Role.CARDS).rstrip('x×')} of them together: {weights(record)} "
        f"({record.ref('weights')}) and {cache(record)}{for_sessions(record)}."
    )
    rate = f"{figure(alone, 'decode_tokens_per_s')} in {alone.ref('weights')}{for_sessions(alone)}"
    on_one = f"One alone does {rate}." if alone["verdict"] != "FAIL" else "One alone does not hold it."
    split = (
        f"{figure(record, 'decode_tokens_per_s')}{for_sessions(record)}: {decoding_table.SPLIT}"
        if fits
        else ""
    )
    return lines(
        first,
        split,
        *told(record, query),
        on_one,
        f"{record.ref('model')} on {alone.ref('target')} with {record.ref('runtime')}.",
    )


def _memory(record: Record, query: Query) -> str:
    """What goes into so many bytes."""
    room = " of ".join(part for part in (said(query, Role.CARDS), said(query, Role.RAM_BYTES)) if part)
    if record["verdict"] == "FAIL":
        return f"No, {record.ref('model')} does not fit {room}: {weights(record)} ({record.ref('weights')})."
    yes = "Yes, it fits: " if "fit" in query.asks else ""
    return lines(
        f"{yes}{record.ref('max_context')} tokens of context fit {room} beside {weights(record)} of "
        f"{record.ref('model')} ({record.ref('weights')}).",
        f"At {record.ref('context')} tokens the key-value cache takes {record.ref('kv_cache_bytes', 'GiB')} "
        f"({record.ref('kv')}), and buffers {record.ref('buffer_bytes', 'GiB')}.",
    )


def _caches(kinds: Sequence[tuple[str, Query]], query: Query) -> Answering:
    """Of several formats, lengths or models, on no hardware in particular."""
    parts = []
    for name, one in kinds[:_LISTED]:
        record = needed((yield call_of("estimate_generation", one, **asked(one) | {"target": _ANY_TARGET})))
        parts.append(f"{record.ref('kv_cache_bytes', 'GiB')} with {name} at {record.ref('context')} tokens")
    return f"The key-value cache of {joined(language_models(query)[:1])} takes {joined(parts)}."


def _cache_alone(record: Record, query: Query) -> str:
    ask = "" if query.has(Role.CONTEXT) or query.unknown else "Name a board, and I tell its tokens a second."
    kept = f"{cache(record)} ({record.ref('kv')})"
    if re.search(r"\bparam\w*|\bweights are\b", query.question, re.IGNORECASE):
        of_them = f", {record.ref('active_parameters')} of them at work for a token"
        active = "" if record["active_parameters"] == record["parameters"] else of_them
        return f"{record.ref('model')} has {record.ref('parameters')} parameters{active}."
    if "total" in query.asks:
        parts = f"{weights(record)} ({record.ref('weights')}), {kept} and buffers"
        return lines(f"{record.ref('model')} takes {record.ref('total_bytes', 'GiB')} in all: {parts}.", ask)
    return lines(f"{record.ref('model')} takes {kept}, beside {weights(record)}.", ask)


def _tokens(query: Query, role: Role) -> int | None:
    """8k tokens are 8192."""
    number = query.number(role)
    if number is None:
        return None
    return int(number * 1.024) if said(query, role).lower().endswith("k") else int(number)
