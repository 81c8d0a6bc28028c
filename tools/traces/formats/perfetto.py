"""Perfetto's own binary trace: slices on tracks, as far as times and names go.

A decoder of the few fields that are needed, by their numbers in google/perfetto protos/perfetto/trace (commit
2b40f5e): TracePacket timestamp 8, trusted_packet_sequence_id 10, track_event 11, interned_data 12,
track_descriptor 60; TrackEvent type 9, name_iid 10, track_uuid 11, name 23. A library for it would be the
trace processor, which is larger than this program.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ....hardware_db.errors import InputError
from ...core.quantity import Basis
from ...core.sanitize import clean_bytes, clean_text
from ..recording import Recording, Span
from ..trace import Unit
from .lanes import doing_of

_PACKET = 1
_TYPE, _NAME_IID, _TRACK, _NAME = 9, 10, 11, 23
_BEGIN, _END = 1, 2
_MOST_EVENTS = 500_000
_MOST_DEPTH = 512
_OWN = "estimate: "
"""As `edgewright timeline -o x.pb` names its tracks."""

Value = int | bytes


class _Open(NamedTuple):
    name: str
    start: int


class _Tracks:
    """What the packets said so far: names of tracks, interned names, and slices that were begun."""

    def __init__(self) -> None:
        self.names: dict[int, str] = {}
        self.interned: dict[tuple[int, int], str] = {}
        self.open: dict[int, list[_Open]] = {}
        self.spans: list[tuple[int, str, int, int]] = []

    def describe(self, descriptor: bytes) -> None:
        found = dict(_fields(descriptor))
        name = found.get(2)
        for inner, position in ((4, 5), (3, 6)):
            part = found.get(inner)
            if name is None and isinstance(part, bytes):
                name = dict(_fields(part)).get(position)
        uuid = found.get(1, 0)
        if isinstance(uuid, int) and isinstance(name, bytes):
            self.names[uuid] = clean_bytes(name)

    def intern(self, sequence: int, data: bytes) -> None:
        for number, entry in _fields(data):
            if number == 2 and isinstance(entry, bytes):
                found = dict(_fields(entry))
                iid, name = found.get(1), found.get(2)
                if isinstance(iid, int) and isinstance(name, bytes):
                    self.interned[sequence, iid] = clean_bytes(name)

    def happen(self, sequence: int, time: int, event: bytes) -> None:
        found = dict(_fields(event))
        track, kind = found.get(_TRACK, 0), found.get(_TYPE, 0)
        if not isinstance(track, int):
            return
        stack = self.open.setdefault(track, [])
        if kind == _BEGIN and len(stack) < _MOST_DEPTH:
            name, iid = found.get(_NAME), found.get(_NAME_IID)
            interned = self.interned.get((sequence, iid), "") if isinstance(iid, int) else ""
            stack.append(_Open(clean_bytes(name) if isinstance(name, bytes) else interned, time))
        elif kind == _END and stack:
            begun = stack.pop()
            if time < begun.start:
                raise InputError(
                    f"The slice {begun.name!r} ends before it begins: time goes back.",
                    hint="Take the trace as it was recorded. Nothing of it was imported.",
                )
            self.spans.append((track, begun.name, begun.start, time))
            if len(self.spans) > _MOST_EVENTS:
                raise InputError(
                    f"The trace has more than {_MOST_EVENTS:,} slices.", hint="Cut it to some runs."
                )


def read(data: bytes) -> Recording | None:
    if not data.startswith(b"\x0a") or data[:2] == b"\n":
        return None
    tracks = _Tracks()
    try:
        _packets(data, tracks)
    except (IndexError, ValueError) as error:
        if not tracks.spans:
            return None
        raise InputError(
            "The Perfetto trace ends amid a packet: it is cut off.",
            hint="Copy it whole; nothing was imported.",
        ) from error
    if not tracks.spans:
        return None
    left = sum(map(len, tracks.open.values()))
    first = min(start for _, _, start, _ in tracks.spans)
    spans = tuple(
        Span(name or "unnamed", start - first, end - first, lane, doing_of(lane, name))
        for track, name, start, end in tracks.spans
        for lane in (clean_text(tracks.names.get(track, f"track {track}")).removeprefix(_OWN),)
    )
    own = any(name.startswith(_OWN) for name in tracks.names.values())
    basis = Basis.FITTED if own else Basis.MEASURED
    warned = (f"{left} slice{'s' if left > 1 else ''} began and never ended: left out",) if left else ()
    return Recording(
        "Perfetto trace", Unit.NANOSECONDS, spans, basis=basis, warnings=warned, lines=len(spans)
    )


def _packets(data: bytes, tracks: _Tracks) -> None:
    for number, packet in _fields(data):
        if number != _PACKET or not isinstance(packet, bytes):
            raise ValueError
        time = sequence = 0
        event = b""
        for inner, value in _fields(packet):
            match inner, value:
                case 8, int():
                    time = value
                case 10, int():
                    sequence = value
                case 11, bytes():
                    event = value
                case 12, bytes():
                    tracks.intern(sequence, value)
                case 60, bytes():
                    tracks.describe(value)
        if event:
            tracks.happen(sequence, time, event)


def _fields(data: bytes) -> Iterator[tuple[int, Value]]:
    """Number and value of each field. Raises IndexError or ValueError where the bytes are no message."""
    at, end = 0, len(data)
    while at < end:
        key, at = _varint(data, at)
        match key & 7:
            case 0:
                value, at = _varint(data, at)
                yield key >> 3, value
            case 2:
                length, at = _varint(data, at)
                if at + length > end:
                    raise ValueError
                yield key >> 3, data[at : at + length]
                at += length
            case 1 | 5 as kind:
                at += 8 if kind == 1 else 4
                if at > end:
                    raise ValueError
            case _:
                raise ValueError


def _varint(data: bytes, at: int) -> tuple[int, int]:
    byte = data[at]
    if byte < 0x80:
        return byte, at + 1
    value, shift = byte & 0x7F, 7
    while shift < 70:
        at += 1
        byte = data[at]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at + 1
        shift += 7
    raise ValueError
