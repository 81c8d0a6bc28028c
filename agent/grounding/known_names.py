"""Where a text names targets, runtimes, models, regions and techniques, of the results or of no result."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from ...hardware_db.index import read_index
from ...hardware_db.names import folded
from .described import described_in
from .model_names import model_forms, other_models
from .operators import OPERATOR, operators_in

_WORD = re.compile(r"[A-Za-z0-9+@]+")
_GAP = re.compile(r"[ _/-]?|-based ")
_MOST_WORDS = 6
_SHORTEST_FOREIGN = 5
_SHORTEST_APART = 3
"""Letters of a name that is written in several words."""
_GENERIC = frozenset(
    ("onnx", "tflite", "lite", "pico", "nano", "tflm", "tflitemicro", "tensorflowlite", "tensorflowlitemicro",
     "tensorflow", "torch", "coral", "litert", "izer", "edgeimpulse", "onnxruntime")
)  # fmt: skip
_IS_SOURCE = re.compile(
    r"(?:['’]s?)?[\s*_`]+(?:GitHub )?(?:repositor\w+|repos?|papers?|README|authors?|project|teams?|"
    r"benchmarks?|"
    r"publications?|data ?sets?|measurements)(?!\w)",
    re.IGNORECASE,
)
"""Who measured, not what runs."""
_TFLM = ("tflm", "tflitemicro", "tensorflowlitemicro")
EVERY = "*"
"""Stands for several of a kind, of which the text does not say which."""
_GROUP = re.compile(
    r"(?<!\w)(?:(?:both|all|others?|rest|remaining|two|three|four|five|top)(?: [\w-]+){0,2} (?:boards?|"
    r"parts?|chips?|"
    r"targets?|mcus?|devices?|candidates?|deployments?|ones?|others?|options)|the others?|the rest|both|"
    r"each (?:of them|board|chip|target)|every (?:board|chip|target)|elsewhere)(?!\w)",
    re.IGNORECASE,
)


_BOTH_CHANGES = re.compile(
    r"(?<!\w)(?:both|the two) (?:changes|steps|measures|techniques|optimi[sz]ations)", re.I
)
_FORMER = re.compile(r"(?<!\w)the (?P<which>former|latter)(?!\w)", re.IGNORECASE)
_FORMER_REACH = 300
_TWO = 2


class Mention(NamedTuple):
    start: int
    end: int
    kind: str
    """target, runtime, model, region, technique or layer."""
    value: str


class Known(NamedTuple):
    """What the results of a conversation speak of."""

    targets: frozenset[str]
    runtimes: frozenset[str]
    models: frozenset[str]
    regions: frozenset[str]


def known_in(tool_results: Iterable[Mapping[str, Any]]) -> Known:
    targets: set[str] = set()
    runtimes: set[str] = set()
    models: set[str] = set()
    regions: set[str] = set()
    for record in tool_results:
        result = record.get("result")
        inner = result.get("result", result) if isinstance(result, Mapping) else None
        arguments = record.get("arguments") or {}
        models.update(arguments[key] for key in ("model", "before", "after") if _is_text(arguments.get(key)))
        if not isinstance(inner, Mapping):
            continue
        targets.add(str(inner.get("id", "")))
        targets.update(str(inner[side]) for side in ("one", "other") if isinstance(inner.get(side), str))
        regions.update(
            str(row["region"])
            for row in inner.get("regions") or ()
            if isinstance(row, Mapping) and "region" in row
        )
        regions.update(_regions_told_apart(inner.get("differences") or ()))
        for place in _deployments(inner):
            targets.add(str(place.get("target") or place.get("id") or ""))
            runtimes.add(str(place.get("runtime") or ""))
    return Known(*(frozenset(those - {""}) for those in (targets, runtimes, models, regions)))


def _regions_told_apart(rows: Iterable[Any]) -> Iterator[str]:
    for row in rows:
        field = row.get("field") if isinstance(row, Mapping) else None
        if isinstance(field, str) and field.startswith("memories."):
            yield field.split(".")[1]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _deployments(inner: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if isinstance(inner.get("deployment"), Mapping):
        yield inner["deployment"]
    for key, part in inner.items():
        if isinstance(part, list | tuple):
            for row in part:
                if not isinstance(row, Mapping):
                    break
                if isinstance(row.get("target"), str) or key == "targets":
                    yield row


def mentions_in(text: str, known: Known) -> list[Mention]:
    found = list(_named(text, known))
    taken = [(mention.start, mention.end) for mention in found]
    models = [*_literal(text, "model", model_forms(known.models)), *other_models(text, known.models)]
    found += [Mention(*m[:2], "model", m[3]) for m in models if not _inside(m[0], m[1], taken)]
    found += _literal(
        text, "region", {form: r for r in known.regions - {"flash"} for form in _region_forms(r)}
    )
    found += [Mention(start, end, "layer", OPERATOR + name) for start, end, name in operators_in(text)]
    found += [Mention(m.start(), m.end(), "target", EVERY) for m in _GROUP.finditer(text)]
    return sorted([*found, *_former_and_latter(text, sorted(found))])


def _former_and_latter(text: str, mentions: Sequence[Mention]) -> Iterator[Mention]:
    """Of the last two that were named of a kind."""
    for match in _FORMER.finditer(text):
        before = [m for m in mentions if match.start() - _FORMER_REACH < m.start < match.start()]
        for kind in ("target", "runtime", "model"):
            values = list(dict.fromkeys(m.value for m in before if m.kind == kind))
            if len(values) == _TWO:
                value = values[match["which"].casefold() == "latter"]
                yield Mention(match.start(), match.end(), kind, value)
                break


def _region_forms(region: str) -> Iterator[str]:
    """axi-sram is spelt in several ways."""
    for joint in ("-", " ", "_", ""):
        yield region.replace("-", joint)


def _inside(start: int, end: int, taken: Iterable[tuple[int, int]]) -> bool:
    return any(first <= start and end <= last for first, last in taken)


def techniques_in(text: str, techniques: Collection[str]) -> list[Mention]:
    """By their names or by what they do; of several that were joined, also by each of them."""
    steps = {step for name in techniques for step in name.split(" + ")}
    if not steps:
        return []
    named = list(_literal(text, "technique", {name: name for name in steps | set(techniques)}))
    taken = {m.value for m in named}
    described = [*described_in(text, steps - taken), *_both(text, techniques)]
    return sorted([*named, *(Mention(start, end, "technique", name) for start, end, name in described)])


def _both(text: str, techniques: Collection[str]) -> Iterator[tuple[int, int, str]]:
    """Both changes: the only two that a result has joined."""
    pairs = [name for name in techniques if name.count(" + ") == 1]
    for match in _BOTH_CHANGES.finditer(text) if len(pairs) == 1 else ():
        yield match.start(), match.end(), pairs[0]


def _literal(text: str, kind: str, names: Mapping[str, str]) -> Iterator[Mention]:
    if not names:
        return
    either = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    by_name = {name.casefold(): value for name, value in names.items()}
    for match in re.finditer(rf"(?<![\w-])(?:{either})(?![\w-])", text, re.IGNORECASE):
        yield Mention(match.start(), match.end(), kind, by_name[match[0].casefold()])


def _named(text: str, known: Known) -> Iterator[Mention]:
    """The longest name at each place."""
    keys = _keys_of(known.targets, known.runtimes)
    words = [(m.start(), m.end(), folded(m[0])) for m in _WORD.finditer(text)]
    position = 0
    while position < len(words):
        position, mention = _longest(text, words, position, keys)
        if mention is not None and not (mention.kind == "runtime" and _IS_SOURCE.match(text, mention.end)):
            yield mention


def _longest(
    text: str, words: list[tuple[int, int, str]], first: int, keys: Mapping[str, tuple[str, str]]
) -> tuple[int, Mention | None]:
    key, found, after = "", None, first + 1
    for last in range(first, min(first + _MOST_WORDS, len(words))):
        start, end, word = words[last]
        if last > first and not _GAP.fullmatch(text, words[last - 1][1], start):
            break
        key += word
        meaning = keys.get(key)
        if meaning is not None and (last == first or len(key) >= _SHORTEST_APART):
            found, after = Mention(words[first][0], end, *meaning), last + 1
    return after, found


@lru_cache(maxsize=32)
def _keys_of(targets: frozenset[str], runtimes: frozenset[str]) -> dict[str, tuple[str, str]]:
    """Every spelling that means one of the known targets and no other of them; runtimes; other targets."""
    keys = {key: ("target", target) for key, target in _foreign().items()} if targets else {}
    keys |= {key: ("runtime", name) for key, name in _runtime_keys().items()}
    if targets:
        keys |= {key: ("target", target) for key, target in _target_keys(targets).items()}
    of_tflm = [name for name in runtimes if name.startswith("tflm-")]
    if len(of_tflm) == 1:
        keys |= dict.fromkeys(_TFLM, ("runtime", of_tflm[0]))
    return keys | {folded(name): ("runtime", name) for name in runtimes}


@lru_cache(maxsize=1)
def _runtime_keys() -> dict[str, str]:
    names = read_index().runtime_names.exact
    return {key: name for key, name in names.items() if key not in _GENERIC and len(key) > 3}


def _target_keys(known: frozenset[str]) -> dict[str, str]:
    keys: dict[str, str] = {folded(target): target for target in known}
    names = read_index().target_names
    for key, target in names.exact.items():
        if target in known and key not in _GENERIC:
            keys.setdefault(key, target)
    cores = {folded(isa) for summary in read_index().targets for isa in summary.isas}
    for key, family in names.families.items():
        members = known.intersection(family)
        if len(members) == 1 and key not in _GENERIC and not any(key in core for core in cores):
            keys.setdefault(key, next(iter(members)))
    for key, target in _ends_of(known).items():
        keys.setdefault(key, target)
    return keys


def _ends_of(known: frozenset[str]) -> dict[str, str]:
    """The last parts of a name, where they mean one of the known: E8 of ensemble-e8."""
    found: dict[str, set[str]] = {}
    for target in known:
        parts = target.split("-")
        for first in range(1, len(parts)):
            end = "".join(parts[first:])
            if end[0].isalpha() and any(c.isdigit() for c in end):
                found.setdefault(folded(end), set()).add(target)
    return {key: next(iter(those)) for key, those in found.items() if len(those) == 1}


@lru_cache(maxsize=1)
def _foreign() -> dict[str, str]:
    """Targets that no result speaks of, by names that mean nothing else."""
    return {
        key: target
        for key, target in read_index().target_names.exact.items()
        if len(key) >= _SHORTEST_FOREIGN and any(c.isdigit() for c in key) and any(c.isalpha() for c in key)
    }


def named_in(mentions: Collection[Mention]) -> Callable[[str], bool]:
    """Which targets of a long list the text may mean."""
    names = {mention.value for mention in mentions if mention.kind == "target"}
    return names.__contains__
