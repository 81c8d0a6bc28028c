"""Time and energy: the whole, under which roof, and layer by layer."""

from __future__ import annotations

from ...core.units import show
from ...cost_model.report import PerformanceEstimate
from ..text.common import per_byte
from .blocks import Block, Drawing, Paragraph, Table
from .figures import counted_row, figure_row, figure_table, number, share, whole
from .kinds import Kind, kinds_of
from .layer_drawing import layer_drawing
from .results import Results
from .roofline_drawing import roofline_drawing

_SLOWEST = 8
_LEAST = 1e-3


def blocks(results: Results) -> tuple[Block, ...]:
    estimate = results.analysis.performance
    basis = estimate.latency_ms.basis
    rows = [
        figure_row(per_batch("Latency", estimate), estimate.latency_ms),
        figure_row("Inferences per second", estimate.inferences_per_second),
        counted_row("Cycles", estimate.cycles, "", basis),
        figure_row(per_batch("Energy", estimate), estimate.energy_uj),
        figure_row("Power while computing", estimate.power_mw),
    ]
    layers = (
        f"Of {len(estimate.layers)} layers {estimate.accelerated_layers} run on kernels written for the "
        "processor or on an accelerator."
    )
    return (figure_table(*rows), Paragraph(layers))


def per_batch(name: str, estimate: PerformanceEstimate) -> str:
    batch = estimate.deployment.batch
    return f"{name} of a batch of {batch}" if batch > 1 else name


def roofline_blocks(results: Results) -> tuple[Block, ...]:
    roof = results.analysis.roofline
    shares = ", ".join(f"{_part(part)} {bound}" for bound, part in roof.bound_shares.items())
    lead = f"Most of the time is {roof.bound}: {shares}." if shares else "No layer's time is known."
    kinds = kinds_of(results.analysis)
    found: list[Block] = [Paragraph(lead)]
    if drawn := roofline_drawing(results.analysis):
        found.append(Drawing(drawn, _caption(kinds), "chart"))
    else:
        found.append(
            Paragraph("No roofline can be drawn: no kind of layer has both a time and counted work.")
        )
    rows = (
        ("Arithmetic intensity of the model", per_byte(roof.arithmetic_intensity)),
        ("Ridge point", per_byte(roof.ridge_point)),
        (
            "Peak arithmetic",
            "unknown" if roof.peak_gops is None else f"{number(roof.peak_gops)} GOP/s {roof.dtype}",
        ),
        ("Peak bandwidth", _bandwidth(roof.bandwidth_gb_s, roof.memory_level)),
        ("Share of the peak arithmetic reached", share(roof.compute_utilization)),
        ("Share of the peak bandwidth reached", share(roof.memory_utilization)),
    )
    found.append(Table(("Roof", "Value"), rows, right=frozenset({1})))
    header = ("Kind of layer", "Layers", "Time", "Share", "FLOP/byte", "GOP/s", "Bound")
    found.append(Table(header, tuple(map(_kind, kinds)), right=frozenset(range(1, 6))))
    return tuple(found)


def _part(value: float) -> str:
    return share(value) if not 0 < value < _LEAST else f"less than {share(_LEAST)}"


def _bandwidth(gb_s: float | None, level: str) -> str:
    return "unknown" if gb_s is None else f"{number(gb_s)} GB/s from {level}"


def _caption(kinds: list[Kind]) -> str:
    told = (
        "A dot for each kind of layer, larger the more time it takes; the bar is the model's 90 % interval."
    )
    absent = [kind.op for kind in kinds if not kind.can_be_placed]
    return (
        f"{told} Without arithmetic that is counted, or without a time: {', '.join(absent)}."
        if absent
        else told
    )


def _kind(kind: Kind) -> tuple[str, ...]:
    return (
        kind.op, whole(kind.layers), show(kind.latency_ms, "ms"), share(kind.share), number(kind.intensity),
        number(kind.gops), kind.bound.value,
    )  # fmt: skip


def layer_blocks(results: Results) -> tuple[Block, ...]:
    roof, estimate = results.analysis.roofline, results.analysis.performance
    found: list[Block] = []
    if drawn := layer_drawing(roof):
        basis = estimate.latency_ms.basis
        told = f"The layers' times ({basis}) add up to the latency, which alone has an interval."
        found.append(Drawing(drawn, told, "chart", told))
    else:
        found.append(Paragraph("No layer's time is known."))
    slow = sorted(zip(roof.layers, estimate.layers, strict=True), key=lambda pair: -(pair[0].share or 0.0))
    header = ("Layer", "Operator", "Time", "Share", "Bound", "FLOP/byte", "Energy", "MACs", "Moved", "On")
    rows = [
        (f"{r.index}", r.op, show(r.latency_ms, "ms"), share(r.share), r.bound.value,
         number(r.arithmetic_intensity), show(e.energy_uj, "uJ"), whole(e.macs),
         show(e.memory_bytes, "bytes"), e.processor)
        for r, e in slow
    ]  # fmt: skip
    right = frozenset({0, 2, 3, 5, 6, 7, 8})
    found.append(Table(header, tuple(rows[:_SLOWEST]), right=right))
    if len(rows) > _SLOWEST:
        ordered = tuple(sorted(rows, key=lambda row: int(row[0])))
        found.append(Table(header, ordered, right=right, folded=f"All {len(rows)} layers in their order"))
    return tuple(found)
