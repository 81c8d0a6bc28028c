"""Predicted against measured: a dot for each layer, and the whole with the interval of its estimate."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.document import Chart, Column
from ...core.sanitize import clean_text
from ...traces.measured_profile import MeasuredProfile
from .picture import Picture
from .spec import Row, Spec, chart_spec, log_axis, nominal, quantity, tooltip, with_words

COLUMNS = (
    Column("name", "Part"), Column("op", "Operator"), Column("measured", "Measured", "ms"),
    Column("measured_low", "90 % of runs from", "ms"), Column("measured_high", "to", "ms"),
    Column("predicted", "Predicted", "ms"), Column("predicted_low", "90 % interval from", "ms"),
    Column("predicted_high", "to", "ms"), Column("ratio", "Measured over predicted", "x"),
)  # fmt: skip
_OFF = 1.25
_CAPTION = (
    "On the line the estimate is what was measured; between the dashed ones it is at most 25 % off. Bars: "
    "across, what 90 % of the runs took; upwards, the estimate's 90 % interval, where they are known."
)
_MARGIN = 1.6
_WHOLE = "the whole"


def predicted_and_measured(profile: MeasuredProfile) -> Picture | None:
    """None where nothing was both measured and estimated."""
    rows = with_words(list(_rows(profile)), COLUMNS)
    drawn = tuple(row for row in rows if row["measured"] and row["predicted"])
    if not drawn:
        return None
    ends = [row[name] for row in drawn for name in _FIGURES if row[name]]
    domain = [min(ends) / _MARGIN, max(ends) * _MARGIN]
    axis = log_axis("ms", domain)
    axis["scale"] = {"type": "log", "domain": domain, "nice": False}
    spec = chart_spec(
        380, "Predicted against measured time", layer=[*_lines(domain, axis), *_marks(axis)]
    )  # fmt: skip
    missing = len(rows) - len(drawn)
    left_out = f" Left out, as one of the two is not known: {missing}." if missing else ""
    title = f"Predicted against measured: {profile.model} on {profile.deployment.target}"
    chart = Chart("predicted_measured", spec, drawn, COLUMNS)
    return Picture(chart.name, clean_text(title), f"{_CAPTION}{left_out}", (chart,))


_FIGURES = ("measured", "measured_low", "measured_high", "predicted", "predicted_low", "predicted_high")


def _rows(profile: MeasuredProfile) -> Iterator[Row]:
    whole, estimate = profile.latency_ms, profile.estimated_ms
    yield {
        "name": _WHOLE, "op": "all", "measured": whole.value, "measured_low": whole.low,
        "measured_high": whole.high, "predicted": estimate.value, "predicted_low": estimate.low,
        "predicted_high": estimate.high, "ratio": profile.ratio, "kind": _WHOLE,
    }  # fmt: skip
    for layer in profile.layers:
        yield {
            "name": f"layer {layer.index}", "op": layer.op, "measured": layer.measured_ms,
            "measured_low": layer.low_ms, "measured_high": layer.high_ms, "predicted": layer.estimated_ms,
            "predicted_low": None, "predicted_high": None, "ratio": layer.ratio,
            "kind": "stands out" if layer.stands_out else "layer",
        }  # fmt: skip


def _lines(domain: list[float], axis: Spec) -> Iterator[Spec]:
    """Where the estimate is the measured time, and a quarter above and below it."""
    for factor, dash in ((1.0, [1, 0]), (_OFF, [4, 4]), (1 / _OFF, [4, 4])):
        low, high = max(domain[0], domain[0] / factor), min(domain[1], domain[1] / factor)
        ends = [{"measured": at, "predicted": at * factor} for at in (low, high)]
        yield {
            "data": {"values": ends},
            "mark": {"type": "line", "color": "var(--quiet)", "strokeDash": dash, "strokeWidth": 1},
            "encoding": _place(axis),
        }


def _place(axis: Spec) -> Spec:
    return {
        "x": quantity("measured", "measured, logarithmic", **axis),
        "y": quantity("predicted", "predicted, logarithmic", **axis),
    }


def _marks(axis: Spec) -> Iterator[Spec]:
    bar = {"type": "rule", "strokeWidth": 2, "opacity": 0.5}
    place, kinds = _place(axis), ["layer", "stands out", _WHOLE]
    colours = {"domain": kinds, "range": ["var(--compute)", "var(--fail)", "var(--ink)"]}
    shapes = {"domain": kinds, "range": ["circle", "triangle-up", "diamond"]}
    colour = nominal("kind", scale=colours)
    for name, other in (("measured", "x"), ("predicted", "y")):
        ends = {
            **place, other: quantity(f"{name}_low", place[other]["title"], **axis),
            f"{other}2": {"field": f"{name}_high"}, "color": colour,
        }  # fmt: skip
        known = {"filter": f"datum.{name}_low > 0 && datum.{name}_high > 0"}
        yield {"transform": [known], "mark": bar, "encoding": ends}
    yield {
        "mark": {"type": "point", "filled": True, "size": 80, "opacity": 0.9},
        "encoding": {
            **place, "tooltip": tooltip(COLUMNS), "color": colour, "shape": nominal("kind", scale=shapes)
        },
    }  # fmt: skip
    named = {"filter": f"datum.kind === '{_WHOLE}' || datum.kind === 'stands out'"}
    yield {
        "transform": [named], "mark": {"type": "text", "align": "right", "dx": -8, "dy": -6, "fontSize": 11},
        "encoding": {**place, "text": {"field": "name"}},
    }  # fmt: skip
