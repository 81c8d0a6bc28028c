"""Channels that training left at zero take no flash with X-CUBE-AI since 8.1."""

from pathlib import Path

import pytest
import tflite

from edgewright.tools import parse_model
from edgewright.tools.core.deployment import deployment
from edgewright.tools.graph import ModelGraph
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.graph.requantize import to_int8
from edgewright.tools.graph.serialize import graph_from_json, graph_to_json
from edgewright.tools.memory_planner.flash.dead_channels import dead_bytes
from edgewright.tools.memory_planner.reporting import plan
from edgewright.tools.model_formats.tflite.document import parse_tflite
from edgewright.tools.model_formats.writer.tflite import write_tflite


def separable() -> ModelGraph:
    """Convolution of 16 filters, depthwise convolution, convolution of 8, pooling, dense layer."""
    b = GraphBuilder("separable")
    y = b.conv2d(b.input((1, 16, 16, 3)), 16, 3, activation="RELU6")
    y = b.conv2d(b.depthwise_conv2d(y, 3, activation="RELU6"), 8, 1, activation="RELU6")
    return to_int8(b.build([b.fully_connected(b.flatten(b.average_pool2d(y, 16)), 4)]))


def with_zeros(graph: ModelGraph, zeros: dict[int, int]) -> ModelGraph:
    """Written to a file whose convolutions have that many filters of zeros, and read."""
    data = bytearray(write_tflite(graph))
    model = tflite.Model.GetRootAs(data)
    sub = model.Subgraphs(0)
    for op, count in zeros.items():
        weights = sub.Tensors(sub.Operators(op).Inputs(1))
        stored = model.Buffers(weights.Buffer()).DataAsNumpy()
        stored[: count * len(stored) // weights.Shape(0)] = 0
    return parse_tflite(bytes(data), "separable.tflite")


def test_filters_of_zeros_are_counted_as_the_file_is_read() -> None:
    read = with_zeros(separable(), {0: 5, 2: 3})
    assert read.zero_filters == ((0, 5), (2, 3))
    assert graph_from_json(graph_to_json(read)).zero_filters == read.zero_filters


def test_a_file_stripped_of_its_weights_has_no_dead_channels() -> None:
    assert with_zeros(separable(), {0: 16, 2: 3}).zero_filters == ()


def test_a_dead_filter_takes_its_depthwise_filter_and_what_reads_it_along() -> None:
    read = with_zeros(separable(), {0: 5})
    assert dead_bytes(read) == 5 * (3 * 3 * 3 + 4) + 5 * (3 * 3 + 4) + 5 * 8


def test_dead_filters_before_a_pooling_stay() -> None:
    assert dead_bytes(with_zeros(separable(), {2: 3})) == 0


def test_a_release_before_8_1_keeps_them_in_flash() -> None:
    read = with_zeros(separable(), {0: 5})
    old, newest = (
        plan(read, deployment("stm32l4r5zi", f"x-cube-ai{release}")).model_bytes for release in ("@8.0", "")
    )
    assert old == read.parameter_bytes
    assert newest == read.parameter_bytes - dead_bytes(read)


def test_an_interpreter_keeps_them_in_flash() -> None:
    read = with_zeros(separable(), {0: 5})
    assert plan(read, deployment("stm32l4r5zi", "tflm-cmsis-nn")).model_bytes == read.file_bytes


# MLPerf Tiny v1.2, STMicroelectronics, X-CUBE-AI 9.0: weights of vww_96_int8 in row mlperf_tiny-0251.
def test_weights_of_the_person_detector_are_those_that_the_vendor_published(shared_models: Path) -> None:
    read = parse_model(shared_models / "mlperf-tiny" / "vww_96_int8.tflite")
    kept = plan(read, deployment("stm32h7a3zi", "x-cube-ai@9.0")).model_bytes
    assert (kept or 0) / 1024 == pytest.approx(41.6133, rel=0.001)
