"""What a change has to bring: the limit that fails, or so many times as fast."""

from __future__ import annotations

from ..bench import Record
from ..factors import factors_in
from ..query import LIMITS, Query, Role
from .ratios import OF_SIZE


def failing(query: Query, fits: str) -> str:
    """The first of several limits that a verdict says is not met; empty where there is one, or all are."""
    if sum(query.has(role) for role in LIMITS) < 2:
        return ""
    clause = next((one for one in fits.split(";") if " too much" in one), "")
    if not clause:
        return ""
    return next((goal for word, goal in _GOALS.items() if word in clause), "latency")


_GOALS = {"arena": "ram", "flash": "flash", "energy": "energy"}
"""Of words of a verdict; else it is the time."""


def sought_by_factor(query: Query, record: Record, goal: str) -> Query:
    """With the time that `twice as quick` comes to, where no limit is said; else the query itself."""
    claims = [one for one in factors_in(query.question) if one.compares and one.value > 1]
    claims = [one for one in claims if not OF_SIZE.match(query.question, one.end)]
    now = record.number("options[#0].before.latency_ms") if record["options"] else None
    if goal != "latency" or query.has(*LIMITS) or len(claims) != 1 or not now:
        return query
    return query.put(Role.LATENCY_MS, now / claims[0].value, text=f"*{claims[0].text}*")
