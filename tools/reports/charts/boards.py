"""One model on many deployments: each figure with its interval, and time against energy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import count
from typing import Any

from ...core.document import Chart, Column
from ...core.numbers import interval
from ...core.paths import Value
from ...core.quantity import Quantity
from ..results import Results
from .spec import (
    DECADES,
    Row,
    Spec,
    chart_spec,
    decade_labels,
    labels,
    nominal,
    quantity,
    tooltip,
    verdict_scale,
    verdict_shapes,
    with_words,
)

COLUMNS = (
    Column("name", "Deployment"), Column("verdict", "Verdict"), Column("latency", "Latency", "ms"),
    Column("latency_between", "Its 90 % interval"), Column("energy", "Energy", "uJ"),
    Column("energy_between", "Its 90 % interval"), Column("arena", "RAM (arena)", "bytes"),
    Column("flash", "Flash", "bytes"), Column("score", "Score"), Column("bound", "Bound"),
    Column("price", "Price", "USD"),
)  # fmt: skip
_CHOICES = (
    ("Latency", "latency", "ms"), ("Energy", "energy", "uJ"), ("RAM (arena)", "arena", "bytes"),
    ("Flash", "flash", "bytes"), ("Price", "price", "USD"),
)  # fmt: skip
_ROW = 26


def names_of(views: Sequence[Results]) -> list[str]:
    """What tells each deployment from the others, in as few words as do."""
    parts = [_parts(view) for view in views]
    names = [row[0] for row in parts]
    for at in range(1, len(parts[0])):
        longer = [f"{name}, {row[at]}" for name, row in zip(names, parts, strict=True)]
        if len(set(longer)) > len(set(names)):
            names = longer
    numbers: dict[str, count[int]] = {}
    return [
        name if names.count(name) == 1 else f"{name} ({next(numbers.setdefault(name, count(1)))})"
        for name in names
    ]


def _parts(view: Results) -> tuple[str, ...]:
    ref = view.performance.deployment
    return (
        ref.target, ref.runtime, f"{ref.clock_mhz:g} MHz", f"batch {ref.batch}",
        f"{ref.threads} thread{'s' if ref.threads > 1 else ''}", view.model.name,
        view.transform or "unchanged",
    )  # fmt: skip


def board_rows(views: Sequence[Results]) -> tuple[Row, ...]:
    rows = [
        {"at": at, "name": name, "verdict": view.checks.verdict.value, **_figures(view)}
        for at, (view, name) in enumerate(zip(views, names_of(views), strict=True))
    ]
    return with_words(rows, COLUMNS)


def _figures(view: Results) -> Row:
    price = view.place.target.price_usd
    row: Row = {"score": view.compatibility.score, "bound": view.roofline.bound.value}
    row |= dict.fromkeys(("price", "price_low", "price_high"), None if price is None else price.value)
    figures = {
        "latency": view.performance.latency_ms, "energy": view.performance.energy_uj,
        "arena": view.memory.arena, "flash": view.memory.flash,
    }  # fmt: skip
    for name, figure in figures.items():
        row |= {name: figure.value, f"{name}_low": figure.low, f"{name}_high": figure.high}
        row[f"{name}_between"] = _between(figure)
    return row


def _between(figure: Quantity) -> str | None:
    if figure.value is None:
        return None
    value = Value(figure.value, figure.unit, figure.low, figure.high, figure.basis.value)
    return interval(value) or "exact"


def boards_chart(views: Sequence[Results]) -> Chart:
    """A dot for each deployment, with a bar for its interval; what is not known says so."""
    rows = board_rows(views)
    found = [row["verdict"] for row in rows]
    x: dict[str, Any] = {
        "scale": {"type": "log", "nice": True},
        "axis": {"tickCount": 5, "labelExpr": "@labels", "gridColor": DECADES},
    }  # fmt: skip
    y = {"field": "name", "type": "nominal", "title": None,
         "sort": {"field": "sorted", "order": "ascending"}, "axis": {"labelLimit": 220}}  # fmt: skip
    known = {"filter": "datum.shown !== null && datum.shown > 0"}
    spec = chart_spec(
        _ROW * len(rows), "One model on many deployments",
        transform=[
            {"calculate": "datum['@field'] === null ? null : datum['@field']", "as": "shown"},
            {"calculate": "datum['@field_low'] === null ? datum.shown : datum['@field_low']", "as": "low"},
            {"calculate": "datum['@field_high'] === null ? datum.shown : datum['@field_high']",
             "as": "high"},
            {"calculate": "datum.shown === null ? 1e300 : datum.shown", "as": "sorted"},
        ],
        encoding={"y": y, "tooltip": tooltip(COLUMNS)},
        layer=[
            {
                "transform": [known],
                "mark": {"type": "rule", "strokeWidth": 3, "opacity": 0.4},
                "encoding": {
                    "x": quantity("low", "@title", **x), "x2": {"field": "high"},
                    "color": nominal("verdict", scale=verdict_scale(found)),
                },
            },
            {
                "transform": [known],
                "mark": {"type": "point", "filled": True, "size": 110, "opacity": 1, "cursor": "pointer"},
                "encoding": {
                    "x": quantity("shown", "@title", **x),
                    "color": nominal("verdict", scale=verdict_scale(found)),
                    "shape": nominal("verdict", scale=verdict_shapes(found)),
                },
            },
            {
                "transform": [{"filter": "datum.shown === null"}],
                "mark": {"type": "text", "text": "unknown", "align": "left", "color": "var(--quiet)"},
                "encoding": {"x": {"value": 6}},
            },
        ],
    )  # fmt: skip
    choices = []
    for label, field, unit in _CHOICES:
        values = [row[field] for row in rows if row[field]]
        if values:
            axis = decade_labels(unit, values)
            words = {"@field": field, "@labels": axis, "@title": f"{label}, logarithmic"}
            choices.append((label, words))
    return Chart("deployments", spec, rows, COLUMNS, tuple(choices))


def front_chart(views: Sequence[Results]) -> Chart | None:
    """Energy over latency; a line joins those that do not fail and that none betters. None for under two."""
    rows = [row for row in board_rows(views) if row["latency"] and row["energy"]]
    if len(rows) < 2:
        return None
    suitable = [row for row in rows if row["verdict"] != "FAIL"] or rows
    middle = math.sqrt(min(row["latency"] for row in rows) * max(row["latency"] for row in rows))
    for row in rows:
        row["right"] = row["latency"] > middle  # its name stands where there is room
        row["front"] = row in suitable and not any(_betters(other, row) for other in suitable)
    place = {
        "x": quantity("latency", "latency, logarithmic", **_log("ms")),
        "y": quantity("energy", "energy, logarithmic", **_log("uJ")),
    }
    found = [row["verdict"] for row in rows]
    spec = chart_spec(
        300, "Energy over latency of each deployment",
        encoding=place,
        layer=[
            {"transform": [{"filter": "datum.front"}],
             "mark": {"type": "line", "color": "var(--quiet)", "strokeDash": [4, 4]},
             "encoding": {"order": {"field": "latency"}}},
            {"mark": {"type": "point", "filled": True, "size": 110, "opacity": 1, "cursor": "pointer"},
             "params": [{"name": "zoom", "bind": "scales", "select": {
                 "type": "interval", "zoom": "wheel![event.shiftKey || event.ctrlKey]"}}],
             "encoding": {"color": nominal("verdict", scale=verdict_scale(found)),
                          "shape": nominal("verdict", scale=verdict_shapes(found)),
                          "tooltip": tooltip(COLUMNS)}},
            *(
                {"transform": [{"filter": f"datum.right === {right}"}],
                 "mark": {"type": "text", "align": align, "dx": dx, "dy": dy, "fontSize": 11, "limit": 140},
                 "encoding": {"text": {"field": "name"}}}
                for right, align, dx, dy in (("false", "left", 9, 0), ("true", "right", -6, -11))
            ),
        ],
    )  # fmt: skip
    return Chart("latency-energy", spec, tuple(rows), COLUMNS)


def _log(unit: str) -> Spec:
    return {"scale": {"type": "log", "nice": True}, "axis": {"tickCount": 5, "labelExpr": labels(unit)}}


def _betters(one: Row, other: Row) -> bool:
    pairs = [(one[name], other[name]) for name in ("latency", "energy")]
    return all(a <= b for a, b in pairs) and any(a < b for a, b in pairs)
