"""Language models: whether one fits, its tokens a second, its key-value cache, and where it runs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ....tools.generation.memory import ROOMY
from ....tools.model_zoo.language_model import language_model_names
from ...names import Kind
from ..bench import Answering, Record, needed
from ..formats_said import is_said
from ..language import WRITER
from ..query import Query, Role
from ..want import Want
from ..words import entries, spoken
from ..writers import ANYWHERE, BRINGS
from .cases import (
    NARROW,
    USUAL_CONTEXT,
    cards_of,
    estimated,
    host_bytes,
    is_format_named,
    is_narrow,
    kinds,
)
from .ceilings import ceiling
from .decoding_choice import BARE_MEMORY, models_on, none_runs, sessions, targets_for
from .decoding_formats import asks_format, widest_format
from .decoding_table import side_by_side
from .passages import SURE, quoted, search
from .phrases import ASKS_LANGUAGE_MODEL, figure, joined, language_models, lines, said, sentence
from .tokens import SPLIT, cache, filled, on_cards, on_one, takes_few_bits, weights, where

_LISTED = 6
_RATE = "decode_tokens_per_s"
_NO_WRITERS = frozenset(("mcu", "dsp"))
"""Classes of targets that no runtime of language models runs on."""
_CHOICES = frozenset((Want.RECOMMEND, Want.CHEAPEST, Want.PRICE))
_OF_WEIGHTS = re.compile(r"\bparam\w*|\bweights are\b", re.IGNORECASE)
_A_COMPUTER = "intel-i5-12400"
"""A usual one, in place of one that is not named."""
_SIZES = ("llama-3.2-1b", "llama-3.1-8b", "llama-3.1-70b")
"""Usual ones of three sizes."""


def generation(query: Query, wants: Sequence[Want]) -> Answering:
    """What is not calculated first, then what is."""
    beyond = [entries("beyond_it")[name] for name in spoken("beyond", query.question)]
    return lines(*beyond, (yield from _calculated(query, wants)))


def on_no_machine(query: Query) -> bool:
    """Whether it is asked of a language model on a computer of which nothing is said."""
    named = query.has(Role.TARGET, Role.RAM_BYTES, Role.MODEL) or query.unknown
    return WRITER in query.asks and not named and bool(spoken("machine", query.question))


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
    if asks_format(query) and len(known) == 1 and (targets or query.number(Role.RAM_BYTES)):
        return (yield from widest_format(query, **({} if targets else {"target": BARE_MEMORY})))
    chooses = set(wants) & _CHOICES or ANYWHERE in query.asks or spoken("hardware_kind", query.question)
    if not targets and (query.has(Role.RATE_HZ, Role.PRICE_USD) or chooses):
        return (yield from targets_for(query, known[0]))
    if not targets:
        return (yield from _of_memory(query))
    if (chip := query.targets.get(targets[0])) and chip.target_class in _NO_WRITERS:
        return (yield from none_runs(query, known[0]))
    if "many_users" in query.asks and not query.says(Role.BATCH, Role.DEVICES):
        return (yield from sessions(query))
    if len(named := kinds(query)) > 1:
        return (yield from side_by_side(named, query, wants))
    return (yield from _alone(query, wants))


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
    few = record if takes_few_bits(record, query) else None
    if few is not None:
        record = needed((yield from estimated(query, weights=NARROW)))
    longest = int(record.number("max_context") or 0)
    if "longest" in query.asks and record["verdict"] != "FAIL" and longest > int(record["context"]):
        record = needed((yield from estimated(query, weights=record["weights"], context=longest)))
    text = lines(on_one(record, query, wants), _shortened(record, query))
    first, _, rest = text.partition("\n")
    if record["verdict"] == "FAIL" and cards == 1 and not query.has(Role.GPU_LAYERS):
        return (yield from _with_what_would_do(text, record, few, query))
    if cards == 1 or record["verdict"] == "FAIL":
        enough = f"One {record.ref('target')} is enough." if counts_cards(query) and cards == 1 else ""
        return lines(enough, text, (yield from _wider(record, query)))
    one = yield from estimated(query.without([Role.CARDS]), weights=record["weights"])
    does = "does not hold that" if one["verdict"] == "FAIL" else f"does {figure(one, _RATE)}"
    more = f"More cards bring room, hardly speed: one alone {does}."
    pair = (more, first) if BRINGS.search(query.question) else (first, more)
    return lines(*pair, rest, sentence(SPLIT))


def _wider(record: Record, query: Query) -> Answering:
    """The widest format that fits with room too, where nobody named one."""
    widest = record["widest_weights"]
    if is_format_named(query) or is_narrow(widest or "") or widest in (None, record["weights"]):
        return ""
    wide = needed((yield from estimated(query, weights=widest)))
    rate = f", {wide.ref(_RATE, '~')}" if wide.knows(_RATE) else ""
    return f"{wide.ref('weights')} fits too: {wide.ref('total_bytes', 'GiB')}{rate}."


def _shortened(record: Record, query: Query) -> str:
    """That the usual context of each session does not fit."""
    short = int(record["context"]) < USUAL_CONTEXT and not query.has(Role.CONTEXT, Role.PROMPT)
    if not short or "longest" in query.asks or record["verdict"] == "FAIL":
        return ""
    return f"{USUAL_CONTEXT:,} tokens each do not fit; this is at {record.ref('context')} each."


def _with_what_would_do(said: str, record: Record, few: Record | None, query: Query) -> Answering:
    """Of what does not fit one: another format, the computer around it, several, another card.

    Args:
        few: the same in the fewer bits that would be taken unasked.
    """
    size, (first, _, rest) = host_bytes(query), said.partition("\n")
    several = yield from _of_as_many(record, query)
    alone = f"One alone does not hold it:{first.partition(':')[2]}"
    pair = (several, alone) if counts_cards(query) and several else (first, several)
    return lines(
        *pair,
        (yield from _in_fewer_bits(record, query)),
        _only_in(few) if few else "",
        rest,
        _beside(record, int(size)) if size else "",
        f"The cheapest that holds {record.ref('weights')}: {(yield from _cheapest_for(record, query))}",
    )


def counts_cards(query: Query) -> bool:
    """Whether it is asked how many cards a model takes, or of that card."""
    named = (re.escape(slot.text) for slot in query.slots if slot.role is Role.TARGET and slot.text)
    of_it = re.search(rf"\bhow many (?:\w+ )?(?:{'|'.join(named) or '$^'})", query.question, re.I)
    return of_it is not None or "cards" in spoken("together", query.question)


def _of_as_many(record: Record, query: Query) -> Answering:
    """The fewest of the card that hold it together."""
    cards = int(record.number("cards_needed") or 0)
    if cards <= 1:
        return ""
    together = yield from estimated(query, cards=cards, weights=record["weights"])
    if together.result is None:
        return ""
    held = f"{together.ref('model')} in {together.ref('weights')}: {filled(together)}"
    return (
        f"{on_cards(together)} hold {held}, room for {together.ref('max_context')} tokens, "
        f"{figure(together, _RATE)} with its layers split over them; splitting within layers can be faster."
    )


def _only_in(few: Record) -> str:
    """What fits in so few bits alone."""
    how = f"Only in {few.ref('weights')} it fits: {filled(few)}, {few.ref(_RATE, '~')}; much quality is lost"
    return f"Not even in {few.ref('weights')}." if few["verdict"] == "FAIL" else f"{how}."


def _in_fewer_bits(record: Record, query: Query) -> Answering:
    """What fits of the usual formats where the one that is named does not; else a cache of 8 bits."""
    widest = record["widest_weights"] if is_format_named(query) else None
    if not widest or is_narrow(widest):
        bits = {"weights": record["weights"], "kv": "q8_0", "target": record["target"]}
        small = record if query.has(Role.KV) else needed((yield from estimated(query, **bits)))
        does = f"With the cache in {small.ref('kv')} it fits: {small.ref('total_bytes', 'GiB')}."
        return "" if small["verdict"] == "FAIL" else does
    other = needed((yield from estimated(query, weights=widest)))
    takes = f"{filled(other)} and {figure(other, _RATE)}"
    return f"In {other.ref('weights')}, the widest that does, it fits: {takes}."


def _cheapest_for(record: Record, query: Query) -> Answering:
    return (yield from targets_for(query, str(record["model"]), with_table=False, weights=record["weights"]))


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
        return f"No, {model} does not fit {room}: {stored}."
    narrow = takes_few_bits(record, query)
    first = ""
    if narrow:
        usual = needed((yield from estimated(query, target=BARE_MEMORY, weights=NARROW)))
        takes = f"{usual.ref('total_bytes', 'GiB')} at {usual.ref('context')} tokens"
        first = lines(f"No, not in the usual {NARROW}: {takes}.", (yield from _in_fewer_bits(usual, query)))
    yes = f"Only in {record.ref('weights')}: " if narrow else "Yes, it fits: " if "fit" in query.asks else ""
    takes = (
        f"{yes}{model} takes {record.ref('total_bytes', 'GiB')} of {room}: {stored}, {kept} and "
        f"{record.ref('buffer_bytes', 'GiB')} of buffers."
    )
    longest = f"{record.ref('max_context')} tokens of context fit {room}."
    return lines(first, *((longest, takes) if "longest" in query.asks else (takes, longest)))
