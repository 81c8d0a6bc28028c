"""Whether a fact is of the target, runtime, model, change, clock, region and layer that a sentence names."""

from __future__ import annotations

import re
from collections.abc import Collection

from .facts import SEVERAL, Fact, Kind
from .families import Family
from .known_names import EVERY
from .operators import OPERATOR, is_operator
from .report import USER
from .subjects import Spoken
from .words import CHANGE_WORDS, TECHNIQUE_WORDS

NAMED = ("target", "runtime", "model", "technique")
_OF_CLOCK = frozenset((Family.TIME, Family.RATE, Family.ENERGY, Family.POWER))
_OF_REGION = frozenset((Family.BYTES, Family.BANDWIDTH, Family.RATIO, Family.BYTES_PER_CYCLE))
_ASKED_TAGS = frozenset(("limits", "limit", "bound"))
_ALL_OF_THEM = frozenset(
    (
        "comb",
        "toge",
        "both",
        "plus",
        "ever",
        "list",
        "chan",
        "alle",
        "zusa",
        "ense",
        "tout",
        "todo",
        "best",
        "shor",
    )
)
"""First letters of words that speak of several changes at once."""


def is_of_subject(spoken: Spoken, fact: Fact, layered: Collection[tuple[int | None, Family]]) -> bool:
    """Whether the fact is of what the sentence names, as far as both tell. `layered`: what is told of "
    "layers."""
    if fact.call == USER:
        return True
    named, subject = spoken.named, fact.subject
    for told, own in zip(
        NAMED, (subject.target, subject.runtime, subject.model, subject.technique), strict=True
    ):
        if own and told in named and not same_name(named[told], own):
            if told == "technique" and fact.kind is Kind.TEXT and own in named[told].split(" + "):
                continue  # what is said of one of several steps
            return False
    if " + " in subject.technique and not _told_as_one(spoken, subject.technique):
        return False
    if subject.versus and not same_name(spoken.others.get("target", subject.versus), subject.versus):
        return False
    if not _at_clock(spoken, fact) or not _in_region(named.get("region"), fact):
        return False
    changed = subject.technique and (fact.family is Family.RATIO or ".after." in fact.path)
    if changed and not _about_technique(spoken, subject.technique):
        return False
    if subject.layer is not None and not spoken.of_layers:
        return False
    layer = named.get("layer")
    if layer is None or fact.family is Family.INDEX:
        return True
    if layer.startswith(OPERATOR):
        return not subject.op or is_operator(layer, subject.op)
    if layer == EVERY:
        return True
    if subject.layer is not None:
        return str(subject.layer) == layer
    return not (spoken.first_of_layer and (int(layer), fact.family) in layered)


def _told_as_one(spoken: Spoken, technique: str) -> bool:
    """Several changes, and not only one of them."""
    said = spoken.named.get("technique", technique)
    return " + " in said or said == EVERY or not spoken.beginnings.isdisjoint(_ALL_OF_THEM)


def same_name(said: str, own: str) -> bool:
    """What is said may be one of several, and a network may be spoken of without its variant."""
    if said == own or EVERY in said.split("|"):
        return True
    parts = own.split(" + ")
    return own in said.split("|") or own.partition(":")[0] == said or (len(parts) > 1 and said in parts)


def _at_clock(spoken: Spoken, fact: Fact) -> bool:
    """At one of the clocks that are said."""
    own = fact.subject.clock
    if not spoken.clocks or own is None or fact.family not in _OF_CLOCK or fact.kind is Kind.TEXT:
        return True
    if not fact.tags.isdisjoint(_ASKED_TAGS):
        return True
    return any(abs(own - clock) <= allowed for clock, allowed in spoken.clocks)


def _in_region(said: str | None, fact: Fact) -> bool:
    own = fact.subject.region or (SEVERAL if "total" in fact.tags else "")
    if not said or not own or fact.family not in _OF_REGION:
        return True
    return said in own.split(" + ") or own in said.split("|")


def _about_technique(spoken: Spoken, technique: str) -> bool:
    """Whether the sentence names the change, or at least speaks of one like it."""
    if "technique" in spoken.named:
        return True
    roots = {word[:4].casefold() for word in re.findall(r"[a-z]{4,}|[a-z]+\d+", technique, re.IGNORECASE)}
    return not spoken.beginnings.isdisjoint(
        roots | CHANGE_WORDS | {other for root in roots for other in TECHNIQUE_WORDS.get(root, ())}
    )
