"""What Torq's runtime writes, and what annotate_profiling.py makes of it.

Columns as in github.com/synaptics-torq/torq-compiler: doc/user-manual/profiling.md (commit fb57a9b) and
scripts/annotate_profiling.py (commit f95897e), in the three forms that the runtime and the two that the
script have had. The script's workbook has the same columns under longer titles.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ....hardware_db.errors import InputError
from ...core.quantity import Basis
from ...core.sanitize import clean_text
from ..grid import Grid, Row, grid_of
from ..recording import Doing, Recording, Span
from ..trace import Unit
from .locations import short_location

_SINCE = frozenset(("time_since_open", "time_since_start"))
_ACTIONS = frozenset(("actionindex", "event", "timestamp_us"))
_EVENTS = frozenset(("dispatch_name", "invocation_id", "action_id", "timestamp_us", "event"))
SIMULATED = (
    "Torq's documentation says of this profile: simulated on the host, not cycle-accurate, its times do not "
    "stand for the hardware's"
)
_IF_SIMULATED = "if torq_hw_type was sim, it ran in the host's simulation and its times are not the NPU's"
_ENDS, _BEGINS = ("_END",), ("_BEGIN", "_START")
_COLUMNS = {
    "index": ("nss_program_index", "action_id"),
    "operation": ("operation", "torq_hw_operation_in_program", "action_in_program"),
    "start": ("nss_program_timestamp_start", "nss_program_start_timestamp_us", "timestamp_start"),
    "end": ("nss_program_timestamp_end", "nss_program_end_timestamp_us", "timestamp_end"),
    "invocation": ("invocation_name", "invocation_name_if_applicable", "invocation_names"),
    "slice": ("slice_id", "slice_id_if_applicable"),
    "source": ("original_operator", "original_operators"),
}


def read(lines: Sequence[str]) -> Recording | None:
    if (grid := grid_of(lines, _SINCE)) is not None:
        return _since(grid)
    for wanted in (_EVENTS, _ACTIONS):
        if (grid := grid_of(lines, wanted)) is not None:
            return _events(grid)
    for start in _COLUMNS["start"]:
        if (grid := grid_of(lines, frozenset((start,)))) is not None:
            return annotated(grid)
    return None


def annotated(grid: Grid) -> Recording | None:
    """Of the script's CSV or workbook: a row for each operation of a program, with the program's times."""
    if not any(grid.has(name) for name in _COLUMNS["start"]) or not any(
        grid.has(name) for name in _COLUMNS["operation"]
    ):
        return None
    spans = [span for row in grid.rows for span in _annotated(row)]
    return _recording(
        "annotated profile of Torq", spans, len(grid.rows), (), Basis.MEASURED, (_IF_SIMULATED,)
    )


def _since(grid: Grid) -> Recording:
    spans = []
    last = None
    for row in grid.rows:
        end, took = row.number("time_since_open"), row.number("time_since_start")
        if end is None or took is None:
            raise _not_whole(row)
        if last is not None and end < last:
            raise _backwards(row, end, last)
        last = end
        where = _where(row)
        name = where or f"program {clean_text(row.text('id'), 12)}"
        spans.append(
            Span(name, end - took, end, "NSS", Doing.COMPUTE, where, "", clean_text(row.text("id"), 12))
        )
    return _recording("runtime profile of Torq", spans, len(grid.rows), (SIMULATED,), Basis.SIMULATED, ())


def _events(grid: Grid) -> Recording:
    """Two events an action: the one begins it, the other ends it."""
    begun: dict[tuple[str, str], tuple[float, str]] = {}
    spans: list[Span] = []
    for row in grid.rows:
        key = (row.text("invocation_id"), row.text("action_id", "actionindex"))
        event, time = row.text("event").upper(), row.number("timestamp_us")
        if time is None:
            raise _not_whole(row)
        if event.endswith(_BEGINS) and key not in begun:
            begun[key] = (time, event)
        elif event.endswith(_ENDS) and key in begun:
            start, _ = begun.pop(key)
            if time < start:
                raise _backwards(row, time, start)
            spans.append(_action(row, event.rpartition("_")[0], key, start, time))
    left = len(begun)
    warned = (f"{left} action{'s' if left > 1 else ''} began and never ended: left out",) if left else ()
    return _recording(
        "runtime events of Torq", spans, len(grid.rows), warned, Basis.MEASURED, (_IF_SIMULATED,)
    )


def _action(row: Row, name: str, key: tuple[str, str], start: float, end: float) -> Span:
    doing = Doing.HOST if name.startswith(("HOST", "ALLOC", "DEALLOC", "INIT")) else Doing.COMPUTE
    doing = Doing.WHOLE if name.startswith("DISPATCH") else doing
    dispatch = clean_text(row.text("dispatch_name"))
    lane = "host" if doing is Doing.HOST else "dispatch" if doing is Doing.WHOLE else "NSS"
    return Span(
        clean_text(name), start, end, lane, doing, _where(row) or dispatch, "", clean_text(key[1], 12)
    )


def _annotated(row: Row) -> Iterable[Span]:
    """A transfer, a slice or the host, as the operation says, for as long as its program took."""
    start, end = row.number(*_COLUMNS["start"]), row.number(*_COLUMNS["end"])
    operation = row.text(*_COLUMNS["operation"])
    if start is None or end is None or operation.endswith(("_wait", "_cfg")):
        return
    if end < start:
        raise _backwards(row, end, start)
    lane, doing = _unit_of(operation, row)
    name = clean_text(row.text(*_COLUMNS["invocation"]) or operation.rpartition(".")[2])
    yield Span(
        name, start, end, lane, doing, _where(row), clean_text(row.text(*_COLUMNS["source"])),
        clean_text(row.text(*_COLUMNS["index"]), 12),
    )  # fmt: skip


def _unit_of(operation: str, row: Row) -> tuple[str, Doing]:
    kind = operation.rpartition(".")[2]
    match kind.partition("_start")[0]:
        case "dma_in":
            return "DMA in", Doing.TRANSFER
        case "dma_out":
            return "DMA out", Doing.TRANSFER
        case "cdma":
            return "CDMA", Doing.TRANSFER
        case "slice":
            number = row.text(*_COLUMNS["slice"]).partition(".")[0]
            return f"slice {number if number.isdigit() and len(number) < 4 else '0'}", Doing.COMPUTE
        case "css":
            return "CSS", Doing.COMPUTE
    if "host" in operation:
        return "host", Doing.HOST
    return "NSS", Doing.COMPUTE if kind == "wait_program" else Doing.WHOLE


def _where(row: Row) -> str:
    return clean_text(short_location(row.text("location")), 120)


def _recording(
    name: str,
    spans: Sequence[Span],
    lines: int,
    warnings: tuple[str, ...],
    basis: Basis,
    notes: tuple[str, ...],
) -> Recording:
    return Recording(
        name, Unit.MICROSECONDS, tuple(spans), basis=basis, written_by="torq", notes=notes, warnings=warnings,
        lines=lines,
    )  # fmt: skip


def _backwards(row: Row, time: float, before: float) -> InputError:
    return InputError(
        f"Line {row.line}: time goes back from {before:g} to {time:g}.",
        hint="Take the file as the runtime wrote it: of one run, in its order. Nothing of it was imported.",
    )


def _not_whole(row: Row) -> InputError:
    return InputError(f"Line {row.line}: it has no time.", hint="Nothing of the file was imported.")
