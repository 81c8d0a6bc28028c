"""The profile that onnxruntime writes: Chrome's trace events, one to a line, times in microseconds."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ....hardware_db.errors import InputError
from ...core.sanitize import clean_text
from ..trace import Event, Trace, Unit
from ..trace_file import number

_TIME_STAMP = re.compile(r"\[\s*[\d:.,]+\s*\]\s*\w")
"""As log lines begin with: `[  380] boot`."""
_KERNEL = "_kernel_time"
_RANK, _LARGEST = 4, 1 << 31
_MOST_IN_ONE = 16 << 20
_WARM_UP_OF = 3
"""With so many runs or more, the first is taken for warming up."""
_WARM = "the first run of the trace, in which onnxruntime warms up, is left out"


def read(lines: Sequence[str]) -> Trace | None:
    first = next((line.lstrip() for line in lines if line.strip()), "")
    if not first.startswith(("[", "{")) or _TIME_STAMP.match(first):
        return None
    runs, totals = _runs(events(lines))
    if not any(runs):
        return None
    warm = len(runs) >= _WARM_UP_OF
    return Trace(
        "profile of onnxruntime",
        Unit.MICROSECONDS,
        tuple(map(tuple, runs[1:] if warm else runs)),
        fuses=True,
        in_order=False,
        written_by="onnxruntime",
        totals=tuple(totals[1:] if warm else totals) if len(totals) == len(runs) else (),
        notes=(_WARM,) if warm else (),
    )


def events(lines: Sequence[str]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Line by line, so that a profile cut short still counts; else as one document."""
    found = [(at, event) for at, line in enumerate(lines, 1) if (event := _parsed(line)) is not None]
    if found:
        yield from found
        return
    if sum(map(len, lines)) > _MOST_IN_ONE:
        raise InputError(
            "The JSON has no event to a line, and is too large to be read as a whole.",
            hint="Give the file as end_profiling() wrote it.",
        )
    try:
        document = json.loads("\n".join(lines))
    except (ValueError, RecursionError) as error:
        line = f"Line {error.lineno}: " if isinstance(error, json.JSONDecodeError) else ""
        raise InputError(
            f"{line}the file begins like JSON and is none, or ends there.",
            hint="Give the file whole, as the profiler wrote it; nothing of it was imported.",
        ) from error
    events = document.get("traceEvents") if isinstance(document, dict) else document
    yield from ((1, event) for event in events or () if isinstance(event, dict))


def _parsed(line: str) -> Mapping[str, Any] | None:
    text = line.strip().strip("[]").rstrip(", ")
    if not text.startswith("{") or not text.endswith("}"):
        return None
    try:
        event = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) and "name" in event else None


def _runs(events: Iterator[tuple[int, Mapping[str, Any]]]) -> tuple[list[list[Event]], list[float]]:
    """Nodes come before the end of their run, which has its own event."""
    runs: list[list[Event]] = []
    totals: list[float] = []
    current: list[Event] = []
    for line, event in events:
        name, arguments = str(event.get("name", "")), event.get("args")
        if name == "model_run":
            runs.append(current)
            totals.append(number(str(event.get("dur")), line))
            current = []
        elif name.endswith(_KERNEL) and isinstance(arguments, dict):
            current.append(_event(arguments, number(str(event.get("dur")), line)))
    return [*runs, current] if current else runs, totals


def _event(arguments: Mapping[str, Any], us: float) -> Event:
    weights = _shape(arguments.get("input_type_shape"), 1)
    outputs = _shape(arguments.get("output_type_shape"), 0)
    return Event(
        clean_text(str(arguments.get("op_name", ""))),
        us,
        elements=math.prod(outputs) if outputs else None,
        kernel=weights[2:] if len(weights) == _RANK else None,  # type: ignore[arg-type]
    )


def _shape(given: Any, position: int) -> tuple[int, ...]:
    """Of `[{"float": [1, 16, 14, 14]}, …]` the one at a position; empty where it is not known so."""
    entry = given[position] if isinstance(given, list) and len(given) > position else None
    sides = next(iter(entry.values()), None) if isinstance(entry, dict) else None
    if not isinstance(sides, list) or not all(
        isinstance(side, int) and 0 < side < _LARGEST for side in sides
    ):
        return ()
    return tuple(sides[:8])
