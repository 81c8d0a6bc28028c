"""What in a sentence tells a kernel library from the format of a file, and one release of it from another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ..hardware_db.names import folded
from .name_words import FORMATS

_COMPUTES = re.compile(r"(?<!trained )(?<!built )(?<!made )(?<!exported )\b(?:with|using|under)\s+$", re.I)
_RELEASE = re.compile(
    r"(?<![\w.-])([A-Za-z][\w-]*)(?:@| (?:v|version |release )?)(\d+\.\d+(?:\.\d+)?)"
    r"(?![\w%]|\.\d|\s?(?:[munµ]?s|[mun]?[WAVJ]|[kMG]?(?:Hz|i?B)|fps|x|×|times)\b)"
)


def names_a_format(word: str, before: str) -> bool:
    """PyTorch is a format of files, but what computes where something runs with it."""
    return word in FORMATS and _COMPUTES.search(before) is None


def released(text: str, names: Mapping[str, tuple[str, str]]) -> Iterator[tuple[int, int, str]]:
    """Stretches that name a kernel library and its release, as `x-cube-ai@10.2`.

    Args:
        names: folded spelling → kind and id.
    """
    for match in _RELEASE.finditer(text):
        kind, known = names.get(folded(match[1]), ("", ""))
        if kind == "runtime":
            yield match.start(), match.end(), f"{known}@{match[2]}"
