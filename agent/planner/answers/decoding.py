"""Language models: whether one fits, its tokens a second, its key-value cache, and where it runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....tools.model_zoo.language_model import language_model_names
from ....tools.model_zoo.weight_format import weight_format
from ...names import Kind
from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from . import decoding_table
from .phrases import ASKS_LANGUAGE_MODEL, VERDICT_WORDS, figure, joined, language_models, lines, said, table

_ANY_TARGET = "a100-sxm4-80gb"
"""For figures of memory, which the hardware does not change."""
_WEIGHTS = {"float32": "F32", "float16": "F16", "bfloat16": "BF16", "int8": "int8", "int4": "int4"}
_LISTED = 6
_RANKED = 5
_USUAL_CONTEXT = 4096
_FEW_BITS = 4.0
_MOST_CARDS = 1_000_000
_OF_TRUST = frozenset((Want.INTERVAL, Want.EVIDENCE, Want.ERROR, Want.PLAUSIBLE))
_CHOICES = frozenset((Want.RECOMMEND, Want.CHEAPEST, Want.PRICE))


def generation(query: Query, wants: Sequence[Want]) -> Answering:
    """Of a language model on targets; of one side alone which of the other suit, or its memory."""
    known, targets = language_models(query), query.all(Role.TARGET)
    if not known and targets and not query.unknown:
        ranking = needed((yield call_of("rank_generation", query, **_ranked(query), model=None)))
        return _models_ranked(ranking)
    if not known:
        strange = [name.text for name in query.unknown if name.kind is Kind.MODEL]
        first = f"I do not know {joined(strange)}." if strange else ASKS_LANGUAGE_MODEL
        return lines(first, f"I know such as {joined(language_model_names()[:_LISTED])}.")
    if targets and len(kinds := decoding_table.kinds(query)) > 1:
        return (yield from decoding_table.side_by_side(kinds, query, wants, asked))
    if targets:
        record = needed((yield call_of("estimate_generation", query, **asked(query))))
        if (cards := query.number(Role.CARDS)) and cards > 1:
            return (yield from _across(record, query, int(cards)))
        return (yield from _with_what_would_do(_alone(record, query, wants), record, query))
    if query.has(Role.RATE_HZ, Role.PRICE_USD) or set(wants) & _CHOICES:
        ranked = _ranked(query) | {"model": known[0], "target": None}
        return _targets_ranked(needed((yield call_of("rank_generation", query, **ranked))))
    memory, cards = query.number(Role.RAM_BYTES), query.number(Role.CARDS) or 1.0
    memory = None if memory is None else cards * memory
    more = asked(query) | {"memory_bytes": None if memory is None else int(memory), "target": _ANY_TARGET}
    record = needed((yield call_of("estimate_generation", query, **more)))
    return _memory(record, query) if memory is not None else _cache_alone(record, query)


def asked(query: Query) -> dict[str, Any]:
    """Model, formats, lengths and sessions, as far as the question says them."""
    return _settings(query) | {
        "model": language_models(query)[0],
        "prompt_tokens": _tokens(query, Role.PROMPT),
        "gpu_layers": _whole(query.number(Role.GPU_LAYERS)),
    }


def _settings(query: Query) -> dict[str, Any]:
    context, prompt = _tokens(query, Role.CONTEXT), _tokens(query, Role.PROMPT)
    if prompt and prompt > (context or _USUAL_CONTEXT):
        context = 2 * prompt
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
    return _settings(query) | {"min_tokens_per_s": rate, "max_price_usd": price}


def _alone(record: Record, query: Query, wants: Sequence[Want]) -> str:
    where = (
        f"{record.ref('model')} on {record.ref('target')} with {record.ref('runtime')}, "
        f"{record.ref('weights')}"
    )
    word, memory = VERDICT_WORDS[record["verdict"]], record.ref("ram_bytes", "GiB")
    room = f"{_weights(record)} and {_cache(record)}, of {memory}"
    longest = f"The longest context that fits is {record.ref('max_context')} tokens."
    further = longest if Want.LIMIT in wants and record.knows("max_context") else ""
    if not record.knows("decode_tokens_per_s") and record["verdict"] != "FAIL":
        return lines(f"{word}: {where} takes {room} of memory; its speed is not known.", further)
    claimed = _claimed(record, query) if query.has(Role.CLAIMED_HZ) or Want.PLAUSIBLE in wants else ""
    speed = f"{claimed or _demanded(record, query)}{figure(record, 'decode_tokens_per_s')}: {where}."
    spare = (record.number("max_context") or 0) > (record.number("context") or 0) and not further
    room += f"; room for {record.ref('max_context')} tokens" if spare else ""
    fits = f"{word}, it fits: {room}." if record["verdict"] != "FAIL" else f"No, it does not fit: {room}."
    if record["verdict"] == "FAIL":
        split = f"{record.ref('most_gpu_layers')} of {record.ref('layers')} layers fit the GPU."
        return lines(f"{fits} {where}.", split if record.knows("most_gpu_layers") else "")
    first = (
        f"The first token comes after {record.ref('time_to_first_token_ms')}."
        if record.knows("time_to_first_token_ms")
        else ""
    )
    each = f"Each session gets {record.ref('session_tokens_per_s')}." if (record["batch"] or 1) > 1 else ""
    narrow = f"Nothing wider than {record.ref('weights')} fits." if _is_narrow(record, query) else ""
    near = f"Published: {record.ref('published[#0]')}." if record["published"] else ""
    head = [fits, speed] if {Want.FITS, Want.RAM} & set(wants[:1]) else [speed, fits]
    if ceiling := decoding_table.ceiling(record, query, wants):
        head = [ceiling, speed]
    places = 0 if Want.LIMIT in wants[:1] else len(head)
    head.insert(places, further)
    if _OF_TRUST & set(wants) and not claimed:
        return lines(_how_sure(record, where), near or fits)
    main = " ".join(part for part in (first, each, _energy(record, wants)) if part)
    return lines(*head, main, narrow, near)


def _how_sure(record: Record, where: str) -> str:
    """The interval, what it stands on, and what narrows it."""
    basis = record.ref("decode_tokens_per_s.basis")
    return (
        f"{figure(record, 'decode_tokens_per_s', basis=False)}, {basis}, of {where}: nine such cases in ten "
        "lie inside, judged on devices and sources left out of the fit. `edgewright validate` counts it."
    )


def _with_what_would_do(said: str, record: Record, query: Query) -> Answering:
    """Of what does not fit one: how many together hold it, and the cheapest that holds it alone."""
    cards = query.number(Role.CARDS) or 1
    if record["verdict"] != "FAIL" or cards > 1 or query.has(Role.GPU_LAYERS):
        return said
    some = (
        f"{{{{ceil({record.id}.total_bytes/{record.id}.ram_bytes)|count}}}} of them together have room; "
        "I do not calculate the speed of one model that is split over several."
    )
    ranked = _ranked(query) | {"model": record["model"], "target": None}
    ranking = yield call_of("rank_generation", query, **ranked)
    alone = _targets_ranked(ranking) if ranking.result else ""
    return lines(said, some, f"Alone it fits: {alone}" if alone else "")


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
        f"the {room} of {said(query, Role.CARDS)} of them together: {_weights(record)} "
        f"({record.ref('weights')}) and {_cache(record)}{_for_sessions(record)}."
    )
    rate = f"{figure(alone, 'decode_tokens_per_s')} in {alone.ref('weights')}{_for_sessions(alone)}"
    on_one = f"One alone does {rate}." if alone["verdict"] != "FAIL" else "One alone does not hold it."
    return lines(
        first,
        f"{on_one} I do not calculate the speed of one model that is split over several.",
        f"{record.ref('model')} on {alone.ref('target')} with {record.ref('runtime')}.",
    )


def _for_sessions(record: Record) -> str:
    return f" for {record.ref('batch')} sessions" if (record["batch"] or 1) > 1 else ""


def _is_narrow(record: Record, query: Query) -> bool:
    """Whether fewer than 4 bits were taken unasked."""
    return not query.has(Role.WEIGHTS, Role.DTYPE) and weight_format(str(record["weights"])).bits < _FEW_BITS


def _energy(record: Record, wants: Sequence[Want]) -> str:
    if not {Want.POWER, Want.ENERGY} & set(wants):
        return ""
    if not record.knows("energy_uj_per_token"):
        return "Its power while generating is not known."
    return (
        f"A token takes {record.ref('energy_uj_per_token', '~')}, at the power that the target is rated for."
    )


def _demanded(record: Record, query: Query) -> str:
    """Whether it writes as fast as the user wants."""
    least, rate = query.number(Role.RATE_HZ), record.number("session_tokens_per_s")
    if least is None or rate is None:
        return ""
    return f"{'Yes' if rate >= least else 'No'}, against {said(query, Role.RATE_HZ)}: "


def _claimed(record: Record, query: Query) -> str:
    """What the user measured, or was told, against the interval."""
    role = Role.CLAIMED_HZ if query.has(Role.CLAIMED_HZ) else Role.RATE_HZ
    claim, ends = query.number(role), record.ends("decode_tokens_per_s")
    if claim is None or ends is None:
        return ""
    than = "slower than" if claim < ends[0] else "faster than" if claim > ends[1] else "within what"
    return f"{said(query, role)} is {than} I expect: "


def _memory(record: Record, query: Query) -> str:
    """What goes into so many bytes."""
    room = " of ".join(part for part in (said(query, Role.CARDS), said(query, Role.RAM_BYTES)) if part)
    if record["verdict"] == "FAIL":
        return f"No, {record.ref('model')} does not fit {room}: {_weights(record)} ({record.ref('weights')})."
    return lines(
        f"{record.ref('max_context')} tokens of context fit {room} beside {_weights(record)} of "
        f"{record.ref('model')} ({record.ref('weights')}).",
        f"At {record.ref('context')} tokens the key-value cache takes {record.ref('kv_cache_bytes', 'GiB')} "
        f"({record.ref('kv')}), and buffers {record.ref('buffer_bytes', 'GiB')}.",
    )


def _cache_alone(record: Record, query: Query) -> str:
    ask = "" if query.has(Role.CONTEXT) or query.unknown else "Name a board, and I tell its tokens a second."
    cache = f"{_cache(record)} ({record.ref('kv')})"
    return lines(f"{record.ref('model')} takes {cache}, beside {_weights(record)}.", ask)


def _weights(record: Record) -> str:
    return f"{record.ref('weights_bytes', 'GiB')} of weights"


def _cache(record: Record) -> str:
    return f"{record.ref('kv_cache_bytes', 'GiB')} of key-value cache at {record.ref('context')} tokens"


def _targets_ranked(record: Record) -> str:
    """The cheapest that is fast enough, and those behind it."""
    rows, passing = record["ranking"] or (), int(record["passing"] or 0)
    if not passing:
        why = f" {record.ref('ranking[#0].target')}: {record.ref('ranking[#0].reason')}." if rows else ""
        return f"None of them runs {record.ref('model')} so.{why}"
    priced = record.knows("ranking[#0].price_usd")
    cost = f", {record.ref('ranking[#0].price_usd')}" if priced else ", whose price is not known here"
    first = (
        f"{record.ref('ranking[#0].target')}{cost}: {record.ref('ranking[#0].session_tokens_per_s', '~')} of "
        f"{record.ref('model')} in {record.ref('ranking[#0].weights')}."
    )
    heads = ("", "tokens/s", "weights", "price")
    fields = ("target", "session_tokens_per_s", "weights", "price_usd")
    unpriced = f"{record.ref('assumptions[#0]')}." if record["assumptions"] else ""
    return lines(first, _rows(record, min(passing, _RANKED), heads, fields), unpriced)


def _models_ranked(record: Record) -> str:
    passing = int(record["passing"] or 0)
    if not passing:
        rate = record.ref("min_tokens_per_s")
        return f"No language model that I know writes {rate} on {record.ref('target')}."
    first = (
        f"{record.ref('passing')} language models write {record.ref('min_tokens_per_s', 'tokens/s')} or more "
        f"on {record.ref('target')}, the largest first:"
    )
    heads = ("", "tokens/s", "weights", "takes")
    fields = ("model", "session_tokens_per_s", "weights", "total_bytes")
    return lines(first, _rows(record, min(passing, _RANKED + 1), heads, fields))


def _rows(record: Record, count: int, heads: Sequence[str], fields: Sequence[str]) -> str:
    return table(heads, [[record.ref(f"ranking[#{at}].{field}") for field in fields] for at in range(count)])


def _tokens(query: Query, role: Role) -> int | None:
    """8k tokens are 8192."""
    number = query.number(role)
    if number is None:
        return None
    return int(number * 1.024) if said(query, role).lower().endswith("k") else int(number)
