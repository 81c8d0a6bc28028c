"""Solves one packing with HiGHS, in a process of its own: it heeds no Ctrl-C while it is at work.

Run as a script: buffers on standard input, the answer in the folder that it runs in.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import highspy


def main() -> None:
    Path("answer.json").write_text(json.dumps(solved(**json.load(sys.stdin))), encoding="utf-8")


def solved(
    sizes: Sequence[int], pairs: Sequence[tuple[int, int]], lowest: int, highest: int, time_limit_s: float
) -> dict[str, Any]:
    """Offsets, or None where nothing lower is found, and the bound that is proven; all in `sizes`' unit."""
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("time_limit", time_limit_s)
    solver.setOptionValue("threads", 1)
    top = solver.addVariable(lb=lowest, ub=highest, type=highspy.HighsVarType.kInteger)
    offsets = [solver.addVariable(lb=0, ub=max(0, highest - size)) for size in sizes]
    for offset, size in zip(offsets, sizes, strict=True):
        solver.addConstr(offset + size <= top)
    for i, j in pairs:
        is_below = solver.addBinary()
        solver.addConstr(offsets[i] + sizes[i] <= offsets[j] + highest * (1 - is_below))
        solver.addConstr(offsets[j] + sizes[j] <= offsets[i] + highest * is_below)
    solver.minimize(top)
    if solver.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
        return {"offsets": None, "bound": highest + 1}
    info = solver.getInfo()
    bound = max(lowest, math.ceil(info.mip_dual_bound - 1e-6)) if info.mip_dual_bound > 0 else lowest
    if info.primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
        return {"offsets": None, "bound": bound}
    values = solver.getSolution().col_value
    return {"offsets": [round(values[each.index]) for each in offsets], "bound": bound}


if __name__ == "__main__":
    main()
