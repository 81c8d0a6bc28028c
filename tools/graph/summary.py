"""What a model file holds, before any hardware is named."""

from __future__ import annotations

from ..core.quantity import Result


class TensorSummary(Result):
    name_untrusted: str
    shape: tuple[int, ...]
    dtype: str
    bytes: int | None


class LayerSummary(Result):
    index: int
    op: str
    version: int
    dtype: str
    output_shape: tuple[int, ...]
    macs: int | None
    """None where the work cannot be counted."""
    element_ops: int | None
    parameter_bytes: int
    input_bytes: int | None
    output_bytes: int | None


class OperatorCount(Result):
    op: str
    op_count: int


class Uncounted(Result):
    index: int
    op: str
    reason: str


class ModelSummary(Result):
    """Result of `inspect`. 1 MAC is one multiply-accumulate, 2 FLOP."""

    schema_version: str = "1.0"
    name: str
    format: str
    sha256: str
    file_bytes: int | None
    """Size on disk; None for a model that was built from its name."""
    parameter_count: int
    """Weights, biases and other learned constants; not shapes, axes or paddings."""
    parameter_bytes: int
    """All constant data as stored, shapes and axes included; shared data once."""
    macs: int
    """Of all operators that can be counted, at the batch of the input shapes shown."""
    element_ops: int
    """Arithmetic on elements beside MACs: additions, comparisons, look-ups; a pool's whole windows."""
    op_count: int
    operators: tuple[OperatorCount, ...] = ()
    """The most frequent first."""
    subgraph_count: int
    dtype: str
    """The type that most arithmetic is done in."""
    dtypes: tuple[str, ...]
    """Every type that occurs among tensors."""
    inputs: tuple[TensorSummary, ...]
    outputs: tuple[TensorSummary, ...]
    layers: tuple[LayerSummary, ...]
    not_counted: tuple[Uncounted, ...]
    history: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
