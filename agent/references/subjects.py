"""What a reference is of, and what the words around it speak of: the same target, model, layer, clock."""

from __future__ import annotations

import bisect
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from ...hardware_db.errors import InputError
from ...hardware_db.user_files import Directories
from ...tools.core.paths import steps, trail
from ..names import Kind, find_names
from .evaluation import Results
from .filling import Hole
from .passages import Passages, names_in

Subjects = Mapping[str, frozenset[str]]
"""target, runtime, model, layer … → the ids that a reference or a mention may be of."""
_LONGEST = 100_000
"""Characters in which subjects are looked for."""
_OF_A_ROW = ("target", "runtime", "clock_mhz", "batch", "threads", "dtype", "region", "technique")
_KEYED = {"layers": "layer", "ops": "layer", "timeline": "layer", "checks": "check", "options": "technique"}
_OTHERS = frozenset({"network", "device", "stands_on"})
"""Fields of a row that is of another case, such as a measurement that stands behind an estimate."""
_CHANGED = frozenset({"dtype", "runtime", "clock_mhz", "batch", "threads"})
"""What a change of the model or of the deployment may change."""
OF_PARTS = frozenset({"layer", "technique"})
"""Kinds that a result also has figures of the whole of."""
_TWO = 2
_SPOKEN_OF_ON = frozenset({"target", "model"})
"""What a sentence is still about that the one before it named."""
_KINDS = {
    Kind.TARGET: "target",
    Kind.RUNTIME: "runtime",
    Kind.MODEL: "model",
    Kind.FILE: "model",
    Kind.DTYPE: "dtype",
}
_CLOCK = re.compile(r"(?:\bat|@)\s?(\d+(?:\.\d+)?)\s?(MHz|GHz)\b", re.I)
_BATCH = re.compile(r"\bbatch(?:es)?(?: size)?(?: of)? (\d+)\b", re.I)
_LAYER = re.compile(
    r"\b(?:layers?|operators?|ops?)(?: index)? #?(\d+)(?:((?:, \d+)*),? (?:and|to) (\d+))?", re.I
)
_ASIDE = re.compile(
    r"\b(?:than|instead of|without|against|versus|vs\.?|not|unlike|compared (?:to|with)|over|like)"
    r"(?: (?:the|with|on|using|a|an|for))*[ (]*$",
    re.I,
)
"""Before a subject that is only compared with."""


@dataclass(frozen=True, slots=True)
class Mention:
    start: int
    end: int
    kind: str
    ids: frozenset[str]
    aside: bool = False


class Misplaced(NamedTuple):
    """A reference in words that speak of something else."""

    hole: Hole
    why: str
    mark: str = ""
    """What it is of, in few words."""


def subjects_of(
    hole: Hole, records: Mapping[str, Mapping[str, Any]], own: Directories | None = None
) -> list[Subjects]:
    """Of each path of a reference."""
    return [_of_path(path, records, own) for path in hole.amount.paths]


def _of_path(path: str, records: Mapping[str, Mapping[str, Any]], own: Directories | None) -> Subjects:
    record, _, inside = path.partition(".")
    called = records[record]
    result, arguments = called.get("result") or {}, called.get("arguments") or {}
    found: dict[str, frozenset[str]] = {}
    for name in ("model", "dtype"):
        named = [
            value for value in (arguments.get(name), result.get(name)) if isinstance(value, str) and value
        ]
        if named:
            found[name] = frozenset(map(_folded, named))
    try:
        nodes = trail(re.sub(r"\[([^\[\],]*),[^\[\]]*\]", r"[\1]", inside), result)
    except InputError:
        return found
    found |= _of_node(result)
    for step, node, owner in zip(steps(inside), nodes[1:], (None, *steps(inside)), strict=False):
        found |= _of_node(node)
        kind = _KEYED.get(owner.name) if owner is not None and step.is_row else None
        if kind is not None and isinstance(node, Mapping):
            its_name = node.get("index") if kind == "layer" else node.get("technique", node.get("name"))
            found[kind] = frozenset({str(step.name.removeprefix("#") if its_name is None else its_name)})
        if isinstance(node, Mapping) and _OTHERS & node.keys():
            found = {name: ids for name, ids in found.items() if name in node} | _of_a_case(node, own)
        if step.name in ("before", "after"):
            found["state"] = frozenset({step.name})
    if "technique" in found or "state" in found:
        found = {name: ids for name, ids in found.items() if name not in _CHANGED}
    return found


