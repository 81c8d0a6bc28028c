"""The timeline that Synaptics' Torq compiler expects: transfers and slices in cycles.

`--torq-dump-profiling` writes it; github.com/synaptics-torq/torq-compiler,
compiler/torq/Codegen/ProfilingPass.cpp has had two forms: rows `ID,start,end,location,type[,bytes]` without a
header (commit 09c4331), and a header of its own with elapsed times (later). Locations hold commas and are not
quoted, so a row is read from both ends.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ....hardware_db.errors import InputError
from ...core.quantity import Basis
from ...core.records import replace
from ...core.sanitize import clean_text
from ..recording import Doing, Recording, Span
from ..trace import Unit
from ..trace_file import number
from .locations import short_location

_ID = re.compile(r"(DI|DO|CDMA_[A-Z0-9]{3}|CSS|S|H)(\d{1,9})(?:_(\d{1,3}))?")
_OLD_HEADER = ("id", "start", "end", "location", "op type")
"""Those that `edgewright timeline -o x.csv` writes have it as well."""
_NEW_HEADER = ("taskid", "elapsed_time(us)", "timestamp(us)", "event", "location", "bytes")
_LANES = {"DI": "DMA in", "DO": "DMA out", "CSS": "CSS", "H": "host"}
_HOLDS_CYCLES = (
    "the columns are headed (us) and hold cycles: ProfilingPass.cpp of the Torq compiler writes them so"
)
_OWN = "# estimate of edgewright"
_ESTIMATED = "an estimate laid out on units: nothing in this file was measured"
_EXPECTED = "the cycles are what the Torq compiler expects: nothing in this file was measured"
_CSS = "a program of the CSS counts as the fixed 8,000 cycles that the compiler assumes for each"


def read(lines: Sequence[str]) -> Recording | None:
    rows = [(at, line) for at, line in enumerate(lines, 1) if line.strip() and line[0] != "#"]
    if not rows:
        return None
    if any(line.startswith(_OWN) for line in lines[:3]):
        found = _recording(rows[1:], _begun, ())
        return (
            None
            if found is None
            else replace(
                found, format="timeline of edgewright", basis=Basis.FITTED, written_by="", notes=(_ESTIMATED,)
            )
        )
    header = tuple(cell.strip().casefold() for cell in rows[0][1].split(","))
    if header == _NEW_HEADER:
        return _recording(rows[1:], _elapsed, (_HOLDS_CYCLES,))
    if header[:5] == _OLD_HEADER:
        return _recording(rows[1:], _begun, ())
    return _recording(rows, _begun, ()) if _is_row(rows[0][1]) else None


def _is_row(line: str) -> bool:
    cells = line.split(",")
    return len(cells) >= 5 and bool(_ID.fullmatch(cells[0].strip())) and cells[1].strip().isdigit()


def _recording(
    rows: Sequence[tuple[int, str]], span_of: Callable[[str, int], Span], notes: tuple[str, ...]
) -> Recording | None:
    spans = tuple(span_of(line, at) for at, line in rows)
    if not spans:
        return None
    css = (_CSS,) if any(span.lane == "CSS" for span in spans) else ()
    return Recording(
        "timeline of the Torq compiler", Unit.CYCLES, spans, basis=Basis.SIMULATED, written_by="torq",
        notes=(*notes, _EXPECTED, *css), lines=len(rows),
    )  # fmt: skip


def _begun(line: str, at: int) -> Span:
    cells = [cell.strip() for cell in line.split(",")]
    named = _ID.fullmatch(cells[0])
    if len(cells) < 5 or named is None:
        raise _broken(line, at, "ID,start,end,location,type")
    start, end = number(cells[1], at), number(cells[2], at)
    moved, kind, location = _from_the_right(cells[3:], named[1])
    lane = f"slice {named[3] or 0}" if named[1] == "S" else _LANES.get(named[1], "CDMA")
    return _span(kind, start, end, lane, location, moved, at)


def _from_the_right(cells: Sequence[str], prefix: str) -> tuple[int | None, str, str]:
    """Bytes, type and location: a slice names its operator last, a transfer its type and then its bytes."""
    has_bytes = prefix not in ("S", "CSS") and len(cells) > 2 and (cells[-1].isdigit() or not cells[-1])
    moved = int(cells[-1]) if has_bytes and cells[-1].isdigit() and len(cells[-1]) < 16 else None
    kept = cells[:-1] if has_bytes else cells
    return moved, kept[-1], ",".join(kept[:-1])


def _elapsed(line: str, at: int) -> Span:
    cells = [cell.strip() for cell in line.split(",")]
    if len(cells) < 6:
        raise _broken(line, at, ",".join(_NEW_HEADER))
    elapsed, start, event = number(cells[1], at), number(cells[2], at), cells[3]
    moved = int(cells[-1]) if cells[-1].isdigit() and len(cells[-1]) < 16 else None
    lane = event[:1].lower() + event[1:] if event.startswith("Slice") else event.partition(" LRAM")[0]
    lane = lane.replace("DMA In", "DMA in").replace("DMA Out", "DMA out").partition(" DTCM")[0]
    location = ",".join(cells[4:-1])
    named = clean_text(short_location(location), 120) if event.startswith("Slice") else ""
    return _span(named or event, start, start + elapsed, lane, location, moved, at, program=cells[0])


def _span(
    kind: str,
    start: float,
    end: float,
    lane: str,
    location: str,
    moved: int | None,
    at: int,
    program: str = "",
) -> Span:
    if end < start:
        raise InputError(
            f"Line {at}: it ends at {end:g}, before it begins at {start:g}.",
            hint="Take the file as the compiler wrote it.",
        )
    doing = Doing.TRANSFER if "DMA" in lane else Doing.HOST if lane == "host" else Doing.COMPUTE
    where = clean_text(short_location(location), 120)
    return Span(clean_text(kind), start, end, clean_text(lane), doing, where, "", clean_text(program), moved)


def _broken(line: str, at: int, wanted: str) -> InputError:
    return InputError(
        f"Line {at}: {clean_text(line, 40)!r} is no row of {wanted}: cut off, or of another file.",
        hint="Take the file as the compiler wrote it; nothing of it was imported.",
    )
