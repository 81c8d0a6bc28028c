"""What changes bring for what they cost to make: time saved for each step of effort."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ....tools.optimization_simulator.efforts import STEPS
from ..bench import Answering, call_of, needed
from ..query import Query, Role
from ..want import Want
from .phrases import assumed, lines, subject, table

_ASKS = re.compile(
    r"\b(?:ROI|return on (?:the )?investment|pay-?off|"
    r"(?:gain|bring|most|return)s? (?:per|for (?:the|its)) effort)\b",
    re.IGNORECASE,
)

_SHOWN = 6
_HEAD = ("change", "effort", "latency", "energy", "time saved", "for each step")


def asks(query: Query) -> bool:
    return query.has(Role.MODEL) and query.has(Role.TARGET) and bool(_ASKS.search(query.question))


def payoff(query: Query, _wants: Sequence[Want]) -> Answering:
    """The changes that help, those first that save most for a step of effort."""
    record = needed((yield call_of("simulate_optimizations", query, goal="latency", top=None)))
    helpful = [option for option in record["options"] if option["applicable"] and _saved(option) > 0]
    helpful.sort(key=_saved, reverse=True)
    if not helpful:
        return lines(f"Nothing that I simulate saves time: {subject(query, record)}.", assumed(query, record))
    rows = []
    for option in helpful[:_SHOWN]:
        name, row = option["technique"], f"options[{option['technique']}]"
        before, after = f"{record.id}.{row}.before.latency_ms", f"{record.id}.{row}.after.latency_ms"
        saved = f"({before}-{after})/{before}"
        figures = (record.ref(f"{row}.after.{figure}") for figure in ("latency_ms", "energy_uj"))
        shares = (f"{{{{{saved}|%}}}}", f"{{{{{saved}/{STEPS[option['effort']]}|%}}}}")
        rows.append((name, option["effort"], *figures, *shares))
    return lines(
        f"{rows[0][0]} saves most for its effort: {subject(query, record)}.",
        table(_HEAD, rows),
        "Minutes count as one step, retraining as two, a redesign as three: an order, no hours.",
        assumed(query, record),
    )


def _saved(option: Mapping[str, Any]) -> float:
    """Share of the time, for each step of effort."""
    return -float(option["gain"].get("latency", 0.0)) / STEPS[option["effort"]]
