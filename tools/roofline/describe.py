"""A roofline in words and tables."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from ..core.document import (
    Code,
    Document,
    Drawing,
    Paragraph,
    Section,
    Table,
    described,
    figures,
    joined,
    notes,
    place,
    table_of,
    text,
)
from ..cost_model.describe import measured_first
from ..cost_model.performance_estimate import Bound, BoundDetail
from .layer_drawing import layer_drawing
from .roofline_report import RooflineReport, Side, bound_in_words
from .text_drawing import text_roofline


@described.register
def roofline(report: RooflineReport) -> Document:
    layers = table_of(
        report.layers, "layers",
        ("Layer", "{index}"), ("Operator", "{op}"), ("Bound", "{bound}"), ("Latency", "{latency_ms}"),
        ("Share", "{share}"), ("FLOP/byte", "{arithmetic_intensity|}"), ("Data in", "{memory_level}"),
    )  # fmt: skip
    return Document(
        report,
        joined("Roofline on ", place(report.deployment)),
        (
            Section(
                "",
                (
                    *measured_first(report),
                    *sentences(report),
                    *in_characters(report),
                    head(report),
                    *drawing(report),
                    layers,
                ),
            ),
        ),
        notes=notes(report),
    )


def sentences(report: RooflineReport) -> Iterator[Paragraph]:
    """The classical side first, then what binds and from which batch on something else does."""
    if report.side is not None:
        left = "left" if report.side is Side.MEMORY else "right"
        yield Paragraph(text(
            f"At {{arithmetic_intensity}} the model lies {left} of the ridge point ({{ridge_point}}), "
            f"where the {report.side} roof is the lower."
        ))  # fmt: skip
    if report.bound is not Bound.UNKNOWN:
        yield Paragraph(text(f"It is {report.bound_in_words}{''.join(_reached(report))}."))


def _reached(report: RooflineReport) -> Iterator[str]:
    """How far the roofs are filled."""
    if report.memory_utilization is not None and report.achievable_utilization is not None:
        yield (
            ": {memory_utilization} of the bandwidth and {achievable_utilization} of the best that these "
            "kernels reach"
        )
    slowest = max(report.layers, key=lambda layer: layer.latency_ms or 0.0, default=None)
    if report.bound_detail is BoundDetail.KERNEL_EFFICIENCY and slowest and slowest.cycles_per_mac:
        at = f"layers[{slowest.index}]"
        yield f"; the slowest layer, {{{at}.op}}, takes {{{at}.cycles_per_mac|}} cycles per MAC"
    if report.changes_at_batch is not None and report.changes_to is not None:
        yield f"; from batch {{changes_at_batch}} on it is {bound_in_words(report.changes_to)}"
    if tells_of_batches(report):
        yield f"; {no_batch_changes_it(report)}"


def tells_of_batches(report: RooflineReport) -> bool:
    """Where work per launch is short a larger batch is what one tries: it is said that none helps."""
    by_launch = report.bound_detail in (BoundDetail.LAUNCH, BoundDetail.OCCUPANCY)
    return by_launch and report.largest_batch is not None


def no_batch_changes_it(report: RooflineReport) -> str:
    """That no batch brings another bound, and what the largest one reaches."""
    largest, at = report.largest_batch, "largest_batch"
    assert largest is not None
    said = f"no batch up to {{{at}.batch}} changes that"
    if largest.memory_utilization is None or largest.achievable_utilization is None:
        return said
    filled = (
        f"{{{at}.memory_utilization}} of the bandwidth and {{{at}.achievable_utilization}} of the best rate"
    )
    return f"{said}: even then {filled} are reached"


def in_characters(report: RooflineReport) -> Iterator[Code]:
    """The roofs and the model, for a terminal."""
    if drawn := text_roofline(report):
        yield Code("", drawn)


def head(report: RooflineReport) -> Table:
    """Under which roof the whole lies."""
    shares = ", ".join(f"{bound} {{bound_shares.{bound}}}" for bound in report.bound_shares)
    return figures(
        "Roofline",
        ("Bound", f"{report.bound_in_words} ({shares} of the time)" if shares else "{bound}"),
        ("Arithmetic intensity", "{arithmetic_intensity}"),
        ("Ridge point", "{ridge_point}"),
        ("Compute utilization", "{compute_utilization} of the peak"),
        ("Of what kernels reach", "{achievable_utilization} of {achievable_gops}"),
        ("Memory utilization", "{memory_utilization} of {memory_level}"),
        ("Peak", "{peak_gops} {dtype}"),
        ("Bandwidth", "{bandwidth_gb_s}"),
        ("Latency", "{latency_ms~!}"),
    )


def drawing(report: RooflineReport) -> Iterator[Drawing]:
    """The time of each layer, where any is known."""
    if any(layer.latency_ms for layer in report.layers):
        caption = text(
            "The layers' times ({latency_ms.basis}) add up to the latency, which alone has an interval."
        )
        yield Drawing(functools.partial(layer_drawing, report), caption, "chart")
