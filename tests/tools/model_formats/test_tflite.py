from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable
from typing import Any

import pytest

from edgewright.hardware_db.errors import ModelFileError
from edgewright.tools.graph import DType, ModelGraph, Quantization, Sparsity
from edgewright.tools.model_formats.source import parse_model
from edgewright.tools.model_formats.tflite.schema import enumeration

Tree = dict[int, Any]
Encode = Callable[[Tree], bytes]

# Field numbers of LiteRT's schema.fbs.
OPCODES, SUBGRAPHS, BUFFERS, METADATA, SIGNATURES, EXTERNAL = 1, 2, 4, 6, 7, 9
TENSORS, INPUTS, OUTPUTS, OPERATORS = 0, 1, 2, 3


@pytest.fixture
def parse(encode: Encode) -> Callable[[Tree], ModelGraph]:
    return lambda tree: parse_model(encode(tree))


def operator(kind: str, options: Tree | None = None, **fields: Any) -> tuple[Tree, Tree]:
    """An operator over tensors 0 to 2 and 3, and its code."""
    number = next(n for n, name in enumeration("BuiltinOperator").items() if name == kind)
    table: Tree = {0: ("I", 0), 1: ("i", [0, 1, 2]), 2: ("i", [3])}
    if options is not None:
        union = enumeration(fields["union"])
        member = next(n for n, name in union.items() if name == fields["member"])
        table |= (
            {3: ("B", member), 4: options}
            if fields["union"] == "BuiltinOptions"
            else {11: ("B", member), 12: options}
        )
    return table, {0: ("b", min(number, 127)), 3: ("i", number)}


def replace_operator(tree: Tree, table: Tree, code: Tree) -> None:
    tree[SUBGRAPHS][0][OPERATORS] = [table]
    tree[OPCODES] = [code]


def test_an_operator_has_its_version_and_its_options_by_name(small_model: bytes) -> None:
    op = parse_model(small_model).ops[0]
    assert (op.kind, op.version, op.inputs, op.outputs) == ("CONV_2D", 3, (0, 1, 2), (3,))
    assert op.options == {
        "padding": "SAME",
        "stride_w": 1,
        "stride_h": 1,
        "fused_activation_function": "RELU",
        "dilation_w_factor": 1,
        "dilation_h_factor": 1,
        "quantized_bias_type": "FLOAT32",
    }


def test_a_tensor_has_shape_type_and_quantisation_per_channel(small_model: bytes) -> None:
    weights = parse_model(small_model).tensors[1]
    assert (weights.shape, weights.dtype, weights.stored_bytes) == ((2, 3, 3, 1), DType.INT8, 18)
    assert weights.quantization == Quantization((0.25, 0.125), (0, 0), axis=0)
    assert weights.is_constant
    assert not weights.is_variable


def test_identity_is_the_hash_of_the_bytes(small_model: bytes) -> None:
    graph = parse_model(small_model)
    assert graph.sha256 == hashlib.sha256(small_model).hexdigest()
    assert graph.file_bytes == len(small_model)
    assert graph.format == "tflite"


@pytest.mark.parametrize(
    ("deprecated", "builtin", "kind"),
    [
        (3, 0, "CONV_2D"),
        (3, 3, "CONV_2D"),
        (127, 150, "GELU"),
        (0, 150, "GELU"),
        (127, 999, "UNKNOWN_BUILTIN_999"),
    ],
)
def test_the_larger_of_the_two_operator_codes_counts(
    parse: Callable[[Tree], ModelGraph], tree: Tree, deprecated: int, builtin: int, kind: str
) -> None:
    tree[OPCODES] = [{0: ("b", deprecated), 3: ("i", builtin)}]
    tree[SUBGRAPHS][0][TENSORS][0][0] = ("i", [1, 8, 8, 2])
    assert parse(tree).ops[0].kind == kind


def test_a_custom_operator_goes_by_its_cleaned_name(parse: Callable[[Tree], ModelGraph], tree: Tree) -> None:
    tree[OPCODES] = [{0: ("b", 32), 1: "My\x1b[31mOp\n", 3: ("i", 32)}]
    tree[SUBGRAPHS][0][OPERATORS][0] = {1: ("i", [0]), 2: ("i", [3]), 5: ("B", [1, 2, 3])}
    op = parse(tree).ops[0]
    assert op.kind == "CUSTOM"
    assert op.custom_code_untrusted == "My\N{REPLACEMENT CHARACTER}[31mOp"
    assert op.options == {"custom_options_bytes": 3}


