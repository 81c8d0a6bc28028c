"""Core ML networks of layers (`neuralnetwork`): work, shapes, what is only named, and what is damaged.

The files are written here. Expected MACs are those of each layer's definition in NeuralNetwork.proto.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.hardware_db.errors import ModelFileError
from edgewright.tools import ModelGraph, estimate_performance, parse_model, summarize_model
from stubs import core_ml_layers as made
from stubs.core_ml_files import entry, held, whole

from .mutations import mutated

pytest.importorskip("onnx")
DIGITS = 3 * 3 * 3 * 8 * 32 * 32 + 8 * 10


def read(layers: list[bytes], *shape: int, exact: bool = False) -> ModelGraph:
    return parse_model(made.model([made.array("x", *shape)], layers, exact=exact))


def work(graph: ModelGraph) -> int:
    summary = summarize_model(graph)
    assert not summary.not_counted
    return summary.macs


def kinds(graph: ModelGraph) -> list[str]:
    return [op.label for op in graph.ops]


@pytest.mark.parametrize("kind", [made.NETWORK, made.CLASSIFIER, made.REGRESSOR])
def test_a_network_costs_what_its_layers_do(kind: int, tmp_path: Path) -> None:
    (tmp_path / "net.mlmodel").write_bytes(made.network(kind))
    graph = parse_model(tmp_path / "net.mlmodel")
    summary = summarize_model(graph)
    assert (summary.format, summary.macs, summary.parameter_count) == ("coreml", DIGITS, 216 + 8 + 80 + 10)
    assert (graph.inputs[0].shape, graph.outputs[0].shape) == ((1, 32, 32, 3), (1, 10, 1, 1))
    assert "CONV_2D" in kinds(graph)
    assert estimate_performance(tmp_path / "net.mlmodel", "raspberry-pi-5").latency_ms.known


@pytest.mark.parametrize(
    ("layer", "macs", "shape"),
    [
        (made.convolution("x", "y", 6, 4), 9 * 4 * 6 * 16 * 16, (1, 16, 16, 6)),
        (made.convolution("x", "y", 6, 4, stride=2), 9 * 4 * 6 * 8 * 8, (1, 8, 8, 6)),
        (made.convolution("x", "y", 4, 1, groups=4), 9 * 4 * 16 * 16, (1, 16, 16, 4)),
        (made.convolution("x", "y", 6, 2, groups=2), 9 * 2 * 6 * 16 * 16, (1, 16, 16, 6)),
        (made.convolution("x", "y", 6, 4, dilation=2, padding=held(50, b"")), 9 * 4 * 6 * 144, (1, 12, 12, 6)),
        (
            made.convolution("x", "y", 6, 4, padding=held(50, held(1, made.edges((1, 1), (2, 0))))),
            9 * 4 * 6 * 16 * 16, (1, 16, 16, 6),
        ),
        (made.convolution("x", "y", 6, 4, (2, 2), stride=2, transposed=True), 4 * 4 * 6 * 256, (1, 32, 32, 6)),
        (made.convolution("x", "y", 6, 4, stored="halves"), 9 * 4 * 6 * 256, (1, 16, 16, 6)),
        (made.convolution("x", "y", 6, 4, stored="integers", bits=3), 9 * 4 * 6 * 256, (1, 16, 16, 6)),
        (made.dense("x", "y", 4 * 16 * 16, 5), 5 * 4 * 256, (1, 5, 1, 1)),
    ],
)  # fmt: skip
def test_layers_with_weights_cost_what_their_definition_says(
    layer: bytes, macs: int, shape: tuple[int, ...]
) -> None:
    graph = read([layer], 4, 16, 16)
    assert (work(graph), graph.outputs[0].shape) == (macs, shape)


@pytest.mark.parametrize(
    ("layer", "macs", "width"),
    [
        (made.lstm("x", "y h c", 6, 5), 4 * 5 * (6 + 5), 5),
        (made.lstm("x", "y", 6, 5, peepholes=True), 4 * 5 * (6 + 5) + 3 * 5, 5),
        (made.lstm("x", "y h c g d", 6, 5, both=True), 2 * 4 * 5 * (6 + 5), 10),
        (made.gru("x", "y h", 6, 5), 3 * 5 * (6 + 5), 5),
        (made.rnn("x", "y", 6, 5), 5 * (6 + 5), 5),
    ],
)
@pytest.mark.parametrize("exact", [False, True])
def test_recurrent_layers_multiply_by_every_weight_at_every_step(
    layer: bytes, macs: int, width: int, exact: bool
) -> None:
    graph = read([layer], 7, 1, 6, 1, 1, exact=exact)
    assert work(graph) == 7 * macs
    assert graph.main.tensors[graph.outputs[0].index].shape == (
        (7, 1, width, 1, 1) if exact else (7, width, 1, 1)
    )


def test_a_recurrent_layer_may_keep_its_last_state_alone() -> None:
    graph = read([made.gru("x", "y", 6, 5, every=False), made.dense("y", "z", 5, 3)], 7, 1, 6, 1, 1)
    assert work(graph) == 7 * 3 * 5 * 11 + 5 * 3
    assert graph.outputs[0].shape == (1, 3, 1, 1)


def test_images_are_joined_cut_enlarged_and_added_without_a_product() -> None:
    """A block with a branch: its shapes follow from the input's alone."""
    layers = [
        made.activation("x", "a"),
        made.activation("x", "b", 15, made.decimal(1, 0.1)),
        made.layer(320, "a b", "ab"),
        made.layer(120, "ab", "pooled", made.numbers(10, 2, 2) + made.numbers(20, 2, 2) + held(30, b"")),
        made.layer(210, "pooled", "up", made.numbers(1, 2, 2)),
        made.layer(230, "up ab", "sum"),
        made.layer(330, "sum", "left right", whole(1, 2)),
        made.layer(190, "left", "cut", held(1, made.edges((1, 1), (2, 2)))),
        made.layer(200, "cut", "padded", held(1, b"") + held(10, made.edges((1, 1), (2, 2)))),
        made.layer(231, "padded right", "product"),
        made.layer(160, "product", "norm", whole(1, 4) + b"".join(made.weights(n, 4) for n in range(15, 19))),
        made.layer(245, "norm", "scaled", made.numbers(1, 4) + made.weights(2, 4)),
        made.layer(175, "scaled", "soft"),
        made.layer(280, "soft", "mean", whole(1, 1) + whole(3, 1)),
        made.layer(301, "mean", "y"),
    ]
    graph = read(layers, 4, 8, 8)
    summary = summarize_model(graph)
    assert (summary.macs, len(summary.not_counted), graph.outputs[0].shape) == (
        0,
        0,
        (1, 4, 1, 1),
    )
    assert {"CONCATENATION", "MAX_POOL_2D", "SPLIT", "MUL", "SOFTMAX", "MEAN"} <= set(kinds(graph))


