"""OpenVINO models: work, shapes, and what is damaged.

The files are written here. Held once against networks converted by OpenVINO 2026.4: see docs/formats.md.
"""

from pathlib import Path

import pytest

from edgewright.hardware_db.errors import ModelFileError
from edgewright.tools import ModelGraph, estimate_performance, parse_model, summarize_model
from stubs.openvino_files import Net, network

from .mutations import mutated

pytest.importorskip("onnx")
MACS = 3 * 3 * 3 * 8 * 32 * 32 + 8 * 10


def kinds(graph: ModelGraph) -> list[str]:
    return [op.label for op in graph.ops]


def test_a_network_costs_what_its_layers_do(tmp_path: Path) -> None:
    path = network().save(tmp_path)
    summary = summarize_model(parse_model(path))
    assert (summary.format, summary.macs) == ("openvino", MACS)
    assert kinds(parse_model(path))[:2] == ["CONV_2D", "MEAN"]
    assert estimate_performance(path, "raspberry-pi-5").latency_ms.known


def test_a_size_that_the_file_leaves_open_is_given_as_the_file_orders_it(tmp_path: Path) -> None:
    path = network(side=-1).save(tmp_path)
    assert summarize_model(parse_model(path)).not_counted
    assert summarize_model(parse_model(path, shape="1,3,32,32")).macs == MACS
    assert summarize_model(parse_model(path, shape={"x": "1,3,64,64"})).macs == 4 * (MACS - 80) + 80


def test_a_grouped_convolution_of_as_many_groups_as_channels_is_depthwise(tmp_path: Path) -> None:
    net = Net()
    x, image = net.parameter([1, 16, 8, 8]), [1, 16, 8, 8]
    made = net.layer(
        "GroupConvolution", image, x, net.constant([16, 1, 1, 3, 3]), strides="1,1", dilations="1,1",
        pads_begin="1,1", pads_end="1,1",
    )  # fmt: skip
    net.result(made)
    read = parse_model(net.save(tmp_path))
    assert kinds(read) == ["DEPTHWISE_CONV_2D"]
    assert summarize_model(read).macs == 16 * 9 * 64


def test_weights_in_eight_bits_between_fake_quantisations_are_an_int8_layer(tmp_path: Path) -> None:
    net = Net()
    x = net.parameter([1, 3, 8, 8])
    limits = [net.constant([1]) for _ in range(4)]
    held = net.layer("FakeQuantize", [1, 3, 8, 8], x, *limits, levels="256")
    stored = net.layer("Convert", [4, 3, 1, 1], net.constant([4, 3, 1, 1], "i8"), destination_type="f32")
    weights = net.layer("Multiply", [4, 3, 1, 1], stored, net.constant([4, 1, 1, 1]))
    conv = net.layer(
        "Convolution", [1, 4, 8, 8], held, weights, strides="1,1", pads_begin="0,0", pads_end="0,0"
    )
    net.result(net.layer("FakeQuantize", [1, 4, 8, 8], conv, *limits, levels="256"))
    read = parse_model(net.save(tmp_path))
    conv_op = next(op for op in read.ops if op.kind == "CONV_2D")
    assert [read.tensors[i].dtype.value for i in conv_op.inputs[:2]] == ["uint8", "int8"]


def test_an_operation_that_is_not_known_is_named_and_what_follows_keeps_its_stated_shape(
    tmp_path: Path,
) -> None:
    net = Net()
    odd = net.layer("Whatever", [1, 9], net.parameter([1, 4]))
    net.result(net.layer("ReLU", [1, 9], odd))
    read = parse_model(net.save(tmp_path))
    assert kinds(read) == ["CUSTOM:openvino.Whatever", "RELU"]
    assert read.outputs[0].shape == (1, 9)


def test_an_embedding_that_is_also_the_last_product_is_stored_once(tmp_path: Path) -> None:
    net = Net()
    words = net.constant([100, 8])
    rows = net.layer("Gather", [1, 8], words, net.integers(3), net.integers(0))
    product = net.layer("MatMul", [1, 100], net.layer("ReLU", [1, 8], rows), words, transpose_b="true")
    net.result(net.layer("Add", [1, 100], product, net.parameter([1, 100])))
    assert 800 <= summarize_model(parse_model(net.save(tmp_path))).parameter_count < 1000


def test_the_weights_have_to_lie_beside_it(tmp_path: Path) -> None:
    path = network().save(tmp_path)
    path.with_suffix(".bin").unlink()
    with pytest.raises(ModelFileError, match=r"weights of .*net\.xml' are missing.*net\.bin"):
        parse_model(path)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ((b"<net ", b'<!DOCTYPE net [<!ENTITY a "aaaaaaaaaa">]><net '), "document type"),
        ((b"<net ", b'<!DOCTYPE net SYSTEM "file:///etc/passwd"><net '), "document type"),
        ((b'offset="0"', b'offset="999999"'), "does not hold"),
        ((b"<dim>8</dim>", b"<dim>-9</dim>"), "a dimension of -9"),
        ((b"</net>", b""), "no XML"),
        ((b'from-layer="0"', b'from-layer="70"'), "not connected"),
    ],
)
def test_a_file_that_cannot_be_is_one_clear_line(
    changed: tuple[bytes, bytes], reason: str, tmp_path: Path
) -> None:
    path = network().save(tmp_path)
    path.write_bytes(path.read_bytes().replace(*changed))
    with pytest.raises(ModelFileError, match=reason) as caught:
        parse_model(path)
    assert "\n" not in str(caught.value)


def test_elements_nested_without_end_are_one_clear_line(tmp_path: Path) -> None:
    path = network().save(tmp_path)
    path.write_bytes(path.read_bytes().replace(b"<layers>", b"<layers>" + b"<a>" * 200_000))
    with pytest.raises(ModelFileError, match="more than 64 deep"):
        parse_model(path)


def test_a_thousand_damaged_files_are_read_or_one_line(tmp_path: Path) -> None:
    path = network().save(tmp_path)
    for content in mutated(path.read_bytes(), 1000, seed=21):
        path.write_bytes(content)
        try:
            parse_model(path)
        except ModelFileError as refused:
            said = str(refused)
        else:
            said = ""
        assert "\n" not in said
