"""What TensorFlow Lite Micro's MicroProfiler prints: LogCsv, Log and LogTicksPerTagCsv.

The forms are those of tensorflow/lite/micro/micro_profiler.cc over its history, with what a serial line puts
before and after them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...core.sanitize import clean_text
from ..trace import Event, Trace, Unit
from ..trace_file import number

_NUMBER = r"([-+]?(?:\d[\d.eE+]*|nan|inf\w*))"
_HEADER = re.compile(r'"Event"\s*,\s*"Tag"\s*,\s*"Ticks"(\s*,\s*"ms")?', re.IGNORECASE)
_ROW = re.compile(
    rf"(?<!\d)(\d+)\s*,\s*([A-Za-z_][\w.:/-]*(?: [\w.:/-]+)*)\s*,\s*{_NUMBER}\s*(?:,\s*(\d+)\b.*|,.*)?$",
    re.IGNORECASE,
)
_TOOK = re.compile(rf"\b([A-Za-z_]\w*) took {_NUMBER} (?:ticks|cycles)\b(?: \((\d+) ms\))?", re.IGNORECASE)
_PER_TAG = re.compile(r'"Unique Tag"\s*,\s*"Total ticks across all events with that tag\."', re.IGNORECASE)
_TAG_ROW = re.compile(rf"\b([A-Za-z_]\w*)\s*,\s*{_NUMBER}\s*$", re.IGNORECASE)
_TOTAL = re.compile(r'"?total number of ticks"?\s*,', re.IGNORECASE)
_NEVER_ENDED = 2.0**32 - 1
"""An event's end is set to one before its begin until it ends, in 32 bits."""
_RUNTIMES = "tflm"
_LOST = "an event that began and never ended has no time"


def read(lines: Sequence[str]) -> Trace | None:
    for header, form in ((_HEADER, _events), (_TOOK, _sentences), (_PER_TAG, _per_tag)):
        if any(header.search(line) for line in lines):
            return form(lines)
    return None


def _events(lines: Sequence[str]) -> Trace:
    """A segment begins with a header, or where the numbers of the events begin again."""
    segments: list[list[Event]] = []
    rates = _Rates()
    last, in_table, has_ms = -1, False, False
    for at, line in enumerate(lines, 1):
        if (header := _HEADER.search(line)) is not None:
            in_table, has_ms, last = True, bool(header[1]), -1
            segments.append([])
        elif in_table and (row := _ROW.search(line)) is not None:
            position = int(row[1][:9])
            if position <= last:
                segments.append([])
            last = position
            segments[-1].append(_event(row[2], row[3], at))
            if has_ms and row[4]:
                rates.add(segments[-1][-1], row[4])
        elif _PER_TAG.search(line):
            in_table = False
    return _trace("TFLM MicroProfiler, events as CSV", segments, rates)


def _sentences(lines: Sequence[str]) -> Trace:
    events: list[Event] = []
    rates = _Rates()
    for at, line in enumerate(lines, 1):
        if (took := _TOOK.search(line)) is not None:
            events.append(_event(took[1], took[2], at))
            if took[3]:
                rates.add(events[-1], took[3])
    return _trace("TFLM MicroProfiler, a sentence for each event", [events], rates)


def _per_tag(lines: Sequence[str]) -> Trace:
    """The last table: an earlier one sums up fewer runs."""
    events: list[Event] = []
    in_table = False
    for at, line in enumerate(lines, 1):
        if _PER_TAG.search(line):
            events, in_table = [], True
        elif _TOTAL.search(line):
            in_table = False
        elif in_table and (row := _TAG_ROW.search(line)) is not None:
            events.append(_event(row[1], row[2], at))
    return Trace(
        "TFLM MicroProfiler, ticks for each tag",
        Unit.TICKS,
        (tuple(events),),
        by_kind=True,
        written_by=_RUNTIMES,
        notes=("totals for each tag sum up what ran since the profiler was cleared: taken as one run",),
    )


def _trace(form: str, segments: list[list[Event]], rates: _Rates) -> Trace:
    lost = any(event.value is None for events in segments for event in events)
    return Trace(
        form,
        Unit.TICKS,
        tuple(tuple(events) for events in segments if events),
        repeats=True,
        written_by=_RUNTIMES,
        per_ms=rates.known(),
        notes=(_LOST,) if lost else (),
    )


def _event(tag: str, text: str, line: int) -> Event:
    value = number(text, line)
    return Event(clean_text(tag), None if value == _NEVER_ENDED else value)


class _Rates:
    """Ticks of a millisecond, narrowed down by times that were cut to whole milliseconds."""

    def __init__(self) -> None:
        self._least, self._most, self._has_times = 0.0, float("inf"), False

    def add(self, event: Event, ms: str) -> None:
        if event.value is None:
            return
        whole = int(ms[:9])
        self._has_times = self._has_times or whole > 0
        self._least = max(self._least, event.value / (whole + 1))
        self._most = min(self._most, event.value / whole if whole else self._most)

    def known(self) -> tuple[float, float] | None:
        return (self._least, self._most) if self._has_times and self._least <= self._most else None
