"""Traces in the Common Trace Format 1.8, as Zephyr writes them and Zephelin, its profiler of networks.

A file of events lies beside the file `metadata` that lays them out (`tsdl`). Zephelin's events of operators
(zpl_tflm_enter, zpl_tflm_exit, those of microTVM, zpl_inference_*) are antmicro/zephelin zpl/metadata, commit
99b0799; any other pair NAME_enter and NAME_exit is a span on its thread.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path

from ....hardware_db.errors import InputError
from ...core.files import regular_file
from ...core.sanitize import clean_bytes, clean_text
from ..recording import Recording
from ..trace_file import MOST_BYTES, MOST_EVENTS
from . import zephelin
from .tsdl import MAGIC, NOTHING, Array, Int, Metadata, Real, Struct, Text, Type, parsed

_METADATA = "metadata"
_MOST_METADATA_BYTES, _HEAD_BYTES = 1 << 20, 1 << 14
_PACKET_MAGIC = 0xC1FC1FC1
_NANOSECONDS = 1_000_000_000
_WRAPS = "the trace's times have 32 bits: a gap of more than 4.3 s between two events would not be seen"
_NO_CLOCK = "the metadata declares no clock: times are taken for nanoseconds, as Zephyr writes them"

Value = int | float | str | list["Value"] | dict[str, "Value"]


class _CutError(Exception):
    """The data ends amid an event."""


def read(path: str | os.PathLike[str]) -> Recording | None:
    """None where no metadata of such a trace lies beside the file.

    Raises:
        InputError: metadata that cannot be read, or events that it does not lay out.
    """
    given = Path(path)
    folder = given if given.is_dir() else given.parent
    alone = given.is_file() and given.name != _METADATA
    if alone and not _is_binary(given):
        return None
    text = _metadata(folder / _METADATA)
    if not text:
        return None
    files = [given] if alone else _streams(folder)
    layout = parsed(text)
    found: list[zephelin.Happened] = []
    for file in files:
        if file.stat().st_size > MOST_BYTES:
            raise InputError(
                f"{clean_text(file.name)} is larger than {MOST_BYTES >> 20} MiB.",
                hint="Trace some runs only.",
            )
        found += _Stream(layout, file.read_bytes(), clean_text(file.name)).events(MOST_EVENTS - len(found))
    found.sort(key=lambda event: event.ns)
    notes = (*(() if layout.clocks else (_NO_CLOCK,)), *((_WRAPS,) if _is_short(layout) else ()))
    return zephelin.recorded("CTF trace", found, notes)


def _is_binary(file: Path) -> bool:
    """Any other trace may lie beside a metadata too."""
    try:
        with regular_file(file).open("rb") as opened:
            return b"\0" in opened.read(_HEAD_BYTES)
    except (OSError, ValueError):
        return False


def _metadata(file: Path) -> str:
    try:
        if not file.is_file():
            return ""
        with regular_file(file).open("rb") as opened:
            data = opened.read(_MOST_METADATA_BYTES + 1)
    except (OSError, ValueError):
        return ""
    if len(data) > _MOST_METADATA_BYTES or not data.startswith(MAGIC.encode()):
        return ""
    return data.decode("utf-8", "replace")


def _streams(folder: Path) -> list[Path]:
    """Files beside the metadata that may hold events: binary, not hidden, not an index."""
    found = sorted(
        file for file in folder.iterdir()
        if file.is_file() and file.name != _METADATA and not file.name.startswith(".")
        and file.suffix in ("", ".ctf", ".bin", ".dat")
    )  # fmt: skip
    if not found:
        raise InputError(
            "There is no file of events beside the metadata.", hint="Name the trace that it belongs to."
        )
    return found


def _is_short(layout: Metadata) -> bool:
    headers = (stream.header.fields for stream in layout.streams.values())
    return any(
        name == "timestamp" and isinstance(kind, Int) and kind.bits <= 32
        for fields in headers
        for name, kind in fields
    )


_Field = tuple[Value, int]
"""And where it ends."""


class _Stream:
    """One file: packets of events, or events alone where the metadata declares no packets."""

    def __init__(self, layout: Metadata, data: bytes, shown: str) -> None:
        self._layout, self._data, self._shown = layout, data, shown
        self._end = 8 * len(data)
        self._now = 0
        self._ticks_ns = {number: self._tick_ns(one.header) for number, one in layout.streams.items()}

    def events(self, most: int) -> Iterator[zephelin.Happened]:
        at, number = 0, 0
        while at < self._end:
            number += 1
            try:
                stream, at, end, limit = self._packet(at)
            except _CutError:
                raise self._refuse(f"packet {number} is cut off") from None
            while at < end:
                if (most := most - 1) < 0:
                    raise InputError(
                        f"The trace has more than {MOST_EVENTS:,} events.", hint="Cut it to some runs."
                    )
                begin = at
                try:
                    event, at = self._event(stream, at)
                except _CutError:
                    raise self._refuse(f"the event at byte {begin // 8:,} is cut off") from None
                yield event
            at = max(limit, end)

    def _refuse(self, why: str) -> InputError:
        return InputError(
            f"{self._shown}: {why}.", hint="Copy trace and metadata whole; nothing of it was imported."
        )

    def _packet(self, at: int) -> tuple[int, int, int, int]:
        """Stream, first bit of its events, where they end, and where the packet does."""
        begin, size, content = at, 0, 0
        number = next(iter(self._layout.streams))
        if self._layout.packet_header is not NOTHING:
            head, at = self._structure(self._layout.packet_header, at)
            if head.get("magic", _PACKET_MAGIC) != _PACKET_MAGIC:
                raise self._refuse(f"no packet begins at byte {begin // 8:,}: its magic number is missing")
            named = head.get("stream_id", number)
            number = named if isinstance(named, int) else number
        if number not in self._layout.streams:
            raise self._refuse(f"the metadata declares no stream {number}")
        context = self._layout.streams[number].packet_context
        if context is not NOTHING:
            said, at = self._structure(context, at)
            size, content = _bits(said.get("packet_size")), _bits(said.get("content_size"))
        end = begin + size if size else self._end
        last = begin + content if content else end
        if not at <= last <= end <= self._end:
            raise self._refuse(f"the packet at byte {begin // 8:,} ends beyond the file")
        return number, at, last, end

    def _event(self, stream: int, at: int) -> tuple[zephelin.Happened, int]:
        begin = at
        layout = self._layout.streams[stream]
        head, at = self._structure(layout.header, at)
        number = head.get("id", 0)
        event = layout.events.get(number) if isinstance(number, int) else None
        if event is None:
            raise self._refuse(
                f"byte {begin // 8:,} holds event {number}, which the metadata does not declare: Zephelin's "
                "events stand in its own zpl/metadata, which belongs behind Zephyr's"
            )
        _, at = self._structure(layout.context, at)
        _, at = self._structure(event.context, at)
        fields, at = self._structure(event.fields, at)
        stamp = head.get("timestamp", fields.get("timestamp"))
        if isinstance(stamp, int):
            self._now = self._extended(layout.header, event.fields, stamp)
        return zephelin.Happened(event.name, self._now * self._ticks_ns[stream], fields), at

    def _extended(self, header: Struct, fields: Struct, stamp: int) -> int:
        """Of a time that goes round at its number of bits, the next that comes after the last."""
        kinds = dict(fields.fields) | dict(header.fields)
        kind = kinds["timestamp"]
        if not isinstance(kind, Int) or kind.bits >= 64:
            return stamp
        turn = 1 << kind.bits
        return stamp + (self._now - stamp + turn - 1) // turn * turn if stamp < self._now else stamp

    def _tick_ns(self, header: Struct) -> float:
        kind = dict(header.fields).get("timestamp")
        named = kind.clock if isinstance(kind, Int) else ""
        clocks = self._layout.clocks
        return _NANOSECONDS / max(1, clocks.get(named) or next(iter(clocks.values()), _NANOSECONDS))

    def _structure(self, kind: Struct, at: int) -> tuple[dict[str, Value], int]:
        found: dict[str, Value] = {}
        if not kind.fields:
            return found, at
        at = _aligned(at, kind.align)
        for name, field in kind.fields:
            found[name], at = self._value(field, at, found)
        return found, at

    def _value(self, kind: Type, at: int, before: Mapping[str, Value]) -> _Field:
        at = _aligned(at, kind.align)
        match kind:
            case Int():
                return self._integer(kind, at)
            case Array(element, length):
                count = length if isinstance(length, int) else before.get(length, -1)
                if not isinstance(count, int) or count < 0:
                    raise self._refuse(f"a sequence at byte {at // 8:,} has no length")
                return self._array(element, count, at)
            case Struct():
                return self._structure(kind, at)
            case Text():
                end = self._data.find(b"\0", at // 8)
                if end < 0:
                    raise _CutError
                return clean_bytes(self._data[at // 8 : end]), 8 * end + 8
            case Real(bits, _, big):
                raw = self._bytes(at, bits // 8)
                code = (">" if big else "<") + ("f" if bits == 32 else "d")
                return float(struct.unpack(code, raw)[0]), at + bits

    def _array(self, element: Type, count: int, at: int) -> _Field:
        if isinstance(element, Int) and element.is_text:
            raw = self._bytes(at, count)
            return clean_bytes(raw.partition(b"\0")[0]), at + 8 * count
        if count > self._end - at:  # each element takes a bit at least
            raise _CutError
        found: list[Value] = []
        for _ in range(count):
            value, at = self._value(element, at, {})
            found.append(value)
        return found, at

    def _bytes(self, at: int, count: int) -> bytes:
        raw = self._data[at // 8 : at // 8 + count]
        if len(raw) < count:
            raise _CutError
        return raw

    def _integer(self, kind: Int, at: int) -> _Field:
        """Of any number of bits: little-endian ones are filled from their lowest bit on."""
        end = at + kind.bits
        raw = self._bytes(at, (end + 7) // 8 - at // 8)
        whole = int.from_bytes(raw, "big" if kind.big else "little")
        if not (at | end) & 7 and not kind.signed:
            return whole, end
        shift = (8 * len(raw) - at % 8 - kind.bits) if kind.big else at % 8
        value = whole >> shift & ((1 << kind.bits) - 1)
        if kind.signed and value >> (kind.bits - 1):
            value -= 1 << kind.bits
        return value, end


def _aligned(at: int, align: int) -> int:
    return (at + align - 1) // align * align


def _bits(value: Value | None) -> int:
    return value if isinstance(value, int) and value > 0 else 0
