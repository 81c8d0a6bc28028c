"""What time and energy go to: what binds, then the kind of operator, then the layer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...core.document import Chart, Column
from ...core.sanitize import clean_text
from ...core.units import show
from ...cost_model.performance_estimate import PerformanceEstimate
from ...roofline.roofline_report import RooflineReport
from .picture import Picture
from .spec import Row, Spec, bound_scale, chart_spec, nominal, tooltip, with_words
from .tree import Leaf, nodes_of

COLUMNS = (
    Column("name", "Part"), Column("within", "Of"), Column("layers", "Layers"), Column("time", "Time", "ms"),
    Column("time_share", "Share of the time", "fraction"), Column("energy", "Energy", "uJ"),
    Column("energy_share", "Share of the energy", "fraction"),
)  # fmt: skip
_RINGS = ((0.95, 1.5), (1.5, 2.7), (2.7, 3.3))
"""Where each ring begins and ends; the outermost ends at the edge of the chart."""
_EDGE = 3.35
_NAMED_FROM = 0.055
"""Share of the whole from which a kind of operator is named on its ring."""
_CAPTION = "From the inside outwards: what binds, the kind of operator, the layer; each as wide as its share."
_LONG_NAME = 10
_TURN = 6.283185307179586


def leaves_of(roofline: RooflineReport, performance: PerformanceEstimate | None) -> list[Leaf]:
    """Layers under what binds them and their kind: milliseconds, and microjoules where they are known."""
    energies = [layer.energy_uj for layer in performance.layers] if performance else []
    energies = energies or [None] * len(roofline.layers)
    return [
        Leaf(
            (layer.bound.value, layer.op, f"layer {layer.index}"), (layer.latency_ms, energy),
            layer.bound.value,
        )
        for layer, energy in zip(roofline.layers, energies, strict=True)
        if layer.latency_ms is not None
    ]  # fmt: skip


def sunburst(roofline: RooflineReport, performance: PerformanceEstimate | None = None) -> Picture | None:
    """None where no layer's time is known; energy is a choice where that of every layer is known."""
    chart = _chart(roofline, performance)
    if chart is None:
        return None
    where = roofline.deployment
    title = f"What the time of {roofline.model or 'the model'} on {where.target} goes to"
    unknown = sum(layer.latency_ms is None for layer in roofline.layers)
    left_out = f" Layers left out, as their time is not known: {unknown}." if unknown else ""
    return Picture(chart.name, clean_text(title), f"{_CAPTION}{left_out}", (chart,))


def _chart(roofline: RooflineReport, performance: PerformanceEstimate | None) -> Chart | None:
    leaves = leaves_of(roofline, performance)
    has_energy = bool(leaves) and all(leaf.values[1] is not None for leaf in leaves)
    rows = with_words(list(_rows(leaves, has_energy=has_energy)), COLUMNS)
    if not rows:
        return None
    columns = COLUMNS if has_energy else COLUMNS[:5]
    spec = chart_spec(
        360, "What the time goes to: what binds, the kind of operator and the layer",
        encoding={"tooltip": tooltip(columns)},
        layer=[_arcs(rows), *_names(), _whole("@total")],
    )  # fmt: skip
    total = sum(leaf.values[0] or 0.0 for leaf in leaves)
    choices = [("Time", {"@field": "time", "@total": show(total, "ms")})]
    if has_energy:
        choices.append(("Energy", {"@field": "energy", "@total": show(_energy(leaves), "uJ")}))
    return Chart("attribution_sunburst", spec, rows, columns, tuple(choices))


def _energy(leaves: Sequence[Leaf]) -> float:
    return sum(leaf.values[1] or 0.0 for leaf in leaves)


def _rows(leaves: Sequence[Leaf], *, has_energy: bool) -> Iterator[Row]:
    for node in nodes_of(leaves):
        inner, outer = _RINGS[node.depth - 1]
        row: Row = {
            "name": node.path[-1], "within": ", ".join(node.path[:-1]) or "the whole", "layers": node.leaves,
            "bound": node.group, "depth": node.depth, "inner": inner, "outer": outer,
            "label": _in_two_lines(node.path[-1]) if node.depth == 2 else "",
        }  # fmt: skip
        for at, figure in enumerate(("time", "energy")):
            known = at == 0 or has_energy
            row |= {
                figure: node.values[at] if known else None,
                f"{figure}_share": node.shares[at] if known else None,
                f"{figure}_from": node.begins[at] if known else None,
                f"{figure}_to": node.begins[at] + node.shares[at] if known else None,
            }
        yield row


def _in_two_lines(name: str) -> str:
    """Broken where a kind's name has its middle."""
    breaks = [at for at, letter in enumerate(name) if letter == "_"]
    if len(name) <= _LONG_NAME or not breaks:
        return name
    middle = min(breaks, key=lambda at: abs(at - len(name) / 2))
    return f"{name[:middle]}|{name[middle + 1 :]}"


def _polar(begin: str, end: str = "", inner: str = "inner", outer: str = "") -> Spec:
    turn = {"domain": [0, 1], "range": [0, _TURN], "nice": False}
    reach = {"domain": [0, _EDGE], "range": [0, {"expr": "min(width, height) / 2"}], "nice": False}
    placed: Spec = {
        "theta": {"field": begin, "type": "quantitative", "stack": None, "scale": turn},
        "radius": {"field": inner, "type": "quantitative", "stack": None, "scale": reach},
    }
    return (
        placed
        | ({"theta2": {"field": end}} if end else {})
        | ({"radius2": {"field": outer}} if outer else {})
    )


def _arcs(rows: tuple[Row, ...]) -> Spec:
    faded = {"condition": [{"test": "datum.depth === 1", "value": 1},
                           {"test": "datum.depth === 2", "value": 0.62}], "value": 0.38}  # fmt: skip
    return {
        "mark": {"type": "arc", "stroke": "var(--page)", "strokeWidth": 1},
        "encoding": {
            **_polar("@field_from", "@field_to", "inner", "outer"), "opacity": faded,
            "color": nominal("bound", scale=bound_scale(row["bound"] for row in rows)),
        },
    }  # fmt: skip


def _names() -> Iterator[Spec]:
    """Each twice, as the page's colour behind it keeps it readable on any arc."""
    for more in (
        {"stroke": "var(--page)", "strokeWidth": 3, "strokeOpacity": 0.75, "strokeJoin": "round"},
        {},
    ):
        mark: dict[str, Any] = {"type": "text", "fontSize": 11, "lineBreak": "|", "baseline": "middle"}
        yield {
            "transform": [
                {"filter": f"datum.label !== '' && datum.@field_share >= {_NAMED_FROM}"},
                {"calculate": "(datum.@field_from + datum.@field_to) / 2", "as": "middle"},
                {"calculate": "(datum.inner + datum.outer) / 2", "as": "between"},
            ],
            "mark": {**mark, **more},
            "encoding": {**_polar("middle", inner="between"), "text": {"field": "label"}},
        }


def _whole(words: str) -> Spec:
    return {
        "data": {"values": [{"words": words}]},
        "mark": {"type": "text", "fontSize": 14, "fontWeight": "bold",
                 "x": {"expr": "width / 2"}, "y": {"expr": "height / 2"}},
        "encoding": {"text": {"field": "words"}, "tooltip": {"value": None}},
    }  # fmt: skip
