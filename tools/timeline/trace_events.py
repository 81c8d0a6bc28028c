"""A timeline as a trace that Perfetto and chrome://tracing open.

The Trace Event Format, as docs/getting-started/other-formats.md of google/perfetto (v54.0) lists it: complete
events ("X", with `ts` and `dur` in microseconds), counters ("C") and names of processes ("M").
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..core.sanitize import clean_text, json_text
from .timeline import Timeline

_PROCESS = {"pid": 1, "tid": 1}


def trace_events(report: Timeline) -> str:
    """Each operator as an event, and the bytes alive as a counter; what has no time is in neither."""
    where = report.deployment
    trace = {
        "displayTimeUnit": "ms",
        "otherData": {"model": clean_text(report.model), "deployment": where.headline(),
                      "latency_ms": report.latency_ms.value, "basis": report.latency_ms.basis.value,
                      "without_time": sum(op.begins_ms is None for op in report.ops)},
        "traceEvents": list(_events(report)),
    }  # fmt: skip
    return json_text(trace) + "\n"


def _events(report: Timeline) -> Iterator[dict[str, Any]]:
    name = f"{clean_text(report.model)} on {report.deployment.target}"
    yield {"name": "process_name", "ph": "M", **_PROCESS, "args": {"name": name}}
    for op in report.ops:
        if op.begins_ms is None or op.latency_ms is None:
            continue
        begin = op.begins_ms * 1e3
        alive = {} if op.live_bytes is None else {"alive_bytes": op.live_bytes}
        yield {
            "name": f"{op.index} {clean_text(op.op)}", "cat": "operator", "ph": "X", "ts": begin,
            "dur": op.latency_ms * 1e3, **_PROCESS, "args": {"index": op.index, **alive},
        }  # fmt: skip
        if alive:
            yield {"name": "bytes alive", "ph": "C", "ts": begin, **_PROCESS, "args": alive}
