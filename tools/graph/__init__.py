"""What a model is: tensors, operators and what each operator costs."""

from .dtypes import DType
from .model import SCHEMA_VERSION, ModelGraph, Op, OptionValue, Signature, Subgraph
from .tensor import Quantization, Sparsity, Tensor

__all__ = [
    "SCHEMA_VERSION",
    "DType",
    "ModelGraph",
    "Op",
    "OptionValue",
    "Quantization",
    "Signature",
    "Sparsity",
    "Subgraph",
    "Tensor",
]
