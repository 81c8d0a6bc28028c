"""A language model that its memory does not hold: what part of it does, how fast that is, and what would."""

from __future__ import annotations

import re

from ....hardware_db.schema import TargetClass
from ..bench import Answering, Record, call_of
from ..query import Query, Role
from ..want import Want
from ..words import spoken
from ..writing import READABLE
from .cases import holds
from .decoding_choice import ALL, ANY_RATE, NONE_RUNS, on_target, targets_for
from .decoding_crowd import is_crowd, would_hold
from .decoding_rates import wanted
from .phrases import joined, lines
from .tokens import filled, offloaded, on_cards, where


def with_what_would_do(said: str, record: Record, query: Query) -> Answering:
    """Of what does not fit: layers in the computer's memory, what else would do, another card."""
    first, _, rest = said.partition("\n")
    split, would = offloaded(record), remedies(record)
    around = query.has(Role.HOST, Role.HOST_BYTES, Role.GPU_LAYERS) or spoken("offloads", query.question)
    if split and around and not is_crowd(record):
        word = wanted(record, query) or _goes(record, query)
        held = "" if holds(record) else f"Wholly on the card it does not go: {filled(record)}."
        return lines(f"{word}{split.rstrip('.')}: {where(record)}.", held, *would)
    if is_crowd(record):
        would_do = yield from would_hold(record, query)
        cheapest = (yield from _cheapest_for(record, query)) if record["verdict"] == "FAIL" else ""
        return lines(*((would_do, first) if counts_cards(query) else (first, would_do)), rest, cheapest)
    kinds = [each["kind"] for each in record["remedies"] or ()]
    several = [line for kind, line in zip(kinds, would, strict=True) if kind == "cards"]
    if counts_cards(query) and several:
        return lines(*several, f"One alone does not hold it:{first.partition(':')[2]}")
    cheapest = (yield from _cheapest_for(record, query)) if record["verdict"] == "FAIL" else ""
    return lines(first, split, *would, rest, (yield from _smaller(record, query)), cheapest)


def _goes(record: Record, query: Query) -> str:
    """Whether it does with the computer's memory, where that is asked."""
    if "fit" not in query.asks and Want.FITS not in query.wants:
        return ""
    if record["offloaded"]["verdict"] == "FAIL":
        return "No. "
    if (record.number("offloaded.decode_tokens_per_s") or 0.0) < READABLE:
        return "No, not wholly on the card; in part in the computer's memory, slowly: "
    return "Yes, though in part in the computer's memory: "


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


def around_cards(record: Record, query: Query) -> str:
    """What several cards need of the computer, where that is asked: what they draw, what passes between."""
    asked, i = spoken("around_cards", query.question), record.id
    told = []
    if "link" in asked:
        told.append(
            "NVLink is not needed for that: between cards that share the layers one vector of activations "
            "passes a token, which PCIe carries."
        )
    if "supply" in asked and record.knows("energy_uj_per_token"):
        watts = f"{i}.cards*{i}.energy_uj_per_token*{i}.decode_tokens_per_s"
        told.append(
            f"The power supply has to hold {{{{{watts}|W}}}} for {on_cards(record)} at the rating, and what "
            "the computer around them draws."
        )
    return lines(*told)


def counts_cards(query: Query) -> bool:
    """Whether it is asked how many cards a model takes, or of that card."""
    named = (re.escape(slot.text) for slot in query.slots if slot.role is Role.TARGET and slot.text)
    of_it = re.search(rf"\bhow many (?:\w+ )?(?:{'|'.join(named) or '$^'})", query.question, re.I)
    return of_it is not None or "cards" in spoken("together", query.question)


def _cheapest_for(record: Record, query: Query) -> Answering:
    """Of cards a card; of a board or computer one of its kind, however slow where no rate is asked for."""
    alone, model, given = query.without([Role.HOST]), str(record["model"]), {"weights": record["weights"]}
    found = ""
    if kind := kind_of(record, query):
        rated = {} if query.has(Role.RATE_HZ) else {"min_tokens_per_s": ANY_RATE}
        of_kind = given | {"target_class": kind, "top": ALL} | rated
        found = yield from targets_for(alone, model, with_table=False, **of_kind)
    if not found or found.startswith(NONE_RUNS):
        found = yield from targets_for(alone, model, with_table=False, **given)
    return f"The cheapest that holds {record.ref('weights')}: {found}"


def kind_of(record: Record, query: Query) -> str:
    """The class of what it does not fit; empty of a graphics card."""
    target = query.targets.get(str(record["target"]))
    return "" if target is None or target.target_class is TargetClass.GPU else str(target.target_class)


def _smaller(record: Record, query: Query) -> Answering:
    """What of fewer weights a board or computer holds in four bits, the largest first."""
    if not kind_of(record, query) or record["verdict"] != "FAIL":
        return ""
    family = re.match(r"[a-z]+", str(record["model"]))
    fewer = {"families": [family[0]] if family else None, "order": "size", "use": "chat", "weights": None}
    rated = {"min_tokens_per_s": query.number(Role.RATE_HZ) or ANY_RATE}
    given = on_target(query, str(record["target"])) | fewer | rated
    ranking = yield call_of("rank_generation", query, **given | {"most_parameters": record["parameters"]})
    count = min(int(ranking["passing"] or 0), _NAMED)
    rows = [ranking.row("ranking", at) for at in range(count)]
    told = joined(
        f"{row.ref('model')}, {row.ref('total_bytes', 'GiB')} at {row.ref('session_tokens_per_s')}"
        for row in rows
    )
    return f"Smaller ones fit in four bits: {told}." if told else ""


_NAMED = 3
