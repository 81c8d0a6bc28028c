"""Whether the mean power of each of several boards at a rate keeps to a budget, such as a harvest."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..bench import Answering, Record, call_of
from ..query import CELLS, Query, Role
from ..want import Want
from . import energies, judging
from .phrases import VERDICT_WORDS, lines, model_shown, said, table

_ELSEWHERE = frozenset(
    (Want.RECOMMEND, Want.BATTERY_LIFE, Want.LIMIT, Want.WHAT_IF, Want.IMPROVE, Want.CONCEPT)
)
_ORDER = ("PASS", "UNKNOWN", "FAIL")


def asks(query: Query, wants: Sequence[Want]) -> bool:
    """Whether a rate and a limit on the power or the current go together, of several boards."""
    if not (query.has(Role.MODEL) and len(set(query.all(Role.TARGET))) > 1 and query.has(Role.RATE_HZ)):
        return False
    battery = query.has(Role.LIFE_MS) or (query.has(*CELLS) and Want.BATTERY_LIFE in wants)
    return query.says(Role.POWER_MW, Role.CURRENT_UA) and not battery and not set(wants[:1]) & _ELSEWHERE


def mean_power(query: Query, _wants: Sequence[Want]) -> Answering:
    """Of each board yes or no; what keeps to it even while computing all the time does asleep too."""
    rows: list[tuple[str, str, str, Record]] = []
    for target in dict.fromkeys(query.all(Role.TARGET)):
        one, found = query.put(Role.TARGET, target), query.targets.get(target)
        if found and not set(query.all(Role.RUNTIME)) & set(found.runtimes):
            one = one.without([Role.RUNTIME])
        verdict, takes = (yield from judging.average(energies.sized(one)[0])) or ("UNKNOWN", "")
        estimate = yield call_of("estimate_performance", one)
        most = (estimate.ends("power_mw") or (0.0, math.inf))[1]
        always = most <= (query.number(Role.POWER_MW) or 0.0)
        rows.append((target, "PASS" if always else verdict, takes, estimate))
    rows.sort(key=lambda row: (_ORDER.index(row[1]), row[3].number("energy_uj") or math.inf))
    name, verdict, takes, _ = rows[0]
    cells = [(n, VERDICT_WORDS[v].lower(), t, e.ref("energy_uj"), e.ref("power_mw")) for n, v, t, e in rows]
    word = "None surely keeps to it" if verdict == "UNKNOWN" else VERDICT_WORDS[verdict]
    return lines(
        f"{word}, {name} at {said(query, Role.RATE_HZ)}: {takes}: {model_shown(query)}.",
        table(("board", "keeps to it", "by", "an inference", "while computing"), cells),
    )
