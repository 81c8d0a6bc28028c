"""The rules that one hardware file has to keep, one function each; its docstring is the rule."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .cited import ClaimKind
from .claims import citations, claims, leaves
from .errors import YamlPath
from .names import folded
from .plausibility import CLOCKS, SIZES, SPANS, UNITS, WORDS, Span
from .problem import Problem
from .schema import Runtime, Target
from .yaml_reader import Document

Rule = Callable[[Any, Document], Iterator[Problem]]


def cited(entry: Target | Runtime, document: Document) -> Iterator[Problem]:
    """Every claim names a source of its file and a place in it."""
    for path, source, locator in citations(entry):
        if source not in entry.sources:
            known = ", ".join(entry.sources)
            yield Problem.at(document, (*path, "source"), f"no source {source!r}", f"Sources here: {known}.")
        if not locator.strip():
            yield Problem.at(document, (*path, "locator"), "no locator", "Say where in the source it stands.")


ADDRESS = re.compile(r"(?:https?://)?[\w-]+(?:\.[\w-]+)+(?:/\S+|/? [\w.-]+/\S+)")
"""A host and a path on it; behind a repository may stand the path of a file."""
DOCUMENT = re.compile(r"[\w-]+(?:\.[\w-]+)+, .+, (?:page|table|section)s? .+")
"""Whose document it is, its name, and where in it."""


def addressed(entry: Target | Runtime, document: Document) -> Iterator[Problem]:
    """Every source can be opened: it has an address, or is a maker's document with the page."""
    for key, source in entry.sources.items():
        if source.kind is not ClaimKind.ASSUMED and not (
            ADDRESS.match(source.where) or DOCUMENT.fullmatch(source.where)
        ):
            remedy = "Give its address, or whose document it is, its name and the page or table."
            yield Problem.at(document, ("sources", key), f"no address: {source.where!r}", remedy)


def sources_used(entry: Target | Runtime, document: Document) -> Iterator[Problem]:
    """Every source is cited."""
    cited_keys = {citation.source for citation in citations(entry)}
    for key in entry.sources:
        if key not in cited_keys:
            yield Problem.at(document, ("sources", key), "a source that nothing cites", "Cite or remove it.")


def conflicts_explained(entry: Target | Runtime, document: Document) -> Iterator[Problem]:
    """Where sources disagree, the choice says why; where they agree, none is listed as disagreeing."""
    for path, leaf in leaves(entry):
        if leaf.others and not leaf.chosen_because:
            yield Problem.at(document, path, "a conflict without chosen_because", "Say why this one is used.")
        if leaf.chosen_because and not leaf.others:
            yield Problem.at(document, path, "chosen_because without others", "Add the claim that disagrees.")
        for index, other in enumerate(leaf.others):
            if other.value == leaf.value:
                where = (*path, "others", index)
                yield Problem.at(document, where, "a claim that agrees with the chosen one", "Remove it.")


def units_known(entry: Target | Runtime, document: Document) -> Iterator[Problem]:
    """Every value has its field's unit."""
    for path, claim in claims(entry):
        expected = UNITS.get(_field(path), "1")
        if claim.unit != expected:
            at = (*path, "unit")
            yield Problem.at(document, at, f"unit {claim.unit!r}", f"This field is in {expected!r}.")


def plausible(target: Target, document: Document) -> Iterator[Problem]:
    """Every value is one that real hardware of the target's class can have."""
    for path, claim in claims(target):
        at = (*path, "value")
        name = _field(path)
        if name in WORDS and claim.value not in WORDS[name]:
            words = ", ".join(sorted(WORDS[name]))
            yield Problem.at(document, at, f"{claim.value!r} is not known here", f"One of: {words}.")
        span = _span(target, path)
        if span is not None and not span.holds(claim.value):
            remedy = f"Expected {span.low:g} to {span.high:g} {claim.unit}: check the unit."
            yield Problem.at(document, at, f"{_shown(claim.value)} is not plausible", remedy)


def _shown(value: float) -> str:
    """A file may hold a whole number of any length."""
    return f"{value:g}" if abs(value) < sys.float_info.max else f"{value!r:.40}"


