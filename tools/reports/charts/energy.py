"""The energy of one batch by kind of operator."""

from __future__ import annotations

from collections import defaultdict

from ...core.document import Chart, Column
from ...cost_model.performance_estimate import PerformanceEstimate
from .spec import Row, best_unit, chart_spec, quantity, tooltip, with_words

COLUMNS = (
    Column("op", "Kind of layer"), Column("layers", "Layers"), Column("energy", "Energy", "uJ"),
    Column("share", "Share of the energy", "fraction"),
)  # fmt: skip
_NAMED = 9
"""Kinds with a bar of their own; the rest share one."""
_ROW = 24
_ROOM = 1.4
"""For the words behind the longest bar."""


def energy_chart(performance: PerformanceEstimate) -> Chart | None:
    """None where the energy of a layer is not known."""
    by_op: dict[str, list[float]] = defaultdict(list)
    for layer in performance.layers:
        if layer.energy_uj is None:
            return None
        by_op[layer.op].append(layer.energy_uj)
    total = sum(map(sum, by_op.values()))
    if not total:
        return None
    ordered = sorted(by_op.items(), key=lambda each: -sum(each[1]))
    listed = [_row(op, energies, total) for op, energies in ordered[:_NAMED]]
    if len(ordered) > _NAMED:
        listed.append(_row("others", [one for _, energies in ordered[_NAMED:] for one in energies], total))
    rows = with_words(listed, COLUMNS)
    factor, unit = best_unit([row["energy"] for row in rows], "uJ")
    longest = max(row["energy"] for row in rows) / factor
    room = {"domainMax": longest * _ROOM, "nice": False}
    spec = chart_spec(
        _ROW * len(rows), "Energy of one batch by kind of layer",
        transform=[{"calculate": f"datum.energy / {factor!r}", "as": "shown"}],
        encoding={
            "y": {"field": "op", "type": "nominal", "title": None, "sort": None, "axis": {"labelLimit": 220}},
            "x": quantity("shown", f"energy, {unit}", axis={"tickCount": 5}, scale=room),
            "tooltip": tooltip(COLUMNS),
        },
        layer=[
            {"mark": {"type": "bar", "color": "var(--compute)"}},
            {"mark": {"type": "text", "align": "left", "dx": 5},
             "encoding": {"text": {"field": "share_text"}}},
        ],
    )  # fmt: skip
    return Chart("energy", spec, rows, COLUMNS)


def _row(op: str, energies: list[float], total: float) -> Row:
    return {"op": op, "layers": len(energies), "energy": sum(energies), "share": sum(energies) / total}