def _of_node(node: Any) -> dict[str, frozenset[str]]:
    if not isinstance(node, Mapping):
        return {}
    place = node.get("deployment")
    fields = {**(place if isinstance(place, Mapping) else {}), **node}
    return {
        name: frozenset({f"{value:g}" if isinstance(value, int | float) else value})
        for name in _OF_A_ROW
        if isinstance(value := fields.get(name), str | int | float)
        and value != ""
        and not isinstance(value, bool)
    }


def _of_a_case(row: Mapping[str, Any], own: Directories | None) -> dict[str, frozenset[str]]:
    """Of a row that is of another case: the device and the network that it names."""
    found: dict[str, frozenset[str]] = {}
    device, network = row.get("device"), row.get("network")
    if isinstance(device, str):
        ids = [
            identifier
            for name in find_names(device, own)
            if name.kind is Kind.TARGET
            for identifier in name.ids
        ]
        found |= {"target": frozenset(ids)} if ids else {}
    if isinstance(network, str):
        found["model"] = frozenset({_folded(network)})
    return found


def mentions_in(
    text: str,
    results: Results,
    figures: Sequence[tuple[int, int]] = (),
    own: Directories | None = None,
) -> list[Mention]:
    """Every subject that a text names; `figures` are no part of a name."""
    words = list(text)
    for start, end in figures:
        words[start:end] = "#" * len(words[start:end])
    found = [
        Mention(
            n.start,
            n.end,
            _KINDS[n.kind],
            frozenset(map(_id, n.ids)),
            _ASIDE.search(text[max(0, n.start - 40) : n.start]) is not None,
        )
        for n in names_in("".join(words), own)
        if n.kind in _KINDS and n.ids
    ]
    for match in _CLOCK.finditer(text):
        mhz = float(match[1]) * (1e3 if match[2].lower() == "ghz" else 1)
        found.append(Mention(match.start(), match.end(), "clock_mhz", frozenset({f"{mhz:g}"})))
    found += [Mention(m.start(), m.end(), "batch", frozenset({m[1]})) for m in _BATCH.finditer(text)]
    for match in _LAYER.finditer(text):
        numbers = re.findall(r"\d+", match[0])
        found.append(Mention(match.start(), match.end(), "layer", frozenset(numbers)))
    for technique in _techniques(results):
        pattern = rf"(?<![\w-]){re.escape(technique)}(?![\w-])"
        found += [
            Mention(m.start(), m.end(), "technique", frozenset({technique}))
            for m in re.finditer(pattern, text, re.I)
        ]
    return sorted(found, key=lambda m: m.start)


def _techniques(results: Results) -> set[str]:
    rows = [row for result in results.values() for row in ((result or {}).get("options") or ())]
    names = {row.get("technique") for row in rows if isinstance(row, Mapping)}
    return {name for name in names if isinstance(name, str) and len(name) > 3}


