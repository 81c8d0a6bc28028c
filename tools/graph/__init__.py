"""What a model is: tensors, operators and what each operator costs."""

from .dtypes import DType
from .layer_table import LayerTable, OpClass
from .model import SCHEMA_VERSION, ModelGraph, Op, OptionValue, Signature, Subgraph
from .tensor import Quantization, Sparsity, Tensor

__all__ = [
    "SCHEMA_VERSION",
    "DType",
    "LayerTable",
    "ModelGraph",
    "Op",
    "OpClass",
    "OptionValue",
    "Quantization",
    "Signature",
    "Sparsity",
    "Subgraph",
    "Tensor",
]
