"""A roofline in words and tables."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from ..core.document import (
    Document,
    Drawing,
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
from .layer_drawing import layer_drawing
from .report import RooflineReport


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
        (Section("", (head(report), *drawing(report), layers)),),
        notes=notes(report),
    )


def head(report: RooflineReport) -> Table:
    """Under which roof the whole lies."""
    shares = ", ".join(f"{bound} {{bound_shares.{bound}}}" for bound in report.bound_shares)
    return figures(
        "Roofline",
        ("Bound", f"{{bound}} ({shares} of the time)" if shares else "{bound}"),
        ("Arithmetic intensity", "{arithmetic_intensity}"),
        ("Ridge point", "{ridge_point}"),
        ("Compute utilization", "{compute_utilization}"),
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