def regions_linked(target: Target, document: Document) -> Iterator[Problem]:
    """`contiguous_with` names other regions of the target, and no region follows two."""
    ids = [region.id for region in target.memories]
    followed: set[str] = set()
    for index, region in enumerate(target.memories):
        for name in region.contiguous_with:
            at = ("memories", index, "contiguous_with")
            if name not in ids or name == region.id:
                yield Problem.at(document, at, f"no other region {name!r}", f"Regions: {', '.join(ids)}.")
            if name in followed:
                yield Problem.at(document, at, f"{name!r} follows two regions", "Link each region once.")
            followed.add(name)


def ids_unique(target: Target, document: Document) -> Iterator[Problem]:
    """Cores, regions, accelerators and power modes have ids of their own."""
    for part in ("cores", "memories", "accelerators", "power"):
        seen: set[str] = set()
        for index, item in enumerate(getattr(target, part)):
            if item.id in seen:
                yield Problem.at(document, (part, index, "id"), f"{item.id!r} twice", "Choose another id.")
            seen.add(item.id)


def nothing_derived(target: Target, document: Document) -> Iterator[Problem]:
    """What follows from other fields is not stored: one of two figures for the same thing is enough."""
    for index, accelerator in enumerate(target.accelerators):
        for dtype in sorted(accelerator.macs_per_cycle.keys() & accelerator.peak.keys()):
            peak = ("accelerators", index, "peak", dtype)
            yield Problem.at(document, peak, "follows from macs_per_cycle", "Keep one of the two.")
    for index, region in enumerate(target.memories):
        if region.bandwidth_bytes_per_s and region.bytes_per_cycle:
            width = ("memories", index, "bytes_per_cycle")
            yield Problem.at(document, width, "follows from bandwidth_bytes_per_s", "Keep one of the two.")


def sorted_lists(target: Target, document: Document) -> Iterator[Problem]:
    """Aliases, families, sources and types stand in alphabetical order."""
    lists: list[tuple[YamlPath, Sequence[str]]] = [
        (("aliases",), target.aliases),
        (("part_numbers",), target.part_numbers),
        (("families",), target.families),
        (("sources",), tuple(target.sources)),
    ]
    for index, core in enumerate(target.cores):
        lists.append((("cores", index, "macs_per_cycle"), tuple(core.macs_per_cycle)))
    for index, accelerator in enumerate(target.accelerators):
        lists.append((("accelerators", index, "peak"), tuple(accelerator.peak)))
    for path, names in lists:
        if list(names) != sorted(names, key=str.casefold):
            yield Problem.at(document, path, "not in alphabetical order", "Sort it.")


def aliases_add(entry: Target | Runtime, document: Document) -> Iterator[Problem]:
    """No alias is spelt like another name of the same entry."""
    seen = {folded(entry.id)}
    for index, alias in enumerate(entry.aliases):
        if folded(alias) in seen:
            yield Problem.at(
                document,
                ("aliases", index),
                f"{alias!r} is a spelling that is known already",
                "Remove it.",
            )
        seen.add(folded(alias))


TARGET_RULES: tuple[Rule, ...] = (
    cited,
    addressed,
    sources_used,
    conflicts_explained,
    units_known,
    plausible,
    regions_linked,
    ids_unique,
    nothing_derived,
    sorted_lists,
    aliases_add,
)
TIDINESS: frozenset[Rule] = frozenset({addressed, sources_used, sorted_lists, aliases_add})
"""Rules that keep the shipped files alike; a user's own file may be untidy."""

RUNTIME_RULES: tuple[Rule, ...] = (cited, addressed, conflicts_explained, units_known)


def _field(path: YamlPath) -> str:
    """Name of the field that a claim stands in, past the place among those that disagree, or its type."""
    if "others" in path:
        path = path[: path.index("others")]
    if "macs_per_cycle" in path:
        return "macs_per_cycle"
    return next(part for part in reversed(path) if isinstance(part, str))


def _span(target: Target, path: YamlPath) -> Span | None:
    name = _field(path)
    match path[0], name:
        case _, "clock_max_mhz" | "clock_mhz":
            return CLOCKS[target.target_class]
        case "memories", "size_bytes":
            return SIZES[target.memories[int(path[1])].kind]
        case _:
            return SPANS.get(name)