def _id(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+", name) else _folded(name)


def _folded(name: str) -> str:
    """A model by the last part of its path, without what goes on behind a colon."""
    return name.replace("\\", "/").rpartition("/")[2].lower()


def agree(kind: str, own: frozenset[str], ids: frozenset[str]) -> bool:
    if kind != "model":
        return bool(own & ids)
    return any(_same_model(a, b) for a in own for b in ids)


def _same_model(one: str, other: str) -> bool:
    """`mobilenet_v1:0.25` is a mobilenet_v1, and `kws_ref_model.tflite` may be the kws."""
    short, long = sorted((re.sub(r"[^a-z0-9]", "", one), re.sub(r"[^a-z0-9]", "", other)), key=len)
    if long.startswith(short) or short in long:
        return True
    return _is_file(one) != _is_file(other)


def _is_file(name: str) -> bool:
    return re.search(r"\.[a-z]\w*$", name) is not None


@dataclass(frozen=True)
class Places:
    """The references of one answer among the words around them."""

    text: str
    holes: tuple[Hole, ...]
    records: Mapping[str, Mapping[str, Any]]
    own: Directories | None = None
    """Directories of the user's own hardware; None reads the environment."""

    def misplaced(self) -> list[Misplaced]:
        return [each for hole in self.holes if (each := self._against_words(hole))]

    @cached_property
    def passages(self) -> Passages:
        return Passages(self.text, [(hole.start, hole.end) for hole in self.holes if _is_figure(hole)])

    @cached_property
    def _mentions(self) -> list[Mention]:
        results = {key: record.get("result") for key, record in self.records.items()}
        figures = [(hole.start, hole.end) for hole in self.holes if _is_figure(hole)]
        return mentions_in(self.text[:_LONGEST], results, figures, self.own)

    @cached_property
    def _subjects(self) -> dict[int, list[Subjects]]:
        return {hole.start: subjects_of(hole, self.records, self.own) for hole in self.holes}

    def subjects(self, hole: Hole) -> list[Subjects]:
        return self._subjects[hole.start]

    def _between(self, start: int, end: int) -> list[Mention]:
        first = bisect.bisect_left(self._mentions, start, key=lambda m: m.start)
        last = bisect.bisect_left(self._mentions, end, key=lambda m: m.start)
        return self._mentions[first:last]

    def _against_words(self, hole: Hole) -> Misplaced | None:
        subjects = self.subjects(hole)
        kinds = dict.fromkeys(kind for each in subjects for kind in each)
        if isinstance(hole.value.value, str | bool):
            kinds = {kind: None for kind in kinds if kind in _SPOKEN_OF_ON}
        for kind in kinds:
            own = frozenset().union(*(each.get(kind, frozenset()) for each in subjects))
            others = {
                _folded(value) for each in subjects for k, ids in each.items() if k != kind for value in ids
            }
            spoken = [
                m for m in self.spoken_of(hole, kind) if self.text[m.start : m.end].lower() not in others
            ]
            if spoken and not any(agree(kind, own, m.ids) for m in spoken):
                if all(m.start >= hole.start and m.end <= hole.end for m in spoken):
                    continue
                said = " and ".join(dict.fromkeys(self.text[m.start : m.end] for m in spoken))
                what = kind.removesuffix("_mhz")
                of = f"of {what} {', '.join(sorted(own))}"
                return Misplaced(hole, f"It is {of}; you wrote {said}.", of)
        return None

    def _words(self, mention: Mention) -> str:
        return self.text[mention.start : mention.end].lower()

    def _in_order(self, hole: Hole, kind: str) -> list[Mention]:
        """`Between A and B: 5 ms versus 7 ms`: as many subjects as figures of one field behind them."""
        start, end = self.passages.sentence(hole.start)
        tail = _tail(hole)
        kin = [
            each
            for each in self.holes
            if start <= each.start < end and _tail(each) == tail and not self._in_part(each, kind)
        ]
        named = [m for m in self._between(start, kin[0].start) if m.kind == kind] if kin else []
        if (
            len(kin) < _TWO
            or len(named) != len(kin)
            or hole not in kin
            or len({m.ids for m in named}) != len(kin)
        ):
            return []
        return [named[kin.index(hole)]]

    def _in_part(self, hole: Hole, kind: str) -> list[Mention]:
        start, end = self.passages.part(hole.start)
        return [m for m in self._between(start, end) if m.kind == kind and not m.aside]

    def spoken_of(self, hole: Hole, kind: str) -> list[Mention]:
        """The mentions that govern a reference: those of its cell's row and heading, else of its part of the
        sentence, else of the whole sentence, else of the nearest before it in the paragraph."""
        cell = self.passages.cell(hole.start)
        if cell is not None:
            around = (
                self._between(*cell.row) + self._between(*cell.column) + self._between(cell.start, cell.end)
            )
            return [m for m in around if m.kind == kind]
        for start, end in (self.passages.part(hole.start), self.passages.sentence(hole.start)):
            found = [m for m in self._between(start, end) if m.kind == kind]
            if any(not m.aside for m in found):
                return found
        start, _ = self.passages.paragraph(hole.start)
        before = [m for m in self._between(start, hole.start) if m.kind == kind]
        return before if kind in _SPOKEN_OF_ON else []

    def nearest(self, hole: Hole, kind: str) -> list[Mention]:
        """The mentions in its part of the sentence or its cell; else the last one before it there."""
        if self.passages.cell(hole.start) is not None:
            return self.spoken_of(hole, kind)
        found = self._in_part(hole, kind) or self._in_order(hole, kind)
        if found or kind in OF_PARTS:
            return found
        start, end = self.passages.sentence(hole.start)
        named = [m for m in self._between(start, end) if m.kind == kind and not m.aside]
        return [m for m in named if m.start < hole.start][-1:] or named[:1]


def _is_figure(hole: Hole) -> bool:
    """Not a word, and not the position that names an operator."""
    return not isinstance(hole.value.value, str | bool) and not hole.path.endswith(".index")


def _tail(hole: Hole) -> tuple[str, ...]:
    """The expression without ids of calls and names of rows."""
    return tuple(re.sub(r"\br\d+|\[[^\]]*\]", "", path) for path in hole.amount.paths)
