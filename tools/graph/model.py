"""A model as data: tensors and operators in execution order, the same for every source format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property

from ..core.records import dataclass
from .dtypes import DType
from .tensor import Tensor

OptionValue = int | float | bool | str | tuple[int, ...] | tuple[float, ...]

SCHEMA_VERSION = "1.0"
UNDEFINED, MISFIT = "?-0", "?-1"
BEFORE = "-0"
"""In place of the version, of an operator that ONNX defines in later ones only."""


@dataclass(frozen=True)
class Op:
    """One operator. `kind` is TFLite's builtin name (CONV_2D), or CUSTOM."""

    index: int
    kind: str
    inputs: tuple[int, ...]
    """Tensor indices; -1 for an optional input that is absent."""
    outputs: tuple[int, ...]
    version: int = 1
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    """Builtin options in snake_case, enumerations by schema name: {"padding": "SAME", "stride_h": 2}."""
    intermediates: tuple[int, ...] = ()
    custom_code_untrusted: str | None = None
    origin: str = ""
    """Operator of ONNX's own set that it was read from, with the opset version that defined it: Gemm-13.

    UNDEFINED where it names that set, which has none such in the version that the file states, and MISFIT
    where the definition takes other inputs.
    """

    def option_int(self, name: str, default: int) -> int:
        value = self.options.get(name, default)
        return int(value) if isinstance(value, (int, float)) else default

    def option_str(self, name: str, default: str) -> str:
        value = self.options.get(name, default)
        return value if isinstance(value, str) else default

    @property
    def label(self) -> str:
        """What people call it; a custom operator by its cleaned name, marked as such."""
        return self.kind if self.custom_code_untrusted is None else f"CUSTOM:{self.custom_code_untrusted}"


@dataclass(frozen=True)
class Subgraph:
    """Tensors, and the operators over them in execution order."""

    name_untrusted: str
    tensors: tuple[Tensor, ...]
    ops: tuple[Op, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


@dataclass(frozen=True)
class Signature:
    """A named entry point: (name, tensor index) of its inputs and outputs."""

    key_untrusted: str
    subgraph: int
    inputs_untrusted: tuple[tuple[str, int], ...]
    outputs_untrusted: tuple[tuple[str, int], ...]


@dataclass(frozen=True, repr=False)
class ModelGraph:
    """An immutable model. Subgraph 0 is what one inference runs; others are called by its operators."""

    name: str
    """A cleaned file name or the name of an architecture: for people, never for identity."""
    format: str
    """tflite, onnx, ncnn, pt2, pte, openvino, or architecture for a model that was named and built."""
    sha256: str
    """Identity: of the file's bytes, or of the canonical JSON of a built or transformed graph."""
    file_bytes: int | None
    """Size of the file it was read from; None where there is no file."""
    subgraphs: tuple[Subgraph, ...]
    signatures: tuple[Signature, ...] = ()
    metadata_untrusted: tuple[tuple[str, int], ...] = ()
    """(cleaned name, bytes) of the metadata entries."""
    description_untrusted: str = ""
    notes_untrusted: tuple[tuple[str, str], ...] = ()
    """(what, cleaned text) of what its metadata say in words, such as its author and licence."""
    history: tuple[str, ...] = ()
    """The transforms that led here, in order: ("int8", "input 64x64")."""
    offline_plans: tuple[tuple[int, ...], ...] = ()
    """Words of each memory plan that the file brings (metadata OfflineMemoryAllocation), unchecked."""
    zero_filters: tuple[tuple[int, int], ...] = ()
    """(operator of the main subgraph, filters that hold nothing but zeros), as the file was read."""
    onnx_versions: tuple[int, int] | None = None
    """Versions of the representation and of the operators that an ONNX file states; None for other files."""

    def __repr__(self) -> str:
        return f"<ModelGraph {self}>"

    def __str__(self) -> str:
        """kws.tflite: 13 operators, int8, 1×49×10×1 → 1×12"""
        inputs, outputs = (", ".join(map(_shape_text, tensors)) for tensors in (self.inputs, self.outputs))
        changes = f" ({', '.join(self.history)})" if self.history else ""
        return f"{self.name}{changes}: {len(self.ops)} operators, {self.dtype}, {inputs} → {outputs}"

    @property
    def main(self) -> Subgraph:
        return self.subgraphs[0]

    @property
    def ops(self) -> tuple[Op, ...]:
        return self.main.ops

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return self.main.tensors

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        return tuple(self.tensors[i] for i in self.main.inputs)

    @property
    def outputs(self) -> tuple[Tensor, ...]:
        return tuple(self.tensors[i] for i in self.main.outputs)

    @cached_property
    def parameters(self) -> tuple[Tensor, ...]:
        """Constant tensors over all subgraphs; data that several share is counted once."""
        seen: set[int] = set()
        found: list[Tensor] = []
        for tensor in (t for sub in self.subgraphs for t in sub.tensors if t.is_constant):
            if tensor.buffer is None or tensor.buffer not in seen:
                found.append(tensor)
            if tensor.buffer is not None:
                seen.add(tensor.buffer)
        return tuple(found)

    @property
    def parameter_bytes(self) -> int:
        return sum(t.stored_bytes for t in self.parameters)

    @cached_property
    def dtype(self) -> DType:
        """The type that most of the arithmetic is done in: that of the largest share of operator outputs."""
        return _dominant_dtype(self)


def _shape_text(tensor: Tensor) -> str:
    return "×".join("?" if side < 0 else str(side) for side in tensor.shape) or "scalar"


def _dominant_dtype(graph: ModelGraph) -> DType:
    elements: dict[DType, int] = {}
    for op in graph.ops:
        for i in op.outputs:
            tensor = graph.tensors[i]
            elements[tensor.dtype] = elements.get(tensor.dtype, 0) + (tensor.elements or 0)
    if elements:
        return max(elements, key=lambda d: elements[d])
    return graph.inputs[0].dtype if graph.inputs else DType.FLOAT32
