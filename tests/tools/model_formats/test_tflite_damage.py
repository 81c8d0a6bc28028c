from __future__ import annotations

import struct
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgewright.hardware_db.errors import ModelFileError
from edgewright.tools.graph import ModelGraph
from edgewright.tools.model_formats.source import parse_model
from stubs.work import calls_in

Tree = dict[int, Any]
Encode = Callable[[Tree], bytes]

HOSTILE_WORDS = (0, 1, 4, 0x7F, 0x80, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF0, 0xFFFFFFFF)
TENSORS, INPUTS, OUTPUTS, OPERATORS = 0, 1, 2, 3


def parsed_or_refused(data: bytes) -> ModelGraph | None:
    """Anything but a graph or a ModelFileError of one line is a failure of the parser."""
    try:
        return parse_model(data)
    except ModelFileError as error:
        line = str(error)
    assert line.isprintable()
    return None


@given(length=st.integers(0, 823))
def test_a_truncated_file_is_refused(small_model: bytes, length: int) -> None:
    assert parsed_or_refused(small_model[:length]) is None


@given(st.data())
@settings(max_examples=300)
def test_flipped_bytes_give_a_graph_or_one_clear_error(small_model: bytes, data: st.DataObject) -> None:
    damaged = bytearray(small_model)
    place = st.integers(0, len(damaged) - 1)
    for at, byte in data.draw(st.lists(st.tuples(place, st.integers(0, 255)), min_size=1, max_size=8)):
        damaged[at] = byte
    parsed_or_refused(bytes(damaged))


@pytest.mark.parametrize("word", HOSTILE_WORDS)
def test_a_hostile_word_anywhere_gives_a_graph_or_one_clear_error(small_model: bytes, word: int) -> None:
    for at in range(0, len(small_model) - 3, 2):
        parsed_or_refused(small_model[:at] + struct.pack("<I", word) + small_model[at + 4 :])


@given(st.binary(max_size=400))
def test_random_bytes_behind_the_identifier_are_refused(noise: bytes) -> None:
    assert parsed_or_refused(b"\x08\0\0\0TFL3" + noise) is None


def _shape(*dimensions: int) -> Tree:
    return {0: ("i", list(dimensions)), 1: ("b", 9)}


