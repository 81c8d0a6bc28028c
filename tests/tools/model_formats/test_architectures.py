from pathlib import Path
from typing import Any

import pytest

from edgewright.hardware_db.errors import UnknownNameError, UsageError
from edgewright.tools.graph import DType, ModelGraph
from edgewright.tools.graph.costs.table import layer_table
from edgewright.tools.graph.serialize import graph_from_json, graph_sha256, graph_to_json
from edgewright.tools.model_formats.source import parse_model
from edgewright.tools.model_zoo.named import (
    architecture_aliases,
    architecture_names,
    build_architecture,
    is_architecture,
    names_dtype,
)

TINY = ("kws", "vww", "ic", "ad")


def learned_values(graph: ModelGraph) -> int:
    return sum(t.elements or 0 for t in graph.parameters if t.values is None)


def with_batch_norm(graph: ModelGraph) -> int:
    """Learned values before folding: a scale and a shift for each channel where one bias is left."""
    folded = [op for op in graph.ops if op.kind in {"CONV_2D", "DEPTHWISE_CONV_2D"}]
    return learned_values(graph) + sum(graph.tensors[op.inputs[2]].elements or 0 for op in folded)


# num_params and GFLOPS (as MACs) of torchvision's ResNet50_Weights and MobileNet_V2_Weights.
@pytest.mark.parametrize(
    ("name", "macs", "parameters"),
    [("resnet50", 4_089_184_256, 25_557_032), ("mobilenet_v2", 300_774_272, 3_504_872)],
)
def test_macs_and_parameters_are_the_published_ones(name: str, macs: int, parameters: int) -> None:
    graph = build_architecture(name)
    assert layer_table(graph).total_macs == macs
    assert with_batch_norm(graph) == parameters


# Counted in the reference files of github.com/mlcommons/tiny.
@pytest.mark.parametrize(
    ("name", "macs"), [("kws", 2_656_768), ("vww", 7_489_664), ("ic", 12_501_632), ("ad", 264_192)]
)
@pytest.mark.parametrize("dtype", [None, "float32", "float16"])
def test_tiny_networks_have_the_macs_of_the_reference(name: str, macs: int, dtype: str | None) -> None:
    assert layer_table(build_architecture(name, dtype=dtype)).total_macs == macs


# Keras Applications lists 11 and 59 million MACs (truncated) for width 0.35 at 96 and 224 pixels.
@pytest.mark.parametrize(("spec", "millions"), [("mobilenet_v2:0.35:96", 11), ("mobilenet_v2:0.35:224", 59)])
def test_a_narrow_mobilenet_has_the_macs_that_keras_lists(spec: str, millions: int) -> None:
    assert layer_table(build_architecture(spec)).total_macs // 10**6 == millions


@pytest.mark.parametrize("name", TINY)
def test_tiny_networks_are_int8_as_their_reference_files(name: str) -> None:
    graph = build_architecture(name)
    assert graph.dtype is DType.INT8
    assert graph.inputs[0].dtype is graph.outputs[0].dtype is DType.INT8
    weights = [graph.tensors[op.inputs[1]] for op in graph.ops if op.kind == "CONV_2D"]
    assert all(w.quantization and len(w.quantization.scales) == w.shape[0] for w in weights)
    assert {graph.tensors[op.inputs[2]].dtype for op in graph.ops if op.kind == "FULLY_CONNECTED"} == {
        DType.INT32
    }


@pytest.mark.parametrize(
    ("spoken", "meant"),
    [
        ("ResNet-50", "resnet50"),
        ("resnet 50 v1.5", "resnet50"),
        ("RESNET50:float32", "resnet50:float32"),
        ("MobileNet V2", "mobilenet_v2"),
        ("mobilenetv2:INT8", "mobilenet_v2:int8"),
        ("mobilenet_v2:0.35:96:int8", "mobilenet_v2:0.35:96:int8"),
        ("mobilenet_v2:int8:96:0.35", "mobilenet_v2:0.35:96:int8"),
        ("mobilenet_v2_0.35_96", "mobilenet_v2:0.35:96"),
        ("mobilenet_v2:1.0:224:fp16", "mobilenet_v2:float16"),
        ("DS-CNN", "kws"),
        ("keyword spotting", "kws"),
        ("kws:int8", "kws:int8"),
        ("kws:fp32", "kws:float32"),
        ("ResNet-8", "ic"),
        ("Visual Wake Words", "vww"),
        ("person detection", "vww"),
        ("mobilenet_v1_0.25_96", "vww"),
        ("ToyCar", "ad"),
        ("anomaly-detection", "ad"),
    ],
)
def test_people_may_say_it_their_way(spoken: str, meant: str) -> None:
    assert is_architecture(spoken)
    assert build_architecture(spoken).name == meant


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        *((name, "int8") for name in architecture_names()),
        *((name, dtype) for name in (*TINY, "mobilenet_v2") for dtype in ("float32", "float16")),
    ],
)
def test_the_name_of_a_built_graph_builds_it_again(name: str, dtype: str) -> None:
    graph = build_architecture(name, dtype=dtype)
    again = build_architecture(graph.name)
    assert again.dtype == dtype
    assert again.sha256 == graph.sha256 == graph_sha256(graph_from_json(graph_to_json(graph)))


