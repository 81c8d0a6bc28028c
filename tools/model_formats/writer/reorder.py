"""The operators of a .tflite file in another order, and a memory plan for TensorFlow Lite Micro beside them.

Nothing else in the file changes. Operators are permuted where they stand; a memory plan is a new root put
before the file, since FlatBuffers' offsets only point forwards.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import tflite

from ....hardware_db.errors import UsageError
from ..tflite.schema import FILE_IDENTIFIER, OFFLINE_PLAN

_SLOTS = {
    "version": 4, "operator_codes": 6, "subgraphs": 8, "description": 10, "buffers": 12,
    "metadata_buffer": 14, "metadata": 16, "signature_defs": 18,
}  # fmt: skip
"""Of Model's fields in its vtable (tensorflow/lite/schema/schema.fbs); in Subgraph `operators` has 10."""
_OPERATORS_SLOT = 10
_ALIGNMENT = 64
_CONTROL_DEPENDENCIES = "model_control_dependencies"


def reorder_file(model: bytes, order: Sequence[int], offline_plan: Sequence[int] = ()) -> bytes:
    """
    Args:
        model: a .tflite file.
        order: operators of the first subgraph by their index, in the order to run them.
        offline_plan: words of the metadata entry OfflineMemoryAllocation; empty leaves metadata as they are.

    Raises:
        UsageError: the file keeps weights outside its FlatBuffer or names operators by their position, or
            `order` does not have each of its operators once.
    """
    body = bytearray(model)
    root = tflite.Model.GetRootAs(body, 0)
    names = [
        (root.Metadata(i).Name() or b"").decode("utf-8", "replace") for i in range(root.MetadataLength())
    ]
    if _CONTROL_DEPENDENCIES in names:
        raise UsageError("The file lists dependencies between operators by their position.")
    _permute(body, order)
    return _with_plan(body, offline_plan, names) if offline_plan else bytes(body)


def _permute(body: bytearray, order: Sequence[int]) -> None:
    table = tflite.Model.GetRootAs(body, 0).Subgraphs(0)._tab
    slot = table.Offset(_OPERATORS_SLOT)
    start, count = (table.Vector(slot), table.VectorLen(slot)) if slot else (0, 0)
    if sorted(order) != list(range(count)):
        raise UsageError(f"The order does not have each of the {count} operators once.")
    places = [start + 4 * i for i in range(count)]
    targets = [place + struct.unpack_from("<I", body, place)[0] for place in places]
    for place, old in zip(places, order, strict=True):
        if targets[old] <= place:
            raise UsageError("The file's operators stand before their list, which no writer does.")
        struct.pack_into("<I", body, place, targets[old] - place)


class _Prefix:
    """Bytes to put before a file, with references into themselves and into the file."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._into_file: list[tuple[int, int]] = []

    def put(self, layout: str, *values: int, align: int = 4) -> int:
        """Where the values went."""
        self._bytes += bytes(-len(self._bytes) % align)
        at = len(self._bytes)
        self._bytes += struct.pack("<" + layout, *values)
        return at

    def put_bytes(self, content: bytes, align: int) -> int:
        """A vector of bytes whose content stands at a multiple of `align`, a zero behind it as a string's."""
        self._bytes += bytes(-(len(self._bytes) + 4) % align)
        at = self.put("I", len(content))
        self._bytes += content + b"\0"
        return at

    def table(self, fields: Sequence[int | None]) -> tuple[int, list[int]]:
        """A table of 32-bit fields, None where absent; where it and each field went."""
        present = [f for f in fields if f is not None]
        slots, at = [], 4
        for field in fields:
            slots.append(0 if field is None else at)
            at += 0 if field is None else 4
        vtable = self.put(f"{2 + len(fields)}H", 4 + 2 * len(fields), 4 + 4 * len(present), *slots)
        self._bytes += bytes(-len(self._bytes) % 4)
        table = self.put(f"i{len(present)}I", len(self._bytes) - vtable, *present)
        return table, [table + slot for slot in slots]

    def point(self, at: int, to: int) -> None:
        struct.pack_into("<I", self._bytes, at, to - at)

    def point_into_file(self, at: int, to: int) -> None:
        self._into_file.append((at, to))

    def before(self, body: bytearray) -> bytes:
        self._bytes += bytes(-len(self._bytes) % _ALIGNMENT)
        for at, to in self._into_file:
            struct.pack_into("<I", self._bytes, at, len(self._bytes) + to - at)
        return bytes(self._bytes) + bytes(body)


def _with_plan(body: bytearray, plan: Sequence[int], names: Sequence[str]) -> bytes:
    root = tflite.Model.GetRootAs(body, 0)
    if any(root.Buffers(i).Offset() > 1 for i in range(root.BuffersLength())):
        raise UsageError("The file keeps its weights behind its FlatBuffer, where they cannot be moved.")
    table, prefix = root._tab, _Prefix()
    prefix.put("I", 0)
    prefix.put("I", int.from_bytes(FILE_IDENTIFIER, "little"))
    slots = {name: table.Offset(slot) for name, slot in _SLOTS.items()}
    kept = [0 if at or name in ("buffers", "metadata") else None for name, at in slots.items()]
    if slots["version"]:
        kept[0] = root.Version()
    model, fields = prefix.table(kept)
    prefix.point(0, model)
    for (name, at), field in zip(slots.items(), fields, strict=True):
        if at and name not in ("version", "buffers", "metadata"):
            prefix.point_into_file(field, table.Indirect(table.Pos + at))
    place = dict(zip(slots, fields, strict=True))
    buffers = [root.Buffers(i)._tab.Pos for i in range(root.BuffersLength())]
    own = _vector(prefix, place["buffers"], buffers)
    holder, (data,) = prefix.table([0])
    prefix.point(own, holder)
    prefix.point(data, prefix.put_bytes(struct.pack(f"<{len(plan)}i", *plan), 16))
    entries = [root.Metadata(i)._tab.Pos for i, name in enumerate(names) if name != OFFLINE_PLAN]
    own = _vector(prefix, place["metadata"], entries)
    entry, (name_at, _) = prefix.table([0, len(buffers)])
    prefix.point(own, entry)
    prefix.point(name_at, prefix.put_bytes(OFFLINE_PLAN.encode(), 4))
    return prefix.before(body)


def _vector(prefix: _Prefix, field: int, of_file: Sequence[int]) -> int:
    """A vector of tables of the file and one more, whose place is returned."""
    start = prefix.put(f"{2 + len(of_file)}I", 1 + len(of_file), *[0] * (1 + len(of_file)))
    prefix.point(field, start)
    for number, position in enumerate(of_file):
        prefix.point_into_file(start + 4 + 4 * number, position)
    return start + 4 + 4 * len(of_file)
