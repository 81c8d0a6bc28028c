"""What two numbers with one unit behind them are: a range, or the second alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .figures import number_in

_FAR = 8.0


def apart(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Where it matches; a 3090 and 32 GB are no range, of which the ends lie nearer to each other."""
    for match in pattern.finditer(text):
        upper = match["upper"]
        far = upper and " and " in match[0] and number_in(match["number"]) > _FAR * number_in(upper)
        if found := pattern.match(text, match.start("upper")) if far else match:
            yield found
