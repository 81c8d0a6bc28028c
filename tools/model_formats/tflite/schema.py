"""The parts of the TFLite schema that are read: fields by number, and enumerations by name.

Field numbers are those of LiteRT's `schema.fbs`; enumerations and option tables come from the `tflite`
package.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ...graph import DType
from .reader import OFFSET, Field, TableKind

FILE_IDENTIFIER = b"TFL3"
SCHEMA_VERSION = 3
"""The only one that LiteRT and TensorFlow Lite Micro load."""
OFFLINE_PLAN = "OfflineMemoryAllocation"
DESCRIPTION, DESCRIPTION_IDENTIFIER = "TFLITE_METADATA", b"M001"
LEAST_RUNTIME = "min_runtime_version"
"""Metadata in which a model tells TensorFlow Lite Micro where its tensors go."""

MODEL = TableKind(
    "the model",
    (
        Field(0, "I"),  # version
        Field(1, OFFSET),  # operator_codes
        Field(2, OFFSET),  # subgraphs
        Field(3, OFFSET),  # description
        Field(4, OFFSET),  # buffers
        Field(6, OFFSET),  # metadata
        Field(7, OFFSET),  # signature_defs
        Field(9, OFFSET),  # external_buffers
    ),
    cost=16,
)
OPERATOR_CODE = TableKind(
    "an operator code",
    (
        Field(0, "b"),  # deprecated_builtin_code
        Field(1, OFFSET),  # custom_code
        Field(2, "i", 1),  # version
        Field(3, "i"),  # builtin_code
    ),
    cost=8,
)
SUBGRAPH = TableKind(
    "a subgraph",
    (
        Field(0, OFFSET),  # tensors
        Field(1, OFFSET),  # inputs
        Field(2, OFFSET),  # outputs
        Field(3, OFFSET),  # operators
        Field(4, OFFSET),  # name
    ),
    cost=16,
)
TENSOR = TableKind(
    "a tensor",
    (
        Field(0, OFFSET),  # shape
        Field(1, "b"),  # type
        Field(2, "I"),  # buffer
        Field(3, OFFSET),  # name
        Field(4, OFFSET),  # quantization
        Field(5, "?", False),  # is_variable
        Field(6, OFFSET),  # sparsity
        Field(7, OFFSET),  # shape_signature
        Field(10, "I"),  # external_buffer
    ),
    cost=32,
)
QUANTIZATION = TableKind(
    "a quantisation",
    (
        Field(2, OFFSET),  # scale
        Field(3, OFFSET),  # zero_point
        Field(6, "i"),  # quantized_dimension
    ),
    cost=8,
)
SPARSITY = TableKind(
    "a sparsity",
    (
        Field(0, OFFSET),  # traversal_order
        Field(1, OFFSET),  # block_map
        Field(2, OFFSET),  # dim_metadata
    ),
    cost=8,
)
DIMENSION = TableKind("a sparse dimension", (Field(0, "b"),), cost=8)
OPERATOR = TableKind(
    "an operator",
    (
        Field(0, "I"),  # opcode_index
        Field(1, OFFSET),  # inputs
        Field(2, OFFSET),  # outputs
        Field(3, "B"),  # builtin_options_type
        Field(4, OFFSET),  # builtin_options
        Field(5, OFFSET),  # custom_options
        Field(8, OFFSET),  # intermediates
        Field(9, "Q"),  # large_custom_options_offset
        Field(10, "Q"),  # large_custom_options_size
        Field(11, "B"),  # builtin_options_2_type
        Field(12, OFFSET),  # builtin_options_2
    ),
    cost=32,
)
BUFFER = TableKind(
    "a buffer",
    (
        Field(0, OFFSET),  # data
        Field(1, "Q"),  # offset
        Field(2, "Q"),  # size
    ),
    cost=4,
)
EXTERNAL_BUFFER = TableKind(
    "an external buffer",
    (
        Field(0, "I"),  # id
        Field(3, "Q"),  # length
    ),
    cost=8,
)
METADATA = TableKind("a metadata entry", (Field(0, OFFSET), Field(1, "I")), cost=8)  # name, buffer
MODEL_METADATA = TableKind(
    "its description",
    (
        Field(0, OFFSET),  # name
        Field(1, OFFSET),  # description
        Field(2, OFFSET),  # version
        Field(4, OFFSET),  # author
        Field(5, OFFSET),  # license
    ),
    cost=8,
)
"""Of metadata_schema.fbs in google-ai-edge/LiteRT, "M001"."""
SIGNATURE = TableKind(
    "a signature",
    (
        Field(0, OFFSET),  # inputs
        Field(1, OFFSET),  # outputs
        Field(2, OFFSET),  # signature_key
        Field(4, "I"),  # subgraph_index
    ),
    cost=16,
)
TENSOR_MAP = TableKind(
    "a signature's tensor", (Field(0, OFFSET), Field(1, "I")), cost=8
)  # name, tensor_index


@cache
def schema_class(name: str) -> Any:
    """One class of the `tflite` package, without the other 180 that the package itself imports."""
    package = importlib.util.find_spec("tflite")
    if package is None or not package.submodule_search_locations:
        raise ModuleNotFoundError("No module named 'tflite'", name="tflite")
    path = Path(package.submodule_search_locations[0], f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"tflite.{name}", path)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(f"No module named 'tflite.{name}'", name=f"tflite.{name}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


@cache
def enumeration(name: str) -> Mapping[int, str]:
    """Names of an enumeration's (or a union's) values."""
    return {value: key for key, value in vars(schema_class(name)).items() if isinstance(value, int)}


@cache
def dtypes() -> Mapping[int, DType]:
    """Element types by their number; the two last are younger than the package."""
    known = {number: DType(name.lower()) for number, name in enumeration("TensorType").items()}
    return known | {19: DType.INT2, 20: DType.UINT4}
