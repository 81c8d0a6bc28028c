"""What a model file holds, as text."""

from __future__ import annotations

from ...graph.summary import ModelSummary
from ..table import pipe_table
from .common import notes


def model_text(model: ModelSummary) -> str:
    layers = pipe_table(
        ("Layer", "Operator", "Type", "Output", "MACs", "Param bytes", "Output bytes"),
        ((x.index, x.op, x.dtype, "x".join(map(str, x.output_shape)), x.macs, x.parameter_bytes,
          x.output_bytes)
         for x in model.layers),
    )  # fmt: skip
    left_out = tuple(f"operator {x.index} ({x.op}) is not counted: {x.reason}" for x in model.not_counted)
    return f"== MODEL SUMMARY ==\n{model_summary(model)}\n\n{layers}{notes(left_out)}"


def model_summary(model: ModelSummary) -> str:
    inputs = ", ".join(f"{'x'.join(map(str, t.shape))} {t.dtype}" for t in model.inputs)
    outputs = ", ".join(f"{'x'.join(map(str, t.shape))} {t.dtype}" for t in model.outputs)
    return pipe_table(
        ("Metric", "Value"),
        (
            ("Model", model.name),
            ("Format", model.format),
            ("SHA-256", model.sha256),
            ("File size", "no file" if model.file_bytes is None else f"{model.file_bytes:,} bytes"),
            ("Parameters", f"{model.parameter_count:,} in {model.parameter_bytes:,} bytes"),
            ("MACs", f"{model.macs:,}"),
            ("Data type", model.dtype),
            ("Layers", f"{model.op_count:,}"),
            ("Inputs", inputs),
            ("Outputs", outputs),
        ),
    )
