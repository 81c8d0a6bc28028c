"""Whether the mean power at a rate keeps to a budget: a harvest of 0.9 mW, a mean current of 50 µA."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..bench import NOT_KNOWN, Answering, Record, call_of
from ..query import Query, Role
from ..want import Want
from . import energies
from .phrases import lines, model_shown, said, table

_USUAL_V = 3.0
_SLEEP, _COMPUTING = "average_power_mw", "compute_power_mw"
_ELSEWHERE = frozenset(
    (Want.RECOMMEND, Want.BATTERY_LIFE, Want.LIMIT, Want.WHAT_IF, Want.IMPROVE, Want.CONCEPT)
)
_WORDS = ("yes", "probably", "probably not", "no", "it cannot be told")
_UNKNOWN = len(_WORDS) - 1


def asks(query: Query, wants: Sequence[Want]) -> bool:
    """Whether a rate and a limit on the power or the current go together, of several boards."""
    if not (query.has(Role.MODEL) and len(set(query.all(Role.TARGET))) > 1 and query.has(Role.RATE_HZ)):
        return False
    battery = query.has(Role.BATTERY, Role.CHARGE_MAH, Role.LIFE_MS)
    return query.says(Role.POWER_MW, Role.CURRENT_UA) and not battery and not set(wants[:1]) & _ELSEWHERE


def mean_power(query: Query, _wants: Sequence[Want]) -> Answering:
    """Of each board yes or no, by the energy of an inference at the rate and what it takes asleep."""
    rows: list[tuple[str, Record, int]] = []
    allowed = query.number(Role.POWER_MW) or _milliwatts(query)
    for target in dict.fromkeys(query.all(Role.TARGET)):
        one = query.put(Role.TARGET, target)
        record = yield call_of("estimate_energy_budget", energies.sized(one)[0])
        estimate = yield call_of("estimate_performance", one)
        most = (estimate.ends("power_mw") or (0.0, math.inf))[1]
        rows.append((target, record, 0 if most <= allowed else _judged(record, allowed)))
    rows.sort(key=lambda row: (row[2], row[1].number(_path(row[1])) or 0.0))
    name, best, word = rows[0]
    limit, rate = said(query, Role.POWER_MW, Role.CURRENT_UA), said(query, Role.RATE_HZ)
    if not best.knows(_path(best)):
        return f"{NOT_KNOWN}, as no source gives the power of {name}; {energies.TELL}"
    alone = {
        record["deployment"]["target"]
        for _, record, _ in rows
        if record.result and _path(record) == _COMPUTING
    }
    shown = f"{name} takes {best.ref(_path(best), '~')} on average at {rate}, against {limit}"
    return lines(
        f"{_WORDS[word].capitalize()}: {shown}: {model_shown(query)}.",
        table(
            ("board", "on average", "an inference", "keeps to it"),
            [(n, r.ref(_path(r), "~"), r.ref("energy_uj"), _WORDS[w]) for n, r, w in rows],
        ),
        f"Computing alone: what {', '.join(sorted(alone))} takes asleep is not known and comes on top; *yes* "
        "where it keeps to it even while computing all the time."
        if alone
        else "",
    )


def _milliwatts(query: Query) -> float:
    return (query.number(Role.CURRENT_UA) or 0.0) * (query.number(Role.SUPPLY_V) or _USUAL_V) / 1e3


def _path(record: Record) -> str:
    return _SLEEP if record.knows(_SLEEP) else _COMPUTING


def _judged(record: Record, allowed: float) -> int:
    """Place in `_WORDS`: surely where the whole interval is on one side, else by the figure."""
    ends = record.ends(_path(record)) if record.result else None
    if ends is None:
        return _UNKNOWN
    if _path(record) == _COMPUTING and (record.number(_COMPUTING) or 0.0) <= allowed:
        return _UNKNOWN
    if ends[1] <= allowed:
        return 0
    return 3 if ends[0] > allowed else 1 if (record.number(_path(record)) or 0.0) <= allowed else 2


__all__ = ["asks", "mean_power"]
