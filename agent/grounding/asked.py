"""A printed number with all that its sentence says of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .claims import Claim
from .families import Reading
from .figures import Figure
from .quantities import Word
from .subjects import Spoken


class Asked(NamedTuple):
    figure: Figure
    near: Sequence[Reading]
    spoken: Spoken
    claim: Claim
    end: str = ""
    """`low` or `high`: told as this end of an interval."""
    ranged: bool = False
    """Told as an end of some range."""
    words: Sequence[Word] = ()
    """What its part of the clause says that it measures."""
    beside: str = ""
    """The text right around it, of any sentence."""
    around: str = ""
    """The paragraph up to the end of its sentence."""
