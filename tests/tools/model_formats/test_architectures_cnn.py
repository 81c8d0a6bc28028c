import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools.graph import ModelGraph
from edgewright.tools.graph.costs.table import layer_table
from edgewright.tools.model_zoo.convolutional import CONVOLUTIONAL
from edgewright.tools.model_zoo.named import build_architecture
from stubs.work import calls_in

# Spec, side in pixels, million parameters, G multiplications and million activations, as
# github.com/huggingface/pytorch-image-models lists them in results/benchmark-infer-amp-nchw-pt*-rtx3090.csv. Its
# activations are the outputs of convolutions; its multiplications include two for each in batch normalisation.
TIMM = (
    ("mobilenet_v1", 256, 4.23, 0.76, 6.59),
    ("mobilenet_v3_large", 224, 5.48, 0.23, 4.41),
    ("mobilenet_v3_large:0.75", 224, 3.99, 0.16, 4.0),
    ("mobilenet_v3_small", 224, 2.54, 0.06, 1.42),
    ("mobilenet_v3_small:0.75", 224, 2.04, 0.05, 1.3),
    ("mobilenet_v3_small:0.5", 224, 1.59, 0.03, 0.92),
    ("mobilenet_v3_large_minimalistic", 224, 3.92, 0.22, 4.4),
    ("mobilenet_v3_small_minimalistic", 224, 2.04, 0.06, 1.41),
    ("mobilenet_v4_conv_small", 256, 3.77, 0.25, 2.57),
    ("mobilenet_v4_conv_medium", 320, 9.72, 1.71, 11.84),
    ("mnasnet", 224, 4.38, 0.33, 5.46),
    ("mnasnet:0.5", 224, 2.22, 0.11, 3.07),
    ("mnasnet:1.4", 224, 7.12, 0.6, 7.71),
    ("mixnet_s", 224, 4.13, 0.25, 6.25),
    ("mixnet_m", 224, 5.01, 0.36, 8.19),
    ("lcnet", 224, 2.95, 0.16, 2.52),
    ("lcnet:0.5", 224, 1.88, 0.05, 1.26),
    ("tinynet_e", 106, 2.04, 0.03, 0.69),
    ("resnet18", 288, 11.69, 3.01, 4.11),
    ("resnet34", 288, 21.8, 6.07, 6.18),
    ("resnet101", 288, 44.55, 12.95, 26.83),
    ("resnet152", 288, 60.19, 19.11, 37.28),
    ("wide_resnet50_2", 288, 68.88, 18.89, 23.81),
    ("resnext50_32x4d", 288, 25.03, 7.04, 23.81),
    ("resnext101_32x4d", 288, 44.18, 13.24, 35.09),
    ("regnetx_004", 224, 5.16, 0.4, 3.14),
    ("regnetx_008", 224, 7.26, 0.81, 5.15),
    ("regnetx_016", 224, 9.19, 1.62, 7.93),
    ("regnetx_032", 224, 15.3, 3.2, 11.37),
    ("regnety_004", 224, 4.34, 0.41, 3.89),
    ("regnety_008", 224, 6.26, 0.81, 5.25),
    ("regnety_016", 224, 11.2, 1.63, 8.04),
    ("regnety_032", 288, 19.44, 5.29, 18.61),
    ("densenet121", 288, 7.98, 4.74, 11.41),
    ("vgg11", 224, 132.86, 7.61, 7.44),
    ("vgg13", 224, 133.05, 11.31, 12.25),
    ("vgg16", 224, 138.36, 15.47, 13.56),
    ("vgg19", 224, 143.67, 19.63, 14.86),
    ("inception_v3", 299, 23.83, 5.73, 8.97),
    ("inception_v4", 299, 42.68, 12.28, 15.09),
    ("inception_resnet_v2", 299, 55.84, 13.18, 25.06),
    ("resnet_v2_50", 288, 25.55, 6.79, 18.37),
    ("resnet_v2_101", 288, 44.54, 12.94, 26.83),
    ("resnet_v2_152", 224, 60.19, 11.55, 22.56),
    ("efficientnet_v2_rw_t", 288, 13.65, 3.19, 16.42),
    ("efficientnet_v2_s", 384, 21.46, 8.44, 35.77),
    ("repghost", 224, 4.07, 0.15, 3.98),
    ("mobilenet_v2:1.4", 224, 6.11, 0.6, 9.57),
    ("mobilenet_v2:0.5", 224, 1.97, 0.1, 3.64),
    ("efficientnet_b0", 224, 5.29, 0.4, 6.75),
    ("efficientnet_b1", 240, 7.79, 0.71, 10.88),
    ("efficientnet_b2", 260, 9.11, 1.02, 13.83),
    ("efficientnet_b3", 300, 12.23, 1.87, 23.83),
    ("efficientnet_b4", 380, 19.34, 4.49, 49.49),
    ("efficientnet_b5", 456, 30.39, 10.46, 98.86),
    ("efficientnet_b6", 528, 43.04, 19.4, 167.39),
    ("efficientnet_b7", 600, 66.35, 38.33, 289.94),
    ("efficientnet_lite0", 224, 4.65, 0.4, 6.74),
    ("efficientnet_lite1", 240, 5.42, 0.62, 10.14),
    ("efficientnet_lite2", 260, 6.09, 0.89, 12.9),
    ("efficientnet_lite3", 300, 8.2, 1.65, 21.85),
    ("efficientnet_lite4", 380, 13.01, 4.04, 45.66),
    ("efficientnet_v2_b0", 224, 7.14, 0.73, 4.77),
    ("efficientnet_v2_b1", 240, 8.14, 1.21, 7.34),
    ("efficientnet_v2_b2", 260, 10.1, 1.72, 9.84),
    ("efficientnet_v2_b3", 300, 14.36, 3.04, 15.74),
)

