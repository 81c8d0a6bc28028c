"""What the specifications of all charts share: colours, rows and their words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...core.document import Column
from ...core.sanitize import clean_text
from ...core.units import scale_for, show, unit_scales

Spec = dict[str, Any]
Row = dict[str, Any]

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
"""Says which language it is; nothing is read from there."""
BOUNDS = ("compute", "memory", "overhead", "unknown")
VERDICTS = ("PASS", "MARGINAL", "FAIL", "UNKNOWN")
LIGHT = {
    "var(--page)": "#ffffff", "var(--ink)": "#1c2430", "var(--quiet)": "#5b6675", "var(--line)": "#d9dee5",
    "var(--soft)": "#f4f6f9", "var(--compute)": "#0072b2", "var(--memory)": "#e69f00",
    "var(--overhead)": "#8a94a3", "var(--unknown)": "#b0b0b0", "var(--pass)": "#0a7d3f",
    "var(--marginal)": "#9a6700", "var(--fail)": "#b3261e", "var(--roof)": "#1c2430",
    "var(--c0)": "#0072b2", "var(--c1)": "#e69f00", "var(--c2)": "#009e73", "var(--c3)": "#cc79a7",
    "var(--c4)": "#56b4e9", "var(--c5)": "#d55e00", "var(--c6)": "#8a94a3",
}  # fmt: skip
"""The style sheet's colours as a picture on white has them."""
KINDS = tuple(f"var(--c{n})" for n in range(7))
"""For kinds of operators: Okabe and Ito's, which colour-blind people tell apart."""


IS_DECADE = "abs(round(log(datum.value) / LN10) - log(datum.value) / LN10) < 1e-6"
"""A Vega expression: whether a tick of a logarithmic axis is a power of ten."""
DECADES = {"condition": {"test": IS_DECADE, "value": "var(--line)"}, "value": "transparent"}
"""Colour of its grid."""
_SEVERAL_DECADES = 100
_ROOM, _LEAST_SPAN = 1.3, 2.6
_ONE_TWO_FIVE = "indexof([1, 2, 5], round(datum.value / pow(10, floor(log(datum.value) / LN10 + 1e-6)))) >= 0"


def chart_spec(height: int, description: str, **parts: Any) -> Spec:
    """A specification as wide as its place; `description` is what a screen reader says of it."""
    return {
        "$schema": SCHEMA, "description": description, "width": "container", "height": height,
        "autosize": {"type": "fit-x", "contains": "padding"}, "config": _config(), **parts,
    }  # fmt: skip


def _config() -> Spec:
    words = {"labelColor": "var(--ink)", "titleColor": "var(--quiet)", "titleFontWeight": "normal"}
    sizes = {"labelFontSize": 12, "titleFontSize": 12}
    return {
        "background": "transparent",
        "font": "system-ui, 'Segoe UI', Roboto, sans-serif",
        "view": {"stroke": None},
        "axis": {**words, **sizes, "gridColor": "var(--line)", "domainColor": "var(--line)",
                 "tickColor": "var(--line)", "labelOverlap": True, "labelLimit": 150},
        "legend": {**words, **sizes, "orient": "top", "title": None, "columns": 3, "symbolType": "square",
                   "symbolOpacity": 1},
        "text": {"color": "var(--ink)", "fontSize": 12},
        "rule": {"color": "var(--ink)"},
    }  # fmt: skip


def bound_scale(present: Iterable[str]) -> Spec:
    """Of the bounds that occur, each with its colour of the style sheet."""
    found = set(present)
    domain = [bound for bound in BOUNDS if bound in found]
    return {"domain": domain, "range": [f"var(--{bound})" for bound in domain]}


def verdict_scale(present: Iterable[str]) -> Spec:
    found = set(present)
    domain = [verdict for verdict in VERDICTS if verdict in found]
    return {"domain": domain, "range": [f"var(--{verdict.lower()})" for verdict in domain]}


def verdict_shapes(present: Iterable[str]) -> Spec:
    """So that verdicts differ by more than colour."""
    shapes = {"PASS": "circle", "MARGINAL": "triangle-up", "FAIL": "cross", "UNKNOWN": "diamond"}
    found = set(present)
    domain = [verdict for verdict in VERDICTS if verdict in found]
    return {"domain": domain, "range": [shapes[verdict] for verdict in domain]}


def with_words(rows: Sequence[Row], columns: Sequence[Column]) -> tuple[Row, ...]:
    """Each row with what a tool tip says, `share_text` beside `share`; names out of files made harmless."""
    return tuple(
        {name: clean_text(value) if isinstance(value, str) else value for name, value in row.items()}
        | {f"{column.field}_text": said(row[column.field], column.unit) for column in columns}
        for row in rows
    )


def said(value: Any, unit: str) -> str:
    match value:
        case None:
            return "unknown"
        case str():
            return clean_text(value)
        case int() if not unit:
            return f"{value:,}"
        case _:
            return show(value, unit)


def tooltip(columns: Sequence[Column]) -> list[Spec]:
    return [{"field": f"{c.field}_text", "title": c.title, "type": "nominal"} for c in columns]


def best_unit(values: Iterable[float | None], unit: str) -> tuple[float, str]:
    """(factor, unit) for an axis that holds all the values."""
    return scale_for(max((abs(v) for v in values if v is not None), default=0.0), unit)


def labels(unit: str) -> str:
    """A Vega expression that writes an axis's figures, which are in `unit`, in the units people use."""
    scales = unit_scales(unit)
    written = "".join(
        f"datum.value >= {factor!r} ? format(datum.value / {factor!r}, '~s') + ' {name}' : "
        for factor, name in scales[:-1]
    )
    factor, name = scales[-1]
    return f"datum.value === 0 ? '0' : {written}format(datum.value / {factor!r}, '~g') + ' {name}'"


def log_axis(unit: str, values: Iterable[float]) -> Spec:
    """Of positive figures: labelled at powers of ten where it spans several, else at 1, 2 and 5 of each; of
    bytes at powers of two.
    """
    known = [value for value in values if value > 0]
    shown = labels(unit)
    scale: Spec = {"type": "log", "nice": True}
    if known and max(known) >= _SEVERAL_DECADES * min(known):
        shown = f"{IS_DECADE} ? ({shown}) : ''"
    elif unit == "bytes":
        scale["base"] = 2
    elif known:
        shown = f"{_ONE_TWO_FIVE} ? ({shown}) : ''"
        scale = {"type": "log", "nice": False, "domain": _with_room(min(known), max(known))}
    return {"scale": scale, "axis": {"tickCount": 5, "labelExpr": shown, "gridColor": DECADES}}


def _with_room(low: float, high: float) -> list[float]:
    """At least so far apart that one label stands between the ends."""
    room = max(_ROOM, math.sqrt(_LEAST_SPAN * low / high))
    return [low / room, high * room]


def quantity(field: str, title: str, **more: Any) -> Spec:
    return {"field": field, "type": "quantitative", "title": title, **more}


def nominal(field: str, **more: Any) -> Spec:
    return {"field": field, "type": "nominal", "title": None, **more}


def in_light(part: Any) -> Any:
    """The specification with colours in place of the style sheet's names, for a picture."""
    match part:
        case str():
            return LIGHT.get(part, part)
        case Mapping():
            return {key: in_light(value) for key, value in part.items()}
        case list() | tuple():
            return [in_light(value) for value in part]
        case _:
            return part
