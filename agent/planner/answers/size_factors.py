"""So many times the operations, the weights, the peak or the bandwidth, as is said, beside what it is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...patterns import compiled
from ..bench import Answering, Record, call_of
from ..factors import Factor, factors_in
from ..query import Query, Role
from ..words import entries
from .ratios import OF_SIZE

_OF_A_MODEL = {"macs": "MACs", "parameter_count": "weights"}
_OF_A_BOARD = {"peak_gops": "peak", "bandwidth_gb_s": "memory bandwidth"}
_WEIGHTS, _BANDWIDTH = compiled(r"parameters|weights", re.I), compiled(r"bandwidth", re.I)
_FAR = 1.5
"""Times from which on a figure that was said differs from the one that is known."""


def size_factors(query: Query, answer: str) -> Answering:
    """What the factors that were said, and no answer spoke of, are of two networks or of two boards."""
    text = query.question
    said = [one for one in factors_in(text) if OF_SIZE.match(text, one.end) and one.text not in answer]
    models, targets = (list(dict.fromkeys(query.all(role))) for role in (Role.MODEL, Role.TARGET))
    if not said or (len(models), len(targets)) not in ((2, 0), (2, 1), (1, 2), (0, 2)):
        return ""
    records: list[Record] = []
    if len(models) == 2:
        for model in models:
            records.append((yield call_of("parse_model", query, model=model)))
        return _told(said, text, records, models, _OF_A_MODEL)
    for target in targets if models else ():
        records.append((yield call_of("analyze_roofline", query, target=target)))
    told = _told(said, text, records, targets, _OF_A_BOARD)
    most = max(records, key=lambda record: record.number("peak_gops") or 0.0, default=None)
    return f"{told} {_waits(most)}".strip() if most is not None and told else told


def _waits(record: Record) -> str:
    """What takes most of the time of the one with the most arithmetic, where it is something else."""
    bound = str(record["bound"])
    share = f"bound_shares.{bound}"
    if bound == "compute" or not record.knows(share):
        return ""
    takes = entries("takes_time")[str(record["bound_detail"] or bound)]
    name = record.ref("deployment.target")
    return f"On {name} {takes} {record.ref(share, '%')} of the time, which more arithmetic does not shorten."


def _told(
    said: Sequence[Factor],
    text: str,
    records: Sequence[Record],
    names: Sequence[str | float],
    fields: Mapping[str, str],
) -> str:
    told = []
    usual, other = fields
    for one in said:
        of = OF_SIZE.match(text, one.end)
        special = _WEIGHTS if fields is _OF_A_MODEL else _BANDWIDTH
        field = other if of and special.search(of[0]) else usual
        values = [record.number(field) for record in records]
        if len(values) != 2 or not all(values):
            continue
        more = 0 if (values[0] or 0.0) >= (values[1] or 0.0) else 1
        ratio = f"{{{{{records[more].id}.{field}/{records[1 - more].id}.{field}|x}}}}"
        told.append(
            f"*{one.text}*: {names[more]} has {ratio} the {fields[field]} of {names[1 - more]}"
            f"{'' if _agrees(one, values, more) else ', by what I know'}."
        )
    return " ".join(told)


def _agrees(said: Factor, values: Sequence[float | None], more: int) -> bool:
    times = (values[more] or 0.0) / (values[1 - more] or 1.0)
    return times / _FAR <= said.value <= times * _FAR
