"""Operators with a time each, as spans: one after the other on one unit."""

from __future__ import annotations

from ...core.records import replace
from ..recording import Doing, Recording, Span


def spans_of(read: Recording) -> Recording:
    """The recording with spans, where it has only times; each segment is a run of its own."""
    if read.spans or read.trace is None:
        return read
    at = 0.0
    spans = []
    for segment in read.trace.segments:
        for event in segment:
            if event.value is not None:
                name = event.tag or (f"layer {event.layer}" if event.layer is not None else "unnamed")
                spans.append(Span(name, at, at + event.value, "all", Doing.COMPUTE, event.output))
                at += event.value
    return replace(read, spans=tuple(spans))
