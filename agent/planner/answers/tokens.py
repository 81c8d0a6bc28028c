"""One language model on one target: what is asked of it first, then its speed and whether it fits."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from ....tools.generation.memory import YOURS
from ....tools.model_zoo.language_model import language_model, language_model_names
from ..bench import Record
from ..query import Query, Role
from ..want import Want
from ..words import spoken
from ..writing import WORDS_A_TOKEN, in_words
from . import standing
from .cases import demanded, is_format_named, lies_beside
from .ceilings import ceiling, most_per_second, most_steps
from .phrases import VERDICT_WORDS, figure, lines, said

_OF_TRUST = frozenset((Want.INTERVAL, Want.EVIDENCE, Want.ERROR, Want.PLAUSIBLE))
_OF_ONE_LENGTH = frozenset(("first_token", "written", "kv_cache", "longest", "energy"))
"""What is asked beside which no first token of a usual prompt is told."""
_HARDLY_REACHED = 0.9
"""Of what the bandwidth allows: the share that next to no measurement reaches."""
_NEARLY = 0.8
"""Of what others measured: a share that builds and cards of one kind differ by."""
SPLIT = (
    "layers are split over the cards, which compute each token one after the other, as llama.cpp does by "
    "default; splitting within layers can be faster, and is not calculated."
)
"""Of one model over several: ggml-org/llama.cpp docs/multi-gpu.md, split mode `layer`."""


def on_one(record: Record, query: Query, wants: Sequence[Want]) -> str:
    """The figures that are asked for, in the order of `words.toml`, before those that always matter."""
    held = claimed(record, query) if query.has(Role.CLAIMED_HZ) or Want.PLAUSIBLE in wants else ""
    if lies_beside(record):
        return lines(f"{held}{offloaded(record)}" if held else "", *_of_what_fails(record, query))
    asks = query.asks | ({"energy"} if {Want.ENERGY, Want.POWER} & set(query.wants) else set())
    told = [line for name, tell in _SENTENCES.items() if name in asks and (line := tell(record, query))]
    if record["offloaded"] and not held:
        of_memory = (line for line in told if "tokens/s" not in line)
        return lines(*of_memory, _fits(record, query), _made_for(record, query))
    place = where(record)
    if not record.knows("decode_tokens_per_s"):
        word = VERDICT_WORDS["UNKNOWN" if demanded(query)[0] else record["verdict"]]
        return lines(
            *told,
            ceiling(record, query, wants) if "first_token" in query.asks else "",
            f"{word}: {place} takes {_room(record)} of memory; its speed is not known.",
            _made_for(record, query),
        )
    if wait := _claimed_wait(record, query):
        return lines(
            f"{wait.rstrip('.')}: {place}.", f"{figure(record, 'decode_tokens_per_s')}.", _fits(record, query)
        )
    trusts = _OF_TRUST & set(wants) and not spoken("readable", query.question)
    if trusts and not held and "bound_at" not in query.asks:
        return lines(_how_sure(record), _published(record) or _fits(record, query))
    each = "" if held else _of_each(record)
    speed = f"{held or wanted(record, query)}{each}{figure(record, 'decode_tokens_per_s')}."
    if "first_token" in query.asks and not record.knows("time_to_first_token_ms"):
        told = sorted(told, key=lambda line: line == _first_token(record, query))
    first, *rest = [*told, *_usual(record, query, wants, speed)]
    return lines(
        first if place in first else f"{first.rstrip('.')}: {place}.",
        _TO_CHECK if any(word in held for word in (_SLOWER, _LESS)) else "",
        _once_full(record, query), _made_for(record, query), *rest,
        _installed(record), _published(record),
        tight(record),
    )  # fmt: skip


def _once_full(record: Record, query: Query) -> str:
    """The rate at the end of a context that is spoken of: the cache is read for every token."""
    path = "full_context_tokens_per_s"
    if not query.has(Role.CONTEXT) or not record.knows(path) or record["context"] == record["prompt_tokens"]:
        return ""
    return f"Once the context of {record.ref('context')} tokens is full: {record.ref(path, '~')}."


def where(record: Record) -> str:
    """Which model on what, and how."""
    place = f"{record.ref('model')} on {on_cards(record)} with {record.ref('runtime')}"
    kept = "" if record["kv"] == "f16" else f", its cache in {record.ref('kv')}"
    return f"{place}, {record.ref('weights')}{kept}{for_sessions(record, ', ')}"


def on_cards(record: Record) -> str:
    """The target, and how many of it."""
    many = f"{record.ref('cards')} x " if (record.number("cards") or 1) > 1 else ""
    return f"{many}{record.ref('target')}"


def _usual(record: Record, query: Query, wants: Sequence[Want], speed: str) -> list[str]:
    """Speed and fit, the one that is asked for first; the first token where nothing else was told of it."""
    if bound := ceiling(record, query, wants):
        return [speed, bound] if query.says(Role.RATE_HZ) else [bound, speed]
    asked = next((name for name in ("fit", "speed") if name in query.asks), "")
    fit_first = (
        bool(record["offloaded"])
        or asked == "fit"
        or (not asked and bool({Want.FITS, Want.RAM} & set(wants[:1])))
    )
    pair = [speed, _fits(record, query)]
    pair = pair[::-1] if fit_first and not query.says(Role.RATE_HZ) else pair
    told = not record.knows("time_to_first_token_ms") or _OF_ONE_LENGTH & query.asks
    return pair if told else [*pair, _first_token(record, query)]


def _first_token(record: Record, query: Query) -> str:
    path = "time_to_first_token_ms"
    if not record.knows(path):
        return (
            f"When the first token comes is not known: no source gives the arithmetic of "
            f"{record.ref('target')}."
        )
    asked = "first_token" in query.asks
    limit, seconds = query.number(Role.LATENCY_MS), record.number(path)
    shown = figure(record, path) if asked else record.ref(path)
    taken = f" ({said(query, Role.PROMPT)}{_IN_WORDS})" if in_words(query, Role.PROMPT) else ""
    comes = f"he first token comes after {shown}, at {record.ref('prompt_tokens')} tokens of prompt{taken}."
    if not (limit and seconds and asked):
        return f"T{comes}"
    return f"{'Yes' if seconds <= limit else 'No'}, against {said(query, Role.LATENCY_MS)}: t{comes}"


_IN_WORDS = f", {WORDS_A_TOKEN:g} words a token"


def _yes(record: Record, query: Query) -> str:
    """Whether it fits, before what it takes, where that is asked."""
    asked = "fit" in query.asks or {Want.FITS, Want.MEETS} & set(query.wants)
    return f"{VERDICT_WORDS[record['verdict']]}, it fits: " if asked and "longest" not in query.asks else ""


def _kv_cache(record: Record, query: Query) -> str:
    held = f"{record.ref('kv_cache_bytes', 'GiB')} of key-value cache ({record.ref('kv')})"
    return (
        f"{_yes(record, query)}{held} at {record.ref('context')} tokens{for_sessions(record)}, "
        f"beside {weights(record)}; in all {record.ref('total_bytes', 'GiB')} of {_there(record)}."
    )


def _longest(record: Record, query: Query) -> str:
    if not record.knows("max_context") or not record.number("max_context"):
        return ""
    first = f"The longest context that fits is {record.ref('max_context')} tokens"
    if ended := ended_by(record):
        return f"{first}, {ended}."
    wanted, most = query.number(Role.CONTEXT), record.number("max_context") or 0.0
    enough = (
        f"{'enough' if most >= wanted else 'not enough'} for {said(query, Role.CONTEXT)}" if wanted else ""
    )
    why = f"as {record.ref('headroom')}" if record["headroom"] else ""
    return f"{', '.join(filter(None, [first, enough, why]))}."


def ended_by(record: Record) -> str:
    """That the model itself ends its context, and how much more the memory holds; empty where memory does."""
    made_for = context_of(str(record["model"]))
    if not made_for or record.number("max_context") != made_for:
        return ""
    more = f", which has room for {record.ref('held_context')}" if record.knows("held_context") else ""
    return f"which is what {record.ref('model')} was made for: it ends that, not the memory{more}"


def _written(record: Record, query: Query) -> str:
    """How long writing takes, and with the prompt before it; the whole first where it is waited for."""
    tokens, path = query.number(Role.WRITTEN), "time_to_first_token_ms"
    if not tokens or not record.knows("decode_tokens_per_s"):
        return ""
    words = f", at{_IN_WORDS[1:]}" if in_words(query, Role.WRITTEN) else " tokens"
    seconds = f"{tokens:g}/{record.id}.session_tokens_per_s"
    write = f"{{{{{seconds}|~}}}} to write {said(query, Role.WRITTEN)}{words}"
    if not record.knows(path):
        return f"{write}, once the prompt is read."
    whole = f"{{{{{record.id}.{path}+{seconds}|~}}}}"
    read = f"{record.ref(path)} to read {record.ref('prompt_tokens')} tokens of prompt"
    if query.has(Role.PROMPT) and "which" in query.asks and spoken("slower", query.question):
        longer = (record.number(path) or 0.0) > 1e3 * tokens / (record.number("session_tokens_per_s") or 1.0)
        return f"{'Reading' if longer else 'Writing'} takes longer: {read}, {write}."
    if query.has(Role.PROMPT) or "first_token" in query.asks:
        return f"{whole} until all of it is there: {read}, then {write}."
    return f"{write}; with {read}, all of it is there after {whole}."


def _total(record: Record, query: Query) -> str:
    if {"kv_cache", "longest"} & query.asks:
        return ""
    total = record.ref("total_bytes", "GiB")
    return (
        f"{_yes(record, query)}{total} of memory: {weights(record)}, {cache(record)} and "
        f"{record.ref('buffer_bytes', 'GiB')} of buffers, of {_there(record)}."
    )


def _energy(record: Record, _query: Query) -> str:
    if not record.knows("energy_uj_per_token"):
        return "Its power while generating is not known."
    drawn = f"{{{{{record.id}.energy_uj_per_token*{record.id}.decode_tokens_per_s|W}}}}"
    joules = record.ref("energy_uj_per_token", "~")
    return f"A token takes {joules}, at {drawn}, the power that the target is rated for while it computes."


def _left(record: Record, query: Query) -> str:
    """What stays for other programs, against what has to."""
    if not record.knows("left_bytes"):
        return ""
    kept = said(query, Role.TAKEN_BYTES)
    first = f"{VERDICT_WORDS[record['verdict']]}, {kept} stay free: " if kept else ""
    taken = f"beside {record.ref('total_bytes', 'GiB')} for the model"
    return f"{first}{left_of(record)} stay for the system and all other programs, {taken}."


def left_of(record: Record) -> str:
    return f"{record.ref('left_bytes', 'GiB')} of {record.ref('ram_bytes', 'GiB')}"


_SENTENCES: Mapping[str, Callable[[Record, Query], str]] = {
    "written": _written, "first_token": _first_token, "longest": _longest, "kv_cache": _kv_cache,
    "left": _left, "total": _total, "energy": _energy,
}  # fmt: skip


def _of_what_fails(record: Record, query: Query) -> list[str]:
    no = "No, it does not fit" if is_format_named(query) else f"No, not in the usual {record.ref('weights')}"
    room, place = _room(record), where(record)
    return [
        f"{no}: {room}. {place}.",
        _made_for(record, query), _longest(record, query) if "longest" in query.asks else "",
    ]  # fmt: skip


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


def _room(record: Record) -> str:
    return f"{weights(record)} and {cache(record)}{for_sessions(record)}, of {_there(record)}"


def _there(record: Record) -> str:
    together = f" of {record.ref('cards')} of them together" if (record["cards"] or 1) > 1 else ""
    return f"{record.ref('ram_bytes', 'GiB')}{together}"


def tight(record: Record) -> str:
    """That it takes more than it is given by default."""
    beyond = (record.number("total_bytes") or 0.0) > (record.number("usable_bytes") or math.inf)
    return f"Mind that {record.ref('headroom')}." if beyond and record["headroom"] else ""


def _made_for(record: Record, query: Query) -> str:
    """A context beyond what it was made for."""
    shorter = _warned(record, "was made for") if query.has(Role.CONTEXT, Role.PROMPT) else ""
    return shorter and f"But {shorter}: beyond that it answers badly."


def context_of(name: str) -> int | None:
    """Tokens that a model was made for; None of a file."""
    return language_model(name).context if name in language_model_names() else None


def _installed(record: Record) -> str:
    """That the memory is the most that the chip takes."""
    most = _warned(record, YOURS)
    return most and f"Mind the {most}."


def _warned(record: Record, words: str) -> str:
    """The warning that says so; empty where none does."""
    at = next((i for i, text in enumerate(record["warnings"] or ()) if words in text), None)
    return "" if at is None else record.ref(f"warnings[#{at}]")


def _published(record: Record) -> str:
    return f"Published: {record.ref('published[#0]')}." if record["published"] else ""


def _of_each(record: Record) -> str:
    if (record["batch"] or 1) == 1 or not record.knows("session_tokens_per_s"):
        return ""
    return f"{record.ref('session_tokens_per_s')} for each of {record.ref('batch')}, together "


def _how_sure(record: Record) -> str:
    """The interval, what it stands on, and what narrows it."""
    basis = record.ref("decode_tokens_per_s.basis")
    at = next((at for at, text in enumerate(record["assumptions"]) if "published speed" in text), None)
    stands = "" if at is None else f" Of this very target: {record.ref(f'assumptions[#{at}]')}."
    return (
        f"{figure(record, 'decode_tokens_per_s', basis=False)}, {basis}, of {where(record)}: nine such cases "
        "in ten lie inside, judged on devices and sources left out of the fit. `edgewright validate` "
        f"counts it.{stands}"
    )


def judged(record: Record, least: float) -> str:
    """Whether each session writes so fast: surely where the whole interval does."""
    rate, (low, high) = record.number("session_tokens_per_s"), record.ends("session_tokens_per_s") or (0, 0)
    surely = "Yes" if low >= least else "No" if high < least else ""
    return surely or ("Probably, though not surely" if (rate or 0.0) >= least else "Probably not")


def wanted(record: Record, query: Query) -> str:
    """Whether it writes as fast as the user wants, in words where they count words."""
    least, words = demanded(query)
    if least is None or not record.knows("session_tokens_per_s"):
        return ""
    against = f"{judged(record, least)}, against {words}: "
    if not in_words(query, Role.RATE_HZ):
        return against
    spelt = f"{{{{{WORDS_A_TOKEN:g}*{record.id}.session_tokens_per_s*1s|count~}}}}"
    return f"{against}{spelt} words a second at {WORDS_A_TOKEN:g} words a token, "


def claimed(record: Record, query: Query) -> str:
    """What the user measured, or was told, against the interval and what the bandwidth allows."""
    role, path = Role.CLAIMED_HZ if query.has(Role.CLAIMED_HZ) else Role.RATE_HZ, "decode_tokens_per_s"
    path = path if record.knows(path) else f"offloaded.{path}"
    if not query.has(role) or not record.knows(path):
        return ""
    claims = standing.held(query, record, role, path)
    one = claims[0]
    share = one.claim / most if (most := most_steps(record)) and (record["batch"] or 1) == 1 else 0.0
    if _HARDLY_REACHED <= share <= 1.0 and one.standing in ("plausible", "hardly"):
        of_most = f"{{{{{one.claim:g}*1count/1s/({most_per_second(record)})|%}}}}"
        return f"{said(query, role)} is hardly so, {of_most} of what its bandwidth allows; I expect "
    word, measured = standing.word(query, one), _against_published(one.claim, record)
    if _LESS in measured and one.standing == "plausible" and one.own:
        word = {"No": "Perhaps", "Yes": "Possibly"}.get(word, word)
    return f"{standing.judged(query, claims, word)}{measured}: "


def _against_published(claim: float, record: Record) -> str:
    """Where others measured otherwise on the same hardware, and in the same format."""
    ends = record.ends("published_tokens_per_s")
    if ends is None or ends[0] * _NEARLY <= claim <= ends[1] / _NEARLY:
        return ""
    shown = record.ref("published_tokens_per_s")
    return f", but {_LESS if claim < ends[0] else 'more'} than the {shown} that others measured there"


_SLOWER, _LESS = "slower", "less"
_TO_CHECK = (
    "What to look at, in this order: whether all layers are on the card (`-ngl`, `ollama ps`), and its "
    "memory is not full; whether the build uses the card's backend; a longer context or another format than "
    "you think; other programs on it; its power limit and heat."
)


def _claimed_wait(record: Record, query: Query) -> str:
    """A first token's time that the user measured, or was told, against the interval."""
    path = "time_to_first_token_ms"
    if not query.has(Role.CLAIMED_MS) or not record.knows(path) or "first_token" not in query.asks:
        return ""
    claims = standing.held(query, record, Role.CLAIMED_MS, path)
    first = standing.judged(query, claims, standing.word(query, claims[0]))
    comes = _first_token(record, query)
    return f"{first}: {comes[:1].lower()}{comes[1:]}"


def weights(record: Record) -> str:
    return f"{record.ref('weights_bytes', 'GiB')} of weights"


def cache(record: Record) -> str:
    return f"{record.ref('kv_cache_bytes', 'GiB')} of key-value cache at {record.ref('context')} tokens"


def offloaded(record: Record) -> str:
    """With the layers that the card does not hold in its computer's memory; empty where that is no way."""
    rate = "offloaded.decode_tokens_per_s"
    if record["offloaded"] and record["offloaded"]["verdict"] == "FAIL":
        return f"The computer's memory does not hold the rest: {record.ref('offloaded.host_bytes', 'GiB')}."
    return f"{figure(record, rate)}, {record.ref('offloaded.statement')}." if record.knows(rate) else ""


def filled(record: Record) -> str:
    return f"{record.ref('total_bytes', 'GiB')} of {record.ref('ram_bytes', 'GiB')}"


def for_sessions(record: Record, before: str = " for ") -> str:
    return f"{before}{record.ref('batch')} sessions" if (record["batch"] or 1) > 1 else ""
