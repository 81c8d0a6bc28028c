from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools.model_formats.source import parse_model

Tree = dict[int, Any]


@pytest.mark.parametrize(
    "shape",
    [
        "1,16,12,1",
        "1x16x12x1",
        "[1, 16, 12, 1]",
        (1, 16, 12, 1),
        {"image": (1, 16, 12, 1)},
        {0: "1,16,12,1"},
        "image=1,16,12,1",
    ],
)
def test_an_input_takes_another_shape_and_the_output_follows(small_model: bytes, shape: Any) -> None:
    graph = parse_model(small_model, shape=shape)
    assert graph.inputs[0].shape == (1, 16, 12, 1)
    assert graph.outputs[0].shape == (1, 16, 12, 2)


def test_a_dimension_left_open_is_filled_in(encode: Callable[[Tree], bytes], tree: Tree) -> None:
    for tensor in (0, 3):
        tree[2][0][0][tensor][7] = ("i", [1, -1, -1, tree[2][0][0][tensor][0][1][3]])
    data = encode(tree)
    assert parse_model(data).outputs[0].elements is None
    assert parse_model(data, shape="1,32,32,1").outputs[0].shape == (1, 32, 32, 2)


def test_an_input_goes_by_the_name_its_signature_gives_it(
    encode: Callable[[Tree], bytes], tree: Tree
) -> None:
    tree[7] = [{0: [{0: "pixels", 1: ("I", 0)}], 2: "serving_default", 4: ("I", 0)}]
    assert parse_model(encode(tree), shape={"pixels": (1, 4, 4, 1)}).outputs[0].shape == (1, 4, 4, 2)


def test_an_input_called_by_a_number_goes_by_its_name_first(
    encode: Callable[[Tree], bytes], tree: Tree
) -> None:
    tree[2][0][1] = ("i", [1, 0])
    tree[2][0][0][0][3] = "0"
    assert parse_model(encode(tree), shape={"0": (1, 4, 4, 1)}).tensors[0].shape == (1, 4, 4, 1)


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ("1,abc", "is not a shape"),
        ("", "is not a shape"),
        ("1,0,8,1", "dimension that no tensor has"),
        ("1,-1,8,1", "dimension that no tensor has"),
        ({"imag": (1, 8, 8, 1)}, "no input 'imag'.*'image'"),
        ({3: (1, 8, 8, 1)}, "no input 3"),
        ("other=1,8,8,1", "no input 'other'"),
        ((1, 8, 8), "8"),
    ],
)
def test_a_shape_that_does_not_suit_the_model_is_refused(
    small_model: bytes, shape: Any, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        parse_model(small_model, shape=shape)


def test_of_several_inputs_one_must_be_named(encode: Callable[[Tree], bytes], tree: Tree) -> None:
    tree[2][0][1] = ("i", [0, 1])
    with pytest.raises(UsageError, match=r"2 inputs: which one.*0: 'image', 1: 'weights'"):
        parse_model(encode(tree), shape="1,8,8,1")
