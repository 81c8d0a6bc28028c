import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools.graph import DType, ModelGraph
from edgewright.tools.graph.costs.table import layer_table
from edgewright.tools.graph.shapes.change import with_input_shapes
from edgewright.tools.graph.shapes.propagate import propagate_shapes
from edgewright.tools.model_zoo.architecture import Architecture
from edgewright.tools.model_zoo.catalogue_other import OTHERS
from edgewright.tools.model_zoo.named import build_architecture

FOLDED = frozenset({"relative_position", "decode"})
"""Tables that exporters unroll into a constant, and the sizes of anchors: no learned values."""


def learned_values(graph: ModelGraph) -> int:
    return sum(
        t.elements or 0
        for t in graph.parameters
        if t.dtype is DType.FLOAT32 and not any(word in t.name_untrusted for word in FOLDED)
    )


# GMACs and millions of parameters of timm's benchmark tables; LeViT and EfficientFormer without the second
# head of distillation, which inference merges into the first.
@pytest.mark.parametrize(
    ("spec", "gmacs", "millions"),
    [
        ("vit_tiny_patch16", 1.26, 5.72),
        ("vit_small_patch16", 4.61, 22.05),
        ("vit_base_patch16", 17.58, 86.57),
        ("vit_base_patch32", 4.41, 88.22),
        ("vit_large_patch16", 61.6, 304.33),
        ("beit_base_patch16", 17.58, 86.53),
        ("swin_tiny_patch4_window7", 4.51, 28.29),
        ("swin_small_patch4_window7", 8.77, 49.61),
        ("swin_base_patch4_window7", 15.47, 87.77),
        ("convnext_tiny", 4.47, 28.59),
        ("convnext_tiny:384", 13.14, 28.59),
        ("convnext_small:288", 14.39, 50.22),
        ("convnext_base", 15.38, 88.59),
        ("convnext_base:320", 31.39, 88.59),
        ("levit_128s", 0.31, 7.78 - 0.385),
        ("levit_128", 0.41, 9.21 - 0.385),
        ("levit_192", 0.66, 10.95 - 0.385),
        ("levit_256", 1.13, 18.89 - 0.513),
        ("levit_384", 2.36, 39.13 - 0.769),
        ("mobilevit_s", 2.03, 5.58),
        ("efficientvit_b2", 1.60, 24.33),
        ("efficientformer_l1", 1.30, 12.29 - 0.449),
    ],
)
def test_vision_transformers_have_the_macs_and_parameters_that_timm_lists(
    spec: str, gmacs: float, millions: float
) -> None:
    graph = build_architecture(spec)
    assert layer_table(graph).total_macs / 1e9 == pytest.approx(gmacs, rel=0.02)
    assert learned_values(graph) / 1e6 == pytest.approx(millions, rel=0.01)


# GFLOPs (two for a MAC) and millions of parameters: Ultralytics' tables for v5, v8 and 11; the papers or
# repositories of v6, v7, v10 and YOLOX. Transposed convolutions of the mask heads are counted from their
# input here and from their output there, hence no FLOPs for the masks of v8 and 11;
# Ultralytics counts the FLOPs of oriented boxes with 80 classes, the network has 15.
@pytest.mark.parametrize(
    ("spec", "gflops", "millions"),
    [
        ("yolov5n", 4.5, 1.87),
        ("yolov5s", 16.5, 7.23),
        ("yolov5m", 49.0, 21.2),
        ("yolov5l", 109.1, 46.5),
        ("yolov5x", 205.7, 86.7),
        ("yolov5n_seg", 7.1, 1.99),
        ("yolov5s_seg", 26.4, 7.61),
        ("yolov5m_seg", 70.8, 22.0),
        ("yolov6n", 11.4, 4.68),
        ("yolov6s", 45.3, 18.5),
        ("yolov7", 104.7, 36.9),
        ("yolov7_tiny", 13.8, 6.2),
        ("yolov8n", 8.7, 3.157),
        ("yolov8s", 28.6, 11.167),
        ("yolov8m", 78.9, 25.903),
        ("yolov8l", 165.2, 43.692),
        ("yolov8x", 257.8, 68.230),
        ("yolov8n_pose", 9.2, 3.296),
        ("yolov8s_pose", 30.2, 11.626),
        ("yolov8m_pose", 81.0, 26.465),
        ("yolov8l_pose", 168.6, 44.4),
        ("yolov8x_pose", 263.2, 69.4),
        ("yolov8n_seg", None, 3.410),
        ("yolov8s_seg", None, 11.822),
        ("yolov8n_obb", None, 3.1),
        ("yolov10n", 6.7, 2.3),
        ("yolov10s", 21.6, 7.25),
        ("yolov10x", 160.4, 29.5),
        ("yolo11n", 6.5, 2.624),
        ("yolo11s", 21.5, 9.459),
        ("yolo11m", 68.0, 20.115),
        ("yolo11l", 86.9, 25.372),
        ("yolo11x", 194.9, 56.966),
        ("yolo11n_pose", 7.4, 2.88),
        ("yolo11s_pose", 23.1, 9.9),
        ("yolo11m_pose", 71.4, 20.9),
        ("yolo11l_pose", 90.3, 26.1),
        ("yolo11x_pose", 202.8, 58.8),
        ("yolo11n_seg", None, 2.88),
        ("yolox_s", 26.8, 9.0),
        ("yolox_m", 73.8, 25.3),
        ("yolox_l", 155.6, 54.2),
        ("yolox_x", 281.9, 99.1),
        ("yolox_tiny", 6.45, 5.06),
        ("yolo_v2_tiny", 5.424, 11.229),
        ("yolo_v3", 65.98, 61.92),
        ("yolo_v3_tiny", 5.582, 8.848),
        ("yolo_v4_tiny", 6.9289, 6.0535),
    ],
)
def test_detectors_have_the_flops_and_parameters_of_their_authors(
    spec: str, gflops: float | None, millions: float
) -> None:
    graph = build_architecture(spec)
    assert learned_values(graph) / 1e6 == pytest.approx(millions, rel=0.01)
    if gflops is not None:
        assert 2 * layer_table(graph).total_macs / 1e9 == pytest.approx(gflops, rel=0.02)