# Spec, million MACs, parameters, whether each convolution had a batch normalisation with scale and shift.
PUBLISHED = (
    # torchvision's weights: GFLOPS (as MACs) and num_params.
    ("resnet18", 1814, 11_689_512, True),
    ("mobilenet_v3_large", 217, 5_483_032, True),
    ("mobilenet_v3_small", 57, 2_542_856, True),
    ("mnasnet", 314, 4_383_312, True),
    ("efficientnet_b0", 386, 5_288_548, True),
    ("efficientnet_b4", 4394, 19_341_616, True),
    ("efficientnet_v2_s", 8366, 21_458_488, True),
    ("regnetx_032", 3177, 15_296_552, True),
    ("shufflenet_v2_x0_5", 40, 1_366_792, True),
    ("shufflenet_v2_x1_0", 145, 2_278_604, True),
    ("inception_v1", 1498, 6_624_904, True),
    ("densenet121", 2834, 7_978_856, True),
    ("alexnet", 714, 61_100_840, False),
    ("squeezenet_1_0", 819, 1_248_424, False),
    ("squeezenet_1_1", 349, 1_235_496, False),
    ("vgg16", 15470, 138_357_544, False),
    # github.com/openvinotoolkit/open_model_zoo: GFLOPs / 2 and MParams, normalisation folded, 1001 classes.
    ("inception_v2", 4058 / 2, 11_185_000, False),
    ("inception_v4", 24584 / 2, 42_648_000, False),
    # Zoph et al., 2018, table 2; Keras Applications' trainable parameters.
    ("nasnet_mobile", 564, 5_289_978, False),
    # github.com/PingoLH/Pytorch-HarDNet and hailo_model_zoo's 8.5 GOPS.
    ("hardnet68", 4250, 17_570_000, True),
    # github.com/hailo-ai/hailo_model_zoo: operations / 2; parameters as of the published networks.
    ("efficientnet_edgetpu_s", 2360, 5_440_000, True),
    ("efficientnet_edgetpu_l", 9700, 10_590_000, True),
    ("slim_resnet_v1_50", 3490, 25_557_032, True),
    ("resnext26_32x4d", 2480, 15_390_000, True),
    ("repghost:2.0", 520, 9_800_000, True),
    ("squeezenet_1_1:227", 390, 1_235_496, False),
    # github.com/tensorflow/models, AudioSet YAMNet: 69.2 M multiplies, 3.7 M weights.
    ("yamnet", 69.2, 3_729_000, False),
)


def learned_by_convolutions(graph: ModelGraph, *, normalised: bool) -> int:
    """With the scale that folding took away: one for each channel, but in squeeze-and-excite and the head."""
    learned = sum(t.elements or 0 for t in graph.parameters if t.values is None)
    folded = [op for op in graph.ops if op.kind in {"CONV_2D", "DEPTHWISE_CONV_2D"}]
    of_images = [op for op in folded if graph.tensors[op.outputs[0]].shape[1:3] != (1, 1)]
    return learned + sum(graph.tensors[op.inputs[2]].elements or 0 for op in of_images if normalised)


