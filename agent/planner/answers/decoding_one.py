"""One language model on one target: what is asked of it first, then its speed and whether it fits."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from ....tools.generation.usual import YOURS
from ....tools.model_zoo.weight_format import weight_format
from ...patterns import compiled
from ..bench import Record
from ..query import Query, Role
from ..want import Want
from ..words import spoken
from ..writing import in_words
from .cases import demanded, is_format_named, lies_beside
from .ceilings import ceiling
from .decoding_rates import (
    FIRST,
    IN_WORDS,
    RATE,
    claimed,
    claimed_wait,
    first_token,
    how_sure,
    in_time,
    more_memory,
    shorter_prompt,
    slow_start,
    to_check,
    wanted,
    would_explain,
)
from .phrases import VERDICT_WORDS, figure, lines, said, sentence
from .tokens import (
    cache,
    cache_room,
    ended_by,
    filled,
    for_sessions,
    given,
    left_of,
    made_for,
    offloaded,
    tight,
    warned,
    weights,
    where,
)

_OF_TRUST = frozenset((Want.INTERVAL, Want.EVIDENCE, Want.ERROR, Want.PLAUSIBLE))
_OF_ONE_LENGTH = frozenset(("first_token", "written", "kv_cache", "longest", "energy"))
"""What is asked beside which no first token of a usual prompt is told."""

_STARTS = compiled(r"\bfirst (?:token|word)|\bttft\b|\bprefill\b|\bstarts?\b|\bbegins?\b", re.IGNORECASE)
"""Words for a first token, and not for a whole text."""


def on_one(record: Record, query: Query, wants: Sequence[Want]) -> str:
    """What is asked of it; that a length is beyond what it was made for first, where that is said now."""
    text, beyond = _of_one(record, query, wants), made_for(record, query)
    if beyond and query.says(Role.CONTEXT, Role.PROMPT) and record["verdict"] != "FAIL":
        return lines(beyond.removeprefix("But "), text)
    first, _, rest = text.partition("\n")
    return lines(first, beyond, rest)


def _of_one(record: Record, query: Query, wants: Sequence[Want]) -> str:
    """The figures that are asked for, in the order of `_ASKED`, before those that always matter."""
    held = claimed(record, query) if query.has(Role.CLAIMED_HZ) or Want.PLAUSIBLE in wants else ""
    if lies_beside(record):
        return lines(f"{held}{offloaded(record)}" if held else "", *_fails(record, query))
    asks = query.asks | ({"energy"} if {Want.ENERGY, Want.POWER} & set(query.wants) else set())
    whole = "written" in asks and query.has(Role.WRITTEN) and record.knows(FIRST)
    asks = asks - {"first_token"} if whole and not _STARTS.search(query.question) else asks
    if query.says(Role.LATENCY_MS) and not {"written", "first_token"} & asks:
        asks |= {"first_token"}
        query = query.model_copy(update={"asks": asks})
    told = [line for name, tell in _ASKED.items() if name in asks and (line := tell(record, query))]
    told = told[::-1] if "energy" in asks and whole and not {"speed", "first_token"} & asks else told
    if record["offloaded"] and not held:
        of_memory = (line for line in told if "tokens/s" not in line)
        return lines(*of_memory, _fits(record, query))
    if not record.knows(RATE):
        bound = ceiling(record, query, wants) if "first_token" in asks else ""
        return lines(*told, bound, _at_no_known_speed(record, query))
    place, speed = where(record), f"{figure(record, RATE)}."
    if wait := claimed_wait(record, query):
        why = ceiling(record, query, wants)
        more = more_memory(record, query)
        first = f"{wait.rstrip('.')}: {place}."
        return lines(
            first, would_explain(record, query), more, why, speed, "" if more else _fits(record, query)
        )
    trusts = _OF_TRUST & set(wants) and not spoken("readable", query.question)
    if trusts and not held and "bound_at" not in asks:
        return lines(how_sure(record), _published(record) or _fits(record, query))
    speed = f"{held or wanted(record, query) + _of_each(record)}{speed}"
    if "first_token" in asks and not record.knows(FIRST):
        told = sorted(told, key=lambda line: line == first_token(record, query))
    usual = _usual(record, query, wants, speed)
    lasts = _written(record, query) if _is_load(record, query, wants) else ""
    shorter = shorter_prompt(record) if "first_token" in asks else ""
    first, *rest = [*(line for line in told if line != lasts), *usual, *filter(None, [lasts])]
    return lines(
        first if place in first else f"{first.rstrip('.')}: {place}.",
        to_check(held), more_memory(record, query), shorter, _once_full(record, query), *rest,
        _installed(record, query), _published(record), tight(record),
    )  # fmt: skip


def _usual(record: Record, query: Query, wants: Sequence[Want], speed: str) -> list[str]:
    """Speed and fit, the one that is asked for first; the first token where nothing else was told of it."""
    if bound := ceiling(record, query, wants):
        pair = [speed, bound] if query.says(Role.RATE_HZ) else [bound, speed]
        return [*pair, slow_start(record)]
    rated = query.has(Role.RATE_HZ) or {"speed", "energy"} & query.asks
    close = record["verdict"] == "MARGINAL" and not rated
    fit_first = record["offloaded"] or close or _asks_fit(query, wants)
    pair = [speed, _fits(record, query)]
    pair = pair[::-1] if fit_first and not query.says(Role.RATE_HZ) else pair
    told = not record.knows(FIRST) or _OF_ONE_LENGTH & query.asks
    return pair if told else [*pair, first_token(record, query)]


def _asks_fit(query: Query, wants: Sequence[Want]) -> bool:
    open_to_fit = "speed" not in query.asks and bool({Want.FITS, Want.RAM} & set(wants[:1]))
    return "fit" in query.asks or open_to_fit


def _is_load(record: Record, query: Query, wants: Sequence[Want]) -> bool:
    """Whether lengths are said for what they take, not for how long they last."""
    other = _asks_fit(query, wants) or query.says(Role.RATE_HZ) or (record["batch"] or 1) > 1
    timed = query.says(Role.LATENCY_MS) or "first_token" in query.asks or wants[:1] == (Want.LATENCY,)
    return bool(other) and not timed


def _fails(record: Record, query: Query) -> list[str]:
    no = "No, it does not fit" if is_format_named(query) else f"No, not in the usual {record.ref('weights')}"
    longest = _longest(record, query) if "longest" in query.asks or query.says(Role.CONTEXT) else ""
    return [f"{no}: {_room(record)}. {where(record)}.", longest]


def _fits(record: Record, query: Query) -> str:
    if record["offloaded"]:
        short = f"{record.ref('max_context')} tokens of context do fit"
        free = f"{filled(record)}, and {record.ref('headroom')}; {short}"
        return f"Hardly, it would spill: {free}: {where(record)}."
    if {"kv_cache", "total"} & query.asks:
        return ""
    spare = (record.number("max_context") or 0) > (record.number("context") or 0)
    more = f"; room for {record.ref('max_context')} tokens" if spare and "longest" not in query.asks else ""
    return f"{VERDICT_WORDS[record['verdict']]}, it fits: {_room(record)}{more}."


def _at_no_known_speed(record: Record, query: Query) -> str:
    word = VERDICT_WORDS["UNKNOWN" if demanded(query)[0] else record["verdict"]]
    return f"{word}: {where(record)} takes {_room(record)} of memory; its speed is not known."


def _room(record: Record) -> str:
    return f"{weights(record)} and {cache(record)}{for_sessions(record)}, of {_there(record)}"


def _there(record: Record) -> str:
    together = f" of {record.ref('cards')} of them together" if (record["cards"] or 1) > 1 else ""
    return f"{given(record)}{together}"


def _yes(record: Record, query: Query) -> str:
    """Whether it fits, before what it takes, where that is asked."""
    asked = "fit" in query.asks or {Want.FITS, Want.MEETS} & set(query.wants)
    return f"{VERDICT_WORDS[record['verdict']]}, it fits: " if asked and "longest" not in query.asks else ""


def _written(record: Record, query: Query) -> str:
    """How long writing takes, and with the prompt before it; the whole first where it is waited for."""
    tokens = query.number(Role.WRITTEN)
    if not tokens or not record.knows(RATE):
        return ""
    words = f", at {IN_WORDS}" if in_words(query, Role.WRITTEN) else " tokens"
    seconds = f"{tokens:g}/{record.id}.session_tokens_per_s"
    write = f"{{{{{seconds}|~}}}} to write {said(query, Role.WRITTEN)}{words}"
    if not record.knows(FIRST):
        return f"{write}, once the prompt is read."
    whole = f"{{{{{record.id}.{FIRST}+{seconds}|~}}}}"
    if query.says(Role.LATENCY_MS):
        whole = f"{_whole_in_time(record, query, tokens)}: {whole}"
    every = f" of all {record.ref('batch')}" if (record["batch"] or 1) > 1 else ""
    read = f"{record.ref(FIRST)} to read {record.ref('prompt_tokens')} tokens of prompt{every}"
    if query.has(Role.PROMPT) and "which" in query.asks and spoken("slower", query.question):
        longer = (record.number(FIRST) or 0.0) > 1e3 * tokens / (record.number("session_tokens_per_s") or 1.0)
        return f"{'Reading' if longer else 'Writing'} takes longer: {read}, {write}."
    if query.says(Role.PROMPT, Role.LATENCY_MS) or query.has(Role.PROMPT) or "first_token" in query.asks:
        return f"{whole} until all of it is there: {read}, then {write}."
    return f"{write}; with {read}, all of it is there after {whole}."


def _whole_in_time(record: Record, query: Query, tokens: float) -> str:
    """Whether a prompt is read and so much written in the time that is said."""
    limit = query.number(Role.LATENCY_MS) or 0.0
    fast, slow = (1e3 * tokens / rate for rate in reversed(record.ends("session_tokens_per_s") or (1.0, 1.0)))
    soon, late = record.ends(FIRST) or (0.0, 0.0)
    each = 1e3 * tokens / (record.number("session_tokens_per_s") or 1.0) + (record.number(FIRST) or 0.0)
    return f"{in_time((soon + fast, late + slow), each, limit)}, against {said(query, Role.LATENCY_MS)}"


def _longest(record: Record, query: Query) -> str:
    most, wanted = record.number("max_context"), query.number(Role.CONTEXT)
    if not most:
        return ""
    first = f"The longest context that fits is {record.ref('max_context')} tokens"
    if ended := ended_by(record):
        return f"{first}, {ended}."
    enough = f"{'' if most >= (wanted or 0.0) else 'not '}enough for {said(query, Role.CONTEXT)}"
    why = f"as {record.ref('headroom')}" if record["headroom"] else ""
    return f"{', '.join(filter(None, [first, enough if wanted else '', why]))}."


def _kv_cache(record: Record, query: Query) -> str:
    held = f"{record.ref('kv_cache_bytes', 'GiB')} of key-value cache ({record.ref('kv')})"
    return (
        f"{_yes(record, query)}{held} at {record.ref('context')} tokens{for_sessions(record)}, "
        f"beside {weights(record)}; in all {record.ref('total_bytes', 'GiB')} of {_there(record)}."
    )


def _left(record: Record, query: Query) -> str:
    """What stays for other programs, against what has to."""
    if not record.knows("left_bytes"):
        return ""
    kept = said(query, Role.TAKEN_BYTES)
    first = f"{VERDICT_WORDS[record['verdict']]}, {kept} stay free: " if kept else ""
    taken = f"beside {record.ref('total_bytes', 'GiB')} for the model"
    return f"{first}{left_of(record)} stay for the system and all other programs, {taken}."


def _total(record: Record, query: Query) -> str:
    if {"kv_cache", "longest"} & query.asks:
        return ""
    parts = f"{weights(record)}, {cache(record)} and {record.ref('buffer_bytes', 'GiB')} of buffers"
    return f"{_yes(record, query)}{record.ref('total_bytes', 'GiB')} of memory: {parts}, of {_there(record)}."


def _energy(record: Record, query: Query) -> str:
    """Of a text that is said and of a token, on all cards."""
    if not record.knows("energy_uj_per_token"):
        return "Its power while generating is not known."
    i, cards = record.id, int(record["cards"] or 1)
    each = f"{cards}*{i}.energy_uj_per_token" if cards > 1 else f"{i}.energy_uj_per_token"
    rated = f"the power that {'the cards are' if cards > 1 else 'the target is'} rated for while computing"
    of_one = f"a token takes {{{{{each}|~}}}}, at {{{{{each}*{i}.{RATE}|W}}}}, {rated}"
    tokens = query.number(Role.WRITTEN)
    if not tokens:
        return sentence(of_one)
    words = f" at {IN_WORDS}" if in_words(query, Role.WRITTEN) else " tokens"
    reads = f"{each}*{i}.{RATE}*{i}.{FIRST}"
    read = f", {{{{{reads}|Wh}}}} to read {record.ref('prompt_tokens')} tokens of prompt"
    many = "" if (record["batch"] or 1) > 1 else "; several written at once share the work and take less each"
    return (
        f"{{{{{tokens:g}*{each}|Wh~}}}} to write {said(query, Role.WRITTEN)}{words}"
        f"{read if record.knows(FIRST) else ''}: {of_one}{many}."
    )


_ASKED: Mapping[str, Callable[[Record, Query], str]] = {
    "written": _written, "first_token": first_token, "longest": _longest, "kv_cache": _kv_cache,
    "cache_room": lambda record, _: cache_room(record), "left": _left, "total": _total, "energy": _energy,
}  # fmt: skip
"""What may be asked of it, in the order of `words.toml`."""


def _of_each(record: Record) -> str:
    if (record["batch"] or 1) == 1 or not record.knows("session_tokens_per_s"):
        return ""
    each = f"{record.ref('session_tokens_per_s')} for each of {record.ref('batch')}"
    return f"{each} with {record.ref('context')} tokens in its cache, together "


def _once_full(record: Record, query: Query) -> str:
    """The rate at the end of a context that is spoken of, where that is not the one that is told already."""
    path = "full_context_tokens_per_s"
    is_full = record["context"] == record["prompt_tokens"] or (record["batch"] or 1) > 1
    if not query.has(Role.CONTEXT) or not record.knows(path) or is_full:
        return ""
    return f"Once the context of {record.ref('context')} tokens is full: {record.ref(path, '~')}."


def _installed(record: Record, query: Query) -> str:
    """That the memory is the most that the chip takes, where nobody said what is installed."""
    most = "" if query.has(Role.RAM_BYTES) else warned(record, YOURS)
    return most and f"Mind the {most}."


def _published(record: Record) -> str:
    stored = _IN_FORMAT.search(str(record["published"][0])) if record["published"] else None
    if stored is None or not _alike(stored[1], str(record["weights"])):
        return ""  # of another format, which writes at another rate
    told, ends, rate = (
        f"Published: {record.ref('published[#0]')}",
        record.ends(_PUBLISHED),
        record.number(RATE),
    )
    if ends is None or rate is None or (record["batch"] or 1) > 1 or _near(rate, ends):
        return f"{told}."
    low, high = record.ends(RATE) or (rate, rate)
    held = "holds theirs" if low <= ends[0] and ends[1] <= high else "does not hold theirs: time your own"
    cached = f"reckoned with {record.ref('prompt_tokens')} tokens in the cache"
    return f"{told}. I go by {record.ref(RATE)}, {cached}, whose interval {held}."


_PUBLISHED, _FAR_OFF = "published_tokens_per_s", 1.2
"""What others measured in that format, and the factor from which on a rate is no longer theirs."""


_IN_FORMAT, _SAME_BITS = compiled(r" in (\S+) with "), 0.15


def _alike(stored: str, weights: str) -> bool:
    """Whether a weight has about as many bits in both: Q4_0 and Q4_K_M."""
    one, other = (weight_format(name).bits for name in (stored, weights))
    return abs(one - other) <= _SAME_BITS * other


def _near(rate: float, ends: tuple[float, float]) -> bool:
    return ends[0] / _FAR_OFF <= rate <= ends[1] * _FAR_OFF
