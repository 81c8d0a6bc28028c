"""A timeline as a drawing that needs nothing but a browser: buffers by time and address, and two lanes.

Names come from the model file: everything written is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...hardware_db.errors import UsageError
from ..core.files import save_whole
from ..core.records import dataclass
from ..core.sanitize import escape
from ..core.units import show
from ..memory_planner.memory_plan import PlannedTensor
from .double_buffer import timeline_csv, timeline_packets
from .timeline import Timeline, TimelineOp
from .trace_events import trace_events

LEFT, RIGHT, TOP = 92, 24, 80
MAP_HEIGHT, LANE_HEIGHT, GAP = 420, 110, 44
WIDTHS = (3.0, 44.0)
WIDE = 1180
COLOURS = ("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#0072b2", "#d55e00", "#f0e442")
"""Okabe and Ito's, which colour-blind people tell apart."""
SCRATCH, BARS, PEAK, INK = "#b0b0b0", "#7a8ca3", "#d1242f", "#24292f"
_CHARACTER = 6.4
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


@dataclass(frozen=True)
class _Scale:
    step: float
    ops: int

    @property
    def width(self) -> float:
        return self.step * self.ops

    def x(self, index: int) -> float:
        return round(LEFT + self.step * index, 2)


_DRAWN = (".svg", ".html", ".json", ".csv", ".pb")


def check_drawable(file: Path) -> None:
    """
    Raises:
        UsageError: an ending other than .svg, .html, .json, .csv and .pb.
    """
    if file.suffix.lower() not in _DRAWN:
        sentence = repr(file.suffix) if file.suffix else "files without ending"
        raise UsageError(
            f"Timelines are not drawn as {sentence}.",
            hint="Name the file .svg or .html; .json is a trace for Perfetto, .csv and .pb its units'.",
        )


def write_drawing(report: Timeline, file: Path) -> None:
    """A drawing, or a trace for Perfetto; in place of a file that is there.

    Raises:
        UsageError: an ending other than .svg, .html, .json, .csv and .pb, or a folder that is not there.
        EdgewrightError: the disk is full, or the folder may not be written to.
    """
    check_drawable(file)
    made: str | bytes
    match file.suffix.lower():
        case ".csv" | ".pb" if not report.units:
            raise UsageError(
                f"{report.deployment.target} has no accelerator whose units could be traced.",
                hint="Take .json, which has a line for each operator.",
            )
        case ".csv":
            made = timeline_csv(report)
        case ".pb":
            made = timeline_packets(report)
        case ".json":
            made = trace_events(report)
        case ".html":
            title = f"Timeline on {report.deployment.target} with {report.deployment.runtime}"
            made = (
                '<!doctype html><html lang="en"><meta charset="utf-8">'
                f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
                f"<title>{escape(title)}</title><body>{drawing(report)}</body></html>\n"
            )
        case _:
            made = drawing(report) + "\n"
    save_whole(made, file, force=True)


def drawing(report: Timeline, *, time: bool = True) -> str:
    """The map of the arena where the placement is known, bytes alive, and time, over the operators."""
    ops = max(len(report.ops), 1)
    scale = _Scale(min(max(WIDE / ops, WIDTHS[0]), WIDTHS[1]), ops)
    width = LEFT + max(scale.width, 640) + RIGHT
    parts, top = [*_head(report)], TOP
    if any(b.offset is not None for b in report.buffers):
        parts += _map(report, scale, top)
        top += MAP_HEIGHT + GAP
    parts += _lane(report, scale, top, "bytes alive", "bytes")
    top += LANE_HEIGHT
    if time:
        top += GAP
        parts += _lane(report, scale, top, "time of each operator", "ms")
        top += LANE_HEIGHT
    parts += _axis(report, scale, top)
    height = top + 40
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="system-ui,sans-serif" font-size="12" fill="{INK}">'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>'
    )


def _head(report: Timeline) -> Iterator[str]:
    where = report.deployment
    yield _text(LEFT, 24, f"{where.target} with {where.runtime} at {where.clock_mhz:g} MHz", size=15)
    notes = [f"arena {show(report.arena_bytes, 'bytes')}", f"one run {show(report.latency_ms.value, 'ms')}"]
    if report.peak is not None:
        peak = report.peak
        notes.insert(1, f"peak {show(peak.live_bytes, 'bytes')} at operator {peak.index} ({peak.op})")
    yield _text(LEFT, 44, "; ".join(notes))


