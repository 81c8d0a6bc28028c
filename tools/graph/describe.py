"""What a model holds, in words and tables."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.document import (
    Block,
    Document,
    Paragraph,
    Section,
    Table,
    Text,
    described,
    figures,
    joined,
    table_of,
    text,
)
from .summary import LayerSummary, ModelSummary, TensorSummary, Uncounted


@described.register
def model(summary: ModelSummary) -> Document:
    layers = table_of(
        summary.layers, "layers",
        ("Layer", "{index}"), ("Operator", _operator), ("Type", "{dtype}"), ("Output", _output),
        ("MACs", "{macs}"), ("Parameters", "{parameter_bytes}"), ("Output size", "{output_bytes}"),
    )  # fmt: skip
    sections = (Section("", (head(summary), layers, *_signatures(summary))),)
    return Document(summary, f"Model {summary.name}", sections, notes=(*left_out(summary), *taken(summary)))


def _signatures(summary: ModelSummary) -> tuple[Block, ...]:
    """Where there is a choice. Names are a file's own words."""
    if len(summary.signatures) < 2:
        return ()
    rows = table_of(
        summary.signatures, "signatures",
        ("Signature", lambda row: row.name_untrusted), ("Operators", "{op_count}"),
        ("Inputs", lambda row: _tensors(row.inputs)), ("Outputs", lambda row: _tensors(row.outputs)),
    )  # fmt: skip
    return rows, Paragraph("One of them is meant by FILE#SIGNATURE; without it, the first subgraph is.")


def _metadata(summary: ModelSummary) -> str:
    """A file's own words."""
    return "; ".join(
        f"{each.name_untrusted}: {each.text_untrusted}"
        if each.bytes is None
        else f"{each.name_untrusted} ({each.bytes:,} bytes)"
        for each in summary.metadata
    )


def left_out(summary: ModelSummary) -> tuple[Text, ...]:
    """Operators whose work is not counted, and why."""
    lines = []
    for row, each in enumerate(summary.not_counted):
        at = f"not_counted[#{row}]"
        before, after = text("operator {index} (", at), text(") is not counted: {reason}", at)
        lines.append(joined(before, _operator(each), after))
    return tuple(lines)


def taken(summary: ModelSummary) -> tuple[Text, ...]:
    """What was counted where the run decides how much is computed."""
    said = enumerate(summary.assumptions)
    return tuple(text(f"{{assumptions[#{row}]}}") for row, each in said if each.startswith("operator "))


def head(model: ModelSummary) -> Table:
    kinds = range(len(model.operators))
    return figures(
        "Model",
        ("Name", "{name}"),
        ("Format", "{format}"),
        ("SHA-256", "{sha256}"),
        ("File size", "no file" if model.file_bytes is None else "{file_bytes} ({file_bytes|} bytes)"),
        ("Parameters", "{parameter_count} in {parameter_bytes} ({parameter_bytes|} bytes)"),
        ("MACs", _macs(model)),
        ("Data type", "{dtype} (of {dtypes})"),
        ("Layers", "{op_count}"),
        ("Inputs", (_tensors(model.inputs),)),
        ("Outputs", (_tensors(model.outputs),)),
        *((("Metadata", (_metadata(model),)),) if model.metadata else ()),
        ("Made of", ", ".join(f"{{operators[#{n}].op}} × {{operators[#{n}].op_count}}" for n in kinds)),
    )


def _macs(model: ModelSummary) -> str:
    if not model.not_counted:
        return "{macs}"
    known = "at least {macs}" if model.macs else "unknown"
    return f"{known}: {len(model.not_counted)} of {{op_count}} operators not counted"


def _operator(row: LayerSummary | Uncounted) -> str:
    """The name of a custom one is a file's own word."""
    return row.op if row.name_untrusted is None else f"{row.op}:{row.name_untrusted}"


def _tensors(tensors: Sequence[TensorSummary]) -> str:
    """Names are a file's own words."""
    return "; ".join(f"{t.name_untrusted}: {'×'.join(map(str, t.shape))} {t.dtype}" for t in tensors)


def _output(layer: LayerSummary) -> str:
    return "x".join(map(str, layer.output_shape))