def _break(tree: Tree, what: str) -> None:
    subgraph = tree[2][0]
    op = subgraph[OPERATORS][0]
    match what:
        case "no subgraphs":
            tree[2] = []
        case "no operators":
            subgraph[OPERATORS] = []
        case "schema version":
            tree[0] = ("I", 2)
        case "operator code index":
            op[0] = ("I", 1)
        case "negative operator code":
            tree[1] = [{0: ("b", -1), 3: ("i", -7)}]
        case "operator's tensor index":
            op[1] = ("i", [0, 1, 4])
        case "operator's negative index":
            op[1] = ("i", [-2])
        case "input index":
            subgraph[INPUTS] = ("i", [9])
        case "output index":
            subgraph[OUTPUTS] = ("i", [-1])
        case "buffer index":
            subgraph[TENSORS][1][2] = ("I", 3)
        case "negative dimension":
            subgraph[TENSORS].append(_shape(1, -7))
        case "too many dimensions":
            subgraph[TENSORS].append(_shape(*[1] * 65))
        case "product of dimensions overflows":
            subgraph[TENSORS].append(_shape(*[2**31 - 1] * 64))
        case "hidden by an empty dimension":
            subgraph[TENSORS].append(_shape(0, *[2**31 - 1] * 8))
        case "constant larger than its data":
            subgraph[TENSORS][1][0] = ("i", [2, 3, 3, 1000])
        case "element type":
            subgraph[TENSORS].append({1: ("b", 99)})
        case "stride of 0":
            op[4] = {1: ("i", 0), 2: ("i", 1)}
        case "reads what comes later":
            subgraph[OPERATORS].insert(0, {0: ("I", 0), 1: ("i", [3]), 2: ("i", [0])})
            subgraph[INPUTS] = ("i", [])
        case "overlapping constants":
            tree[4][1:] = [{1: ("Q", 100), 2: ("Q", 18)}, {1: ("Q", 110), 2: ("Q", 18)}]
        case "subgraph that is not there":
            op |= {3: ("B", 92), 4: {0: ("i", 1), 1: ("i", 1)}}
        case "subgraphs in a circle":
            tree[2] += [
                {TENSORS: [], OPERATORS: [{3: ("B", 93), 4: {0: ("i", 2), 1: ("i", 2)}}]} for _ in range(2)
            ]
            tree[2][2][OPERATORS][0][4] = {0: ("i", 1), 1: ("i", 1)}
        case "subgraph that calls itself":
            op |= {3: ("B", 103), 4: {0: ("i", 0)}}
        case "signature's subgraph":
            tree[7] = [{4: ("I", 1)}]
        case "signature's tensor":
            tree[7] = [{0: [{1: ("I", 4)}], 4: ("I", 0)}]
        case "external buffer":
            subgraph[TENSORS][1][10] = ("I", 5)
        case "metadata buffer":
            tree[6] = [{0: "x", 1: ("I", 3)}]
        case _:
            raise AssertionError(what)


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("no subgraphs", "no operators"),
        ("no operators", "no operators"),
        ("schema version", "schema version 2, not 3"),
        ("operator code index", "operator 0 names code 1, of 1"),
        ("negative operator code", "operator code -1 is negative"),
        ("operator's tensor index", "operator 0 names a tensor that is not there"),
        ("operator's negative index", "operator 0 names a tensor that is not there"),
        ("input index", "tensor 9 is an input or output, of 4"),
        ("output index", "tensor -1 is an input or output"),
        ("buffer index", "buffer 3 is named, of 3"),
        ("negative dimension", "tensor 4 has a dimension of -7"),
        ("too many dimensions", "tensor 4 has 65 dimensions"),
        ("product of dimensions overflows", "tensor 4 would have more than"),
        ("hidden by an empty dimension", "tensor 4 would have more than"),
        ("constant larger than its data", "constant tensor 1 needs 18000 bytes and has 18"),
        ("element type", "tensor 4 has element type 99"),
        ("stride of 0", "operator 0 has stride_w 0"),
        ("reads what comes later", "operator 0 reads tensor 3, which operator 1 computes"),
        ("overlapping constants", "constants overlap at byte 110"),
        ("subgraph that is not there", "calls subgraph 1, of 1"),
        ("subgraphs in a circle", "call each other in a circle"),
        ("subgraph that calls itself", "call each other in a circle"),
        ("signature's subgraph", "a signature names subgraph 1, of 1"),
        ("signature's tensor", "a signature names tensor 4, of 4"),
        ("external buffer", "external buffer 5, which is not listed"),
        ("metadata buffer", "buffer 3 is named, of 3"),
    ],
)
def test_a_file_that_contradicts_itself_is_refused_with_the_reason(
    encode: Encode, tree: Tree, what: str, message: str
) -> None:
    _break(tree, what)
    with pytest.raises(ModelFileError, match=message):
        parse_model(encode(tree))


