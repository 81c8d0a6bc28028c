"""What a change has to bring: the limit that fails, or so many times as fast."""

from __future__ import annotations

from ..bench import Answering, Record, call_of
from ..factors import factors_in
from ..query import LIMITS, Query, Role
from .ratios import OF_SIZE

GOAL_OF = {"ram": "ram", "flash": "flash", "energy": "energy", "power": "energy"}
"""What helps where such a check fails; the time elsewhere."""


def failing(query: Query) -> Answering:
    """The goal of the first of several limits that fails; empty where one is said, or all are met."""
    if sum(query.has(role) for role in LIMITS) < 2:
        return ""
    record = yield call_of("check_constraints", query)
    failed = next((one["name"] for one in record["checks"] or () if one["verdict"] == "FAIL"), None)
    return "" if failed is None else GOAL_OF.get(str(failed), "latency")


def sought_by_factor(query: Query, record: Record, goal: str) -> Query:
    """With the time that `twice as quick` comes to, where no limit is said; else the query itself."""
    claims = [one for one in factors_in(query.question) if one.compares and one.value > 1]
    claims = [one for one in claims if not OF_SIZE.match(query.question, one.end)]
    now = record.number("options[#0].before.latency_ms") if record["options"] else None
    if goal != "latency" or query.has(*LIMITS) or len(claims) != 1 or not now:
        return query
    return query.put(Role.LATENCY_MS, now / claims[0].value, text=f"*{claims[0].text}*")
