"""The energy of one batch by kind of operator."""

from __future__ import annotations

from collections import defaultdict

from ...core.document import Chart, Column
from ...cost_model.performance_estimate import PerformanceEstimate
from .spec import KINDS, Row, chart_spec, nominal, tooltip, with_words

COLUMNS = (
    Column("op", "Kind of layer"), Column("layers", "Layers"), Column("energy", "Energy", "uJ"),
    Column("share", "Share of the energy", "fraction"),
)  # fmt: skip
_NAMED = len(KINDS) - 1


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
    names = [row["op"] for row in rows]
    spec = chart_spec(
        300, "Energy of one batch by kind of layer",
        mark={"type": "arc", "innerRadius": 60, "stroke": "var(--page)", "strokeWidth": 1},
        encoding={
            "theta": {"field": "energy", "type": "quantitative", "stack": True},
            "order": {"field": "energy", "type": "quantitative", "sort": "descending"},
            "color": nominal("op", scale={"domain": names, "range": list(KINDS[: len(names)])},
                             legend={"orient": "bottom", "columns": 2}),
            "tooltip": tooltip(COLUMNS),
        },
    )  # fmt: skip
    return Chart("energy", spec, rows, COLUMNS)


def _row(op: str, energies: list[float], total: float) -> Row:
    return {"op": op, "layers": len(energies), "energy": sum(energies), "share": sum(energies) / total}
