"""Where the constant data of a model lies: in the FlatBuffer, behind it, or in another file."""

from __future__ import annotations

from ...core.records import dataclass
from .reader import DamagedError, Reader
from .schema import BUFFER, EXTERNAL_BUFFER


@dataclass(frozen=True)
class Extent:
    """A run of bytes of the file."""

    start: int
    length: int


class Buffers:
    """The model's buffers, looked at when a tensor names them."""

    def __init__(self, reader: Reader, buffers_at: int, external_at: int) -> None:
        self._reader = reader
        self._tables = reader.tables(BUFFER, buffers_at)
        self._extents: dict[int, Extent] = {}
        self._owners: dict[Extent, int] = {}
        self._external: dict[int, int] = dict(
            reader.read(EXTERNAL_BUFFER, at) for at in reader.tables(EXTERNAL_BUFFER, external_at)
        )

    def extent(self, index: int) -> Extent:
        """Bytes of buffer `index`; of length 0 for a tensor that is computed at run time."""
        known = self._extents.get(index)
        if known is None:
            known = self._extents[index] = self._locate(index)
        return known

    def owner(self, index: int) -> int:
        """The first buffer seen with the same bytes: converters let equal constants share them."""
        return self._owners.setdefault(self.extent(index), index)

    def external_length(self, identity: int) -> int:
        """Bytes of a constant that is kept in another file."""
        if identity not in self._external:
            raise DamagedError(f"a tensor names external buffer {identity}, which is not listed")
        return self._external[identity]

    def check_disjoint(self) -> None:
        """Constants may be the same bytes or different bytes, but not overlap."""
        end = 0
        for extent in sorted(self._owners, key=lambda e: e.start):
            if extent.start < end:
                raise DamagedError(f"constants overlap at byte {extent.start}")
            end = extent.start + extent.length

    def _locate(self, index: int) -> Extent:
        if index >= len(self._tables):
            raise DamagedError(f"buffer {index} is named, of {len(self._tables)}")
        data, offset, size = self._reader.read(BUFFER, self._tables[index])
        if data:
            return Extent(*self._reader.vector(data, 1))
        return outside_extent(self._reader, offset, size)


def outside_extent(reader: Reader, offset: int, size: int) -> Extent:
    """Data behind the FlatBuffer, as files beyond 2 GB keep it; offsets 0 and 1 stand for none."""
    if offset <= 1 or size == 0:
        return Extent(0, 0)
    if offset + size > reader.size:
        raise DamagedError(f"{size} bytes at byte {offset} lie beyond its {reader.size} bytes")
    return Extent(offset, size)
