"""A network without a file or a name, of which a message counts MACs and parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..quantities import Family, Figure

_MACS = {"mac": 1.0, "macs": 1.0, "mmac": 1e6, "mmacs": 1e6, "gmac": 1e9, "gmacs": 1e9}
_PARAMETERS = frozenset(("parameters", "params", "parameter", "weights"))
_MOST = 1e15


@dataclass(frozen=True)
class Counted:
    macs: float = 0.0
    parameters: float = 0.0
    words: tuple[str, ...] = ()
    """MACs first, parameters last."""


def counted(figures: Sequence[Figure]) -> Counted | None:
    """MACs and parameters that are counted; None where neither is."""
    found = Counted()
    for figure in figures:
        if figure.family is not Family.COUNT or not 0 < figure.value < _MOST:
            continue
        written = f"{figure.text} {figure.noun}"
        if figure.noun in _MACS:
            words = (written.replace("mac", "MAC"), *found.words)
            found = Counted(figure.value * _MACS[figure.noun], found.parameters, words)
        elif figure.noun in _PARAMETERS:
            found = Counted(found.macs, figure.value, (*found.words, written))
    return found if found.words else None