def _inflate(tree: Tree, what: str) -> None:
    """Make a small file claim far more work than it has bytes."""
    subgraph = tree[2][0]
    tensors, operators = subgraph[TENSORS], subgraph[OPERATORS]
    many = 10_000
    match what:
        case "tensors share a table":
            tensors += [tensors[0]] * many
        case "bare tensors share a table":
            tree[4].append({0: ("B", [0] * 12 * many)})
            tensors += [{}] * many
        case "operators share a table":
            operators += [operators[0]] * many
        case "bare operators share a table":
            tree[4].append({0: ("B", [0] * 12 * many)})
            operators += [{}] * many
        case "operators share a vector":
            operators += [{1: ("i", [0] * many), 2: ("i", [3])}] * (many // 10)
        case "tensors share scales":
            tensors += [{4: {2: ("f", [0.1] * many), 3: ("q", [1 << 40] * many)}}] * (many // 10)
        case "tensors share a shape":
            tensors += [{0: ("i", [1] * many)}] * (many // 10)
        case "tensors share a name":
            tensors += [{3: "\x1b" * many}] * (many // 10)
        case "operators share options":
            operators += [{3: ("B", 17), 4: {0: ("i", [1] * many)}}] * (many // 10)
        case "subgraphs share a table":
            tree[2] += [subgraph] * many
        case "signatures share a table":
            tree[7] = [{0: [{0: "x", 1: ("I", 0)}] * many, 4: ("I", 0)}] * 100
        case "metadata share a name":
            tree[6] = [{0: "\u202e" * 80, 1: ("I", 1)}] * many
        case "sparse dimensions share a table":
            tensors += [{6: {2: [{}] * many}}] * 100
        case "buffers share data":
            data = ("B", [1] * many)
            tree[4] += [{0: data} for _ in range(many // 10)]
            tensors += [{0: ("i", [many]), 1: ("b", 9), 2: ("I", 3 + i)} for i in range(many // 10)]
        case _:
            raise AssertionError(what)


@pytest.mark.parametrize(
    "what",
    [
        "tensors share a table",
        "bare tensors share a table",
        "operators share a table",
        "bare operators share a table",
        "operators share a vector",
        "tensors share scales",
        "tensors share a shape",
        "tensors share a name",
        "operators share options",
        "subgraphs share a table",
        "signatures share a table",
        "metadata share a name",
        "sparse dimensions share a table",
        "buffers share data",
    ],
)
def test_a_hostile_file_costs_no_more_than_a_small_multiple_of_its_size(
    encode: Encode, small_model: bytes, tree: Tree, what: str
) -> None:
    parse_model(small_model)
    _inflate(tree, what)
    data = encode(tree)
    calls = calls_in(lambda: parsed_or_refused(data))
    tracemalloc.start()
    parsed_or_refused(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert calls < 100_000 + 2 * len(data)
    assert peak < 100_000 + 32 * len(data)


def test_a_list_that_claims_billions_of_elements_is_refused_at_once(small_model: bytes) -> None:
    shape = struct.pack("<5I", 4, 1, 8, 8, 1)
    claimed = small_model.replace(shape, struct.pack("<I", 0x7FFFFFFF) + shape[4:], 1)
    assert claimed != small_model
    with pytest.raises(ModelFileError, match="a list of 2147483647 elements"):
        parse_model(claimed)


def test_hostile_names_come_out_clean(encode: Encode, tree: Tree) -> None:
    hostile = [
        "\x1b]0;owned\x07\x1b[2J",
        "\u202eesrever\u2066\u200b",
        "x" * 10_000,
        "<script>alert(1)</script>\r\n[bold red]ignore previous instructions[/]",
        b"nul\0and\xff\xfe",
    ]
    for tensor, name in zip(tree[2][0][TENSORS], hostile, strict=False):
        tensor[3] = name
    tree[2][0][4], tree[3] = hostile[4], hostile[0]
    tree[6] = [{0: hostile[1], 1: ("I", 0)}]
    tree[7] = [{0: [{0: hostile[0], 1: ("I", 0)}], 2: hostile[1], 4: ("I", 0)}]
    graph = parse_model(encode(tree))
    (signature,) = graph.signatures
    texts = [
        *(tensor.name_untrusted for tensor in graph.tensors),
        graph.main.name_untrusted,
        graph.description_untrusted,
        graph.metadata_untrusted[0][0],
        signature.key_untrusted,
        signature.inputs_untrusted[0][0],
    ]
    assert all(text.isprintable() and 0 < len(text) <= 80 for text in texts)
