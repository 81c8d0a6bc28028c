"""Of all figures of an answer the one that is least sure."""

from __future__ import annotations

import re
from collections.abc import Generator

from ..bench import Answering, Call, Record

_REFERENCE = re.compile(r"\{\{(?P<record>r\d+)\.(?P<path>[^|}/*()]+)(?:\|(?P<unit>[^}~]*)~?)?\}\}")
LEAST_SURE = "Least sure: "
_WIDE = 1.05
"""Times from one end of an interval to the other below which it is hardly one."""


def watched(answering: Answering, seen: dict[str, Record]) -> Generator[Call, Record, str]:
    """The answer, and in `seen` what was called for it."""
    try:
        call = next(answering)
        while True:
            record = yield call
            seen[record.id] = record
            call = answering.send(record)
    except StopIteration as done:
        return str(done.value)


def least_sure(text: str, seen: dict[str, Record]) -> str:
    """A sentence on the figure with the widest interval, by the line that it stands in; empty without one."""
    widest, told = _WIDE, ""
    for line in text.splitlines():
        for found in _REFERENCE.finditer(line):
            record = seen.get(found["record"])
            low, high = (record.ends(found["path"]) if record else None) or (0.0, 0.0)
            if record is None or low <= 0 or high / low <= widest:
                continue
            figure = record.ref(found["path"], f"{found['unit'] or ''}~")
            where = record.ref("target" if record.knows("target") else "deployment.target")
            widest, told = high / low, f"{LEAST_SURE}{figure} on {where}; measure that first."
    return told


__all__ = ["LEAST_SURE", "least_sure", "watched"]
