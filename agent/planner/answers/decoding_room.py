"""A language model that its memory does not hold: what part of it does, how fast that is, and what would."""

from __future__ import annotations

import re

from ..bench import Answering, Record
from ..query import Query, Role
from ..words import spoken
from .cases import holds
from .decoding_choice import targets_for
from .decoding_crowd import is_crowd, would_hold
from .decoding_rates import wanted
from .phrases import lines
from .tokens import filled, offloaded, where


def with_what_would_do(said: str, record: Record, query: Query) -> Answering:
    """Of what does not fit: layers in the computer's memory, what else would do, another card."""
    first, _, rest = said.partition("\n")
    split, would = offloaded(record), remedies(record)
    if split and (query.has(Role.HOST, Role.GPU_LAYERS) or spoken("offloads", query.question)):
        held = "" if holds(record) else f"Wholly on the card it does not go: {filled(record)}."
        return lines(f"{wanted(record, query)}{split.rstrip('.')}: {where(record)}.", held, *would)
    if is_crowd(record):
        would_do = yield from would_hold(record, query)
        cheapest = (yield from _cheapest_for(record, query)) if record["verdict"] == "FAIL" else ""
        return lines(*((would_do, first) if counts_cards(query) else (first, would_do)), rest, cheapest)
    kinds = [each["kind"] for each in record["remedies"] or ()]
    several = [line for kind, line in zip(kinds, would, strict=True) if kind == "cards"]
    if counts_cards(query) and several:
        return lines(*several, f"One alone does not hold it:{first.partition(':')[2]}")
    cheapest = (yield from _cheapest_for(record, query)) if record["verdict"] == "FAIL" else ""
    return lines(first, split, *would, rest, cheapest)


def remedies(record: Record) -> list[str]:
    """What would do, each in a sentence."""
    return [f"{record.ref(f'remedies[#{at}].statement')}." for at in range(len(record["remedies"] or ()))]


def of_memory(record: Record) -> list[str]:
    """What of them would do whatever the hardware is: another cache or format."""
    found = []
    for at, each in enumerate(record["remedies"] or ()):
        takes = record.ref(f"remedies[#{at}].total_bytes", "GiB")
        how = {"cache": f"With the cache in {each['kv']}", "weights": f"In {each['weights']}"}
        how |= {"narrow": f"Only below 4 bits, where much quality is lost: in {each['weights']}"}
        found += (
            [f"{how[each['kind']]} {takes}."] if each["kind"] in how and each["verdict"] != "FAIL" else []
        )
    return found


def counts_cards(query: Query) -> bool:
    """Whether it is asked how many cards a model takes, or of that card."""
    named = (re.escape(slot.text) for slot in query.slots if slot.role is Role.TARGET and slot.text)
    of_it = re.search(rf"\bhow many (?:\w+ )?(?:{'|'.join(named) or '$^'})", query.question, re.I)
    return of_it is not None or "cards" in spoken("together", query.question)


def _cheapest_for(record: Record, query: Query) -> Answering:
    alone = query.without([Role.HOST])
    found = yield from targets_for(alone, str(record["model"]), with_table=False, weights=record["weights"])
    return f"The cheapest that holds {record.ref('weights')}: {found}"