# SSD: Open Model Zoo's lists. DeepLab, PoseNet, MiDaS, Whisper, the hand and face networks: parameters that
# Qualcomm AI Hub lists. BERT: Open Model Zoo;
# the smaller one by Qualcomm, with a pooler that is left out here. DistilBERT, MiniLM, RoBERTa and DINOv2 by hand:
# the tables or patches, and 12 width² + 13 width in each layer. PIDNet: table 6 of the paper, at 2048 × 1024. CLIP: 151.3
# million of both encoders together, 87.8 of the image's; the larger ones in open_clip's docs/model_profile.csv.
# Segmentation: torchvision's `num_params` and `_ops`; DeepLabV3 on MobileNetV2 by TensorFlow's
# deeplab/g3doc/model_zoo.md. Segment Anything: its page. MobileViT: table 1 of the paper.
@pytest.mark.parametrize(
    ("spec", "gmacs", "millions"),
    [
        ("ssd_mobilenet_v1", 2.494 / 2, 6.807),
        ("ssdlite_mobilenet_v2", 1.525 / 2, 4.475),
        ("ssd_resnet34", 433.411 / 2, 20.058),
        ("bert_large", None, 333.96),
        ("bert_base", None, 110 - 0.59),
        ("distilbert_base", None, 66.363),
        ("minilm_l6", None, 22.565),
        ("roberta_base", None, 124.05),
        ("dinov2_base", None, 85.67),
        ("deeplab_v3_plus_mobilenet_v2", None, 5.80),
        ("posenet_mobilenet_v1", None, 3.31),
        ("midas_v2_small", None, 16.6),
        ("face_det_lite", None, 0.878),
        ("whisper_tiny_encoder", None, 9.39),
        ("whisper_tiny_decoder", None, 28.4),
        ("whisper_base_encoder", None, 23.7),
        ("whisper_base_decoder", None, 48.9),
        ("whisper_small_encoder", None, 102),
        ("whisper_small_decoder", None, 139),
        ("mediapipe_palm", None, 1.76),
        ("mediapipe_hand_landmark", None, 2.01),
        ("pidnet_s", 47.6 / 2, 7.6),
        ("clip_vit_base_patch32_image", 4.4, 87.8),
        ("clip_vit_base_text", None, 151.3 - 87.8),
        ("mobilevit_xs", None, 2.3),
        ("mobilevit_xxs", None, 1.27),
        ("sam_vit_h_encoder", None, 632),
        ("lraspp_mobilenet_v3_large", 2.086, 3.2215),
        ("deeplab_v3_mobilenet_v3_large", None, 11.029),
        ("deeplab_v3_mobilenet_v2", 2.75, 2.1),
        ("clip_vit_base_patch16_image", 35.13 / 2, 86.19),
        ("clip_vit_large_patch14_image", 162.03 / 2, 303.97),
    ],
)
def test_other_networks_have_what_is_published_of_them(
    spec: str, gmacs: float | None, millions: float
) -> None:
    graph = build_architecture(spec)
    assert learned_values(graph) / 1e6 == pytest.approx(millions, rel=0.01)
    if gmacs is not None:
        assert layer_table(graph).total_macs / 1e9 == pytest.approx(gmacs, rel=0.02)