def _map(report: Timeline, scale: _Scale, top: float) -> Iterator[str]:
    """Rectangles from the first to the last operator that needs a buffer, at its address."""
    highest = max((b.offset or 0) + b.bytes for b in report.buffers if b.offset is not None)
    right = report.peak is not None and report.peak.index < len(report.ops) / 2
    yield from _frame(scale, top, MAP_HEIGHT, highest, "bytes", "address in the arena", right=right)
    per_byte = MAP_HEIGHT / highest if highest else 0.0
    for number, buffer in enumerate(report.buffers):
        if buffer.offset is None:
            continue
        x, w = scale.x(buffer.first_op), scale.step * (buffer.last_op - buffer.first_op + 1)
        h = max(buffer.bytes * per_byte, 0.5)
        y = top + MAP_HEIGHT - (buffer.offset + buffer.bytes) * per_byte
        fill = SCRATCH if buffer.tensor is None else COLOURS[number % len(COLOURS)]
        yield (
            f'<g><title>{escape(_caption(buffer))}</title><rect x="{x:g}" y="{y:.2f}" width="{w:.2f}" '
            f'height="{h:.2f}" fill="{fill}" fill-opacity=".8" stroke="#fff" stroke-width=".6"/>'
            f"{_name(buffer, x, y, w, h)}</g>"
        )
    yield _peak_band(report, scale, top, MAP_HEIGHT)


def _caption(buffer: PlannedTensor) -> str:
    name = buffer.name_untrusted or ("scratch buffer" if buffer.tensor is None else f"tensor {buffer.tensor}")
    end = (buffer.offset or 0) + buffer.bytes
    return (
        f"{name}: {buffer.bytes:,} bytes, {buffer.offset or 0:,} to {end:,}, operators {buffer.first_op} to "
        f"{buffer.last_op}"
    )


def _name(buffer: PlannedTensor, x: float, y: float, w: float, h: float) -> str:
    """Where the rectangle has room for some of it."""
    characters = int((w - 8) / _CHARACTER)
    if characters < 6 or h < 14:
        return ""
    name = buffer.name_untrusted or "scratch"
    cut = name if len(name) <= characters else name[: characters - 1] + "…"
    return _text(x + 4, y + h / 2 + 4, cut, size=11)


def _lane(report: Timeline, scale: _Scale, top: float, title: str, unit: str) -> Iterator[str]:
    values = [op.live_bytes if unit == "bytes" else op.latency_ms for op in report.ops]
    highest = max((v for v in values if v is not None), default=0.0)
    yield from _frame(scale, top, LANE_HEIGHT, highest, unit, title)
    for op, value in zip(report.ops, values, strict=True):
        known = escape(f"operator {op.index} ({op.op}): {show(value, unit)}{_begins(op, unit)}")
        h = LANE_HEIGHT * value / highest if value and highest else 0.0
        is_peak = unit == "bytes" and report.peak is not None and op.index == report.peak.index
        w = max(scale.step - 1, scale.step * 0.7)
        yield (
            f'<g><title>{known}</title><rect x="{scale.x(op.index):g}" y="{top:g}" width="{scale.step:g}" '
            f'height="{LANE_HEIGHT}" fill="#fff" fill-opacity="0"/>'
            f'<rect x="{scale.x(op.index):g}" y="{top + LANE_HEIGHT - h:.2f}" width="{w:.2f}" '
            f'height="{h:.2f}" fill="{PEAK if is_peak else BARS}"/></g>'
        )


def _begins(op: TimelineOp, unit: str) -> str:
    return f", from {show(op.begins_ms, 'ms')}" if unit == "ms" and op.begins_ms is not None else ""


def _frame(
    scale: _Scale, top: float, height: float, highest: float, unit: str, title: str, *, right: bool = False
) -> Iterator[str]:
    at = LEFT + scale.width if right else LEFT
    yield _text(at, top - 8, title, anchor="end" if right else "")
    for quarter in range(5):
        y = top + height * (1 - quarter / 4)
        yield f'<path d="M{LEFT} {y:g}H{LEFT + scale.width:g}" stroke="#ddd" stroke-width="1"/>'
        if highest or not quarter:
            yield _text(LEFT - 8, y + 4, show(highest * quarter / 4, unit), anchor="end")


def _peak_band(report: Timeline, scale: _Scale, top: float, height: float) -> str:
    if report.peak is None:
        return ""
    x = scale.x(report.peak.index)
    return (
        f'<rect x="{x:g}" y="{top:g}" width="{scale.step:g}" height="{height:g}" fill="none" stroke="{PEAK}" '
        f'stroke-width="1.5" pointer-events="none"/>{_text(x, top - 8, "peak", colour=PEAK)}'
    )


def _axis(report: Timeline, scale: _Scale, top: float) -> Iterator[str]:
    every = max(1, round(36 / scale.step))
    for op in report.ops[::every]:
        yield _text(scale.x(op.index) + scale.step / 2, top + 16, f"{op.index}", anchor="middle")
    placed = any(b.offset is not None for b in report.buffers)
    sentence = "grey: kernels' scratch buffers" if placed else "where the runtime places buffers is not known"
    yield _text(LEFT, top + 34, f"operator, in the order in which they run; {sentence}")


def _text(x: float, y: float, text: str, *, size: int = 0, anchor: str = "", colour: str = "") -> str:
    more = f' font-size="{size}"' if size else ""
    more += f' text-anchor="{anchor}"' if anchor else ""
    more += f' fill="{colour}"' if colour else ""
    return f'<text x="{x:g}" y="{y:g}"{more}>{escape(text)}</text>'
