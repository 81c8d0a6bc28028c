"""One language model on one target: what is asked of it first, then its speed and whether it fits."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

from ....hardware_db.schema import TargetClass
from ....tools.model_zoo.language_model import language_model, language_model_names
from ....tools.model_zoo.weight_format import weight_format
from ..bench import Call, Record, call_of
from ..query import Query, Role
from ..want import Want
from ..words import spoken
from ..writing import READABLE, WORDS_A_TOKEN, in_words
from . import decoding_table
from .phrases import VERDICT_WORDS, figure, lines, said

_FEW_BITS = 4.0
_WHEN = "When the first token comes"
_OF_TRUST = frozenset((Want.INTERVAL, Want.EVIDENCE, Want.ERROR, Want.PLAUSIBLE))


_SPEAKS = re.compile(
    r"\bas fast as (?:\w+ ){0,2}(?:talks?|speaks?|spoken|speech)\b|\bspe(?:ech|aking) (?:rate|speed)\b|"
    r"\b(?:talk|speak)\w* (?:back|aloud|fluently|naturally)\b|\bread(?:s|ing)? (?:it )?(?:out|aloud)\b",
    re.IGNORECASE,
)
_SPEECH = 2.5
"""Words a second of ordinary speech: 150 a minute."""
SAME_MEMORY = 0.1
"""Share by which a size that is said may differ from what it names."""


def host_bytes(query: Query) -> float:
    """Memory of the computer around a card: what is said beyond what a card has; 0 where none is."""
    found = query.targets.get(query.text(Role.TARGET))
    if found is None or found.target_class is not TargetClass.GPU or not found.ram_bytes:
        return 0.0
    cards = query.number(Role.CARDS) or 1.0
    most = max(query.numbers(Role.RAM_BYTES), default=0.0)
    return most if most > cards * found.ram_bytes * (1 + SAME_MEMORY) else 0.0


def kept_format(query: Query) -> str:
    """The format of weights that the answer before took unasked; empty where one is named."""
    slot = next((slot for slot in query.slots if slot.role is Role.WEIGHTS), None)
    return str(slot.value) if slot is not None and slot.chance < 1.0 else ""


_SHORT, _NARROW = 1024, "Q4_K_M"


def estimated(query: Query, given: Mapping[str, Any]) -> Generator[Call, Record, Record]:
    """As it is asked; what was not said gives way where it does not go.

    The format of the answer before becomes 4 bits or the widest that fits, many sessions' context short.
    """
    tried: list[dict[str, Any]] = [{}]
    if kept_format(query):
        tried += [{"weights": _NARROW}, {"weights": None}]
    if not query.has(Role.CONTEXT, Role.PROMPT) and (given.get("batch") or 1) > 1:
        tried.append({"context": _SHORT})
    for other in tried:
        record = yield call_of("estimate_generation", query, **{**given, **other})
        if record.result and record["verdict"] != "FAIL":
            return record
    return (yield call_of("estimate_generation", query, **given))


def on_one(record: Record, query: Query, wants: Sequence[Want]) -> str:
    """The figures that are asked for, in the order of `words.toml`, before those that always matter."""
    held = claimed(record, query) if query.has(Role.CLAIMED_HZ) or Want.PLAUSIBLE in wants else ""
    if record["verdict"] == "FAIL":
        return lines(*_of_what_fails(record, query))
    if not record.knows("decode_tokens_per_s"):
        word = VERDICT_WORDS[record["verdict"]]
        return lines(
            *told(record, query),
            decoding_table.ceiling(record, query, wants) if "first_token" in query.asks else "",
            f"{word}: {where(record)} takes {_room(record)} of memory; its speed is not known.",
            _made_for(record, query),
        )
    if _OF_TRUST & set(wants) and not held:
        return lines(_how_sure(record), _published(record) or _fits(record, query))
    speed = f"{held or _demanded(record, query)}{figure(record, 'decode_tokens_per_s')}"
    head = [*told(record, query), *_usual(record, query, wants, speed)]
    if "first_token" in query.asks and not record.knows("time_to_first_token_ms"):
        head = sorted(head, key=lambda line: line.startswith(_WHEN))
    first, *rest = head
    narrow = ""
    if is_narrow(record, query):
        narrow = f"Nothing wider than {record.ref('weights')} fits, and below 4 bits much quality is lost."
    return lines(
        f"{first.rstrip('.')}: {where(record)}." if where(record) not in first else first,
        _made_for(record, query), *rest, _session(record), narrow, _published(record),
    )  # fmt: skip


def where(record: Record) -> str:
    """Which model on what, and how."""
    place = f"{record.ref('model')} on {record.ref('target')} with {record.ref('runtime')}"
    sessions = f", {record.ref('batch')} sessions" if (record["batch"] or 1) > 1 else ""
    return f"{place}, {record.ref('weights')}{sessions}"


def told(record: Record, query: Query) -> list[str]:
    """What is asked for beside speed and fit."""
    return [line for name, tell in _SENTENCES.items() if name in query.asks and (line := tell(record, query))]


def _usual(record: Record, query: Query, wants: Sequence[Want], speed: str) -> list[str]:
    """Speed and fit, the one that is asked for first; the first token where nothing else was told of it."""
    fits = _fits(record, query)
    if ceiling := decoding_table.ceiling(record, query, wants):
        return [f"{speed}.", ceiling] if query.says(Role.RATE_HZ) else [ceiling, f"{speed}."]
    asked = next((name for name in ("fit", "speed") if name in query.asks), "")
    fit_first = asked == "fit" or (not asked and bool({Want.FITS, Want.RAM} & set(wants[:1])))
    pair = [fits, f"{speed}."] if fit_first and not query.says(Role.RATE_HZ) else [f"{speed}.", fits]
    first = _first_token(record, query) if "first_token" not in query.asks else ""
    alone = {"first_token", "written", "kv_cache", "longest", "energy"} & query.asks
    return [*pair, first if not alone and record.knows("time_to_first_token_ms") else ""]


def _first_token(record: Record, query: Query) -> str:
    prompt = record.ref("prompt_tokens")
    if not record.knows("time_to_first_token_ms"):
        why = f"no source gives the arithmetic of {record.ref('target')}"
        return f"{_WHEN} is not known: {why}."
    limit, seconds = query.number(Role.LATENCY_MS), record.number("time_to_first_token_ms")
    verdict = ""
    if limit and seconds and "first_token" in query.asks:
        verdict = f"{'Yes' if seconds <= limit else 'No'}, against {said(query, Role.LATENCY_MS)}: "
    asked = "first_token" in query.asks
    path = "time_to_first_token_ms"
    shown = figure(record, path) if asked else record.ref(path)
    first = f"the first token comes after {shown}, at {prompt} tokens of prompt"
    first = first if verdict else f"{first[:1].upper()}{first[1:]}"
    words = said(query, Role.PROMPT)
    taken = f", {WORDS_A_TOKEN:g} words a token" if in_words(query, Role.PROMPT) else ""
    return f"{verdict}{first}{f' ({words}{taken})' if taken else ''}."


def _kv_cache(record: Record, _query: Query) -> str:
    return (
        f"{record.ref('kv_cache_bytes', 'GiB')} of key-value cache ({record.ref('kv')}) at "
        f"{record.ref('context')} tokens{for_sessions(record)}, beside {weights(record)}; in all "
        f"{record.ref('total_bytes', 'GiB')} of {record.ref('ram_bytes', 'GiB')}."
    )


def _longest(record: Record, _query: Query) -> str:
    if not record.knows("max_context"):
        return ""
    first = f"The longest context that fits is {record.ref('max_context')} tokens"
    made_for = _context_of(record)
    if made_for and record.number("max_context") == made_for:
        return f"{first}, which is what {record.ref('model')} was made for: memory is not what ends it."
    return f"{first}."


def _written(record: Record, query: Query) -> str:
    tokens = query.number(Role.WRITTEN)
    if not tokens or not record.knows("decode_tokens_per_s"):
        return ""
    seconds = f"{{{{{tokens:g}/{record.id}.decode_tokens_per_s|~}}}}"
    words = f", at {WORDS_A_TOKEN:g} words a token" if in_words(query, Role.WRITTEN) else " tokens"
    first = (
        f" after {record.ref('time_to_first_token_ms')} to the first token"
        if record.knows("time_to_first_token_ms")
        else ""
    )
    return f"{seconds} to write {said(query, Role.WRITTEN)}{words}{first}."


def _total(record: Record, query: Query) -> str:
    if {"kv_cache", "longest"} & query.asks:
        return ""
    return (
        f"{record.ref('total_bytes', 'GiB')} of memory: {weights(record)}, {cache(record)} and "
        f"{record.ref('buffer_bytes', 'GiB')} of buffers, of {record.ref('ram_bytes', 'GiB')}."
    )


def _of_what_fails(record: Record, query: Query) -> list[str]:
    split = f"{record.ref('most_gpu_layers')} of {record.ref('layers')} layers fit the GPU."
    cached = [line for line in (_longest(record, query),) if "longest" in query.asks]
    return [
        f"No, it does not fit{_at_narrowest(record, query)}: {_room(record)}. {where(record)}.",
        _made_for(record, query), *cached,
        split if record.number("most_gpu_layers") and not host_bytes(query) else "",
    ]  # fmt: skip


def _at_narrowest(record: Record, query: Query) -> str:
    """What does not fit so does not fit in any usual format."""
    return f", not even in {record.ref('weights')}" if is_narrow(record, query) else ""


def _fits(record: Record, query: Query) -> str:
    if {"kv_cache", "total"} & query.asks:
        return f"{VERDICT_WORDS[record['verdict']]}, it fits." if "fit" in query.asks else ""
    spare = (record.number("max_context") or 0) > (record.number("context") or 0)
    spare = spare and "longest" not in query.asks
    room = f"{_room(record)}; room for {record.ref('max_context')} tokens" if spare else _room(record)
    narrow = is_narrow(record, query)
    word = f"Only in {record.ref('weights')}" if narrow else VERDICT_WORDS[record["verdict"]]
    return f"{word}, it fits: {room}."


def _room(record: Record) -> str:
    return f"{weights(record)} and {cache(record)}, of {record.ref('ram_bytes', 'GiB')}"


def _made_for(record: Record, query: Query) -> str:
    """A context beyond what it was made for."""
    most = _context_of(record)
    if not most or not query.has(Role.CONTEXT, Role.PROMPT) or (record.number("context") or 0) <= most:
        return ""
    at = next((i for i, text in enumerate(record["warnings"] or ()) if "was made for" in text), None)
    return "" if at is None else f"But {record.ref(f'warnings[#{at}]')}: beyond that it answers badly."


def _context_of(record: Record) -> int | None:
    """Tokens that it was made for; None of a file."""
    name = str(record["model"])
    return language_model(name).context if name in language_model_names() else None


def _published(record: Record) -> str:
    return f"Published: {record.ref('published[#0]')}." if record["published"] else ""


def _session(record: Record) -> str:
    if (record["batch"] or 1) <= 1:
        return ""
    return f"Each session gets {record.ref('session_tokens_per_s')}."


def _how_sure(record: Record) -> str:
    """The interval, what it stands on, and what narrows it."""
    basis = record.ref("decode_tokens_per_s.basis")
    return (
        f"{figure(record, 'decode_tokens_per_s', basis=False)}, {basis}, of {where(record)}: nine such cases "
        "in ten lie inside, judged on devices and sources left out of the fit. `edgewright validate` "
        "counts it."
    )


def is_narrow(record: Record, query: Query) -> bool:
    """Whether fewer than 4 bits were taken unasked."""
    named = query.has(Role.DTYPE) or (query.has(Role.WEIGHTS) and not kept_format(query))
    return not named and weight_format(str(record["weights"])).bits < _FEW_BITS


def _energy(record: Record, _query: Query) -> str:
    if not record.knows("energy_uj_per_token"):
        return "Its power while generating is not known."
    return (
        f"A token takes {record.ref('energy_uj_per_token', '~')}, at the power that the target is rated for."
    )


def _demanded(record: Record, query: Query) -> str:
    """Whether it writes as fast as the user wants, in words where they count words."""
    least, rate = query.number(Role.RATE_HZ), record.number("session_tokens_per_s")
    ends, words = record.ends("session_tokens_per_s"), said(query, Role.RATE_HZ)
    if least is None and _SPEAKS.search(query.question):
        least = _SPEECH / WORDS_A_TOKEN
        words = f"{_SPEECH:g} words a second, as people speak, which are {least:.2g} tokens/s"
    if least is None and spoken("readable", query.question):
        least, words = READABLE, f"{READABLE:g} tokens/s, which reads along"
    if least is None or rate is None or ends is None:
        return ""
    verdict = "Yes" if ends[0] >= least else "No" if ends[1] < least else None
    verdict = verdict or ("Probably, though not surely" if rate >= least else "Probably not")
    against = f"{verdict}, against {words}: "
    if (record["batch"] or 1) > 1:
        against += f"{record.ref('session_tokens_per_s')} for each of {record.ref('batch')}, together "
    if not in_words(query, Role.RATE_HZ):
        return against
    spelt = f"{{{{{WORDS_A_TOKEN:g}*{record.id}.session_tokens_per_s*1s|count~}}}}"
    return f"{against}{spelt} words a second at {WORDS_A_TOKEN:g} words a token, "


def claimed(record: Record, query: Query) -> str:
    """What the user measured, or was told, against the interval."""
    role = Role.CLAIMED_HZ if query.has(Role.CLAIMED_HZ) else Role.RATE_HZ
    claim, ends = query.number(role), record.ends("decode_tokens_per_s")
    if claim is None or ends is None:
        return ""
    than = "slower than" if claim < ends[0] else "faster than" if claim > ends[1] else "within what"
    return f"{said(query, role)} is {than} I expect: "


_SENTENCES: Mapping[str, Callable[[Record, Query], str]] = {
    "written": _written, "first_token": _first_token, "longest": _longest, "kv_cache": _kv_cache,
    "total": _total, "energy": _energy,
}  # fmt: skip


def weights(record: Record) -> str:
    return f"{record.ref('weights_bytes', 'GiB')} of weights"


def cache(record: Record) -> str:
    return f"{record.ref('kv_cache_bytes', 'GiB')} of key-value cache at {record.ref('context')} tokens"


def for_sessions(record: Record) -> str:
    return f" for {record.ref('batch')} sessions" if (record["batch"] or 1) > 1 else ""


__all__ = [
    "SAME_MEMORY", "cache", "claimed", "estimated", "for_sessions", "host_bytes", "is_narrow",
    "kept_format", "on_one", "told", "weights", "where",
]  # fmt: skip
