"""A sweep that is asked for in words: pruning levels by types on one board, with the front marked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from .phrases import lines, table

_ASKED = re.compile(r"\bsweep\w*\b|\bgrid\b|\bevery combination\b", re.IGNORECASE)
_LEVELS = re.compile(
    r"\bprun\w*(?: (?:levels?|ratios?|rates?|by|of|at|from))*[ :]*"
    r"((?:\d{1,2} ?%?(?:,? ?(?:and|or|to|/)? ?))+)",
    re.IGNORECASE,
)
_UNSAID = re.compile(r"\bprun\w* (?:levels?|ratios?|rates?)\b", re.IGNORECASE)
_USUAL = (25, 50, 75)
"""Where levels are asked for and none is named."""
_MOST = 12
_FIGURES = ("latency_ms", "energy_uj", "arena_bytes", "flash_bytes")
_HEAD = ("change", "type", "latency", "energy", "RAM", "flash", "front")
_PLAN = (
    "For more of them, other boards, files and measured accuracy write a plan: `edgewright sweep plan.yaml "
    "--data labelled.npz`. Accuracy is not part of this front."
)


def levels_of(question: str) -> list[int]:
    """Per cent of channels that are to be pruned, as the question lists them."""
    found = _LEVELS.search(question)
    if found is None:
        return list(_USUAL) if _UNSAID.search(question) else []
    shares = [int(number) for number in re.findall(r"\d+", found[1])]
    return [share for share in dict.fromkeys(shares) if 0 < share < 100]


def asks_for_a_sweep(query: Query) -> bool:
    """Several pruning levels, or some by several types, of one network on one board."""
    one = len(set(query.all(Role.MODEL))) == len(set(query.all(Role.TARGET))) == 1
    count = len(levels_of(query.question)) * max(1, len(set(query.all(Role.DTYPE))))
    return one and count > 1 and _ASKED.search(query.question) is not None


def sweep(query: Query, _wants: Sequence[Want]) -> Answering:
    """Each level with each type, and which of them no other beats."""
    types: list[str | None] = [*dict.fromkeys(query.all(Role.DTYPE))] or [None]
    levels, bare = levels_of(query.question), query.without((Role.DTYPE,))
    rows: list[tuple[str, str, Record]] = []
    for dtype, level in list(product(types, levels))[:_MOST]:
        technique = f"prune-{level}"
        record = needed(
            (yield call_of("simulate_optimizations", bare, technique=technique, dtype=dtype, goal="latency"))
        )
        if record.knows("options[#0].after.latency_ms"):
            rows.append((technique, dtype or "", record))
    if not rows:
        return "None of these levels can be pruned from this network."
    costs = [[record.number(f"options[#0].after.{name}") for name in _FIGURES] for _, _, record in rows]
    front = [not any(_beats(other, cost) for other in costs) for cost in costs]
    cells = [
        [
            technique,
            dtype or record.ref("deployment.runtime"),
            *(record.ref(f"options[#0].after.{name}") for name in _FIGURES),
            "*" if best else "",
        ]
        for (technique, dtype, record), best in zip(rows, front, strict=True)
    ]
    fastest = min(range(len(rows)), key=lambda at: costs[at][0] or float("inf"))
    technique, dtype, record = rows[fastest]
    first = (
        f"{technique}{' in ' + dtype if dtype else ''} is the fastest with "
        f"{record.ref('options[#0].after.latency_ms')}: {query.text(Role.MODEL)} on "
        f"{record.ref('deployment.target')}; * marks what no other beats."
    )
    return lines(first, table(_HEAD, cells), _PLAN)


def _beats(one: Sequence[float | None], other: Sequence[float | None]) -> bool:
    known = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    return bool(known) and all(a <= b for a, b in known) and any(a < b for a, b in known)
