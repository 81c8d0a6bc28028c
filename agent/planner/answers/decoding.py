"""Language models: whether one fits, its tokens a second, its key-value cache, and where it runs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ....tools.model_zoo.language_model import language_model_names
from ...names import Kind
from ...patterns import compiled
from ..bench import Answering, Record, needed
from ..factors import factor_in
from ..formats_said import is_said
from ..query import Query, Role
from ..want import Want
from ..words import spoken
from ..writers import ANYWHERE, BRINGS, on_no_machine
from . import per_unit
from .cases import (
    cards_of,
    estimated,
    holds,
    is_format_named,
    is_narrow,
    kinds,
)
from .ceilings import ceiling, of_use
from .decoding_beyond import asks_draft, asks_training, beyond, drafted, finetuned
from .decoding_by_size import by_size
from .decoding_choice import (
    BARE_MEMORY,
    models_on,
    none_runs,
    sessions,
    sessions_of_each,
    targets_for,
)
from .decoding_crowd import at_usual, unless_short, would_hold
from .decoding_formats import asks_format, widest_format
from .decoding_levers import asks_levers, levers
from .decoding_one import on_one
from .decoding_room import around_cards, counts_cards, of_memory, with_what_would_do
from .decoding_table import side_by_side
from .passages import SURE, quoted, search
from .phrases import ASKS_LANGUAGE_MODEL, figure, joined, language_models, lines, said
from .tokens import cache, cache_room, ended_by, filled, in_all, split_over, weights, where
from .worth import asks_need

_LISTED = 6
_RATE = "decode_tokens_per_s"
_NO_WRITERS = frozenset(("mcu", "dsp"))
"""Classes of targets that no runtime of language models runs on."""
_CHOICES = frozenset((Want.RECOMMEND, Want.CHEAPEST, Want.PRICE))
_OF_WEIGHTS = compiled(r"\bparam\w*|\bweights are\b", re.IGNORECASE)
_A_COMPUTER = "intel-i5-12400"
"""A usual one, in place of one that is not named."""
_SIZES = ("llama-3.2-1b", "llama-3.1-8b", "llama-3.1-70b")
"""Usual ones of three sizes."""


def told(query: Query, wants: Sequence[Want]) -> Answering:
    """What is not calculated first, then what is."""
    if asks_draft(query):
        return (yield from drafted(query))
    if asks_training(query):
        return (yield from finetuned(query))
    calculated = yield from _calculated(query, wants)
    bill = (yield from per_unit.bill(query, wants)) if query.says(Role.TARIFF, Role.RENT) else ""
    return lines((yield from by_size(query)), beyond(query), calculated, bill)


def _calculated(query: Query, wants: Sequence[Want]) -> Answering:
    """Of a language model on targets; of one side alone which of the other suit, or its memory."""
    known, targets = language_models(query), query.all(Role.TARGET)
    strange = any(not is_said(name.text) for name in query.unknown)
    if not known and "why" in query.asks and len(targets) < 2:
        example = query.put(Role.MODEL, _SIZES[1]).put(Role.TARGET, *(targets or [_A_COMPUTER]))
        record = needed((yield from estimated(example)))
        return lines(ceiling(record, example, (Want.BOUND,)), f"That is of {where(record)}, an example.")
    if not known and query.has(Role.TARGET, Role.RAM_BYTES) and not strange:
        return (yield from models_on(query))
    if not known:
        return (yield from _by_size(query)) if on_no_machine(query) else _unnamed(query)
    rated = "speed" in query.asks or spoken("readable", query.question)
    if not targets and (query.has(Role.BANDWIDTH) or (rated and spoken("machine", query.question))):
        told = yield from _calculated(query.put(Role.TARGET, _A_COMPUTER), wants)
        return lines(told, f"{_A_COMPUTER} stands for the computer, of which only the memory is told.")
    serves = "many_users" in query.asks and not query.says(Role.BATCH, Role.DEVICES)
    if asks_format(query) and not serves and len(known) == 1 and (targets or query.number(Role.RAM_BYTES)):
        return (yield from widest_format(query, **({} if targets else {"target": BARE_MEMORY})))
    chooses = set(wants) & _CHOICES or ANYWHERE in query.asks or spoken("hardware_kind", query.question)
    if not targets and (query.has(Role.RATE_HZ, Role.PRICE_USD) or chooses):
        return (yield from targets_for(_times_as_fast(query), known[0]))
    if not targets:
        return (yield from _of_memory(query))
    if (chip := query.targets.get(targets[0])) and chip.target_class in _NO_WRITERS:
        return (yield from none_runs(query, known[0]))
    named = kinds(query)
    if serves:
        return (yield from sessions_of_each(named) if len(named) > 1 else sessions(query))
    if asks_levers(query) and (told := (yield from levers(named or [("", query)]))):
        return told
    if len(named) > 1:
        return (yield from side_by_side(named, query, wants))
    return (yield from _alone(query, wants))


def _times_as_fast(query: Query) -> Query:
    """With so many times the speed that was told before, where that is asked of other hardware."""
    factor, told = factor_in(query.question), dict(reversed(query.cast.told)).get(_RATE)
    if not factor or not told or query.has(Role.RATE_HZ):
        return query
    return query.put(Role.RATE_HZ, factor * told, text=f"{factor:g} times the {told:.3g} tokens/s before")


def _by_size(query: Query) -> Answering:
    """What models of several sizes take, where the machine is not known."""
    named = kinds(query.put(Role.MODEL, *_SIZES))
    return lines(
        "Its memory decides; what the system needs comes on top. Tokens a second are at most the memory's "
        "bandwidth over the bytes of the weights.",
        (yield from side_by_side(named, query.put(Role.MODEL, *_SIZES), (), target=BARE_MEMORY)),
        "Which machine is it: its card or processor, and how much memory?",
    )


def _unnamed(query: Query) -> str:
    strange = [name.text for name in query.unknown if name.kind is Kind.MODEL]
    if not strange and (found := search(query.question, 1, SURE)):
        return quoted(found[0])
    first = f"I do not know {joined(strange)}." if strange else ASKS_LANGUAGE_MODEL
    return lines(first, f"I know such as {joined(language_model_names()[:_LISTED])}.")


def _alone(query: Query, wants: Sequence[Want]) -> Answering:
    """One model on one target, or on several of it together."""
    record, cards = needed((yield from estimated(query))), cards_of(query)
    longest = int(record.number("max_context") or 0)
    if "longest" in query.asks and record["verdict"] != "FAIL" and longest > int(record["context"]):
        record = needed((yield from estimated(query, weights=record["weights"], context=longest)))
    text = on_one(record, query, wants)
    if full := (yield from at_usual(record, query)):
        return lines(unless_short(full, record), text, (yield from would_hold(full, query)))
    text = lines((yield from of_use(record, query)), text)
    first, _, rest = text.partition("\n")
    if (record["verdict"] == "FAIL" or record["offloaded"]) and not query.has(Role.CLAIMED_HZ):
        return (yield from with_what_would_do(text, record, query))
    if cards == 1:
        enough = f"One {record.ref('target')} is enough." if counts_cards(query) else ""
        return lines(enough, text, (yield from _wider(record, query)))
    if query.has(Role.CLAIMED_MS):
        return lines(text, split_over(record))
    one = yield from estimated(query.without([Role.CARDS]), weights=record["weights"])
    takes, does = f"{filled(one)} at {one.ref('context')} tokens", figure(one, _RATE)
    more = f"more cards bring room, here for {record.ref('max_context')} tokens, hardly speed"
    if not holds(one):
        alone = f"One alone does not hold it, {takes}; {more}."
        judged = "Yes, more than one is needed"
    else:
        alone = f"One alone does {does} too, with room for {one.ref('max_context')} tokens; {more}."
        judged = "No, one is enough"
    beside = around_cards(record, query)
    needs = asks_need(query.question) and not beside
    if not needs and holds(one) and "speed" in query.asks and spoken("second_card", query.question):
        alone = f"Hardly: {alone[:1].lower()}{alone[1:]}"
        return lines(alone, first, beside, rest, split_over(record))
    alone = f"{judged}, {takes}: {alone[:1].lower()}{alone[1:]}" if needs else alone
    pair = (alone, first) if needs or BRINGS.search(query.question) else (first, alone)
    return lines(*pair, beside, rest, split_over(record))


def _wider(record: Record, query: Query) -> Answering:
    """The widest format that fits with room too, where nobody named one."""
    widest = record["widest_weights"]
    of_text = "written" in query.asks and not {Want.FITS, Want.MEETS} & set(query.wants)
    if of_text or is_format_named(query) or is_narrow(widest or "") or widest in (None, record["weights"]):
        return ""
    wide = needed((yield from estimated(query, weights=widest)))
    rate = f", {wide.ref(_RATE, '~')}{in_all(wide)}" if wide.knows(_RATE) else ""
    return f"{wide.ref('weights')} fits too: {wide.ref('total_bytes', 'GiB')}{rate}."


def _of_memory(query: Query) -> Answering:
    """What goes into so many bytes, of whatever hardware; what a model takes where none are said."""
    if len(named := kinds(query)) > 1:
        return (yield from side_by_side(named, query, (), target=BARE_MEMORY))
    record = needed((yield from estimated(query, target=BARE_MEMORY)))
    model, stored = record.ref("model"), f"{weights(record)} ({record.ref('weights')})"
    kept = f"{cache(record)} ({record.ref('kv')})"
    if not query.number(Role.RAM_BYTES):
        enough = query.has(Role.CONTEXT) or query.unknown
        ask = "" if enough else "Name a board, and I tell its tokens a second."
        if _OF_WEIGHTS.search(query.question):
            of_them = f", {record.ref('active_parameters')} of them at work for a token"
            active = "" if record["active_parameters"] == record["parameters"] else of_them
            return f"{model} has {record.ref('parameters')} parameters{active}."
        if "total" in query.asks:
            whole = record.ref("total_bytes", "GiB")
            return lines(f"{model} takes {whole} in all: {stored}, {kept} and buffers.", ask)
        return lines(f"{model} takes {kept}, beside {weights(record)}.", ask)
    room = " of ".join(part for part in (said(query, Role.CARDS), said(query, Role.RAM_BYTES)) if part)
    if record["verdict"] == "FAIL":
        takes = f"{record.ref('total_bytes', 'GiB')} at {record.ref('context')} tokens, {stored} of it"
        return lines(f"No, {model} does not fit {room}: {takes}.", *of_memory(record))
    yes = "Yes, it fits: " if "fit" in query.asks else ""
    takes = (
        f"{yes}{model} takes {record.ref('total_bytes', 'GiB')} of {room}: {stored}, {kept} and "
        f"{record.ref('buffer_bytes', 'GiB')} of buffers."
    )
    ended = f", {ended}" if (ended := ended_by(record)) else ""
    longest = f"{record.ref('max_context')} tokens of context fit {room}{ended}."
    room = cache_room(record) if "cache_room" in query.asks else ""
    return lines(
        room, *((longest, takes) if "longest" in query.asks else (takes, longest)), *of_memory(record)
    )
