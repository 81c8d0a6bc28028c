"""Packing as a mixed-integer programme, for the HiGHS solver behind the extra `solver`.

One variable is a buffer's offset, and for each two that are alive together one says which lies below; the
disjunctive formulation of Sekiyama et al., "Profile-guided memory optimization" (arXiv 1804.10001), §4.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

from ...core.records import dataclass

_PAIRS_AT_MOST = 4000


@dataclass(frozen=True)
class Solved:
    offsets: tuple[int, ...] | None
    """None where nothing lower was found."""
    bound: int


@cache
def solver_name() -> str | None:
    """Name and version of the solver; None where it is not installed."""
    highspy = _highs()
    return None if highspy is None else f"HiGHS {highspy.Highs().version()}"


@cache
def _highs() -> Any:
    try:
        import highspy
    except ImportError:
        return None
    return highspy


def solve_packing(
    sizes: Sequence[int], together: Sequence[Sequence[int]], below: int, floor: int, time_limit_s: float
) -> Solved:
    """Look for a packing whose top is less than `below`.

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
    highspy = _highs()
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("time_limit", float(time_limit_s))
    solver.setOptionValue("threads", 1)
    solver.HandleKeyboardInterrupt = True
    top = solver.addVariable(lb=lowest, ub=highest, type=highspy.HighsVarType.kInteger)
    offsets = [solver.addVariable(lb=0, ub=max(0, highest - size // unit)) for size in sizes]
    for offset, size in zip(offsets, sizes, strict=True):
        solver.addConstr(offset + size // unit <= top)
    for i, j in pairs:
        is_below = solver.addBinary()
        solver.addConstr(offsets[i] + sizes[i] // unit <= offsets[j] + highest * (1 - is_below))
        solver.addConstr(offsets[j] + sizes[j] // unit <= offsets[i] + highest * is_below)
    solver.minimize(top)
    status = solver.getModelStatus()
    if status == highspy.HighsModelStatus.kInfeasible:
        return Solved(None, below)
    info = solver.getInfo()
    bound = max(floor, unit * math.ceil(info.mip_dual_bound - 1e-6)) if info.mip_dual_bound > 0 else floor
    if info.primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
        return Solved(None, bound)
    values = solver.getSolution().col_value
    return Solved(tuple(unit * round(values[v.index]) for v in offsets), bound)