def test_every_alias_leads_to_its_architecture() -> None:
    aliases = architecture_aliases()
    assert set(aliases.values()) == set(architecture_names())
    assert all(build_architecture(alias).name == name for alias, name in aliases.items())


def test_a_keyword_goes_before_the_words() -> None:
    graph = build_architecture("mobilenet_v2:0.35:96:int8", dtype="float32", width=0.5, input_size=128)
    assert graph.name == "mobilenet_v2:0.5:128:float32"


@pytest.mark.parametrize("name", architecture_names())
def test_the_batch_is_dimension_0_and_scales_the_macs(name: str) -> None:
    one, eight = build_architecture(name), build_architecture(name, batch=8)
    assert eight.inputs[0].shape == (8, *one.inputs[0].shape[1:])
    assert eight.outputs[0].shape == (8, *one.outputs[0].shape[1:])
    assert layer_table(eight).total_macs == 8 * layer_table(one).total_macs
    assert learned_values(eight) == learned_values(one)


def test_half_precision_halves_the_weights_and_int8_quarters_them() -> None:
    full, half, quarter = (
        build_architecture("mobilenet_v2", dtype=dtype) for dtype in ("float32", "float16", "int8")
    )
    assert 2 * half.parameter_bytes == pytest.approx(full.parameter_bytes, abs=8)
    assert quarter.parameter_bytes / full.parameter_bytes == pytest.approx(0.25, abs=0.01)


def test_words_tell_whether_they_name_a_type() -> None:
    assert names_dtype("kws:int8")
    assert not names_dtype("kws")
    assert not names_dtype("mobilenet_v2:0.35:96")


@pytest.mark.parametrize(
    "name", ["resnet51", "mobilnet_v2", "kws.tflite", "kws model", "yolo", "", ":", "int8", "🦆"]
)
def test_an_unknown_name_is_refused_with_what_there_is(name: str) -> None:
    assert not is_architecture(name)
    with pytest.raises(UnknownNameError, match="edgewright models list"):
        build_architecture(name)


def test_a_misspelt_name_gets_the_nearest() -> None:
    with pytest.raises(UnknownNameError) as raised:
        build_architecture("resnett50")
    assert raised.value.candidates[0] == "resnet50"


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("kws:int4", "'int4'"),
        ("kws:0.5", "no width multiplier"),
        ("vww:128", "96 pixels"),
        ("kws:96", "one size"),
        ("mobilenet_v2:8", "'8'"),
        ("mobilenet_v2:15", "outside 16"),
        ("mobilenet_v2:99999", "outside 16"),
        ("mobilenet_v2:0.0", "outside 0"),
        ("mobilenet_v2:9.5", "outside 0"),
        ("kws:int8:float32", "two values"),
    ],
)
def test_what_a_network_does_not_have_is_refused_by_name(spec: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        build_architecture(spec)


@pytest.mark.parametrize(
    "wrong", [{"batch": 0}, {"dtype": "int4"}, {"input_size": 1}, {"width": float("nan")}]
)
def test_impossible_arguments_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        build_architecture("mobilenet_v2", **wrong)


def test_a_resnet_takes_any_image_size() -> None:
    small, large = build_architecture("resnet50:64"), build_architecture("resnet50:512")
    assert small.inputs[0].shape == (1, 64, 64, 3)
    assert large.name == "resnet50:512"
    assert layer_table(small).total_macs < layer_table(large).total_macs


REFERENCES = {
    "kws": "kws_ref_model.tflite",
    "vww": "vww_96_int8.tflite",
    "ic": "pretrainedResnet_quant.tflite",
    "ad": "ad01_int8.tflite",
}


@pytest.mark.parametrize("name", TINY)
def test_tiny_networks_have_the_structure_of_the_reference_files(name: str, shared_models: Path) -> None:
    reference = parse_model(shared_models / "mlperf-tiny" / REFERENCES[name])
    assert structure(build_architecture(name)) == structure(reference)


DEFAULTED = {"quantized_bias_type", "pot_scale_int16"}
"""Options that only other types than int8 and float32 look at."""


def structure(graph: ModelGraph) -> list[object]:
    """All that arithmetic and memory depend on: not names, scales or the order of constants."""
    placed: dict[int, object] = {
        index: ("input", position) for position, index in enumerate(graph.main.inputs)
    }
    rows: list[object] = [[_kind(graph, i) for i in graph.main.inputs]]
    for op in graph.ops:
        placed.update((index, ("op", op.index, position)) for position, index in enumerate(op.outputs))
        sources = [placed.get(i, graph.tensors[i].values or "constant") for i in op.inputs]
        options = {key: value for key, value in op.options.items() if key not in DEFAULTED}
        shapes = [_kind(graph, i) for i in (*op.inputs, *op.outputs)]
        rows.append((op.kind, op.version, sources, shapes, options))
    return [*rows, [placed[i] for i in graph.main.outputs]]


def _kind(graph: ModelGraph, index: int) -> object:
    tensor = graph.tensors[index]
    quantization = tensor.quantization
    channels = None if quantization is None else (len(quantization.scales), quantization.axis)
    shape = tuple(1 if size == -1 else size for size in tensor.shape)
    return (shape, tensor.dtype, channels, tensor.stored_bytes)
