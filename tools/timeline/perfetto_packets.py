"""Perfetto's binary trace, as far as named tracks with slices go.

Field numbers as in google/perfetto protos/perfetto/trace (commit 2b40f5e): TracePacket timestamp 8,
trusted_packet_sequence_id 10, track_event 11, track_descriptor 60; TrackDescriptor uuid 1, name 2; TrackEvent
type 9, track_uuid 11, name 23.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

_BEGIN, _END = 1, 2


class Slice(NamedTuple):
    track: str
    name: str
    start_ns: int
    end_ns: int


def perfetto_trace(slices: Iterable[Slice]) -> bytes:
    """A file that ui.perfetto.dev opens: a track for each name, in the order in which they come."""
    ordered = list(slices)
    uuids = {track: at for at, track in enumerate(dict.fromkeys(each.track for each in ordered), 1)}
    packets = [
        _packet(_bytes(60, _number(1, uuid) + _bytes(2, track.encode()))) for track, uuid in uuids.items()
    ]
    events = []
    for at, each in enumerate(ordered):
        uuid = _number(11, uuids[each.track])
        events.append((each.start_ns, 1, at, _number(9, _BEGIN) + uuid + _bytes(23, each.name.encode())))
        events.append((each.end_ns, 0, at, _number(9, _END) + uuid))
    for time, _, _, event in sorted(events, key=lambda row: row[:3]):
        packets.append(_packet(_number(8, time) + _number(10, 1) + _bytes(11, event)))
    return b"".join(packets)


def _packet(fields: bytes) -> bytes:
    return _bytes(1, fields)


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _varint(value: int) -> bytes:
    made = bytearray()
    while value > 0x7F:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    made.append(value)
    return bytes(made)
