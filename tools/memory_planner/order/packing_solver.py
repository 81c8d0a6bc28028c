"""Packing as a mixed-integer programme, for the HiGHS solver behind the extra `solver`.

One variable is a buffer's offset, and for each two that are alive together one says which lies below; the
disjunctive formulation of Sekiyama et al., "Profile-guided memory optimization" (arXiv 1804.10001), §4.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import cache
from importlib import metadata
from pathlib import Path

from ...core.isolated import FailedError, run_isolated, worker_folder
from ...core.records import dataclass

_PAIRS_AT_MOST = 4000
_WORKER = Path(__file__).with_name("packing_worker.py")
_MEMORY_BYTES = 4 << 30
_MORE_S = 5.0
"""For the process to start, and for a step of the solver that goes on beyond its time limit."""


@dataclass(frozen=True)
class Solved:
    offsets: tuple[int, ...] | None
    """None where nothing lower was found."""
    bound: int


@cache
def solver_name() -> str | None:
    """Name and version of the solver; None where it is not installed."""
    try:
        return f"HiGHS {metadata.version('highspy')}"
    except metadata.PackageNotFoundError:
        return None


def solve_packing(
    sizes: Sequence[int], together: Sequence[Sequence[int]], below: int, floor: int, time_limit_s: float
) -> Solved:
    """Look for a packing whose top is less than `below`, in a process that an interrupt ends at once.

    Args:
        sizes: bytes of each buffer.
        together: for each buffer, those that it may not share memory with.
        floor: what no packing goes below.

    Returns:
        The best packing found in the time, and the bound that is proven then.
    """
    pairs = [(i, j) for i, others in enumerate(together) for j in others if i < j]
    unit = math.gcd(*sizes)
    lowest, highest = -(-floor // unit), -(-below // unit) - 1
    if lowest > highest:
        return Solved(None, below)
    if time_limit_s <= 0 or len(pairs) > _PAIRS_AT_MOST:
        return Solved(None, floor)
    request = {
        "sizes": [size // unit for size in sizes], "pairs": pairs, "lowest": lowest, "highest": highest,
        "time_limit_s": float(time_limit_s),
    }  # fmt: skip
    with worker_folder("packing") as folder:
        try:
            run_isolated(
                _WORKER, Path(folder), seconds=time_limit_s + _MORE_S, memory_bytes=_MEMORY_BYTES,
                request=json.dumps(request).encode(),
            )  # fmt: skip
            answer = json.loads(Path(folder, "answer.json").read_bytes())
        except (FailedError, OSError, ValueError):
            return Solved(None, floor)
    found = answer["offsets"]
    if found is None and answer["bound"] > highest:
        return Solved(None, below)
    return Solved(
        None if found is None else tuple(unit * at for at in found), max(floor, unit * answer["bound"])
    )
