"""Whether the words beside a number repeat what the user demands, or tell how far off one may be."""

from __future__ import annotations

import re

from .words import LIMIT

_WITHIN = re.compile(
    r"(?<!\w)(?:within|inside|no more than|by less than|less than|under|±|plus or minus|better than|"
    r"closer than)"
    r"(?: a| about| an? [\w-]+ of)?[\s*_`±]*$",
    re.IGNORECASE,
)
_REPEATS = re.compile(
    r"(?<!\w)(?:your|below|under|within|above|over|at most|at least|(?:than|the|a|for|every|once)(?: the)?|"
    r"(?:limit|budget|bound|deadline)(?: is| of)?|you (?:allow|ask(?:ed)? for|want(?:ed)?|g[ai]ve|set|"
    r"said|demand(?:ed)?))"
    r"[\s*_`]*$",
    re.IGNORECASE,
)
_AT_LIMIT = re.compile(
    rf"[\s*_`]*(?:(?:you (?:allow|ask|want|g[ai]ve|set|said|demand)\w*|[\w-]+ ){{0,2}}(?:{LIMIT})(?!\w)|"
    rf"you )",
    re.IGNORECASE,
)


def is_within(before: str) -> bool:
    return _WITHIN.search(before) is not None


def repeats(before: str, after: str) -> bool:
    return _REPEATS.search(before) is not None or _AT_LIMIT.match(after) is not None