def test_options_of_the_second_union_are_decoded(parse: Callable[[Tree], ModelGraph], tree: Tree) -> None:
    options = {0: ("q", [1, 1]), 1: ("q", [0, 0]), 4: ("?", [True, False]), 5: ("q", 7)}
    replace_operator(
        tree,
        *operator(
            "STABLEHLO_CONVOLUTION", options, union="BuiltinOptions2", member="StablehloConvolutionOptions"
        ),
    )
    found = parse(tree).ops[0].options
    assert found["window_strides"] == (1, 1)
    assert found["window_reversal"] == (True, False)
    assert found["input_batch_dimension"] == 7
    assert "kernel_spatial_dimensions" not in found


def test_text_and_bytes_among_options_are_marked_for_what_they_are(
    parse: Callable[[Tree], ModelGraph], tree: Tree
) -> None:
    tree[SUBGRAPHS].append({TENSORS: []})
    options = {0: "odml.rms_norm\x07", 1: ("i", 1), 2: ("B", [0] * 40), 4: ("i", 2)}
    replace_operator(
        tree,
        *operator(
            "STABLEHLO_COMPOSITE", options, union="BuiltinOptions2", member="StableHLOCompositeOptions"
        ),
    )
    assert parse(tree).ops[0].options == {
        "name_untrusted": "odml.rms_norm\N{REPLACEMENT CHARACTER}",
        "decomposition_subgraph_index": 1,
        "composite_attributes_bytes": 40,
        "composite_attributes_format": "FLEXBUFFERS",
        "version": 2,
    }


def test_options_of_a_later_schema_are_left_out(parse: Callable[[Tree], ModelGraph], tree: Tree) -> None:
    tree[SUBGRAPHS][0][OPERATORS][0][3] = ("B", 255)
    tree[SUBGRAPHS][0][TENSORS][3][0] = ("i", [1, 6, 6, 2])
    assert parse(tree).ops[0].options == {}


@pytest.mark.parametrize(
    ("number", "dtype", "elements", "stored"),
    [
        (17, DType.INT4, 7, 4),
        (20, DType.UINT4, 8, 4),
        (19, DType.INT2, 9, 3),
        (1, DType.FLOAT16, 3, 6),
        (18, DType.BFLOAT16, 3, 6),
    ],
)
def test_small_types_are_packed(
    parse: Callable[[Tree], ModelGraph], tree: Tree, number: int, dtype: DType, elements: int, stored: int
) -> None:
    tree[BUFFERS].append({0: ("B", [0] * stored)})
    tree[SUBGRAPHS][0][TENSORS].append({0: ("i", [elements]), 1: ("b", number), 2: ("I", 3)})
    tensor = parse(tree).tensors[4]
    assert (tensor.dtype, tensor.bytes, tensor.stored_bytes) == (dtype, stored, stored)


def test_a_dimension_left_open_by_the_signature_is_unknown(
    parse: Callable[[Tree], ModelGraph], tree: Tree
) -> None:
    tree[SUBGRAPHS][0][TENSORS][0][7] = ("i", [1, -1, 8, 1])
    tensor = parse(tree).inputs[0]
    assert tensor.shape == (1, -1, 8, 1)
    assert tensor.elements is None


def test_an_open_batch_is_the_one_that_interpreters_allocate(
    parse: Callable[[Tree], ModelGraph], tree: Tree
) -> None:
    tree[SUBGRAPHS][0][TENSORS][0][7] = ("i", [-1, 8, 8, 1])
    assert parse(tree).inputs[0].shape == (1, 8, 8, 1)


def test_a_variable_tensor_is_state_not_a_constant(parse: Callable[[Tree], ModelGraph], tree: Tree) -> None:
    tree[SUBGRAPHS][0][TENSORS].append({0: ("i", [4]), 1: ("b", 9), 5: ("?", True)})
    tensor = parse(tree).tensors[4]
    assert tensor.is_variable
    assert not tensor.is_constant


def test_sparsity_is_told_and_its_data_may_be_smaller_than_dense(
    parse: Callable[[Tree], ModelGraph], tree: Tree
) -> None:
    sparsity = {0: ("i", [0, 1, 2]), 1: ("i", [1]), 2: [{0: ("b", 0)}, {0: ("b", 1)}, {0: ("b", 0)}]}
    tree[BUFFERS].append({0: ("B", [1] * 5)})
    tree[SUBGRAPHS][0][TENSORS].append({0: ("i", [4, 8]), 1: ("b", 9), 2: ("I", 3), 6: sparsity})
    tensor = parse(tree).tensors[4]
    assert tensor.sparsity == Sparsity((0, 1, 2), (1,), (True, False, True))
    assert tensor.stored_bytes == 5