def test_an_image_is_cut_to_the_size_of_another() -> None:
    """As skip connections do."""
    layers = [
        made.convolution("x", "small", 4, 4, (5, 5), padding=held(50, b"")),
        made.layer(190, "x small", "y", made.numbers(5, 2, 2)),
    ]
    graph = read([*layers, made.layer(230, "y small", "z")], 4, 16, 16)
    assert graph.outputs[0].shape == (1, 12, 12, 4)


def test_tensors_have_the_dimensions_that_the_file_states_where_it_says_so() -> None:
    attention = [
        made.layer(1045, "x", "q", whole(5, 16) + whole(6, 16) + made.weights(8, 16, 16)),
        made.layer(985, "q", "k", made.numbers(1, 0, 2, 1)),
        made.layer(1045, "q k", "scores"),
        made.layer(950, "scores", "soft", whole(1, -1)),
        made.layer(1045, "soft x", "mixed"),
        made.layer(1350, "mixed", "norm", made.numbers(1, 16) + made.weights(3, 16) + made.weights(4, 16)),
        made.layer(795, "norm", "y"),
    ]
    graph = read(attention, 1, 10, 16, exact=True)
    assert work(graph) == 10 * 16 * 16 + 2 * 10 * 10 * 16
    assert graph.outputs[0].shape == (1, 10, 16)


def test_an_embedding_is_a_row_of_its_table() -> None:
    given = whole(1, 50) + whole(2, 8) + made.weights(20, 8, 50)
    graph = read([made.layer(150, "x", "a", given), made.dense("a", "y", 8, 4)], 1)
    assert (work(graph), summarize_model(graph).parameter_count) == (8 * 4, 50 * 8 + 8 * 4 + 4)


@pytest.mark.parametrize(
    ("kind", "given", "name"),
    [
        (212, b"", "coreml.cropResize"),
        (130, b"", "coreml.activation"),
        (500, held(10, "Attention") + entry(30, "heads", whole(30, 8)), "coreml.custom.Attention"),
        (615, b"", "coreml.loop"),
        (1400, b"", "coreml.NonMaximumSuppression"),
        (4000, b"", "coreml.layer"),
    ],
)
def test_other_layers_are_named_and_are_not_zero_work(kind: int, given: bytes, name: str) -> None:
    graph = read([made.layer(kind, "x", "a", given), made.activation("a", "y")], 4, 8, 8)
    assert kinds(graph)[0] == f"CUSTOM:{name}"
    assert summarize_model(graph).not_counted[0].name_untrusted == name


@pytest.mark.parametrize("missing", [1, 100, -1])
def test_weights_that_the_file_does_not_hold_are_refused(missing: int) -> None:
    short = made.convolution("x", "y", 6, 4, missing=missing)
    with pytest.raises(ModelFileError, match="a layer of 216 weights holds"):
        read([short], 4, 16, 16)


def test_a_network_without_layers_is_refused() -> None:
    with pytest.raises(ModelFileError, match="no layer makes an output"):
        read([], 4, 16, 16)


def refusal(content: bytes) -> str:
    try:
        summarize_model(parse_model(content))
    except ModelFileError as error:
        return str(error)
    return ""


def test_a_damaged_network_is_refused_in_one_line() -> None:
    said = [refusal(content) for content in mutated(made.several_layers(), 300, seed=7)]
    assert sum(map(bool, said)) > 30
    assert not any("\n" in line for line in said)
