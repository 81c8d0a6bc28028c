"""Where a text names targets, runtimes and models that results speak of, or targets that none speaks of."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import PurePath
from typing import Any, NamedTuple

from ...hardware_db.index import read_index
from ...hardware_db.names import folded

_WORD = re.compile(r"[A-Za-z0-9+@]+")
_GAP = re.compile(r"[ _/-]?")
_MOST_WORDS = 5
_SHORTEST_FOREIGN = 5
_GENERIC = frozenset(("onnx", "tflite", "lite", "pico", "nano"))


class Mention(NamedTuple):
    start: int
    end: int
    kind: str
    """target, runtime, model or layer."""
    value: str


class Known(NamedTuple):
    """What the results of a conversation speak of."""

    targets: frozenset[str]
    runtimes: frozenset[str]
    models: frozenset[str]


def known_in(tool_results: Iterable[Mapping[str, Any]]) -> Known:
    targets: set[str] = set()
    runtimes: set[str] = set()
    models: set[str] = set()
    for record in tool_results:
        result = record.get("result")
        inner = result.get("result", result) if isinstance(result, Mapping) else None
        model = (record.get("arguments") or {}).get("model")
        if isinstance(model, str):
            models.add(model)
        if not isinstance(inner, Mapping):
            continue
        targets.add(str(inner.get("id", "")))
        targets.update(str(inner[side]) for side in ("one", "other") if isinstance(inner.get(side), str))
        for place in _deployments(inner):
            targets.add(str(place.get("target") or place.get("id") or ""))
            runtimes.add(str(place.get("runtime") or ""))
    return Known(frozenset(targets - {""}), frozenset(runtimes - {""}), frozenset(models - {""}))


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
    found = [*_targets(_without(text, known.runtimes), known.targets)] if known.targets else []
    if len(known.runtimes) > 1:
        found += _literal(text, "runtime", {name: name for name in known.runtimes})
    if len(known.models) > 1:
        found += _literal(text, "model", _model_names(known.models))
    return sorted(found)


def _without(text: str, names: Collection[str]) -> str:
    """A runtime may have the name of a target in its own."""
    for name in names:
        text = text.replace(name, "¤" * len(name))
    return text


def techniques_in(text: str, techniques: Collection[str]) -> list[Mention]:
    return list(_literal(text, "technique", {name: name for name in techniques})) if techniques else []


def _model_names(models: Collection[str]) -> dict[str, str]:
    """Every form that means one model and no other; `net:0.35:int8` may go by `net`."""
    names = {form: name for name in models for form in _forms(name)}
    bases = [name.partition(":")[0] for name in models]
    names.update({base: name for base, name in zip(bases, models, strict=True) if bases.count(base) == 1})
    return names


def _forms(model: str) -> Iterator[str]:
    """A path also goes by its file's name, with and without its ending."""
    path = PurePath(model)
    yield from {
        model,
        path.name,
        path.stem if path.suffix.lower() in (".tflite", ".onnx", ".pt", ".pth") else model,
    }


def _literal(text: str, kind: str, names: Mapping[str, str]) -> Iterator[Mention]:
    either = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    by_name = {name.casefold(): value for name, value in names.items()}
    not_after = r"(?<!runtime )" if kind == "runtime" else ""
    for match in re.finditer(rf"(?<![\w-]){not_after}(?:{either})(?![\w-])", text, re.IGNORECASE):
        yield Mention(match.start(), match.end(), kind, by_name[match[0].casefold()])


def _targets(text: str, known: frozenset[str]) -> Iterator[Mention]:
    """The longest name at each place."""
    keys, foreign = _keys_of(known), _foreign()
    words = [(m.start(), m.end(), folded(m[0])) for m in _WORD.finditer(text)]
    position = 0
    while position < len(words):
        position, mention = _longest(text, words, position, keys, foreign)
        if mention is not None:
            yield mention


def _longest(
    text: str,
    words: list[tuple[int, int, str]],
    first: int,
    keys: Mapping[str, str],
    foreign: Mapping[str, str],
) -> tuple[int, Mention | None]:
    key, found, after = "", None, first + 1
    for last in range(first, min(first + _MOST_WORDS, len(words))):
        start, end, word = words[last]
        if last > first and not _GAP.fullmatch(text, words[last - 1][1], start):
            break
        key += word
        target = keys.get(key) or foreign.get(key)
        if target is not None:
            found, after = Mention(words[first][0], end, "target", target), last + 1
    return after, found


@lru_cache(maxsize=32)
def _keys_of(known: frozenset[str]) -> dict[str, str]:
    """Every spelling that means one of the known targets and no other of them."""
    keys = {folded(target): target for target in known}
    names = read_index().target_names
    for key, target in names.exact.items():
        if target in known and key not in _GENERIC:
            keys.setdefault(key, target)
    cores = {folded(isa) for summary in read_index().targets for isa in summary.isas}
    for key, family in names.families.items():
        members = known.intersection(family)
        if len(members) == 1 and key not in _GENERIC and not any(key in core for core in cores):
            keys.setdefault(key, next(iter(members)))
    return keys


@lru_cache(maxsize=1)
def _foreign() -> dict[str, str]:
    """Targets that no result speaks of, by names that mean nothing else."""
    return {
        key: target
        for key, target in read_index().target_names.exact.items()
        if len(key) >= _SHORTEST_FOREIGN and any(c.isdigit() for c in key) and any(c.isalpha() for c in key)
    }


def named_targets(mentions: Collection[Mention]) -> frozenset[str]:
    return frozenset(mention.value for mention in mentions if mention.kind == "target")
