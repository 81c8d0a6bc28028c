"""The report of X-CUBE-AI layer by layer.

What its system performance firmware prints ("Inference time by c-node", aiSystemPerformance.c), the same with
TFLM as the runtime, and the report of `validate`, in its older and its newer form.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...core.sanitize import clean_text
from ..trace import Event, Trace, Unit
from ..trace_file import number

_HEADERS = (
    re.compile(r"^\s*c_id\s+type\s+id\s+time \(ms\)", re.IGNORECASE),
    re.compile(r"^\s*idx\s+name\s+time \(ms\)", re.IGNORECASE),
    re.compile(r"^\s*c_?layer\s+id\s+desc\s+oshape\s+ms\b", re.IGNORECASE),
    re.compile(r"^\s*c_id\s+m_id\s+type\s+dur ?\(ms\)", re.IGNORECASE),
)
_TIME = r"(-?(?:\d+[.,]\d+|nan|inf))"
_ROWS = (
    re.compile(rf"^\s*(\d+)\s+([A-Za-z_][\w()-]*(?: [\w()-]+)*)\s+\d+\s+{_TIME}(?:\s|$)"),
    re.compile(rf"^\s*(\d+)\s+([A-Za-z_][\w-]*)\s+{_TIME}(?:\s|$)"),
    re.compile(rf"^\s*(\d+)\s+\d+\s+\d+/\((.{{1,80}}?)\)\s+\([^)]*\)\s+{_TIME}(?:\s|$)"),
    re.compile(rf"^\s*(\d+)\s+-?\d+\s+([A-Za-z_]\S*(?: \S+)*?)\s+{_TIME}(?:\s|$)"),
)
_CLOCK = re.compile(r"@(\d{1,5}(?:\.\d+)?) ?/ ?\d+(?:\.\d+)? ?MHz|@(\d{1,5}(?:\.\d+)?) ?MHz")

_INFERENCES = re.compile(r"Results for .{0,80}?\b(\d{1,6}) inferences?\b")


def read(lines: Sequence[str]) -> Trace | None:
    segments: list[list[Event]] = []
    row: re.Pattern[str] | None = None
    for at, line in enumerate(lines, 1):
        form = next((i for i, header in enumerate(_HEADERS) if header.search(line)), None)
        if form is not None:
            row = _ROWS[form]
            segments.append([])
        elif row is not None and (found := row.match(line)) is not None:
            value = number(found[3].replace(",", "."), at)
            segments[-1].append(Event(clean_text(found[2].rpartition("/")[0] or found[2]), value))
    if row is None:
        return None
    return Trace(
        "X-CUBE-AI, time by c-node",
        Unit.MILLISECONDS,
        tuple(map(tuple, filter(None, segments))),
        fuses=True,
        clock_mhz=_clock(lines),
        averaged_runs=_runs(lines),
    )


def _runs(lines: Sequence[str]) -> int:
    found = next((known for line in lines if (known := _INFERENCES.search(line)) is not None), None)
    return max(1, int(found[1])) if found else 1


def _clock(lines: Sequence[str]) -> float | None:
    found = next((clock for line in lines if (clock := _CLOCK.search(line)) is not None), None)
    return float(found[1] or found[2]) if found else None
