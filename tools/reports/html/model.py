"""What the model file holds."""

from __future__ import annotations

from ...graph.summary import TensorSummary
from .blocks import Block, Items, Table
from .figures import whole
from .results import Results


def blocks(results: Results) -> tuple[Block, ...]:
    model = results.analysis.model
    rows = (
        ("Name", model.name),
        ("Format", model.format),
        ("File", "none: built from its name" if model.file_bytes is None else f"{model.file_bytes:,} bytes"),
        ("SHA-256", model.sha256),
        ("Type", f"{model.dtype} (of {', '.join(model.dtypes)})"),
        ("Operators", whole(model.op_count)),
        ("MACs", whole(model.macs)),
        ("Parameters", f"{model.parameter_count:,} in {model.parameter_bytes:,} bytes"),
        ("Inputs", "; ".join(map(_tensor, model.inputs))),
        ("Outputs", "; ".join(map(_tensor, model.outputs))),
        ("Made of", ", ".join(f"{each.op} × {each.op_count}" for each in model.operators)),
    )
    found: list[Block] = [Table(("Model", "Value"), rows)]
    if model.not_counted:
        found.append(
            Items(tuple(f"Layer {x.index} ({x.op}) is not counted: {x.reason}" for x in model.not_counted))
        )
    return tuple(found)


def _tensor(tensor: TensorSummary) -> str:
    return f"{tensor.name_untrusted}: {'×'.join(map(str, tensor.shape))} {tensor.dtype}"