def test_shapes_and_axes_are_read_but_biases_and_long_tables_are_not(
    parse: Callable[[Tree], ModelGraph], tree: Tree
) -> None:
    tensors, buffers = tree[SUBGRAPHS][0][TENSORS], tree[BUFFERS]
    del tensors[2][4]  # a bias without scales is still a bias
    buffers += [
        {0: ("B", list(struct.pack("<3i", 1, -1, 7)))},
        {0: ("B", list(struct.pack("<2q", 1 << 40, -5)))},
        {0: ("B", [0] * 65 * 4)},
    ]
    for index, (count, dtype) in enumerate([(3, 2), (2, 4), (65, 2)]):
        tensors.append({0: ("i", [count]), 1: ("b", dtype), 2: ("I", 3 + index)})
    graph = parse(tree)
    assert [t.values for t in graph.tensors[2:]] == [None, None, (1, -1, 7), (1 << 40, -5), None]


def test_signatures_metadata_and_description_are_read(
    parse: Callable[[Tree], ModelGraph], tree: Tree
) -> None:
    tree[SIGNATURES] = [
        {0: [{0: "x", 1: ("I", 0)}], 1: [{0: "y", 1: ("I", 3)}], 2: "serving_default", 4: ("I", 0)}
    ]
    tree[METADATA] = [{0: "min_runtime_version", 1: ("I", 2)}]
    graph = parse(tree)
    (signature,) = graph.signatures
    assert signature.key_untrusted == "serving_default"
    assert signature.inputs_untrusted == (("x", 0),)
    assert signature.outputs_untrusted == (("y", 3),)
    assert graph.metadata_untrusted == (("min_runtime_version", 8),)
    assert graph.description_untrusted == "a test model"


def test_every_subgraph_is_read(parse: Callable[[Tree], ModelGraph], tree: Tree) -> None:
    body = {TENSORS: [{0: ("i", [1])}], INPUTS: ("i", [0]), OUTPUTS: ("i", [0]), 4: "body"}
    tree[SUBGRAPHS].append(body)
    graph = parse(tree)
    assert [s.name_untrusted for s in graph.subgraphs] == ["main", "body"]
    assert graph.subgraphs[1].inputs == graph.subgraphs[1].outputs == (0,)


def test_intermediates_and_absent_inputs_are_kept(parse: Callable[[Tree], ModelGraph], tree: Tree) -> None:
    op = tree[SUBGRAPHS][0][OPERATORS][0]
    op[1], op[8] = ("i", [0, 1, -1]), ("i", [2])
    assert parse(tree).ops[0].inputs == (0, 1, -1)
    assert parse(tree).ops[0].intermediates == (2,)


def test_constants_behind_the_flatbuffer_are_found(encode: Encode, tree: Tree) -> None:
    """Files beyond 2 GB keep them there."""
    where, size = ("Q", 4000), ("Q", 18)
    tree[BUFFERS][1] = {1: where, 2: size}
    tree[SUBGRAPHS][0][OPERATORS][0] |= {9: ("Q", 4018), 10: ("Q", 6)}
    data = encode(tree).ljust(4024, b"\1")
    graph = parse_model(data)
    assert graph.tensors[1].stored_bytes == 18
    assert graph.ops[0].options["custom_options_bytes"] == 6
    with pytest.raises(ModelFileError, match="lie beyond"):
        parse_model(data[:4020])


def test_constants_in_another_file_are_constants_of_known_size(
    parse: Callable[[Tree], ModelGraph], tree: Tree
) -> None:
    tree[EXTERNAL] = [{0: ("I", 9), 3: ("Q", 1234)}]
    tree[SUBGRAPHS][0][TENSORS][1] |= {2: ("I", 0), 10: ("I", 9)}
    weights = parse(tree).tensors[1]
    assert weights.is_constant
    assert weights.stored_bytes == 1234


def test_buffers_of_the_same_bytes_count_once(parse: Callable[[Tree], ModelGraph], tree: Tree) -> None:
    data = ("B", [3] * 18)
    tree[BUFFERS] = [{}, {0: data}, {0: ("B", [0] * 8)}, {0: data}]
    tree[SUBGRAPHS][0][TENSORS].append({0: ("i", [18]), 1: ("b", 9), 2: ("I", 3)})
    graph = parse(tree)
    assert graph.tensors[1].buffer == graph.tensors[4].buffer
    assert graph.parameter_bytes == 18 + 8
