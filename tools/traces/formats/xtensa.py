"""Cycles of a run as Cadence's simulator of Xtensa cores, HiFi and Fusion among them, sums them (xt-run).

`Committed instructions  411345 ( 1.0000   1.0000 |  69.46    69.46 )`: cycles, those over instructions, the
sum so far, and both as a percentage of all. A committed instruction, which may be a bundle, takes one; other
rows are cycles in which none is committed, so what is not a taken branch is a stall.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ....hardware_db.errors import InputError
from ...core.quantity import Basis
from ...core.sanitize import clean_text
from ..recording import Counted, Recording
from ..trace_file import number

_ROW = re.compile(
    r"^\s*([A-Z][\w ,/&-]{2,60}?)\s{2,}(\d{1,15})\s*\(\s*[\d.]+\s+[\d.]+\s*\|\s*([\d.]+)\s+([\d.]+)\s*\)\s*$"
)
_COMMITTED, _BRANCHES = "committed instructions", "taken branches"
_WHOLE = 99.0
"""Percent, from which on the rows are all."""
_SIMULATED = "cycles of a simulator: memory takes what its configuration says"


def read(lines: Sequence[str]) -> Recording | None:
    rows = [(at, found) for at, line in enumerate(lines, 1) if (found := _ROW.match(line)) is not None]
    first = next((n for n, (_, row) in enumerate(rows) if row[1].casefold() == _COMMITTED), None)
    if first is None:
        return None
    cycles: dict[str, float] = {}
    reached = 0.0
    for at, row in rows[first:]:
        name = clean_text(row[1]).casefold()
        if name in cycles:
            break  # of another core
        cycles[name] = number(row[2], at)
        reached = number(row[4], at, most=1000.0)
    if reached < _WHOLE:
        raise InputError(
            f"Line {rows[-1][0]}: the summary ends at {reached:g} % of the cycles: it is cut off.",
            hint="Give it whole; nothing of it was imported.",
        )
    stalls = sum(count for name, count in cycles.items() if name not in (_COMMITTED, _BRANCHES))
    counts = {
        "cycles": sum(cycles.values()), "instructions": cycles[_COMMITTED], "stalled_backend": stalls,
    }  # fmt: skip
    facts = {name: f"{count:,.0f} cycles" for name, count in cycles.items() if name != _COMMITTED and count}
    return Recording(
        "summary of Xtensa's simulator", counters=(Counted("", counts),), basis=Basis.SIMULATED, facts=facts,
        notes=(_SIMULATED,), lines=len(cycles), issue_width=1.0,
    )  # fmt: skip
