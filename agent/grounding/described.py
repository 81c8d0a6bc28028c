"""Changes that a text describes rather than names: halving the input resolution is input-50."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

_SIZED = re.compile(r"(?P<root>[a-z][a-z-]*)-(?P<percent>\d+)")
_OBJECTS = {
    "input": r"(?:input )?(?:image |input )?(?:resolution|side|height|width|images?|inputs?|"
    r"frames?)(?: size)?",
    "prune": r"(?:channels|filters|feature maps)",
}
_VERBS = {"prune": r"prun\w+|remov\w+|dropp?\w*|cut\w*"}
_HALF = r"halv\w+|half|50 ?%"
_FAR = 40


def described_in(text: str, techniques: Collection[str]) -> Iterator[tuple[int, int, str]]:
    """Where a text tells one of them by what it does and how much of it."""
    for name in techniques:
        sized = _SIZED.fullmatch(name)
        if sized is None or sized["root"] not in _OBJECTS:
            continue
        amount = _HALF if sized["percent"] == "50" else rf"{sized['percent']} ?%"
        thing, verb = _OBJECTS[sized["root"]], _VERBS.get(sized["root"])
        pattern = rf"(?<![\w-])(?:{amount})(?!\w)[^.;\n\d]{{0,{_FAR}}}?(?<!\w)(?:{thing})(?![\w-])"
        if verb:
            pattern = rf"(?<!\w)(?:{verb})(?!\w)[^.;\n]{{0,{_FAR}}}?{pattern}"
        for match in re.finditer(pattern, text, re.IGNORECASE):
            yield match.start(), match.end(), name
