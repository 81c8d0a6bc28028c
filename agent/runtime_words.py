"""What in a sentence tells a kernel library from the format of a file, and one release of it from another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ..hardware_db.names import folded
from .name_types import Kind, Name
from .name_words import FORMATS
from .patterns import compiled

_COMPUTES = compiled(
    r"(?<!trained )(?<!built )(?<!made )(?<!exported )\b(?:with|using|under)\s+"
    r"(?:(?:plain|vanilla|stock|normal|standard|eager|pure|bare|just|only)\s+)?$",
    re.I,
)
_EAGER = "pytorch"
"""A format of which no file is measured: what runs at a speed on a GPU under that name is the library."""
_ON_A_GPU = compiled(
    r"\b(?:rtx|gtx|geforce|gpu|cuda|nvidia(?:-smi)?|quadro|tesla|[ahltv]\d{1,3}s?|[2345]0[5-9]0|jetson|orin)\b",
    re.I,
)
_MEASURED = compiled(r"\d\s?(?:ms|fps|s\b|it/s|/s|img/s|images?(?: per |/)s)", re.I)
_MADE = compiled(
    r"\b(?:train\w*|export\w*|convert\w*|import\w*|port(?:ed|ing)?|deploy\w*|checkpoints?|files?|weights|"
    r"to (?:onnx|tflite|tensorrt))\b|\.pth?\b",
    re.I,
)
_RELEASE = compiled(
    r"(?<![\w.-])([A-Za-z][\w-]*)(?:@| (?:v|version |release )?)(\d+\.\d+(?:\.\d+)?)"
    r"(?![\w%]|\.\d|\s?(?:[munµ]?s|[mun]?[WAVJ]|[kMG]?(?:Hz|i?B)|fps|x|×|times)\b)"
)


_LISTED = (
    r"(?:,? (?:vs\.?|versus|or|and|than|against|over|beats?|is faster than|(?:as )?compared (?:to|with)|with|"
    r"instead of|rather than) (?:the |plain |with |under |just )*|, |/| / )"
)
"""Between two kernel libraries that are weighed against each other."""


def names_a_format(word: str, before: str, text: str) -> bool:
    """PyTorch is a format of files, but what computes where something runs with it or is timed on a GPU."""
    if word not in FORMATS or _COMPUTES.search(before):
        return False
    measured = _MEASURED.search(text) and _ON_A_GPU.search(text) and not _MADE.search(text)
    return not (word == _EAGER and measured)


def weighed_formats(text: str, named: Sequence[Name], names: Mapping[str, tuple[str, str]]) -> Iterator[Name]:
    """Formats that stand in a list with a kernel library, `ncnn vs tflite`: there each is what computes.

    Args:
        names: folded spelling → kind and id.
    """
    spans = [(name.start, name.end) for name in named if name.kind is Kind.RUNTIME]
    found = [m for word in FORMATS for m in compiled(rf"(?<![\w.]){word}(?![\w.])", re.I).finditer(text)]
    while listed := [m for m in found if any(_beside(text, m.span(), span) for span in spans)]:
        for match in listed:
            found.remove(match)
            spans.append(match.span())
            kind, known = names.get(folded(match[0]), ("", ""))
            if kind == "runtime":
                yield Name(match.start(), match.end(), match[0], Kind.RUNTIME, (known,))


def _beside(text: str, one: tuple[int, int], other: tuple[int, int]) -> bool:
    first, last = sorted((one, other))
    return re.fullmatch(_LISTED, text[first[1] : last[0]], re.I) is not None


def released(text: str, names: Mapping[str, tuple[str, str]]) -> Iterator[tuple[int, int, str]]:
    """Stretches that name a kernel library and its release, as `x-cube-ai@10.2`.

    Args:
        names: folded spelling → kind and id.
    """
    for match in _RELEASE.finditer(text):
        kind, known = names.get(folded(match[1]), ("", ""))
        if kind == "runtime":
            yield match.start(), match.end(), f"{known}@{match[2]}"
