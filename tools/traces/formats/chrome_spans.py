"""Trace events of Chrome's format that no runtime's own reader knows: complete and begun-and-ended events.

The Trace Event Format as google/perfetto lists it (docs/getting-started/other-formats.md, v54.0); PyTorch's
profiler, Nsight's exporters and `edgewright timeline -o x.json` write it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....hardware_db.errors import InputError
from ...core.quantity import Basis
from ...core.sanitize import clean_text
from ..recording import Recording, Span
from ..trace import Unit
from ..trace_file import number
from .chrome import events
from .lanes import doing_of

_BASES = {str(basis): basis for basis in Basis}


def read(lines: Sequence[str]) -> Recording | None:
    first = next((line.lstrip() for line in lines if line.strip()), "")
    if not first.startswith(("[", "{")) or not any('"ph"' in line for line in lines):
        return None
    found = list(events(lines))
    threads = _threads(found)
    spans: list[Span] = []
    begun: dict[tuple[str, str], list[tuple[str, float]]] = {}
    for at, event in found:
        key = (str(event.get("pid", "")), str(event.get("tid", "")))
        lane = threads.get(key) or f"thread {clean_text(key[1], 20)}"
        match event.get("ph"):
            case "X" if "ts" in event:
                start = number(str(event["ts"]), at)
                spans.append(_span(event, start, start + number(str(event.get("dur", 0)), at), lane))
            case "B":
                begun.setdefault(key, []).append(
                    (str(event.get("name", "")), number(str(event.get("ts")), at))
                )
            case "E" if begun.get(key):
                name, start = begun[key].pop()
                end = number(str(event.get("ts")), at)
                if end < start:
                    raise InputError(
                        f"Event {at}: {clean_text(name)!r} ends before it begins: time goes back.",
                        hint="Take the trace as it was recorded. Nothing of it was imported.",
                    )
                spans.append(_span({**event, "name": name}, start, end, lane))
    if not spans:
        return None
    left = sum(map(len, begun.values()))
    warned = (f"{left} event{'s' if left > 1 else ''} began and never ended: left out",) if left else ()
    return Recording(
        "Chrome trace",
        Unit.MICROSECONDS,
        tuple(spans),
        basis=_basis(lines),
        warnings=warned,
        lines=len(lines),
    )


def _threads(found: Sequence[tuple[int, Mapping[str, Any]]]) -> dict[tuple[str, str], str]:
    names = {}
    for _, event in found:
        arguments = event.get("args")
        if event.get("ph") == "M" and event.get("name") == "thread_name" and isinstance(arguments, dict):
            key = (str(event.get("pid", "")), str(event.get("tid", "")))
            names[key] = clean_text(str(arguments.get("name", "")))
    return names


def _span(event: Mapping[str, Any], start: float, end: float, lane: str) -> Span:
    name = clean_text(str(event.get("name", ""))) or "unnamed"
    arguments = event.get("args")
    given = arguments if isinstance(arguments, dict) else {}
    moved = given.get("bytes")
    known = moved if isinstance(moved, int) and not isinstance(moved, bool) and 0 <= moved < 2**53 else None
    where = clean_text(str(given.get("location", "")), 120)
    return Span(name, start, end, lane, doing_of(lane, name), where, "", "", known)


def _basis(lines: Sequence[str]) -> Basis:
    """A timeline of this program says what it rests on; any other was measured."""
    head = "\n".join(lines[:12])[:4000]
    named = next((word for word in _BASES if f'"basis": "{word}"' in head), "")
    return _BASES.get(named, Basis.MEASURED)
