"""How an architecture is asked for in words: `mobilenet_v2:0.35:96:int8`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...hardware_db.errors import UnknownNameError, UsageError, nearest
from ..core.records import dataclass
from ..graph import DType
from .architecture import Architecture
from .catalogue import ARCHITECTURES, NAMES, SAID_IN_FULL, squeezed

_LONGEST = 100
_BLANKS = re.compile(r"[\s,_-]+")
_WIDTH = re.compile(r"\d{0,3}\.\d{1,6}|\d{1,3}\.")
_SIDE = re.compile(r"\d{2,6}")
_DTYPES = {
    **dict.fromkeys(("float32", "fp32", "f32", "float"), DType.FLOAT32),
    **dict.fromkeys(("float16", "fp16", "f16", "half"), DType.FLOAT16),
    **dict.fromkeys(("int8", "i8"), DType.INT8),
}


@dataclass(frozen=True)
class Fields:
    """What was asked for; None where nothing was said."""

    dtype: DType | None = None
    width: float | None = None
    side: int | None = None


def read_spec(text: str) -> tuple[Architecture, Fields]:
    """The name, then in any order a type, a width multiplier with a point in it, and a side in pixels.

    Raises:
        UnknownNameError: no architecture goes by the name (with the nearest).
        UsageError: a field after a colon that is none of these, or two of a kind.
    """
    found = spec_in(text)
    if found is None:
        raise _unknown(text[:_LONGEST])
    return found


def spec_in(text: str) -> tuple[Architecture, Fields] | None:
    """As `read_spec`; None where no architecture goes by the name."""
    head, *given = text[:_LONGEST].strip().split(":")
    words = [word for word in _BLANKS.split(head) if word]
    for length in range(len(words), 0, -1):
        name, rest = squeezed("".join(words[:length])), words[length:]
        if name in NAMES and all(map(_is_field, rest)):
            fields = _fields([*rest, *given], text)
            known_as = SAID_IN_FULL.get((name, fields.width, fields.side))
            return (ARCHITECTURES[known_as] if known_as else NAMES[name]), fields
    return None


def dtype_named(name: str) -> DType:
    dtype = _DTYPES.get(name.strip().casefold())
    if dtype is None:
        raise UsageError(
            f"A named architecture cannot be built in {name!r}.", hint="Types: float32, float16, int8."
        )
    return dtype


def _is_field(word: str) -> bool:
    return word.casefold() in _DTYPES or bool(_WIDTH.fullmatch(word) or _SIDE.fullmatch(word))


def _fields(words: Sequence[str], text: str) -> Fields:
    dtypes = [_DTYPES[w] for word in words if (w := word.strip().casefold()) in _DTYPES]
    widths = [float(word) for word in words if _WIDTH.fullmatch(word.strip())]
    sides = [int(word) for word in words if _SIDE.fullmatch(word.strip())]
    odd = [word for word in words if not _is_field(word.strip())]
    if odd:
        raise UsageError(
            f"{odd[0]!r} in {text!r} is neither a type, a width nor an input side.",
            hint="Write it as in mobilenet_v2:0.35:96:int8.",
        )
    if max(len(dtypes), len(widths), len(sides)) > 1:
        raise UsageError(f"{text!r} gives two values for one thing.", hint="Keep one.")
    return Fields(next(iter(dtypes), None), next(iter(widths), None), next(iter(sides), None))


def _unknown(text: str) -> UnknownNameError:
    spellings = {squeezed(alias): a.name for a in ARCHITECTURES.values() for alias in (a.name, *a.aliases)}
    near = [spellings[spelling] for spelling in nearest(squeezed(text.partition(":")[0]), spellings)]
    hint = "`edgewright models list` shows all."
    return UnknownNameError("architecture", text, tuple(dict.fromkeys(near)), hint=hint)
