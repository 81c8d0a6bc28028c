"""The arena over a run: every buffer from the operator that first needs it to the last, at its address."""

from __future__ import annotations

from ...core.document import Chart, Column
from ...timeline.timeline import Timeline
from .spec import KINDS, Row, best_unit, chart_spec, quantity, tooltip, with_words

BUFFERS = (
    Column("buffer", "Buffer"), Column("bytes", "Size", "bytes"), Column("offset", "Address", "bytes"),
    Column("first", "From layer"), Column("last", "To layer"),
)  # fmt: skip
ALIVE = (Column("index", "Layer"), Column("op", "Operator"), Column("bytes", "Alive", "bytes"))


def memory_chart(line: Timeline) -> Chart | None:
    """Buffers where they lie; bytes alive where only those are known; None where neither is."""
    if any(buffer.offset is not None for buffer in line.buffers):
        return _buffers(line)
    if any(op.live_bytes is not None for op in line.ops):
        return _alive(line)
    return None


def _buffers(line: Timeline) -> Chart:
    rows = with_words([
        {
            "buffer": b.name_untrusted or ("scratch buffer" if b.tensor is None else f"tensor {b.tensor}"),
            "bytes": b.bytes, "offset": b.offset, "first": b.first_op, "last": b.last_op,
            "colour": "scratch" if b.tensor is None else f"{at % (len(KINDS) - 1)}",
        }
        for at, b in enumerate(line.buffers) if b.offset is not None
    ], BUFFERS)  # fmt: skip
    factor, unit = best_unit([row["offset"] + row["bytes"] for row in rows], "bytes")
    names = [*map(str, range(len(KINDS) - 1)), "scratch"]
    spec = chart_spec(
        320, "The arena over the run: buffers by layer and address",
        transform=[
            {"calculate": f"datum.offset / {factor!r}", "as": "y"},
            {"calculate": f"(datum.offset + datum.bytes) / {factor!r}", "as": "y2"},
            {"calculate": "datum.first - 0.5", "as": "x"}, {"calculate": "datum.last + 0.5", "as": "x2"},
        ],
        mark={"type": "rect", "stroke": "var(--page)", "strokeWidth": 0.6, "clip": True},
        params=[_zoom()],
        encoding={
            "x": quantity("x", "layer, in the order in which they run", scale={"nice": False, "zero": False}),
            "x2": {"field": "x2"},
            "y": quantity("y", f"address in the arena, {unit}"), "y2": {"field": "y2"},
            "color": {"field": "colour", "type": "nominal", "legend": None,
                      "scale": {"domain": names, "range": list(KINDS)}},
            "tooltip": tooltip(BUFFERS),
        },
    )  # fmt: skip
    return Chart("arena", spec, rows, BUFFERS)


def _alive(line: Timeline) -> Chart:
    rows: list[Row] = [{"index": op.index, "op": op.op, "bytes": op.live_bytes} for op in line.ops]
    factor, unit = best_unit([op.live_bytes for op in line.ops], "bytes")
    spec = chart_spec(
        240, "Bytes alive at each layer",
        transform=[{"calculate": f"datum.bytes === null ? null : datum.bytes / {factor!r}", "as": "y"}],
        mark={"type": "area", "interpolate": "step", "color": "var(--compute)", "line": True, "opacity": 0.7,
              "clip": True},
        params=[_zoom()],
        encoding={
            "x": quantity("index", "layer, in the order in which they run", scale={"nice": False}),
            "y": quantity("y", f"bytes alive, {unit}"), "tooltip": tooltip(ALIVE),
        },
    )  # fmt: skip
    return Chart("arena", spec, with_words(rows, ALIVE), ALIVE)


def _zoom() -> dict[str, object]:
    select = {"type": "interval", "encodings": ["x"], "zoom": "wheel![event.shiftKey || event.ctrlKey]"}
    return {"name": "zoom", "bind": "scales", "select": select}
