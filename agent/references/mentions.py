"""What the words of an answer speak of: each name, clock, batch, layer and technique in it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...hardware_db.user_files import Directories
from ..names import Kind
from .evaluation import Results
from .passages import names_in
from .subjects import FAMILY, known_id

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
_DENIED = re.compile(
    r"\b(?:other|no|none(?: of (?:them|these|those|which))?)(?: (?:on|with|of|an?|the))*[ (]*$", re.I
)
"""Before a subject that nothing is said of."""


_OF_ALL_KERNELS = re.compile(r"tflm|tf(?:lite)? micro|tensorflow lite micro", re.I)
"""Names a runtime whatever its kernels are."""


@dataclass(frozen=True, slots=True)
class Mention:
    start: int
    end: int
    kind: str
    ids: frozenset[str]
    aside: bool = False


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
            frozenset(map(known_id, n.ids)) | (FAMILY if _OF_ALL_KERNELS.fullmatch(n.text) else frozenset()),
            _ASIDE.search(text[max(0, n.start - 40) : n.start]) is not None,
        )
        for n in names_in("".join(words), own)
        if n.kind in _KINDS and n.ids and not _DENIED.search(text[max(0, n.start - 40) : n.start])
    ]
    for match in _CLOCK.finditer(text):
        mhz = float(match[1]) * (1e3 if match[2].lower() == "ghz" else 1)
        found.append(Mention(match.start(), match.end(), "clock_mhz", frozenset({f"{mhz:g}"})))
    found += [Mention(m.start(), m.end(), "batch", frozenset({m[1]})) for m in _BATCH.finditer(text)]
    for match in _LAYER.finditer(text):
        for number in re.finditer(r"\d+", match[0]):
            start, end = (match.start() + at for at in number.span())
            found.append(Mention(start, end, "layer", frozenset({number[0]})))
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
