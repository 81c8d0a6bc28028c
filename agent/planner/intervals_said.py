"""A figure with its interval as people write it: `28 ms (19 to 42)`, `3.1 ms [2.4, 4.0]`."""

from __future__ import annotations

import re

from ..figure_units import FACTORS
from ..quantities import Family

FAMILIES = {
    Family.TIME: "ms",
    Family.ENERGY: "uJ",
    Family.POWER: "mW",
    Family.RATE: "1/s",
    Family.CURRENT: "uA",
}
UNIT = "|".join(
    re.escape(name)
    for name in sorted(FACTORS, key=len, reverse=True)
    if FACTORS[name][0] in FAMILIES and len(name) < 16
)
NUMBER = r"\d+(?:[.,]\d+)?"
_TO = r"\s*(?:to|and|\.\.+|[-–—,…])\s*"
INTERVAL = re.compile(
    rf"(?<![\w.])(?P<value>{NUMBER})\s?(?P<unit>{UNIT})?\s*[(\[](?:90 ?%:? )?"
    rf"(?P<low>{NUMBER})\s?(?:{UNIT})?{_TO}(?P<high>{NUMBER})\s?(?P<inner>{UNIT})?[)\]]\s?(?P<outer>{UNIT})?(?!\w)",
    re.IGNORECASE,
)