@pytest.mark.parametrize(("spec", "gmacs"), [("deeplab_v3_resnet50", 178.722), ("fcn_resnet50", 152.717)])
def test_segmentation_on_a_resnet_has_torchvision_s_operations_less_the_head_of_training(
    spec: str, gmacs: float
) -> None:
    of_training = 65 * 65 * (1024 * 256 * 9 + 256 * 21) / 1e9
    assert layer_table(build_architecture(spec)).total_macs / 1e9 == pytest.approx(
        gmacs - of_training, rel=0.002
    )


@pytest.mark.parametrize(("size", "megabytes"), [(0, 4.3), (1, 5.8), (2, 7.2)])
def test_efficientdets_for_phones_fit_the_files_that_their_authors_publish(
    size: int, megabytes: float
) -> None:
    """One byte for a weight, and the scales of each channel beside them."""
    weights = learned_values(build_architecture(f"efficientdet_lite{size}")) / 1e6
    assert 0.75 * megabytes < weights < megabytes


def test_an_efficientdet_takes_another_side_and_makes_nine_boxes_at_each_place() -> None:
    places, classes = build_architecture("efficientdet_lite0:416").outputs
    assert places.shape == (1, 9 * (52**2 + 26**2 + 13**2 + 7**2 + 4**2), 4)
    assert classes.shape[-1] == 90


def test_an_ssd_with_full_predictors_comes_to_the_lists_of_the_open_model_zoo() -> None:
    graph = build_architecture("ssd_mobilenet_v2")
    assert learned_values(graph) / 1e6 == pytest.approx(16.818, rel=0.02)
    assert 2 * layer_table(graph).total_macs / 1e9 == pytest.approx(3.775, rel=0.02)


@pytest.mark.parametrize("depth", [50, 101, 152])
def test_slim_s_second_resnets_have_the_parameters_of_the_others(depth: int) -> None:
    """They stride at the end of a stage, and their table of checkpoints states no parameters."""
    slim, other = (build_architecture(f"{prefix}resnet_v2_{depth}") for prefix in ("slim_", ""))
    assert learned_values(slim) == learned_values(other)


def test_a_retinanet_reads_its_five_maps_with_the_same_weights() -> None:
    # torchvision's retinanet_resnet50_fpn has 34,014,999 parameters for 91 classes; here ResNeXt-50 stands
    # for ResNet-50 (25,028,904 against 25,557,032), and 264 classes have 173 more filters for each anchor.
    graph = build_architecture("retinanet_resnext50")
    more_classes = 9 * (264 - 91) * (256 * 9 + 1)
    expected = 34_014_999 - 25_557_032 + 25_028_904 + more_classes
    assert learned_values(graph) == pytest.approx(expected, rel=0.01)
    assert graph.outputs[0].shape == (1, 120_087, 4)


@pytest.mark.parametrize(
    ("spec", "boxes", "values"),
    [("yolov8n", 8400, 84), ("yolov8n:320", 2100, 84), ("yolov5s", 25200, 85), ("yolox_tiny", 3549, 85)],
)
def test_a_detector_makes_a_row_for_every_box(spec: str, boxes: int, values: int) -> None:
    assert build_architecture(spec).outputs[0].shape == (1, boxes, values)


@pytest.mark.parametrize("spec", ["yolov8n:100", "yolov5n:250", "yolox_s:639", "midas_v2_small:255"])
def test_a_side_that_cannot_be_halved_and_doubled_again_is_refused(spec: str) -> None:
    with pytest.raises(UsageError, match="multiple of 32"):
        build_architecture(spec)


@pytest.mark.parametrize("name", ["yolov8n", "yolov5n", "yolov6n", "yolox_s", "yolov7_tiny"])
def test_a_detector_follows_a_smaller_image_as_if_built_for_it(name: str) -> None:
    graph = build_architecture(name)
    smaller = with_input_shapes(graph, {graph.inputs[0].index: (1, 320, 320, 3)})
    built = build_architecture(f"{name}:320")
    assert [t.shape for t in smaller.main.tensors] == [t.shape for t in built.main.tensors]


@pytest.mark.parametrize("architecture", OTHERS, ids=lambda a: a.name)
def test_every_shape_follows_from_the_inputs_by_the_operators_rules(architecture: Architecture) -> None:
    graph = build_architecture(architecture.name)
    assert tuple(t.shape for t in graph.main.tensors) == propagate_shapes(graph)


def test_attention_grows_with_the_square_of_the_tokens() -> None:
    def products(spec: str) -> int:
        table = layer_table(build_architecture(spec))
        return sum(int(m) for m, k in zip(table.macs, table.classes, strict=True) if k == "matmul")

    assert products("bert_base:256") == 4 * products("bert_base:128") > 0


def test_every_network_here_has_a_name_of_its_own() -> None:
    names = [architecture.name for architecture in OTHERS]
    assert len(names) == len(set(names))
