"""Core ML models: work, shapes, what is not read, and what is damaged.

The files are written here. Held once against networks that coremltools 9.0 converted: see docs/formats.md.
"""

from pathlib import Path

import pytest

from edgewright.hardware_db.errors import ModelFileError
from edgewright.tools import ModelGraph, estimate_performance, parse_model, summarize_model
from stubs import core_ml_files as made

from .mutations import mutated

MACS = 3 * 3 * 3 * 8 * 32 * 32 + 8 * 10


def read(operations: list[bytes], *outputs: str, shape: made.Shape = (1, 4, 8, 8)) -> ModelGraph:
    return parse_model(made.model([made.named("x", shape)], operations, outputs) + made.held(14, bytes(4096)))


def kinds(graph: ModelGraph) -> list[str]:
    return [op.label for op in graph.ops]


def test_an_ml_program_costs_what_its_layers_do(tmp_path: Path) -> None:
    graph = parse_model(made.package(tmp_path / "net.mlpackage"))
    summary = summarize_model(graph)
    assert kinds(graph) == ["CONV_2D", "MEAN", "FULLY_CONNECTED"]
    assert (summary.format, summary.macs, summary.parameter_count) == ("coreml", MACS, 216 + 8 + 80 + 10)
    assert (graph.inputs[0].shape, graph.outputs[0].shape) == ((1, 32, 32, 3), (1, 10))
    assert estimate_performance(tmp_path / "net.mlpackage", "raspberry-pi-5").latency_ms.known


def test_a_program_alone_is_read_from_its_file_and_its_bytes_whatever_its_name(tmp_path: Path) -> None:
    content = made.model(
        [made.named("x", (1, 4, 8, 8))],
        [made.operation("relu", {"x": "x"}, made.named("y", (1, 4, 8, 8)))], ["y"],
    )  # fmt: skip
    for name in ("net.mlmodel", "net.onnx", "net"):
        (tmp_path / name).write_bytes(content)
        assert kinds(parse_model(str(tmp_path / name))) == kinds(parse_model(content)) == ["RELU"]


def test_slices_recurrent_layers_and_stored_weights_keep_their_work() -> None:
    sliced = read(
        [made.integers("b", 0, 1, 0, 0), made.integers("e", 1, 3, 8, 8),
         made.operation("slice_by_index", {"x": "x", "begin": "b", "end": "e"}, made.named("y", (1, 2, 8, 8)))],
        "y",
    )  # fmt: skip
    assert (kinds(sliced), sliced.outputs[0].shape) == (["STRIDED_SLICE"], (1, 2, 8, 8))
    lstm = read(
        [made.weights("i", (20, 8), offset=0), made.weights("h", (20, 5), offset=0),
         made.operation("lstm", {"x": "x", "weight_ih": "i", "weight_hh": "h"}, made.named("all", (6, 1, 5)),
                        made.named("y", (1, 5)))],
        "y", shape=(6, 1, 8),
    )  # fmt: skip
    assert summarize_model(lstm).macs == 6 * 20 * (8 + 5)


def test_what_has_no_operator_is_named_and_is_not_zero_work() -> None:
    graph = read([made.operation("crop_resize", {"x": "x"}, made.named("y", (1, 4, 3, 3)))], "y")
    assert kinds(graph) == ["CUSTOM:mil.crop_resize"]
    assert [u.name_untrusted for u in summarize_model(graph).not_counted] == ["mil.crop_resize"]


def test_a_loop_over_constants_that_reads_an_input_is_not_computed_beforehand() -> None:
    inner = made.block([made.operation("add", {"x": "state", "y": "x"}, made.named("n", (1,)))], ["n"])
    loop = made.operation("while_loop", {"loop_vars": "state"}, made.named("y", (1,)), blocks=[inner])
    graph = read([made.integers("state", 0), loop], "y", shape=(1,))
    assert kinds(graph) == ["CUSTOM:mil.while_loop"]


@pytest.mark.parametrize(
    ("field", "what"),
    [(202, "pipeline"), (402, "trees"), (2000, "no network")],
)
def test_other_kinds_of_models_are_named_with_the_call_that_converts_them(field: int, what: str) -> None:
    content = made.whole(1, 4) + made.held(2, b"") + made.held(field, b"")
    with pytest.raises(ModelFileError, match=f"{what}.*not read.*convert_to='mlprogram'"):
        parse_model(content)


def test_weights_beyond_the_files_are_refused(tmp_path: Path) -> None:
    huge = made.model(
        [made.named("x", (1, 8))],
        [made.weights("w", (1 << 30, 8)), made.operation("linear", {"x": "x", "weight": "w"}, made.named("y", (1, 8)))],
        ["y"],
    )  # fmt: skip
    with pytest.raises(ModelFileError, match="a constant is larger than the files"):
        parse_model(made.package(tmp_path / "net.mlpackage", huge))


def refusal(content: bytes) -> str:
    try:
        summarize_model(parse_model(content))
    except ModelFileError as error:
        return str(error)
    return ""


def test_a_damaged_program_is_refused_in_one_line() -> None:
    said = [
        refusal(content) for content in mutated(made.network() + made.held(14, bytes(4096)), 1000, seed=7)
    ]
    assert sum(map(bool, said)) > 300
    assert not any("\n" in line for line in said)
