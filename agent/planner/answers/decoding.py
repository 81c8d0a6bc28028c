"""Language models: whether one fits, its tokens a second, its key-value cache, and where it runs."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from ....tools.generation.memory import ROOMY
from ....tools.model_zoo.language_model import language_model_names
from ...names import Kind
from ..bench import Answering, Record, call_of, needed
from ..language import WRITER, is_said
from ..query import Query, Role
from ..want import Want
from ..words import spoken
from ..writers import ANYWHERE, BRINGS
from .cases import (
    NARROW,
    USUAL_CONTEXT,
    asked,
    cards_of,
    estimated,
    host_bytes,
    is_format_named,
    is_narrow,
    kept_format,
    kinds,
)
from .decoding_choice import BARE_MEMORY, models_on, none_runs, sessions, targets_for
from .decoding_formats import asks_format, widest_format
from .decoding_table import side_by_side
from .passages import SURE, quoted, search
from .phrases import ASKS_LANGUAGE_MODEL, figure, joined, language_models, lines, said, sentence, table
from .tokens import SPLIT, cache, ceiling, on_one, takes_few_bits, weights

_LISTED = 6
_RATE = "decode_tokens_per_s"
_NO_WRITERS = frozenset(("mcu", "dsp"))
"""Classes of targets that no runtime of language models runs on."""
_CHOICES = frozenset((Want.RECOMMEND, Want.CHEAPEST, Want.PRICE))
_OF_WEIGHTS = re.compile(r"\bparam\w*|\bweights are\b", re.IGNORECASE)


_BEYOND = {
    "training": "Training and fine-tuning are not calculated here, only running. They keep gradients, states "
    "of the optimiser and activations beside the weights: more than running takes, which is what follows.",
    "draft": "What a draft model brings is not calculated: it goes with the share of its tokens that are "
    "accepted, which the text decides. Its weights and cache come on top of this:",
    "reuse": "What a cached prompt saves is not calculated: it goes with the share that is read again. "
    "Without it:",
}
"""By the names in `words.toml`."""
_A_COMPUTER = "intel-i5-12400"
"""A usual one, in place of one that is not named."""
_SIZES = ("llama-3.2-1b", "llama-3.1-8b", "llama-3.1-70b")
"""Usual ones of three sizes."""


def generation(query: Query, wants: Sequence[Want]) -> Answering:
    """What is not calculated first, then what is."""
    beyond = [_BEYOND[name] for name in spoken("beyond", query.question)]
    return lines(*beyond, (yield from _calculated(query, wants)))


def on_no_machine(query: Query) -> bool:
    """Whether it is asked of a language model on a computer of which nothing is said."""
    named = query.has(Role.TARGET, Role.RAM_BYTES, Role.MODEL) or query.unknown
    return WRITER in query.asks and not named and bool(spoken("machine", query.question))


def _calculated(query: Query, wants: Sequence[Want]) -> Answering:
    """Of a language model on targets; of one side alone which of the other suit, or its memory."""
    known, targets = language_models(query), query.all(Role.TARGET)
    strange = any(not is_said(name.text) for name in query.unknown)
    if not known and "why" in query.asks and len(targets) == 1:
        example = query.put(Role.MODEL, _SIZES[1])
        record = needed((yield from estimated(example)))
        bound = ceiling(record, example, (Want.BOUND,))
        return lines(bound, f"That is of {record.ref('model')}, an example.")
    if not known and query.has(Role.TARGET, Role.RAM_BYTES) and not strange:
        return (yield from models_on(query))
    if not known:
        return (yield from _by_size(query)) if on_no_machine(query) else _unnamed(query)
    if not targets and query.has(Role.BANDWIDTH):
        said = yield from _calculated(query.put(Role.TARGET, _A_COMPUTER), wants)
        return lines(said, f"{_A_COMPUTER} stands for the computer, of which only the memory is told.")
    if asks_format(query) and len(known) == 1 and (targets or query.number(Role.RAM_BYTES)):
        return (yield from widest_format(query, **({} if targets else {"target": BARE_MEMORY})))
    place_open = ANYWHERE in query.asks or (spoken("hardware_kind", query.question) and not targets)
    chooses = set(wants) & _CHOICES or place_open
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
    sizes = []
    for model in _SIZES:
        bare = {"model": model, "target": BARE_MEMORY, "weights": NARROW}
        record = needed((yield call_of("estimate_generation", query, **bare)))
        sizes.append(f"{record.ref('model')} {record.ref('total_bytes', 'GiB')}")
    return lines(
        f"Its memory decides. In {record.ref('weights')} and at {record.ref('context')} tokens these take, "
        f"in all: {joined(sizes)}; what the system needs comes on top. Tokens a second are at most "
        "the memory's bandwidth over the bytes of the weights.",
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
    if "longest" in query.asks and record["verdict"] != "FAIL" and longest > (record.number("context") or 0):
        record = needed((yield from estimated(query, weights=record["weights"], context=longest)))
    narrow = takes_few_bits(record, query) and record["verdict"] != "FAIL"
    unusual = (yield from _not_in_the_usual(query)) if narrow else ""
    text = lines(unusual, on_one(record, query, wants), _changed(record, query))
    first, _, rest = text.partition("\n")
    if record["verdict"] == "FAIL" and cards == 1 and not query.has(Role.GPU_LAYERS):
        return (yield from _with_what_would_do(text, record, query))
    if cards == 1 or record["verdict"] == "FAIL":
        return lines(text, (yield from _wider(record, query)))
    one = yield from estimated(query.without([Role.CARDS]), weights=record["weights"])
    does = "does not hold that" if one["verdict"] == "FAIL" else f"does {figure(one, _RATE)}"
    more = f"More cards bring room, hardly speed: one alone {does}."
    pair = (more, first) if BRINGS.search(query.question) else (first, more)
    return lines(*pair, rest, sentence(SPLIT))


def _wider(record: Record, query: Query) -> Answering:
    """The widest format that fits with room too, where nobody named one."""
    if is_format_named(query) or kept_format(query) or record["weights"] != NARROW:
        return ""
    wide = yield from estimated(query, weights=None)
    if wide.result is None or wide["verdict"] != "PASS" or wide["weights"] == NARROW:
        return ""
    rate = f", {wide.ref(_RATE, '~')}" if wide.knows(_RATE) else ""
    return f"{wide.ref('weights')} fits too: {wide.ref('total_bytes', 'GiB')}{rate}."


def _changed(record: Record, query: Query) -> str:
    """That the format of before, or the usual context, is not that of this answer."""
    before, usual = kept_format(query), not query.has(Role.CONTEXT, Role.PROMPT)
    if record["verdict"] == "FAIL":
        return ""
    if usual and (record.number("context") or 0) < USUAL_CONTEXT and "longest" not in query.asks:
        return f"{USUAL_CONTEXT:,} tokens each do not fit; this is at {record.ref('context')} each."
    if not before or record["weights"] == before or is_narrow(before):
        return ""
    if query.has(Role.CLAIMED_HZ, Role.RATE_HZ):
        return f"That is in {record.ref('weights')}; {before} of before is slower or does not fit."
    return f"{before} of before does not go here, so it is {record.ref('weights')} now."


def _with_what_would_do(said: str, record: Record, query: Query) -> Answering:
    """Of what does not fit one: another format, the computer around it, several, another card."""
    other = (yield from estimated(query, weights=None)) if is_format_named(query) else record
    if other["verdict"] in ("PASS", "MARGINAL") and not is_narrow(str(other["weights"])):
        room = f"{other.ref('total_bytes', 'GiB')} of {other.ref('ram_bytes', 'GiB')}"
        first, _, rest = said.partition("\n")
        widest = (
            f"In {other.ref('weights')}, the widest that does, it fits: {room} and {figure(other, _RATE)}."
        )
        return lines(
            first,
            widest,
            rest,
            f"The cheapest that holds {record.ref('weights')}: {(yield from _cheapest_for(record, query))}",
        )
    if takes_few_bits(record, query):
        in_four = yield call_of("estimate_generation", query, **asked(query) | {"weights": NARROW})
        record = in_four if in_four.result else record
    one = record.number("ram_bytes") or 1.0
    count = math.ceil((record.number("total_bytes") or 0.0) / one)
    together = yield from estimated(query, memory_bytes=int(count * one), weights=record["weights"])
    rate = f": {figure(together, _RATE)}, its layers split over them"
    size = host_bytes(query)
    return lines(
        said,
        _beside(record, int(size)) if size else "",
        f"{{{{ceil({record.id}.total_bytes/{record.id}.ram_bytes)|count}}}} of them together have room for "
        f"{record.ref('weights')}{rate if together.result else ''}.",
        f"Alone it fits: {(yield from _cheapest_for(record, query))}",
    )


def _cheapest_for(record: Record, query: Query) -> Answering:
    return (yield from targets_for(query, str(record["model"]), with_table=False))


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


def _in_each(named: Sequence[tuple[str, Query]]) -> Answering:
    """Formats of weights side by side; a token reads all weights, so that their ratio bounds the gain."""
    found: list[tuple[str, Record]] = []
    for name, one in named[:_LISTED]:
        found.append((name, needed((yield from estimated(one, target=BARE_MEMORY)))))
    found.sort(key=lambda each: each[1].number("weights_bytes") or 0.0)
    (few, least), (many, most) = found[0], found[-1]
    times = f"{{{{{most.id}.weights_bytes/{least.id}.weights_bytes|x}}}}"
    takes = [f"{name} {one.ref('weights_bytes', 'GiB')}" for name, one in (found[0], found[-1])]
    cells = [
        [name, one.ref("weights_bytes", "GiB"), one.ref("total_bytes", "GiB"), one.ref("max_context")]
        for name, one in found
    ]
    unfit = joined(name for name, one in found if one["verdict"] == "FAIL")
    return lines(
        f"The weights take {joined(takes)}, {times} as much: a token reads them all, so that {few} writes at "
        f"most {times} as fast as {many}.",
        f"{unfit} does not fit." if unfit else "",
        table(["", "weights", "in all", "context that fits"], cells),
    )


def _of_memory(query: Query) -> Answering:
    """What goes into so many bytes, of whatever hardware; what a model takes where none are said."""
    named = kinds(query)
    if len(set(query.all(Role.WEIGHTS))) > 1:
        return (yield from _in_each(named))
    if len(named) > 1:
        return (yield from _of_several(query, named))
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
    first = (yield from _not_in_the_usual(query, target=BARE_MEMORY)) if narrow else ""
    yes = f"Only in {record.ref('weights')}: " if narrow else "Yes, it fits: " if "fit" in query.asks else ""
    takes = (
        f"{yes}{model} takes {record.ref('total_bytes', 'GiB')} of {room}: {stored}, {kept} and "
        f"{record.ref('buffer_bytes', 'GiB')} of buffers."
    )
    longest = f"{record.ref('max_context')} tokens of context fit {room}."
    return lines(first, *((longest, takes) if "longest" in query.asks else (takes, longest)))


def _not_in_the_usual(query: Query, **given: Any) -> Answering:
    """What the usual format takes too much, and whether a smaller cache would do."""
    given["weights"] = NARROW
    usual = needed((yield from estimated(query, **given)))
    small = usual if query.has(Role.KV) else needed((yield from estimated(query, **given, kv="q8_0")))
    does = (
        f"With the cache in {small.ref('kv')} it fits: {small.ref('total_bytes', 'GiB')}."
        if small["verdict"] != "FAIL"
        else "Below that much quality is lost."
    )
    if "target" not in given and usual.number("most_gpu_layers"):
        does += f" {usual.ref('most_gpu_layers')} of {usual.ref('layers')} layers fit the GPU."
    return (
        f"Not in the usual {usual.ref('weights')}: {usual.ref('total_bytes', 'GiB')} of "
        f"{usual.ref('ram_bytes', 'GiB')} at {usual.ref('context')} tokens. {does}"
    )


def _of_several(query: Query, named: Sequence[tuple[str, Query]]) -> Answering:
    """What each of several takes, and whether that fits where a size is said."""
    parts, fits = [], []
    for name, one in named[:_LISTED]:
        record = needed((yield from estimated(one, target=BARE_MEMORY)))
        parts.append(f"{record.ref('kv_cache_bytes', 'GiB')} with {name} at {record.ref('context')} tokens")
        does = "does not fit" if record["verdict"] == "FAIL" else "fits"
        fits.append(f"with {name} it {does}: {record.ref('total_bytes', 'GiB')} in {record.ref('weights')}")
    first = f"The key-value cache of {joined(language_models(query)[:1])} takes {joined(parts)}."
    room = f"Of {said(query, Role.RAM_BYTES)}: {'; '.join(fits)}." if query.number(Role.RAM_BYTES) else ""
    return lines(first, room)
