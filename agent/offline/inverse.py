"""Which variable an inverse question takes as far as it goes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from .call import Call, each, limits_of
from .reading import Reading

_VARIABLES: tuple[tuple[str, str], ...] = (
    ("battery-life", r"\bbatter\w+|\bcoin cell\b|\bcr ?\d{4}\b"),
    (
        "batch",
        r"\bbatch\w*|\bat once\b|\bat a time\b|\bin one go\b|"
        r"\bhow many (?:images|pictures|photos|samples|requests)\b(?!.{0,40}\b(?:per|an?|"
        r"each) (?:second|minute|hour))",
    ),
    ("clock", r"\bclock\w*|\bfrequenc\w+|\bmhz\b|\bunderclock\w*"),
    ("width", r"\bwidth\b|\bwid(?:e|er|est)\b|\balpha\b|\bchannels?\b|\bmultiplier\b"),
    ("depth", r"\bdeep(?:er|est)?\b|\bdepth\b|\bmany (?:more )?(?:layers|blocks)\b|\bexit\b"),
    (
        "input",
        r"\binputs?\b|\bresolutions?\b|\bimages?\b|\bpictures?\b|\bpixels?\b|\bcrops?\b|\bside\b|\bsquare\b",
    ),
    (
        "rate",
        r"\bfps\b|\bframes?\b|\brates?\b|\boften\b|\b(?:per|an?|each|every) (?:second|minute|"
        r"hour)\b|\bthroughput\b|\btimes\b",
    ),
    ("ram", r"\bs?ram\b|\bmemory\b|\barena\b"),
)
"""Variable → the words for it; of several the first."""
_SOUGHT = re.compile(
    r"\b(?:largest|biggest|highest|lowest|smallest|slowest|fastest|widest|deepest|least|most|"
    r"max\w*|min\w*|what|which|"
    r"how (?:\w+ )?(?:slow|low|small|large|big|high|far|wide|fat|thick|slim|thin|deep|often|fast|"
    r"much|many))\b.{0,45}",
    re.IGNORECASE,
)
_WIDTH = re.compile(r"\bwidth[- ]?(?:multiplier|factor)\b(?! (?:of )?\d)|\bwhat width\b", re.IGNORECASE)
_ASKING = re.compile(r"(?:[^.!?;:]|[.:](?=\S))+\?")
_BATTERY = ("battery_mah", "sleep_ua")


def variable_of(question: str) -> str:
    """The variable that is sought; empty where none is named."""
    if _WIDTH.search(question):
        return "width"
    asking = " ".join(_ASKING.findall(question))
    for text in (_sought(asking), asking, _sought(question), question):
        found = [
            (match.start(), name)
            for name, words in _VARIABLES
            if (match := re.search(words, text, re.IGNORECASE)) is not None
        ]
        if found:
            return min(found)[1]
    return ""


def _sought(text: str) -> str:
    return " ".join(match[0] for match in _SOUGHT.finditer(text))


def furthest(reading: Reading) -> Iterable[Call]:
    variable = variable_of(reading.question)
    told: dict[str, Any] = {"variable": variable, **limits_of(reading)}
    if variable == "battery-life":
        limits = reading.demands.limits
        told |= {name: limits[name] for name in _BATTERY if name in limits}
        told |= {"battery": reading.battery} if reading.battery else {}
    for call in each("find_limit", reading, told):
        arguments = dict(call.arguments)
        arguments.pop({"clock": "clock_mhz", "input": "input_size"}.get(variable, variable), None)
        yield Call(call.tool, arguments)
