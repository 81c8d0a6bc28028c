"""What a model holds, in words and tables."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.document import Document, Section, Table, Text, described, figures, table_of, text
from .summary import LayerSummary, ModelSummary, TensorSummary


@described.register
def model(summary: ModelSummary) -> Document:
    layers = table_of(
        summary.layers, "layers",
        ("Layer", "{index}"), ("Operator", "{op}"), ("Type", "{dtype}"), ("Output", _output),
        ("MACs", "{macs}"), ("Parameters", "{parameter_bytes}"), ("Output size", "{output_bytes}"),
    )  # fmt: skip
    sections = (Section("", (head(summary), layers)),)
    return Document(summary, f"Model {summary.name}", sections, notes=left_out(summary))


def left_out(summary: ModelSummary) -> tuple[Text, ...]:
    """Operators whose work is not counted, and why."""
    places = range(len(summary.not_counted))
    line = "operator {index} ({op}) is not counted: {reason}"
    return tuple(text(line, f"not_counted[#{at}]") for at in places)


def head(model: ModelSummary) -> Table:
    kinds = range(len(model.operators))
    return figures(
        "Model",
        ("Name", "{name}"),
        ("Format", "{format}"),
        ("SHA-256", "{sha256}"),
        ("File size", "no file" if model.file_bytes is None else "{file_bytes} ({file_bytes|} bytes)"),
        ("Parameters", "{parameter_count} in {parameter_bytes} ({parameter_bytes|} bytes)"),
        ("MACs", "{macs}"),
        ("Data type", "{dtype} (of {dtypes})"),
        ("Layers", "{op_count}"),
        ("Inputs", (_tensors(model.inputs),)),
        ("Outputs", (_tensors(model.outputs),)),
        ("Made of", ", ".join(f"{{operators[#{n}].op}} × {{operators[#{n}].op_count}}" for n in kinds)),
    )


def _tensors(tensors: Sequence[TensorSummary]) -> str:
    """Names are a file's own words."""
    return "; ".join(f"{t.name_untrusted}: {'×'.join(map(str, t.shape))} {t.dtype}" for t in tensors)


def _output(layer: LayerSummary) -> str:
    return "x".join(map(str, layer.output_shape))
