"""Names that only the conversation explains: the nano, our Nordic, the S3 beside an ESP32."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...hardware_db.index import read_index, targets_by_id
from ...hardware_db.names import folded
from ...hardware_db.user_files import Directories, directories
from ...tools.model_zoo.language_model import is_language_model
from ...tools.model_zoo.named import is_architecture
from ..name_words import UNITS_BEHIND
from ..names import Kind, Name

_LINE = re.compile(r"[a-z]+\d+")
_WHOLE = re.compile(r"[a-z]+\d+-([a-z]\d{1,2})")
_ENDING = re.compile(r"\b[a-z]\d{1,2}\b(?! (?:buckets?|storage|urls?)\b)", re.I)
_BEFORE_A_CHIP = re.compile(r"\b(?:on|an?|the|my|our|your|with|or|and|vs|versus|than) $", re.I)
_DEFINITE = re.compile(
    r"\b(?:the|my|our|that|this|your|on|with|for|an?|drop|skip|without|only|just)\s+(?!(?:the|my|our|that|this|your)\b)(?P<word>\w\w+)",
    re.I,
)
_COMMON = frozenset(
    ("arm", "board", "boards", "chip", "core", "cpu", "dev", "edge", "gpu", "kit", "micro", "mini", "model",
     "module", "npu", "zero")
)  # fmt: skip
"""Words of names that stand for much else."""


def recalled(
    text: str, names: Sequence[Name], spoken_of: Sequence[str], own: Directories | None = None
) -> tuple[Name, ...]:
    """Those names and the ones that are whole only beside them or what was spoken of, in their order.

    Args:
        spoken_of: targets, networks and cells of the conversation, the latest last.
        own: directories of the user's own hardware; None reads the environment.
    """
    for more in (_endings, _parts):
        names = (*names, *more(text, names, spoken_of, own))
    return tuple(sorted(names, key=lambda name: name.start))


def _endings(
    text: str, names: Sequence[Name], spoken_of: Sequence[str], own: Directories | None
) -> Iterator[Name]:
    """The S3, the C6: how the name of another of the line ends, or of the only one that ends so."""
    named = (name.ids[0] for name in names if name.kind is Kind.TARGET and name.known)
    lines = {line[0] for each in (*named, *spoken_of) if (line := _LINE.match(each))}
    exact = read_index(directories() if own is None else own).target_names.exact
    for match in _ENDING.finditer(text):
        found = {exact[key] for line in lines if (key := folded(f"{line}{match[0]}")) in exact}
        if not found and _BEFORE_A_CHIP.search(text, 0, match.start()):
            ending = match[0].casefold()
            found = {
                each
                for each in targets_by_id(own)
                if (whole := _WHOLE.fullmatch(each)) and whole[1] == ending
            }
        if len(found) == 1 and not _overlaps(match.span(), names):
            yield Name(*match.span(), match[0], Kind.TARGET, (found.pop(),))


def _overlaps(span: tuple[int, int], names: Sequence[Name]) -> bool:
    return any(span[0] < name.end and name.start < span[1] for name in names)


def _parts(
    text: str, names: Sequence[Name], spoken_of: Sequence[str], own: Directories | None
) -> Iterator[Name]:
    """The nano, our Nordic, the 2450: a word of the name or the maker of what was spoken of."""
    summaries = targets_by_id(own)
    for match in _DEFINITE.finditer(text) if spoken_of else ():
        start, end = match.span("word")
        word = match["word"].casefold()
        if word in _COMMON or (word.isdigit() and (len(word) < 3 or UNITS_BEHIND.match(text, end))):
            continue
        if _overlaps((start, end), names):
            continue
        for called in reversed(spoken_of):
            of = summaries.get(called)
            whole = f"{called} {of.name} {of.vendor}" if of else called
            if word in (
                *re.findall(r"[a-z]+|\d+", whole.casefold()),
                *re.split(r"[^\w.]+", whole.casefold()),
            ):
                of_model = is_architecture(called) or is_language_model(called)
                kind = Kind.TARGET if of else Kind.MODEL if of_model else Kind.BATTERY
                yield Name(start, end, called, kind, (called,))
                break
