"""Predicted against measured, both axes logarithmic, as a drawing that needs nothing but a browser."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ....hardware_db.errors import UsageError
from ...core.files import save_whole
from ...core.sanitize import escape
from .samples import Sample
from .validation_report import DeviceClass, Measured

SIDE, MARGIN = 520, 64
COLOURS = {
    DeviceClass.MCU: "#0072b2",
    DeviceClass.CPU: "#e69f00",
    DeviceClass.GPU: "#009e73",
    DeviceClass.NPU: "#cc79a7",
}
"""Okabe and Ito's, which colour-blind people tell apart."""
TOLERANCE = 1.25
AXES = {
    Measured.LATENCY: "latency, ms",
    Measured.ENERGY: "energy, µJ",
    Measured.ACTIVATIONS: "activation RAM, KiB",
    Measured.FLASH: "flash, KiB",
    Measured.WEIGHTS: "parameters, KiB",
}
STYLE = "font:12px system-ui,sans-serif;fill:#333"


def write_plot(samples: Iterable[Sample], file: Path) -> None:
    """One panel per quantity and scheme.

    Raises:
        UsageError: no prediction to draw, an ending other than .svg and .html, or a file that cannot be
            written.
    """
    panels: dict[tuple[Measured, str], list[Sample]] = {}
    for sample in samples:
        panels.setdefault((sample.quantity, sample.scheme.value), []).append(sample)
    if not panels:
        raise UsageError("There is nothing to plot: no measurement has a prediction.")
    text = _drawing([_panel(what, scheme, panels[what, scheme]) for what, scheme in sorted(panels)])
    match file.suffix.lower():
        case ".svg":
            page = text
        case ".html":
            page = f"<!doctype html><meta charset=utf-8><title>Predicted against measured</title>{text}"
        case other:
            raise UsageError(f"Plots are not written as {other or 'files without ending'!r}.",
                             hint="Name the file .svg or .html.")  # fmt: skip
    save_whole(page + "\n", file, force=True)


def _drawing(panels: Sequence[str]) -> str:
    columns = min(2, len(panels))
    size = SIDE + 2 * MARGIN
    rows = math.ceil(len(panels) / columns)
    placed = "".join(
        f'<g transform="translate({size * (i % columns)},{size * (i // columns)})">{panel}</g>'
        for i, panel in enumerate(panels)
    )
    width, height = size * columns, size * rows
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}"><rect width="100%" height="100%" fill="#fff"/>{placed}</svg>'
    )


def _panel(what: Measured, scheme: str, samples: Sequence[Sample]) -> str:
    values = [math.log10(v) for s in samples for v in (s.measured, s.predicted)]
    low, high = math.floor(min(values)), max(math.ceil(max(values)), math.floor(min(values)) + 1)
    scale = SIDE / (high - low)

    def x(log: float) -> float:
        return round(MARGIN + (log - low) * scale, 1)

    def y(log: float) -> float:
        return round(MARGIN + SIDE - (log - low) * scale, 1)

    def line(shift: float, dash: str) -> str:
        """Where predicted is `shift` decades above measured."""
        start, end = max(low, low - shift), min(high, high - shift)
        return (
            f'<line x1="{x(start)}" y1="{y(start + shift)}" x2="{x(end)}" y2="{y(end + shift)}" '
            f'stroke="#333" stroke-width="1"{dash}/>'
        )

    parts = [_text(MARGIN, MARGIN - 30, f"{AXES[what]}: {scheme}, {len(samples):,} measurements", "start")]
    for decade in range(low, high + 1):
        grid = 'stroke="#ddd" stroke-width="1"'
        parts.append(f'<path d="M{x(decade)} {y(low)}V{y(high)}M{x(low)} {y(decade)}H{x(high)}" {grid}/>')
        parts.append(_text(x(decade), y(low) + 18, f"{10.0**decade:g}", "middle"))
        parts.append(_text(x(low) - 6, y(decade) + 4, f"{10.0**decade:g}", "end"))
    wide = math.log10(TOLERANCE)
    parts += [line(0, ""), *(line(s, ' stroke-dasharray="4 4" opacity=".6"') for s in (wide, -wide))]
    for s in samples:
        if s.low and s.high:
            at, ends = x(math.log10(s.measured)), (y(math.log10(end)) for end in (s.low, s.high))
            drawn = "V".join(str(min(max(end, MARGIN), MARGIN + SIDE)) for end in ends)
            parts.append(f'<path d="M{at} {drawn}" stroke="{COLOURS[s.device_class]}" stroke-opacity=".3"/>')
    for s in samples:
        title = f"{s.network} on {s.board} with {s.runtime}: {s.predicted:.4g} for {s.measured:.4g} ({s.id})"
        parts.append(
            f'<circle cx="{x(math.log10(s.measured))}" cy="{y(math.log10(s.predicted))}" r="3" '
            f'fill="{COLOURS[s.device_class]}" fill-opacity=".55"><title>{escape(title)}</title></circle>'
        )
    parts += list(_legend({s.device_class for s in samples}))
    parts.append(_text(MARGIN + SIDE / 2, MARGIN + SIDE + 40, f"measured {AXES[what]}", "middle"))
    turned = f' transform="rotate(-90 16 {MARGIN + SIDE / 2})"'
    parts.append(_text(16, MARGIN + SIDE / 2, f"predicted {AXES[what]}", "middle", turned))
    return "".join(parts)


def _legend(classes: set[DeviceClass]) -> Iterator[str]:
    for number, name in enumerate(sorted(classes)):
        left = MARGIN + 60 * number
        yield f'<circle cx="{left + 6}" cy="{MARGIN - 14}" r="5" fill="{COLOURS[name]}"/>'
        yield _text(left + 16, MARGIN - 10, name, "start")
    yield _text(MARGIN + SIDE, MARGIN - 10, "dashed: 25 % off; bars: 90 % intervals", "end")


def _text(x: float, y: float, text: str, anchor: str, more: str = "") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" style="{STYLE}"{more}>{escape(text)}</text>'
