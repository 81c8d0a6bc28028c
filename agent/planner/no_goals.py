"""What a question says that it does not ask for: `power is no issue`, `I don't care about the price`."""

from __future__ import annotations

import re

from .want import Want
from .words import entries, patterns

_THINGS = entries("no_goals")
_VERY = r"(?:\s+(?:really|that|very|so|here|at all|to me|for me|for us|just|all|too))*\s+"
_QUITE = r"(?:an? |so |that |very |really |too |big |real |such an? |much )*"
_NOTHING = (
    r"(?:issue|problem|concern|object|question|constraint|matter|worry|criteri\w+|important|relevant|topic|"
    r"subject)"
)
_DENIES = patterns("of_no_goals")["denies"]
"""What every denial has."""
_WANTS: dict[str, frozenset[Want]] = {
    "energy": frozenset((Want.ENERGY, Want.POWER, Want.BATTERY_LIFE, Want.PER_WATT)),
    "price": frozenset((Want.PRICE, Want.CHEAPEST, Want.PER_PRICE)),
    "latency": frozenset((Want.LATENCY, Want.THROUGHPUT)),
    "accuracy": frozenset((Want.ACCURACY,)),
    "ram": frozenset((Want.RAM,)),
    "flash": frozenset((Want.FLASH,)),
}
DENIABLE = frozenset(_WANTS)


def no_goals(text: str) -> dict[str, tuple[int, int]]:
    """Goal → where it is denied."""
    if not _DENIES.search(text):
        return {}
    found = {goal: re.search(_denial(things), text, re.IGNORECASE) for goal, things in _THINGS.items()}
    return {goal: match.span() for goal, match in found.items() if match is not None}


def _denial(things: str) -> str:
    return (
        rf"\b(?:the |its |our )?(?:{things})(?:"
        rf"\s+(?:is|are|was|s|'s){_VERY}?(?:\s*(?:no|not|of no)\s+{_QUITE}{_NOTHING}|"
        rf"\s*(?:irrelevant|unimportant|secondary|free|unlimited))\b|"
        rf"\s+(?:does|do|is|are)\s?n[o']?t{_VERY}{_QUITE}(?:matter|count|{_NOTHING})\b)|"
        rf"(?:\bnot|n't|nt|\bnever|\bnobody|\bno one)\s+(?:\w+\s+)?"
        rf"(?:cares?|worry|mind|bother|interested|look)\s+"
        rf"(?:\w+\s+)?(?:about|for|in|at)\s+(?:the |its |our )?(?:{things})\b|"
        rf"\b(?:regardless of|whatever|ignor(?:e|ing)|never mind|forget(?: about)?)\s+"
        rf"(?:the |its )?(?:{things})\b"
    )


def denied(goals: frozenset[str]) -> frozenset[Want]:
    """What is not wanted where these are no goals."""
    return frozenset[Want]().union(*(_WANTS[goal] for goal in goals))
