"""Figures of hardware counters that a question states: what they say, and what helps."""

from __future__ import annotations

from collections.abc import Sequence

from ....tools.traces.stated_counters import counters_in
from ..bench import Answering, call_of, needed
from ..query import Query
from ..want import Want
from .phrases import lines

_ALONE = frozenset(("ipc", "cache_miss_rate", "branch_miss_rate", "npu_idle_share"))
"""Each says of itself that counters are meant."""
_MOST = 3


def counts(query: Query) -> bool:
    """Whether counters are what the question is about: instructions a cycle, or two rates."""
    found = counters_in(query.question)
    return len(found) > 1 or bool(_ALONE & set(found))


def counted(query: Query, _wants: Sequence[Want]) -> Answering:
    """What binds by these figures, the rules that say so, and what helps."""
    record = needed((yield call_of("explain_counters", query, **counters_in(query.question))))
    rows = [f"rules[#{at}]" for at in range(min(_MOST, len(record["rules"])))]
    said = [f"- {record.ref(f'{row}.why')}. What helps: {record.ref(f'{row}.remedy')}." for row in rows]
    first = f"By these counters it is {record.ref('kind')}." if said else "No rule holds: they are usual."
    return lines(
        first,
        *said,
        *(f"Mind: {record.ref(f'assumptions[#{at}]')}." for at in range(len(record["assumptions"]))),
        "A file of counters by layer says where: `edgewright import perf.txt` reads perf stat and CSVs.",
    )
