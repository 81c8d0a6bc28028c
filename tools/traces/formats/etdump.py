"""ExecuTorch's ETDump: a FlatBuffer with events of each run.

Fields by their order in github.com/pytorch/executorch devtools/etdump/etdump_schema_flatcc.fbs (commit
a7a24d2): ETDump run_data 1; RunData events 3; Event profile_event 0; ProfileEvent name 0, start_time 6 and
end_time 7. Whether its times are cycles or a unit of time the file does not say.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from ....hardware_db.errors import InputError
from ...core.sanitize import clean_bytes
from ..recording import Recording
from ..trace import Event, Trace, Unit

_IDENTIFIER = b"ED00"
_RUN_DATA, _EVENTS, _PROFILE, _NAME, _START, _END = 1, 3, 0, 0, 6, 7
_MOST_EVENTS = 500_000
_CALLS = "native_call_"
_AROUND = ("Method::execute", "Program::load_method", "Method::init", "OPERATOR_CALL", "DELEGATE_CALL", "")
"""Events that other events are parts of, or that set up."""
_UNSTATED = "the file does not say what its times count in: cycles, or the ticks of the platform's clock"


def read(data: bytes) -> Recording | None:
    if data[4:8] != _IDENTIFIER:
        return None
    try:
        runs = [list(_events(data, run)) for run in _vector(data, _root(data), _RUN_DATA)]
    except (struct.error, IndexError, ValueError, RecursionError) as error:
        raise InputError(
            "The ETDump is broken or cut off.", hint="Copy it whole; nothing of it was imported."
        ) from error
    segments = tuple(tuple(events) for events in runs if events)
    if not segments:
        raise InputError(
            "The ETDump holds no times of operators.", hint="Run with event tracing switched on."
        )
    trace = Trace("ETDump of ExecuTorch", Unit.TICKS, segments, fuses=True, written_by="executorch")
    return Recording(
        trace.format, trace.unit, trace=trace, written_by="executorch", notes=(_UNSTATED,),
        lines=sum(map(len, segments)),
    )  # fmt: skip


def _events(data: bytes, run: int) -> Iterator[Event]:
    for event in _vector(data, run, _EVENTS):
        at = _field(data, event, _PROFILE)
        if at is None:
            continue
        profile = at + _u32(data, at)
        name, start, end = (_field(data, profile, field) for field in (_NAME, _START, _END))
        called = "" if name is None else _string(data, name + _u32(data, name)).removeprefix(_CALLS)
        if called in _AROUND or start is None or end is None:
            continue
        begun, ended = (struct.unpack_from("<Q", data, place)[0] for place in (start, end))
        if ended < begun:
            raise InputError(
                f"{called!r} ends before it begins: time goes back.", hint="Nothing of it was imported."
            )
        kind = called.rpartition("::")[2].removesuffix(".out").removesuffix("_out")
        yield Event(kind, float(ended - begun))


def _root(data: bytes) -> int:
    return _u32(data, 0)


def _u32(data: bytes, at: int) -> int:
    found: int = struct.unpack_from("<I", data, at)[0]
    return found


def _field(data: bytes, table: int, number: int) -> int | None:
    """Where a field of a table stands; None where it has its default."""
    vtable = table - struct.unpack_from("<i", data, table)[0]
    size = struct.unpack_from("<H", data, vtable)[0]
    if vtable < 0 or 6 + 2 * number > size:
        return None
    offset = struct.unpack_from("<H", data, vtable + 4 + 2 * number)[0]
    return table + offset if offset else None


def _vector(data: bytes, table: int, number: int) -> Iterator[int]:
    """Tables of a vector of tables."""
    at = _field(data, table, number)
    if at is None:
        return
    start = at + _u32(data, at)
    count = _u32(data, start)
    if count > _MOST_EVENTS or start + 4 + 4 * count > len(data):
        raise ValueError
    for n in range(count):
        place = start + 4 + 4 * n
        yield place + _u32(data, place)


def _string(data: bytes, at: int) -> str:
    length = _u32(data, at)
    if length > 4096 or at + 4 + length > len(data):
        raise ValueError
    return clean_bytes(data[at + 4 : at + 4 + length])
