"""How many cores a network gets where the question does not say: one, or all where a limit takes them."""

from __future__ import annotations

from collections.abc import Generator

from ..bench import Call, Record, call_of
from ..query import Query, Role
from .phrases import MANY_CORES

_OF_TIME = (Role.LATENCY_MS, Role.RATE_HZ)
_BETTER = ("PASS", "MARGINAL", "UNKNOWN", "FAIL")


def cores_of(query: Query) -> int:
    """Cores of the first kind of a processor with several, where no number of threads is said; else 1."""
    found = query.targets.get(query.text(Role.TARGET))
    if found is None or found.target_class not in MANY_CORES or query.has(Role.THREADS) or not found.cores:
        return 1
    return int(found.cores[0].partition(" ")[0])


def on_enough_cores(query: Query) -> Generator[Call, Record, Query]:
    """The query on all cores, where a limit on the time is not surely met on one and is met better on all."""
    cores = cores_of(query)
    if cores < 2 or not query.has(*_OF_TIME):
        return query
    one = yield call_of("check_constraints", query)
    if one.result is None or one["verdict"] == "PASS":
        return query
    every = yield call_of("check_constraints", query, threads=cores)
    better = every.result is not None and _rank(every) < _rank(one)
    return query.put(Role.THREADS, float(cores)) if better else query


def _rank(check: Record) -> tuple[int, float]:
    """By the verdict, and by how much of its limit the time takes."""
    of_time = (row for row in check["checks"] if row["name"] in ("latency", "rate"))
    shares = [row["demand"] / row["bound"] for row in of_time if row["demand"] and row["bound"]]
    return _BETTER.index(check["verdict"]), max(shares, default=0.0)
