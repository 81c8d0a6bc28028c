"""ncnn's .param files: shapes and work, and what is damaged.

The layers below are written here. Held once against the 49 files of github.com/Tencent/ncnn benchmark/ that
state the shapes of their blobs (-23330=…): of 3,513 shapes all equal the stated ones.
"""

from pathlib import Path

import pytest

from edgewright.hardware_db.errors import ModelFileError
from edgewright.tools import ModelGraph, estimate_performance, parse_model, summarize_model
from edgewright.tools.model_formats.ncnn import parse_ncnn

from .mutations import mutated

BLOCKS = [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), *[(512, 1)] * 5, (1024, 2), (1024, 1)]
"""Channels and stride of MobileNetV1's separable convolutions."""


def param(*layers: str) -> bytes:
    blobs = sum(int(layer.split()[3]) for layer in layers)
    return "\n".join(("7767517", f"{len(layers)} {blobs}", *layers, "")).encode()


def mobilenet_v1(size: str = "0=224 1=224 2=3", more: str = "") -> bytes:
    layers = [
        f"Input data 0 1 data {size}",
        f"Convolution conv1 1 1 data b0 0=32 1=3 3=2 4=1 5=1 6=864 9=1{more}",
    ]
    depth, at = 32, 0
    for channels, stride in BLOCKS:
        layers += [
            f"ConvolutionDepthWise dw{at} 1 1 b{at} d{at} 0={depth} 1=3 3={stride} 4=1 5=1 6={9 * depth} "
            f"7={depth} 9=1{more}",
            f"Convolution pw{at} 1 1 d{at} b{at + 1} 0={channels} 1=1 5=1 6={depth * channels} 9=1{more}",
        ]
        depth, at = channels, at + 1
    layers += [
        f"Pooling pool 1 1 b{at} pool 0=1 4=1",
        f"InnerProduct fc 1 1 pool fc 0=1000 1=1 2=1024000{more}",
        "Softmax prob 1 1 fc prob",
    ]
    return param(*layers)


def shapes(graph: ModelGraph) -> list[tuple[int, ...]]:
    return [graph.tensors[op.outputs[0]].shape for op in graph.ops]


def test_mobilenet_costs_what_it_costs_by_name(tmp_path: Path) -> None:
    (tmp_path / "net.param").write_bytes(mobilenet_v1())
    read = summarize_model(parse_model(tmp_path / "net.param"))
    named = summarize_model(parse_model("mobilenet_v1:float32"))
    assert (read.format, read.dtype) == ("ncnn", "float32")
    assert (
        (read.macs, read.parameter_count) == (named.macs, named.parameter_count) == (568_740_352, 4_221_032)
    )
    assert estimate_performance(tmp_path / "net.param", "raspberry-pi-5").latency_ms.known


def test_scales_of_int8_make_an_int8_model() -> None:
    read = parse_ncnn(mobilenet_v1(more=" 8=2"), "net.param")
    assert read.dtype.value == "int8"
    assert summarize_model(read).macs == 568_740_352


def test_a_size_that_the_file_leaves_open_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "net.param").write_bytes(mobilenet_v1(size=""))
    with pytest.raises(ModelFileError, match=r"size of its input open.*--shape"):
        parse_model(tmp_path / "net.param")
    given = parse_model(tmp_path / "net.param", shape="1,128,128,3")
    assert summarize_model(given).macs == summarize_model(parse_model("mobilenet_v1:128")).macs


def test_images_go_the_way_that_ncnn_states() -> None:
    """Sizes by hand: full pooling rounds up, valid down; a crop keeps what is told; a slice cuts channels."""
    read = parse_ncnn(
        param(
            "Input in 0 1 in 0=30 1=20 2=8",
            "Pooling full 1 1 in full 1=3 2=2",
            "Pooling valid 1 1 full valid 1=2 2=2 5=1",
            "Interp up 1 1 valid up 0=1 1=2.0 2=2.0",
            "Slice cut 1 2 up a b -23300=2,-233,-233 1=0",
            "Concat both 2 1 b a both 0=0",
            "Crop crop 1 1 both crop 0=1 3=5 4=3 5=8",
            "ShuffleChannel mix 1 1 crop mix 0=2",
            "Permute turn 1 1 mix turn 0=3",
            "Flatten flat 1 1 turn flat",
        ),
        "net.param",
    )
    made = shapes(read)
    assert (1, 10, 15, 8) in made
    assert (1, 5, 7, 8) in made
    assert (1, 10, 14, 8) in made
    assert (1, 10, 14, 4) in made
    assert (1, 3, 5, 8) in made
    assert made[-1] == (1, 3 * 5 * 8)


def test_attention_costs_its_projections_and_its_products() -> None:
    """Of 10 tokens of 64 in 4 heads: four matrices of 64 × 64, and twice 10 × 10 × 64."""
    read = parse_ncnn(
        param("Input in 0 1 in 0=64 1=10", "MultiHeadAttention a 1 1 in out 0=64 1=4 2=4096"), "net.param"
    )
    assert summarize_model(read).macs == 4 * 10 * 64 * 64 + 2 * 10 * 10 * 64


def test_a_layer_that_is_not_known_is_named_and_what_follows_keeps_a_stated_shape() -> None:
    read = parse_ncnn(
        param(
            "Input in 0 1 in 0=8 1=8 2=4",
            "Whatever odd 1 1 in odd -23330=4,3,8,8,16",
            "Convolution conv 1 1 odd conv 0=2 1=1 5=1 6=32",
        ),
        "net.param",
    )
    assert [op.label for op in read.ops] == ["CUSTOM:Whatever", "CONV_2D"]
    summary = summarize_model(read)
    assert summary.macs == 8 * 8 * 16 * 2
    assert [row.op for row in summary.not_counted] == ["CUSTOM"]


@pytest.mark.parametrize(
    ("layers", "why"),
    [
        (
            ["Input in 0 1 in 0=8 1=8 2=4", "Convolution c 1 1 in out 0=2 1=3 6=99"],
            "99 weights for 4 channels",
        ),
        (["Input in 0 1 in 0=8 1=8 2=4", "Convolution c 1 1 in out 0=2 1=9 6=648"], "larger than its image"),
        (["Input in 0 1 in 0=8 1=8 2=4", "ReLU r 1 1 nobody out"], "reads what nothing makes"),
        (["Input in 0 1 in 0=8 1=8 2=4", "ReLU r 1 1 in in"], "two layers make one blob"),
        (["Input in 0 1 in 0=8 1=8 2=99999999999"], "larger than any memory"),
        (["Input in 0 1 in 0=8 1=8 2=4", "Interp i 1 1 in out 0=1 1=1e9 2=1e9"], "without a size"),
        (["Input in 0 1 in 0=8 1=8 2=4", "ReLU r 5 1 in out"], "layer 1 cannot be read"),
        (["Input in 0 1 in 0=8 1=8 2=4"], "no layers that compute"),
    ],
)
def test_what_has_no_sense_is_refused_in_one_line(layers: list[str], why: str) -> None:
    with pytest.raises(ModelFileError, match=why) as caught:
        parse_ncnn(param(*layers), "net.param")
    assert "\n" not in str(caught.value)


def test_a_thousand_damaged_files_are_each_a_model_or_one_line() -> None:
    for changed in mutated(mobilenet_v1(), 1000, seed=18):
        assert "\n" not in refusal(changed)


def refusal(data: bytes) -> str:
    try:
        parse_ncnn(data, "net.param")
    except ModelFileError as error:
        return str(error)
    return ""
