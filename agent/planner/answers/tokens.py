"""Pieces of sentences about one language model on one target: which it is, what it takes, what of it fits."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....hardware_db.later import Later
from ....tools.model_zoo.language_model import language_model, language_model_names, load_catalogue
from ..bench import Record
from ..query import Query, Role
from .phrases import figure

if TYPE_CHECKING:
    from ....tools.generation import published
else:
    published = Later("....tools.generation.published", __package__)


def split_over(record: Record) -> str:
    """Of one model over several: ggml-org/llama.cpp docs/multi-gpu.md, split mode `layer`, its default."""
    default = ", as llama.cpp does by default" if record["runtime"] in (None, "llama.cpp") else ""
    return (
        f"Layers are split over the cards, which compute each token one after the other{default}; splitting "
        "within layers can be faster, and is not calculated."
    )


def where(record: Record) -> str:
    """Which model on what, and how."""
    place = f"{record.ref('model')} on {on_cards(record)} with {record.ref('runtime')}"
    kept = "" if record["kv"] == "f16" else f", its cache in {record.ref('kv')}"
    return f"{place}, {record.ref('weights')}{kept}{for_sessions(record, ', ')}"


def on_cards(record: Record) -> str:
    """The target, and how many of it."""
    many = f"{record.ref('cards')} x " if (record.number("cards") or 1) > 1 else ""
    return f"{many}{record.ref('target')}"


def for_sessions(record: Record, before: str = " for ") -> str:
    return f"{before}{record.ref('batch')} sessions" if (record["batch"] or 1) > 1 else ""


def in_all(record: Record, before: str = " ") -> str:
    """That a rate is of all sessions; empty of one alone."""
    return f"{before}for all {record.ref('batch')} together" if (record["batch"] or 1) > 1 else ""


def weights(record: Record) -> str:
    return f"{record.ref('weights_bytes', 'GiB')} of weights"


def cache(record: Record) -> str:
    return f"{record.ref('kv_cache_bytes', 'GiB')} of key-value cache at {record.ref('context')} tokens"


def cache_room(record: Record) -> str:
    """What weights and buffers leave to the cache of what the runtime takes, and how many tokens that is."""
    if not record.knows("usable_bytes") or record["verdict"] == "FAIL":
        return ""
    i, held = record.id, "held_context" if record.knows("held_context") else "max_context"
    left = f"{{{{{i}.usable_bytes-{i}.weights_bytes-{i}.buffer_bytes|GiB}}}} are left for the key-value cache"
    taken = f"of {record.ref('usable_bytes', 'GiB')} that {record.ref('runtime')} takes of {given(record)}"
    rest = f"beside {weights(record)} and {record.ref('buffer_bytes', 'GiB')} of buffers"
    return f"{left}, {taken}, {rest}: {record.ref(held)} tokens{for_sessions(record, ' for each of ')}."


def filled(record: Record) -> str:
    return f"{record.ref('total_bytes', 'GiB')} of {record.ref('ram_bytes', 'GiB')}"


def left_of(record: Record) -> str:
    return f"{record.ref('left_bytes', 'GiB')} of {record.ref('ram_bytes', 'GiB')}"


def tight(record: Record) -> str:
    """That it takes more than it is given by default, or hardly less."""
    beyond = (record.number("total_bytes") or 0.0) > (record.number("usable_bytes") or math.inf)
    close = record["verdict"] == "MARGINAL" or beyond
    return f"Mind that {record.ref('headroom')}." if close and record["headroom"] else ""


def given(record: Record) -> str:
    """The memory that there is, or what the system leaves of it where that is told."""
    ram, system = record.ref("ram_bytes", "GiB"), str(record["headroom"] or "").partition(" ")[0]
    if system not in _GIVES or not record.knows("usable_bytes"):
        return ram
    return f"the {record.ref('usable_bytes', 'GiB')} that {system} gives {_GIVES[system]} of {ram}"


_GIVES = {"macOS": "its GPU", "iOS": "an app at most"}


def offloaded(record: Record) -> str:
    """With the layers that the card does not hold in its computer's memory; empty where that is no way."""
    rate = "offloaded.decode_tokens_per_s"
    if record["offloaded"] and record["offloaded"]["verdict"] == "FAIL":
        said = record.arguments.get("host_memory_bytes")
        there = f" of {said / 2**30:g} GiB" if said else ""
        rest = record.ref("offloaded.host_bytes", "GiB")
        return f"The computer's memory does not hold the rest, {rest}{there}."
    told = f"{figure(record, rate)}{in_all(record, ', ')}, {record.ref('offloaded.statement')}."
    return told if record.knows(rate) else ""


def ended_by(record: Record) -> str:
    """That the model itself ends its context, and how much more the memory holds; empty where memory does."""
    name = str(record["model"])
    if name not in language_model_names() or record.number("max_context") != language_model(name).context:
        return ""
    more = f", which has room for {record.ref('held_context')}" if record.knows("held_context") else ""
    return f"which is what {record.ref('model')} was made for: it ends that, not the memory{more}"


_MADE = "was made for"


def made_for(record: Record, query: Query) -> str:
    """`beyond`, where a length is said."""
    return beyond(record) if query.has(Role.CONTEXT, Role.PROMPT) else ""


def beyond(record: Record) -> str:
    """That a context or a prompt is beyond what the model was made for, and one of its shape for more."""
    name, asked, shorter = str(record["model"]), record.number("context") or 0.0, warned(record, _MADE)
    if not shorter:
        return ""
    own = language_model(name) if name in language_model_names() else None
    others = [each for each in load_catalogue().models if own and published.same_shape(each, own)]
    enough = min((each for each in others if each.context >= asked), key=lambda e: e.context, default=None)
    other = f"; {enough.id}, of the same shape, was made for more" if enough else ""
    return f"But {shorter}: beyond that it answers badly{other}."


def warned(record: Record, words: str) -> str:
    """The warning that says so; empty where none does."""
    at = next((i for i, text in enumerate(record["warnings"] or ()) if words in text), None)
    return "" if at is None else record.ref(f"warnings[#{at}]")
