"""Two runs side by side, in words and tables."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.document import Block, Document, Paragraph, Section, Table, described, notes, table_of, text
from .run_comparison import LayerPair, RunComparison, RunSide

_ROWS = 16
_NAMED = 8


@described.register
def run_comparison(report: RunComparison) -> Document:
    title = f"{report.after.file} against {report.before.file}"
    sides = tuple(text(_side(side), at) for at, side in (("before", report.before), ("after", report.after)))
    return Document(report, title, (Section("", tuple(_blocks(report))),), summary=sides, notes=notes(report))


def _side(side: RunSide) -> str:
    runs = "{runs} runs" if side.runs > 1 else "one run"
    layers = "{layers} layers" if side.layers else "no layers"
    return f"{{file}}: {{format}}, {layers}, {runs}" + (", {clock_mhz}" if side.clock_mhz else "")


def _blocks(report: RunComparison) -> Iterator[Block]:
    yield table_of(
        report.figures, "figures", ("Figure", "{name}"), ("Before", "{before}"), ("After", "{after}"),
        ("Change", "{+change~}"), ("After / before", "{ratio:-}"),
    )  # fmt: skip
    if report.differs is False:
        yield Paragraph("The change is within what single runs scatter: it may be none.")
    if report.differs is None:
        yield Paragraph(
            "Whether the change is more than runs scatter is not known: three runs of each say so."
        )
    if report.by_counter:
        yield _causes(report, "by_counter", "What the cycles went into")
    if report.by_structure:
        yield _causes(report, "by_structure", "What the change is made of")
    yield from _layers(report)
    yield from _alone(report)


def _causes(report: RunComparison, at: str, title: str) -> Table:
    return table_of(
        getattr(report, at), at, (title, lambda row: _named(row.cause, row.layers_untrusted)),
        ("Change", "{+change}"), ("Share", "{share|%}"), ("Because", "{why}"),
    )  # fmt: skip


def _named(cause: str, layers: tuple[str, ...]) -> str:
    more = f" and {len(layers) - 3} more" if len(layers) > 3 else ""
    return f"{cause}: {', '.join(layers[:3])}{more}" if layers else cause


def _layers(report: RunComparison) -> Iterator[Block]:
    rows = [at for at, layer in enumerate(report.layers) if None not in (layer.before, layer.after)]
    header = ("Layer", "Matched by", "Before", "After", "Change", "Ratio", "Of the change")
    cells = ("{matched_by}", "{before}", "{after}", "{+change}", "{ratio:-}", "{share|%}")
    if rows:
        yield Table(header, tuple(
            (report.layers[at].name_untrusted, *(text(cell, f"layers[#{at}]") for cell in cells))
            for at in rows[:_ROWS]
        ))  # fmt: skip
    if len(rows) > _ROWS:
        yield Paragraph(f"{len(rows) - _ROWS} more layers are in --json.")


def _alone(report: RunComparison) -> Iterator[Block]:
    for side in ("before", "after"):
        rows = [layer for layer in report.layers if layer.matched_by == f"only {side}"]
        if rows:
            shown = ", ".join(map(_short, rows[:_NAMED]))
            more = f" and {len(rows) - _NAMED} more" if len(rows) > _NAMED else ""
            yield Paragraph(f"Only {side}: {shown}{more}.")


def _short(layer: LayerPair) -> str:
    value = layer.before if layer.after is None else layer.after
    return f"{layer.name_untrusted} ({value:.3g} {layer.unit})"