def activations(graph: ModelGraph) -> int:
    kinds = {"CONV_2D", "DEPTHWISE_CONV_2D"}
    return sum(graph.tensors[op.outputs[0]].elements or 0 for op in graph.ops if op.kind in kinds)


@pytest.mark.parametrize(("spec", "side", "parameters", "multiplications", "outputs"), TIMM)
def test_parameters_multiplications_and_activations_are_those_that_timm_counts(
    spec: str, side: int, parameters: float, multiplications: float, outputs: float
) -> None:
    graph = build_architecture(spec, input_size=side)
    plain = spec.startswith("vgg")
    learned = learned_by_convolutions(graph, normalised=not plain)
    macs = layer_table(graph).total_macs + (0 if plain else 2 * activations(graph))
    assert learned / 1e6 == pytest.approx(parameters, rel=0.005)
    assert activations(graph) / 1e6 == pytest.approx(outputs, rel=0.005)
    assert macs / 1e9 == pytest.approx(multiplications, rel=0.01, abs=0.0051)


@pytest.mark.parametrize(("spec", "million_macs", "parameters", "normalised"), PUBLISHED)
def test_macs_and_parameters_are_those_of_the_authors(
    spec: str, million_macs: float, parameters: int, normalised: bool
) -> None:
    graph = build_architecture(spec)
    assert layer_table(graph).total_macs / 1e6 == pytest.approx(million_macs, rel=0.01, abs=0.5)
    assert learned_by_convolutions(graph, normalised=normalised) == pytest.approx(parameters, rel=0.005)


# Million MACs of the .tflite files in github.com/google-coral/test_data, and of TF-Slim's table for MobileNetV2.
@pytest.mark.parametrize(
    ("spec", "millions"),
    [
        ("mobilenet_v1:0.25:128", 13.570304), ("mobilenet_v1:0.5:160", 76.525312),
        ("mobilenet_v1:0.75:192", 239.27424), ("mobilenet_v2:1.4", 582), ("mobilenet_v2:0.5:160", 50),
    ],
)  # fmt: skip
def test_narrow_mobilenets_have_the_macs_of_the_published_files(spec: str, millions: float) -> None:
    assert layer_table(build_architecture(spec)).total_macs / 1e6 == pytest.approx(millions, rel=0.01)


def test_every_square_image_network_takes_another_side_or_says_that_it_does_not() -> None:
    for architecture in CONVOLUTIONAL:
        if architecture.any_side:
            assert build_architecture(architecture.name, input_size=320).inputs[0].shape == (1, 320, 320, 3)
        elif architecture.side:
            with pytest.raises(UsageError, match=f"{architecture.side} pixels"):
                build_architecture(architecture.name, input_size=320)


def test_a_fused_edge_tpu_block_expands_at_full_resolution() -> None:
    edge = build_architecture("efficientnet_edgetpu_s")
    convolutions = [op for op in edge.ops if op.kind == "CONV_2D"]
    expansions = [op for op in convolutions if edge.tensors[op.inputs[1]].shape == (192, 3, 3, 24)]
    assert [edge.tensors[op.outputs[0]].shape for op in expansions] == [(1, 112, 112, 192)]


def test_a_grouped_convolution_keeps_the_channels_of_one_group() -> None:
    graph = build_architecture("resnext50_32x4d")
    shapes = {graph.tensors[op.inputs[1]].shape for op in graph.ops if op.kind == "CONV_2D"}
    assert (128, 3, 3, 4) in shapes
    assert (1024, 3, 3, 32) in shapes


def test_slim_strides_where_a_stage_ends() -> None:
    early, late = build_architecture("resnet50"), build_architecture("slim_resnet_v1_50")
    assert layer_table(late).total_macs < 0.86 * layer_table(early).total_macs
    assert late.outputs[0].shape == early.outputs[0].shape


def test_the_small_mobilenet_v1_of_visual_wake_words_keeps_its_name() -> None:
    assert build_architecture("mobilenet v1 0.25 96").name == "vww"
    assert build_architecture("mobilenet v1").name == "mobilenet_v1"
    assert build_architecture("mobilenet_v1:0.25:128").name == "mobilenet_v1:0.25:128"


@pytest.mark.parametrize("spec", ["efficientnet_b7", "nasnet_mobile", "resnet_v2_152"])
def test_the_largest_networks_are_drawn_with_a_few_hundred_calls_an_operator(spec: str) -> None:
    assert calls_in(lambda: build_architecture(spec, batch=3)) < 300 * len(build_architecture(spec).ops)
