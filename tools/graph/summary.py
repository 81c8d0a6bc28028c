"""What a model file holds, before any hardware is named."""

from typing import ClassVar

from ..core.quantity import Result


class TensorSummary(Result):
    """An input or output of a model."""

    name_untrusted: str
    shape: tuple[int, ...]
    """Dimensions; -1 for one that is not known."""
    dtype: str
    """Type of its elements."""
    bytes: int | None


class LayerSummary(Result):
    """One operator of a model: its work and its data."""

    index: int
    op: str
    name_untrusted: str | None = None
    """What the file calls a custom operator, cleaned; null for others."""
    version: int
    """Version of the operator in the file."""
    dtype: str
    output_shape: tuple[int, ...]
    """Dimensions of the first output."""
    macs: int | None
    """None where the work cannot be counted."""
    element_ops: int | None
    """Arithmetic on elements beside MACs; null where it cannot be counted."""
    parameter_bytes: int
    input_bytes: int | None
    """Size of the inputs that are no constants; null where a dimension is not known."""
    output_bytes: int | None
    """Size of the outputs; null where a dimension is not known."""


class OperatorCount(Result):
    """How often a kind of operator occurs."""

    op: str
    op_count: int
    """How often it occurs."""


class Uncounted(Result):
    """An operator whose work cannot be counted."""

    index: int
    op: str
    name_untrusted: str | None = None
    """What the file calls a custom operator, cleaned; null for others."""
    reason: str


class SignatureSummary(Result):
    """An entry point of a file, which is asked for as `FILE#NAME`."""

    name_untrusted: str
    subgraph: int
    """Position of the subgraph that it runs."""
    op_count: int
    """Operators of that subgraph."""
    inputs: tuple[TensorSummary, ...]
    """Inputs by the names that the signature gives them."""
    outputs: tuple[TensorSummary, ...]
    """Outputs by the names that the signature gives them."""


class MetadataSummary(Result):
    """An entry of a file's metadata, or what one says in words."""

    name_untrusted: str
    bytes: int | None
    """Size of the entry; None of what one says."""
    text_untrusted: str | None = None
    """What one says in words; null of an entry that is only there."""


class ModelSummary(Result):
    """Result of `inspect`. 1 MAC is one multiply-accumulate, 2 FLOP."""

    main_rows: ClassVar[str] = "layers"

    schema_version: str = "1.0"
    name: str
    """Name of the model: the file's name, or the architecture's."""
    format: str
    """tflite, onnx or architecture."""
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
    """Operators of the main subgraph."""
    operators: tuple[OperatorCount, ...] = ()
    """The most frequent first."""
    subgraph_count: int
    """Subgraphs, the main one included."""
    dtype: str
    """The type that most arithmetic is done in."""
    dtypes: tuple[str, ...]
    """Every type that occurs among tensors."""
    inputs: tuple[TensorSummary, ...]
    """Inputs, in the model's order."""
    outputs: tuple[TensorSummary, ...]
    """Outputs, in the model's order."""
    layers: tuple[LayerSummary, ...]
    signatures: tuple[SignatureSummary, ...] = ()
    """Named entry points; without one chosen, the first subgraph is what an inference runs."""
    metadata: tuple[MetadataSummary, ...] = ()
    """What the file says of itself."""
    not_counted: tuple[Uncounted, ...]
    """Operators whose work cannot be counted."""
    history: tuple[str, ...] = ()
    """Changes made since it was read, in order."""
    assumptions: tuple[str, ...] = ()

    def headline(self) -> str:
        known = f"{self.macs:,}" if self.macs or not self.not_counted else "unknown"
        macs = f"at least {known}" if self.macs and self.not_counted else known
        return f"{self.name}: {self.op_count} operators, {macs} MACs, {self.dtype}"
