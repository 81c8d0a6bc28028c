"""Traces of memory accesses: how much is touched, in what order, and what caches of some sizes would miss.

Lines as Valgrind's lackey prints them with --trace-mem=yes (Valgrind User Manual, Lackey): `I  0023C790,2`,
` L BE801950,4`, ` S BE80199C,4`, ` M 0025747C,1`, with `==PID==` lines between. Caches are fully associative
and replace what was used longest ago, so that a real one of that size misses at least about as often.
"""

import re
from collections import OrderedDict
from collections.abc import Sequence

from ...hardware_db.errors import InputError
from ..core.quantity import Result

LINE_BYTES = 32
"""Of a Cortex-M7's data cache."""
SIZES = (4 << 10, 8 << 10, 16 << 10, 32 << 10, 64 << 10)
_ACCESS = re.compile(r"^(?:I | [LSM]) ([0-9a-fA-F]{4,16}),(\d{1,4})\s*$")
_OTHER = re.compile(r"^==\d+==|^\s*$")
_LEAST = 20
_NEAR = 64
"""Bytes from the end of the access before, within which one follows it."""


class CacheMisses(Result):
    """A data cache of one size."""

    cache_bytes: int
    """Its size."""
    miss_share: float
    """Misses by the accesses to data."""


class AccessReport(Result):
    """What a trace of memory accesses says."""

    instructions: int
    """That were fetched."""
    loads: int
    """Reads of data; what is read and written counts in both."""
    stores: int
    """Writes of data."""
    moved_bytes: int
    """Read and written."""
    touched_bytes: int
    """Of lines of 32 bytes that hold data which was touched: the working set of all."""
    sequential_share: float
    """Of the accesses to data, those within 64 bytes of the one before."""
    reuse: float
    """Accesses to data by line that is touched."""
    caches: tuple[CacheMisses, ...]
    """What data caches of some sizes would miss, the smallest first."""


class _Data:
    """Accesses to data so far."""

    def __init__(self) -> None:
        self.count = self.loads = self.stores = self.moved = self.near = 0
        self.touched: set[int] = set()
        self.misses = [0] * len(SIZES)
        self._caches: list[OrderedDict[int, None]] = [OrderedDict() for _ in SIZES]
        self._last = -(1 << 40)

    def add(self, kind: str, begin: int, size: int) -> None:
        self.count += 1
        self.loads += kind in "LM"
        self.stores += kind in "SM"
        self.moved += size * (2 if kind == "M" else 1)
        self.near += abs(begin - self._last) <= _NEAR
        self._last = begin + size
        line = begin // LINE_BYTES
        self.touched.add(line)
        for at, held in enumerate(self._caches):
            if line in held:
                held.move_to_end(line)
                continue
            self.misses[at] += 1
            held[line] = None
            if len(held) > SIZES[at] // LINE_BYTES:
                held.popitem(last=False)


def accesses_of(lines: Sequence[str]) -> AccessReport | None:
    """None for what is no such trace.

    Raises:
        InputError: a line that is none among them, with its number.
    """
    head = [line for line in lines[:200] if not _OTHER.match(line)][:_LEAST]
    if len(head) < _LEAST or not all(map(_ACCESS.match, head)):
        return None
    instructions, data = 0, _Data()
    for at, line in enumerate(lines, 1):
        if (found := _ACCESS.match(line)) is not None:
            if line[0] == "I":
                instructions += 1
            else:
                data.add(line[1], int(found[1], 16), int(found[2]))
        elif not _OTHER.match(line):
            raise InputError(
                f"Line {at}: no access to memory: the trace is cut off or mixed with another.",
                hint="Give what lackey wrote (--log-file), without the program's own output.",
            )
    if not data.count:
        raise InputError("The trace has no access to data.", hint="Trace with --trace-mem=yes.")
    return AccessReport(
        instructions=instructions, loads=data.loads, stores=data.stores, moved_bytes=data.moved,
        touched_bytes=len(data.touched) * LINE_BYTES, sequential_share=data.near / data.count,
        reuse=data.count / len(data.touched),
        caches=tuple(
            CacheMisses(cache_bytes=size, miss_share=missed / data.count)
            for size, missed in zip(SIZES, data.misses, strict=True)
        ),
    )  # fmt: skip
