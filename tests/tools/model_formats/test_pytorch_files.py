"""Exported PyTorch programs and ExecuTorch programs: work, shapes, and what is damaged.

The files are written here. Held once against networks exported by PyTorch 2.15 and ExecuTorch 1.5: see
docs/formats.md for the table.
"""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from edgewright.hardware_db.errors import ModelFileError, UsageError
from edgewright.tools import ModelGraph, estimate_performance, parse_model, summarize_model
from stubs import pytorch_files as made

from .mutations import mutated

MACS = 3 * 3 * 3 * 8 * 32 * 32 + 8 * 10
PARAMETERS = 3 * 3 * 3 * 8 + 8 + 8 * 10 + 10
"""Once the norm is folded into the convolution."""


def kinds(graph: ModelGraph) -> list[str]:
    return [op.label for op in graph.ops]


def refusal(content: bytes) -> str:
    try:
        summarize_model(parse_model(content))
    except ModelFileError as error:
        return str(error)
    return ""


def of(calls: list[dict[str, Any]], tensors: dict[str, Any], *weights: str) -> ModelGraph:
    return parse_model(made.pt2(made.program(calls, tensors, weights), ""))


@pytest.mark.parametrize(
    ("name", "content"),
    [("net.pt2", made.pt2()), ("net.pte", made.pte()), ("headed.pte", made.with_header(made.pte()))],
)
def test_a_network_of_pytorch_costs_what_its_layers_do(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    read = parse_model(tmp_path / name)
    summary = summarize_model(read)
    assert kinds(read) == ["CONV_2D", "MEAN", "FULLY_CONNECTED"]
    assert (summary.format, summary.macs, summary.parameter_count) == (name[-3:], MACS, PARAMETERS)
    assert (read.inputs[0].shape, read.outputs[0].shape) == ((1, 32, 32, 3), (1, 10))
    assert estimate_performance(tmp_path / name, "raspberry-pi-5").latency_ms.known
    assert parse_model(content).ops == read.ops


def test_content_decides_and_an_odd_ending_is_told(tmp_path: Path) -> None:
    (tmp_path / "net.onnx").write_bytes(made.pt2())
    said = summarize_model(parse_model(tmp_path / "net.onnx")).assumptions
    assert "the content is pt2, although the name ends in .onnx" in said


def test_the_archive_of_older_pytorch_has_its_program_at_the_root(tmp_path: Path) -> None:
    path = tmp_path / "old.pt2"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("serialized_exported_program.json", json.dumps(made.program()))
        packed.writestr("serialized_state_dict.pt", bytes(4096))
    assert summarize_model(parse_model(path)).macs == MACS


def test_what_a_backend_was_handed_is_named_and_counts_as_stored() -> None:
    read = parse_model(made.pte("XnnpackBackend", size=320))
    assert kinds(read) == ["CONV_2D", "MEAN", "CUSTOM:delegate.XnnpackBackend"]
    summary = summarize_model(read)
    assert summary.not_counted[0].name_untrusted == "delegate.XnnpackBackend"
    held = {t.name_untrusted: t.stored_bytes for t in read.tensors if t.is_constant}
    assert held["delegate/0"] == 320
    assert summary.parameter_bytes > 4 * (3 * 3 * 3 * 8 + 8) + 320


def test_an_unknown_operator_is_named_and_what_follows_keeps_its_stated_shape() -> None:
    read = of(
        [
            made.call("mine.odd.default", ["a"], x="x"),
            made.call("aten.relu.default", ["y"], self="a"),
        ],
        {"x": [1, 4], "a": [1, 9], "y": [1, 9]},
    )
    assert kinds(read) == ["CUSTOM:mine.odd", "RELU"]
    assert read.outputs[0].shape == (1, 9)


def test_attention_costs_its_two_products() -> None:
    shape = [1, 4, 16, 32]
    read = of(
        [made.call("aten.scaled_dot_product_attention.default", ["y"], query="x", key="x", value="x")],
        {"x": shape, "y": shape},
    )
    assert summarize_model(read).macs == 2 * 4 * 16 * 16 * 32


def test_weights_that_are_turned_before_a_product_are_a_dense_layer() -> None:
    read = of(
        [
            made.call("aten.permute.default", ["t"], self="u", dims=[1, 0]),
            made.call("aten.addmm.default", ["y"], self="v", mat1="x", mat2="t"),
        ],
        {"u": [10, 8], "v": [10], "t": [8, 10], "x": [1, 8], "y": [1, 10]},
        "u", "v",
    )  # fmt: skip
    assert kinds(read) == ["FULLY_CONNECTED"]
    assert read.tensors[read.ops[0].inputs[1]].shape == (10, 8)


def test_a_batch_left_open_is_one_and_a_given_shape_is_followed() -> None:
    """Every size that follows from an open one is a sum or a product of names, which is computed here."""
    batch, double = (
        {"as_expr": {"expr_str": text, "hint": {"as_int": hint}}} for text, hint in (("s7", 4), ("2*s7", 8))
    )
    held = made.program(
        [
            made.call("aten.cat.default", ["a"], tensors=["x", "x"], dim=0),
            made.call("aten.linear.default", ["y"], input="a", weight="w"),
        ],
        {"x": made.meta([batch, 8]), "a": made.meta([double, 8]), "w": [10, 8], "y": made.meta([double, 10])},
        ("w",),
    )  # fmt: skip
    assert parse_model(made.pt2(held, "")).outputs[0].shape == (2, 10)
    assert parse_model(made.pt2(held, ""), shape="5,8").outputs[0].shape == (10, 10)
    with pytest.raises(UsageError, match=r"Dimension 1 of input 'x' is fixed at 8.*dynamic_shapes"):
        parse_model(made.pt2(held, ""), shape="5,9") if False else parse_model(
            made.pt2(held, ""), shape={"x": "5,9"}
        )


def test_a_size_is_computed_and_never_run() -> None:
    size = {"as_expr": {"expr_str": "__import__('os').abort()", "hint": {"as_int": 3}}}
    read = of(
        [made.call("aten.relu.default", ["y"], self="x")],
        {"x": made.meta([1, size]), "y": made.meta([1, size])},
    )
    assert read.outputs[0].shape == (1, 3)


@pytest.mark.parametrize("pickle", ["net/data/sample_inputs/model.pt", "net/data.pkl"])
def test_a_pickle_in_the_archive_is_never_opened(pickle: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """torch.export.save puts one there; reading another member of that name would end the test."""
    content = made.pt2(**{pickle: b"\x80\x04"} if "data.pkl" in pickle else {})
    opened: list[str] = []
    plain = zipfile.ZipFile.open

    def noted(archive: zipfile.ZipFile, member: Any, *rest: Any, **more: Any) -> Any:
        opened.append(member if isinstance(member, str) else member.filename)
        return plain(archive, member, *rest, **more)

    monkeypatch.setattr(zipfile.ZipFile, "open", noted)
    parse_model(content)
    assert opened
    assert all(name.endswith(".json") for name in opened)


def hostile_programs() -> dict[str, bytes]:
    weight = made.program(tensors={**made.TENSORS, "w": [1 << 40, 1 << 40, 3, 3]})
    negative = made.program(tensors={**made.TENSORS, "x": [1, -7]})
    newer = made.program()
    newer["schema_version"]["major"] = 99
    circle = made.program([made.call("aten.relu.default", ["y"], self="y")], {"y": [1]}, (), ())
    return {
        "needs .* bytes and has 864": made.pt2(weight),
        "a dimension of -7": made.pt2(negative),
        "version 99": made.pt2(newer),
        "reads tensor|nothing computes|later": made.pt2(circle),
        "no JSON": made.pt2().replace(b'{"graph_module"', b'["graph_module"'),
        "damaged": made.pt2()[:-30],
        "2 programs": made.pt2(**{"other/models/model.json": b"{}"}),
    }  # fmt: skip


@pytest.mark.parametrize("reason", hostile_programs())
def test_a_program_that_cannot_be_is_one_clear_line(reason: str, tmp_path: Path) -> None:
    (tmp_path / "net.pt2").write_bytes(hostile_programs()[reason])
    with pytest.raises(ModelFileError, match=rf"{reason}|zip archive that is damaged|and damaged") as caught:
        parse_model(tmp_path / "net.pt2")
    assert "\n" not in str(caught.value)


def test_a_bomb_of_json_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "net.pt2", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("net/models/model.json", b" " * (64 << 20))
    with pytest.raises(ModelFileError, match="unpacks to 67,108,864 bytes"):
        parse_model(tmp_path / "net.pt2")


def test_json_nested_without_end_is_one_clear_line(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "net.pt2", "w") as packed:
        packed.writestr("net/models/model.json", b"[" * 200_000)
    with pytest.raises(ModelFileError, match="no JSON"):
        parse_model(tmp_path / "net.pt2")


def changed_programs(count: int, seed: int) -> list[bytes]:
    """Programs whose text is damaged within an archive that is whole."""
    text = json.dumps(made.program()).encode()
    archives = []
    for changed in mutated(text, count, seed):
        path = made.io.BytesIO()
        with zipfile.ZipFile(path, "w") as packed:
            packed.writestr("net/models/model.json", changed)
            packed.writestr("net/weights", bytes(4096))
        archives.append(path.getvalue())
    return archives


@pytest.mark.parametrize("kind", ["archive", "program", "pte"])
def test_a_thousand_damaged_files_are_read_or_one_line(kind: str) -> None:
    files = {
        "archive": lambda: mutated(made.pt2(), 1000, seed=18),
        "program": lambda: changed_programs(1000, seed=19),
        "pte": lambda: mutated(made.pte("XnnpackBackend"), 1000, seed=20),
    }[kind]()
    for content in files:
        assert "\n" not in refusal(content)
