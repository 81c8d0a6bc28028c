"""Pictures beside the tables of an analysis: outputs, work and precisions."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.document import Chart, Column
from .spec import Row, chart_spec, quantity, with_words

_X = {"field": "layer", "type": "nominal", "title": None, "sort": None, "axis": {"labelAngle": -60}}


def activation_chart(layers: Sequence[tuple[str, int | None, int, int | None, int | None]]) -> Chart:
    """Bytes of each layer's output, in MiB."""
    rows = [{"layer": row[0], "value": None if row[3] is None else row[3] / 1024**2} for row in layers]
    return _bars("layerwise_activation_memory", "Output of each layer", "MiB", rows)


def macs_chart(layers: Sequence[tuple[str, int | None, int, int | None, int | None]]) -> Chart:
    """Millions of multiply-accumulates of each layer."""
    rows = [{"layer": row[0], "value": None if row[4] is None else row[4] / 1e6} for row in layers]
    return _bars("layerwise_macs", "Work of each layer", "million MACs", rows)


def _bars(name: str, title: str, unit: str, rows: list[Row]) -> Chart:
    columns = (Column("layer", "Layer"), Column("value", unit))
    spec = chart_spec(
        380, title, title=title,
        layer=[
            {"mark": {"type": "bar", "color": "var(--compute)"},
             "encoding": {"x": _X, "y": quantity("value", unit)}},
            {"transform": [{"filter": "datum.value === null"}],
             "mark": {"type": "text", "text": "?", "baseline": "bottom"},
             "encoding": {"x": _X, "y": {"value": 378}}},
        ],
    )  # fmt: skip
    return Chart(name, spec, with_words(rows, columns), columns)


def precision_chart(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Chart:
    """Latency, energy and size of each type, each over its largest."""
    shown = {"latency_ms_mean": "latency", "energy_proxy_j_mean": "energy", "memory_mb_mean": "parameters"}
    drawn: list[Row] = []
    for name, words in shown.items():
        at = header.index(name)
        values = [float(row[at]) if row[at] else None for row in rows]
        largest = max((value for value in values if value is not None), default=0.0)
        for row, value in zip(rows, values, strict=True):
            share = None if value is None or not largest else value / largest
            drawn.append({"precision": row[0], "figure": words, "share": share})
    columns = (
        Column("precision", "Precision"), Column("figure", "Figure"), Column("share", "Share", "fraction"),
    )  # fmt: skip
    kinds = {"domain": list(shown.values()), "range": ["var(--c0)", "var(--c1)", "var(--c2)"]}
    x = {"field": "precision", "type": "nominal", "title": None, "axis": {"labelAngle": 0},
         "sort": list(dict.fromkeys(row["precision"] for row in drawn))}  # fmt: skip
    spec = chart_spec(
        320, "Latency, energy and parameters by precision", title="Each precision over the largest",
        encoding={"x": x, "xOffset": {"field": "figure", "sort": list(shown.values())}},
        layer=[
            {"mark": "bar", "encoding": {
                "y": quantity("share", "share of the largest", axis={"format": "%"}),
                "color": {"field": "figure", "type": "nominal", "title": None, "scale": kinds},
            }},
            {"transform": [{"filter": "datum.share === null"}],
             "mark": {"type": "text", "text": "?", "baseline": "bottom"}, "encoding": {"y": {"value": 318}}},
        ],
    )  # fmt: skip
    return Chart("precision_tradeoffs", spec, with_words(drawn, columns), columns)
