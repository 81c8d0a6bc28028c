"""What of a named architecture can be chosen."""

from __future__ import annotations

from typing import NamedTuple


class InputShape(NamedTuple):
    batch: int
    width: float
    """Multiplier of the channel counts."""
    side: int
    """Height and width of the input image in pixels."""
