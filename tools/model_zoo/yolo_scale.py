"""How YOLO networks of one plan differ in size."""

from __future__ import annotations

import math

from ..core.records import dataclass


@dataclass(frozen=True)
class Scale:
    depth: float
    width: float
    most: int = 1024
    """Channels before the width that no layer exceeds."""

    def channels(self, wanted: int) -> int:
        return math.ceil(min(wanted, self.most) * self.width / 8) * 8

    def repeats(self, wanted: int) -> int:
        return max(round(wanted * self.depth), 1)
