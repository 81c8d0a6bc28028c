"""A language model that its memory does not hold: what part of it does, how fast that is, and what would."""

from __future__ import annotations

import re

from ..bench import Answering, Record, needed
from ..query import Query, Role
from ..words import spoken
from .cases import cards_of, estimated, holds, is_format_named, is_narrow
from .decoding_choice import targets_for
from .phrases import figure, lines
from .tokens import filled, offloaded, on_cards, where

_RATE = "decode_tokens_per_s"


def with_what_would_do(said: str, record: Record, few: Record | None, query: Query) -> Answering:
    """Of what does not fit: layers in the computer's memory, another format, several cards, another card.

    Args:
        few: the same in the fewer bits that would be taken unasked.
    """
    first, _, rest = said.partition("\n")
    split = offloaded(record)
    if split and (asks_split(query) or query.has(Role.GPU_LAYERS)):
        held = f"Wholly on the card it does not go: {filled(record)}." if not holds(record) else ""
        split = f"{split.rstrip('.')}: {where(record)}."
        return lines(split, held, (yield from in_fewer_bits(record, query)), _only_in(few) if few else "")
    fewer = yield from in_fewer_bits(record, query)
    counts, fails = counts_cards(query), record["verdict"] == "FAIL"
    more = cards_of(query) == 1 and (counts or fails or not fewer)
    several = (yield from _of_as_many(record, query)) if more else ""
    alone = f"One alone does not hold it:{first.partition(':')[2]}"
    pair = (several, alone) if counts and several else (first, "")
    return lines(
        *pair,
        split,
        fewer,
        _only_in(few) if few else "",
        "" if counts else several,
        rest,
        (yield from _cheapest_for(record, query)) if fails else "",
    )


def asks_split(query: Query) -> bool:
    """Whether layers are to lie in the memory of the computer around the card."""
    return query.has(Role.HOST) or bool(spoken("offloads", query.question))


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


def in_fewer_bits(record: Record, query: Query) -> Answering:
    """A cache of 8 bits where that is enough, else the widest of the usual formats that fits."""
    bits = {"weights": record["weights"], "kv": "q8_0", "target": record["target"]}
    small = record if query.has(Role.KV) else needed((yield from estimated(query, **bits)))
    if holds(small) and small is not record:
        return f"With the cache in {small.ref('kv')} it fits: {filled(small)}, {small.ref(_RATE, '~')}."
    widest = record["widest_weights"]
    if not widest or is_narrow(widest) or not (is_format_named(query) or record["verdict"] != "FAIL"):
        return ""
    other = needed((yield from estimated(query, weights=widest)))
    takes = f"{filled(other)} and {figure(other, _RATE)}"
    return f"In {other.ref('weights')}, the widest that does, it fits: {takes}."


def _cheapest_for(record: Record, query: Query) -> Answering:
    alone = query.without([Role.HOST])
    found = yield from targets_for(alone, str(record["model"]), with_table=False, weights=record["weights"])
    return f"The cheapest that holds {record.ref('weights')}: {found}"
