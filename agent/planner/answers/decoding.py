"""Language models: whether one fits, its tokens a second, its key-value cache."""

from __future__ import annotations

from collections.abc import Sequence

from ....tools.model_zoo.language_model import language_model_names
from ...names import Kind
from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from .phrases import VERDICT_WORDS, figure, joined, language_models, lines, said, table

_ANY_TARGET = "a100-sxm4-80gb"
"""For the key-value cache, which the hardware does not change."""
_WEIGHTS = {"float32": "F32", "float16": "F16", "bfloat16": "BF16", "int8": "int8", "int4": "int4"}
_LISTED = 6
_USUAL_CONTEXT = 4096


def generation(query: Query, wants: Sequence[Want]) -> Answering:
    """Of a language model on one target, or on several side by side; its cache alone without one."""
    known = language_models(query)
    if not known:
        strange = [name.text for name in query.unknown if name.kind is Kind.MODEL]
        first = f"I do not know {joined(strange)}." if strange else "Which language model?"
        return lines(first, f"I know such as {joined(language_model_names()[:_LISTED])}.")
    context, prompt = _tokens(query, Role.CONTEXT), _tokens(query, Role.PROMPT)
    if prompt and prompt > (context or _USUAL_CONTEXT):
        context = 2 * prompt
    more = {
        "context": context, "prompt_tokens": prompt, "model": known[0],
        "weights": _WEIGHTS.get(query.text(Role.DTYPE)),
    }  # fmt: skip
    targets = query.all(Role.TARGET)
    if len(targets) > 1:
        records = []
        for target in targets:
            records.append(
                (yield call_of("estimate_generation", query, **(more | {"target": target, "runtime": None})))
            )
        return _side_by_side([record for record in records if record.result is not None])
    if not targets:
        record = needed(
            (yield call_of("estimate_generation", query, **more, target=_ANY_TARGET, runtime=None))
        )
        ask = (
            ""
            if query.has(Role.CONTEXT) or query.unknown
            else "Name a board, and I tell its tokens a second."
        )
        return lines(
            f"{record.ref('model')} takes {_cache(record)} ({record.ref('kv')}), beside {_weights(record)}.",
            ask,
        )
    record = needed((yield call_of("estimate_generation", query, **more)))
    return _alone(record, wants)


def _alone(record: Record, wants: Sequence[Want]) -> str:
    where = (
        f"{record.ref('model')} on {record.ref('target')} with {record.ref('runtime')}, "
        f"{record.ref('weights')}"
    )
    word, memory = VERDICT_WORDS[record["verdict"]], record.ref("ram_bytes", "GiB")
    room = f"{_weights(record)} and {_cache(record)}, of {memory}"
    if not record.knows("decode_tokens_per_s"):
        return f"{word}: {where} takes {room} of memory; its speed is not known."
    speed = f"{figure(record, 'decode_tokens_per_s')}: {where}."
    fits = f"{word}, it fits: {room}." if record["verdict"] != "FAIL" else f"No, it does not fit: {room}."
    first = (
        f"The first token comes after {record.ref('time_to_first_token_ms')}."
        if record.knows("time_to_first_token_ms")
        else ""
    )
    power = "Its power while generating is not known." if {Want.POWER, Want.ENERGY} & set(wants) else ""
    near = f"Published: {record.ref('published[#0]')}." if record["published"] else ""
    head = (
        (fits, speed)
        if {Want.FITS, Want.RAM} & set(wants[:1]) or record["verdict"] == "FAIL"
        else (speed, fits)
    )
    return lines(*head, f"{first} {power}".strip(), near)


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


def _tokens(query: Query, role: Role) -> int | None:
    """8k tokens are 8192."""
    number = query.number(role)
    if number is None:
        return None
    return int(number * 1.024) if said(query, role).lower().endswith("k") else int(number)
