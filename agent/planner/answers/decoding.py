"""Language models: whether one fits, its tokens a second, its key-value cache, and where it runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....tools.model_zoo.language_model import language_model_names
from ....tools.model_zoo.weight_format import weight_format
from ...names import Kind
from ..bench import Answering, Record, call_of, needed
from ..language import engine_in, kv_format_in, layers_in, weight_format_in
from ..query import Query, Role
from ..want import Want
from .phrases import VERDICT_WORDS, figure, joined, language_models, lines, said, table

_ANY_TARGET = "a100-sxm4-80gb"
"""For figures of memory, which the hardware does not change."""
_WEIGHTS = {"float32": "F32", "float16": "F16", "bfloat16": "BF16", "int8": "int8", "int4": "int4"}
_LISTED = 6
_RANKED = 5
_USUAL_CONTEXT = 4096
_FEW_BITS = 4.0
_CHOICES = frozenset((Want.RECOMMEND, Want.CHEAPEST, Want.PRICE))


def generation(query: Query, wants: Sequence[Want]) -> Answering:
    """Of a language model on targets; of one side alone which of the other suit, or its memory."""
    known, targets = language_models(query), query.all(Role.TARGET)
    if not known and targets and not query.unknown:
        ranking = needed((yield call_of("rank_generation", query, **_ranked(query), model=None)))
        return _models_ranked(ranking)
    if not known:
        strange = [name.text for name in query.unknown if name.kind is Kind.MODEL]
        first = f"I do not know {joined(strange)}." if strange else "Which language model?"
        return lines(first, f"I know such as {joined(language_model_names()[:_LISTED])}.")
    prompt, layers = _tokens(query, Role.PROMPT), layers_in(query.question)
    more = _asked(query) | {"model": known[0], "prompt_tokens": prompt, "gpu_layers": layers}
    if len(targets) > 1:
        records = []
        for target in targets:
            records.append((yield call_of("estimate_generation", query, **(more | {"target": target}))))
        return _side_by_side([record for record in records if record.result is not None])
    if targets:
        record = needed((yield call_of("estimate_generation", query, **more)))
        return _alone(record, query, wants)
    if query.has(Role.RATE_HZ, Role.PRICE_USD) or set(wants) & _CHOICES:
        asked = _ranked(query) | {"model": known[0], "target": None}
        return _targets_ranked(needed((yield call_of("rank_generation", query, **asked))))
    memory, cards = query.number(Role.RAM_BYTES), query.number(Role.CARDS) or 1.0
    memory = None if memory is None else cards * memory
    more |= {"memory_bytes": None if memory is None else int(memory), "target": _ANY_TARGET}
    record = needed((yield call_of("estimate_generation", query, **more)))
    return _memory(record, query) if memory is not None else _cache_alone(record, query)


def _asked(query: Query) -> dict[str, Any]:
    """Formats, lengths and sessions, as far as the question says them."""
    context, prompt = _tokens(query, Role.CONTEXT), _tokens(query, Role.PROMPT)
    if prompt and prompt > (context or _USUAL_CONTEXT):
        context = 2 * prompt
    layers = layers_in(query.question)
    sessions = None if layers else query.number(Role.BATCH) or query.number(Role.DEVICES)
    return {
        "context": context, "batch": None if sessions is None else int(sessions),
        "weights": weight_format_in(query.question) or _WEIGHTS.get(query.text(Role.DTYPE)),
        "kv": kv_format_in(query.question), "runtime": engine_in(query.question),
    }  # fmt: skip


def _ranked(query: Query) -> dict[str, Any]:
    rate, price = query.number(Role.RATE_HZ), query.number(Role.PRICE_USD)
    return _asked(query) | {"min_tokens_per_s": rate, "max_price_usd": price}


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
    speed = f"{_demanded(record, query)}{figure(record, 'decode_tokens_per_s')}: {where}."
    fits = f"{word}, it fits: {room}." if record["verdict"] != "FAIL" else f"No, it does not fit: {room}."
    if (cards := query.number(Role.CARDS)) and cards > 1:
        return _across(record, query, where, int(cards))
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
    places = 0 if Want.LIMIT in wants[:1] else len(head)
    head.insert(places, further)
    main = " ".join(part for part in (first, each, _energy(record, wants)) if part)
    return lines(*head, main, narrow, near)


def _across(record: Record, query: Query, where: str, cards: int) -> str:
    """Whether the memory of several cards holds it together."""
    takes, each = record.number("total_bytes"), record.number("ram_bytes")
    if not takes or not each:
        return f"I cannot tell: the memory of {record.ref('target')} is not known."
    fits = takes <= cards * each
    room = f"{{{{{cards}*{record.id}.ram_bytes|GiB}}}}"
    first = (
        f"{'Yes' if fits else 'No'}, {record.ref('total_bytes', 'GiB')} {'fit' if fits else 'do not fit'} "
        f"the {room} of {said(query, Role.CARDS)} of them together: {_weights(record)} and {_cache(record)}."
    )
    alone = f" On one: {figure(record, 'decode_tokens_per_s')}." if record["verdict"] != "FAIL" else ""
    return lines(
        first, f"{where}.{alone} I do not calculate the speed of one model that is split over several."
    )


def _is_narrow(record: Record, query: Query) -> bool:
    """Whether fewer than 4 bits were taken unasked."""
    asked = weight_format_in(query.question) or query.has(Role.DTYPE)
    return not asked and weight_format(str(record["weights"])).bits < _FEW_BITS


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


def _side_by_side(records: Sequence[Record]) -> str:
    if not records:
        return "I cannot calculate that language model on any of them."
    order = sorted(records, key=lambda r: (r["verdict"] == "FAIL", -(r.number("decode_tokens_per_s") or 0.0)))
    best = order[0]
    cells = [
        (
            r.ref("target"),
            r.ref("decode_tokens_per_s", "~"),
            r.ref("total_bytes", "GiB"),
            r.ref("ram_bytes", "GiB"),
            r.ref("verdict"),
        )
        for r in order
    ]
    first = (
        f"{best.ref('target')} is the fastest with {best.ref('decode_tokens_per_s', '~')}: "
        f"{best.ref('model')}, {best.ref('weights')}."
    )
    return lines(first, table(("", "tokens", "takes", "memory", "fits"), cells))


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
        f"{record.ref('passing')} language models write {record.ref('min_tokens_per_s')} or more on "
        f"{record.ref('target')}, the largest first:"
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
