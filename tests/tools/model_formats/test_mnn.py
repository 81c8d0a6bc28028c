"""MNN models: work, shapes that are computed out of ranks, what is not read, and what is damaged.

The files are written here. Held once against networks that MNNConvert 3 converted: see docs/formats.md.
"""

from pathlib import Path

import pytest

from edgewright.hardware_db.errors import ModelFileError
from edgewright.tools import ModelGraph, estimate_performance, parse_model, summarize_model
from stubs import mnn_files as made

from .mutations import mutated

pytest.importorskip("onnx")
MACS = 3 * 3 * 3 * 8 * 32 * 32 + 8 * 10


def kinds(graph: ModelGraph) -> list[str]:
    return [op.label for op in graph.ops]


def test_a_network_costs_what_its_layers_do_whatever_its_name(tmp_path: Path) -> None:
    for name in ("net.mnn", "net.onnx", "net"):
        (tmp_path / name).write_bytes(made.network())
        graph = parse_model(str(tmp_path / name))
        assert [kind for kind in kinds(graph) if kind != "RESHAPE"] == ["CONV_2D", "MEAN", "CONV_2D"]
        summary = summarize_model(graph)
        assert (summary.format, summary.macs, summary.parameter_count) == ("mnn", MACS, 216 + 8 + 80 + 10)
        assert (graph.inputs[0].shape, graph.outputs[0].shape) == ((1, 32, 32, 3), (1, 10))
    assert parse_model(made.network()).ops == graph.ops
    assert estimate_performance(tmp_path / "net.mnn", "raspberry-pi-5").latency_ms.known


def test_shapes_follow_from_another_input() -> None:
    graph = parse_model(made.network(), shape="1,3,64,64")
    assert summarize_model(graph).macs == 3 * 3 * 3 * 8 * 64 * 64 + 8 * 10


def test_an_axis_that_is_counted_from_a_rank_is_the_axis() -> None:
    """(2 + rank) mod rank, as MNNConvert writes it, of a tensor whose rank is known only after its shape is."""
    between = [
        made.operator(made.RANK, [1], [2]), made.integers(3, [2], ()),
        made.operator(made.BINARY, [3, 2], [4], {0: ("i", 0)}), made.operator(made.BINARY, [4, 2], [5], {0: ("i", 19)}),
    ]  # fmt: skip
    graph = parse_model(made.model([
        made.given(0, (1, 3, 8, 8)), made.convolution(0, 1, (4, 3, 1, 1)), *between, made.integers(6, [5], ()),
        made.operator(made.GATHER, [1, 6, 5], [7]),
    ], [7], 8))  # fmt: skip
    (gather,) = [op for op in graph.ops if op.kind == "GATHER"]
    assert sorted(graph.outputs[0].shape) == [1, 4, 8]
    assert gather.inputs


def test_slices_have_tensorflows_masks_or_onnxs_axes() -> None:
    begin, end = made.integers(1, [0, 1]), made.integers(2, [1, 3])
    masked = made.operator(made.STRIDED, [0, 1, 2, 3], [4], {2: ("i", 1), 6: ("i", 1)})
    graph = parse_model(
        made.model([made.given(0, (2, 8)), begin, end, made.integers(3, [1, 1]), masked], [4], 5)
    )
    assert graph.outputs[0].shape == (2,)
    plain = made.operator(made.STRIDED, [0, 1, 2, 3], [4], {7: ("i", 0)})
    graph = parse_model(
        made.model([made.given(0, (2, 8)), begin, end, made.integers(3, [1, 1]), plain], [4], 5)
    )
    assert graph.outputs[0].shape == (1, 2)


def test_what_has_no_operator_is_named_and_is_not_zero_work() -> None:
    graph = parse_model(made.model([made.given(0, (1, 8)), made.operator(made.WHILE, [0], [1])], [1], 2))
    assert kinds(graph) == ["CUSTOM:mnn.While"]
    assert [u.name_untrusted for u in summarize_model(graph).not_counted] == ["mnn.While"]


def test_weights_that_the_file_does_not_hold_are_refused() -> None:
    short = made.convolution(0, 1, (4096, 4096, 3, 3), stored=16)
    with pytest.raises(ModelFileError, match="a layer of 150,994,944 weights holds 16"):
        parse_model(made.model([made.given(0, (1, 4096, 8, 8)), short], [1], 2))


def test_another_file_of_the_name_is_told_with_what_to_give(tmp_path: Path) -> None:
    (tmp_path / "net.mnn").write_bytes(b"\x20\0\0\0" + bytes(20))
    with pytest.raises(ModelFileError, match=r"MNN.*MNNConvert"):
        parse_model(tmp_path / "net.mnn")


def refusal(content: bytes) -> str:
    try:
        summarize_model(parse_model(content))
    except ModelFileError as error:
        return str(error)
    return ""


def test_a_damaged_network_is_refused_in_one_line() -> None:
    said = [refusal(content) for content in mutated(made.network(), 300, seed=7)]
    assert sum(map(bool, said)) > 60
    assert not any("\n" in line for line in said)
