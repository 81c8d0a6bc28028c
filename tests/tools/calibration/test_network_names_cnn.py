import csv
from pathlib import Path

import pytest

from edgewright.tools.calibration.network_names import architecture_of
from edgewright.tools.calibration.network_names_cnn import architecture_of_cnn
from edgewright.tools.graph.costs.table import layer_table
from edgewright.tools.model_zoo.named import build_architecture

MEASUREMENTS = Path(__file__).parents[4] / "shared" / "data" / "measurements.csv"


@pytest.mark.parametrize(
    ("name", "input_shape", "spec"),
    [
        ("mlperf-inf-mobilenet-v1-0.5-128-quantized", "1x128x128x3", "mobilenet_v1:0.5:128"),
        ("mlperf-inf-mobilenet-v1-1.0-224-non-quantized", "1x224x224x3", "mobilenet_v1"),
        ("mlperf-inf-mobilenet-v2-1.4-224-non-quantized", "1x224x224x3", "mobilenet_v2:1.4"),
        (
            "mlperf-inf-mobilenet-v3-large-minimalistic_224_1.0_float",
            "1x224x224x3",
            "mobilenet_v3_large_minimalistic",
        ),
        ("mlperf-inf-mobilenet-v3-small_224_0.75_float", "1x224x224x3", "mobilenet_v3_small:0.75"),
        ("mlperf-inf-efficientnet-lite3-quantized", "1x280x280x3", "efficientnet_lite3"),
        ("mlperf-inf-resnet", "", "resnet50"),
        ("timm-resnet50", "1024x3x160x160", "resnet50:160"),
        ("timm-mobilenetv3_small_075", "1x3x224x224", "mobilenet_v3_small:0.75"),
        ("timm-mobilenetv2_100", "1x3x224x224", "mobilenet_v2"),
        ("timm-tf_efficientnetv2_b0", "1x3x192x192", "efficientnet_v2_b0:192"),
        ("timm-vgg16_bn", "1x3x224x224", "vgg16"),
        ("nvidia-resnext101-32x4d", "256x3x224x224", "resnext101_32x4d"),
        ("torchvision-efficientnet_b1", "1x3x224x224", "efficientnet_b1"),
        ("MobileNetV3-Large minimalistic", "1x224x224x3", "mobilenet_v3_large_minimalistic"),
        ("MobileNetV3-Large 0.75", "1x224x224x3", "mobilenet_v3_large:0.75"),
        ("MnasNet_0.50_224", "1x224x224x3", "mnasnet:0.5"),
        ("ResNet_V2_101", "1x299x299x3", "slim_resnet_v2_101"),
        ("ResNet-152 V2", "1x299x299x3", "slim_resnet_v2_152"),
        ("Inception-ResNet V2", "1x299x299x3", "inception_resnet_v2"),
        ("NASNet mobile", "1x224x224x3", "nasnet_mobile"),
        ("EfficientNet-EdgeTpu-M", "1x240x240x3", "efficientnet_edgetpu_m"),
        ("MixNet-m (3 classes)", "1x3x224x224", "mixnet_m"),
        ("mobilenet-v2-160-0.5", "1x160x160x3", "mobilenet_v2:0.5:160"),
        ("hailo-repghost_2_0x", "1x224x224x3", "repghost:2.0"),
        ("qaihub-Shufflenet-v2", "", "shufflenet_v2_x0_5"),
        ("qaihub-EfficientNet-V2-s", "", "efficientnet_v2_s"),
        ("qaihub-YamNet", "", "yamnet"),
        ("rknn-resnet50-v2-7", "1x3x224x224", "resnet_v2_50"),
    ],
)
def test_a_published_name_says_network_width_and_side(name: str, input_shape: str, spec: str) -> None:
    assert architecture_of_cnn(name, input_shape) == architecture_of(name, input_shape) == spec
    assert build_architecture(spec).name == spec


@pytest.mark.parametrize(
    ("name", "input_shape"),
    [
        ("SSD MobileNet v2 (COCO 300)", "1x300x300x3"),
        ("MobileNetV2 0.35 (96x96 RGB) + dense 10", "1x96x96x3"),
        ("person_detect (mobilenet_v1_0.25_96)", "1x96x96x1"),
        ("mobilenet_v1_0.25_96_grayscale", "1x96x96x1"),
        ("hailo-mobilenet_v3", "1x224x224x3"),
        ("hailo-centernet_resnet_v1_18_postprocess", "1x512x512x3"),
        ("hailo-clip_resnet_50_image_encoder", "1x224x224x3"),
        ("st-resnet_v1_8_32_tfs_int8", "1x32x32x3"),
        ("mlperf-inf-ssd-resnet34", "1x1200x1200x3"),
        ("timm-resnet50d", "1x3x224x224"),
        ("timm-efficientnet_es", "1x3x224x224"),
        ("vgg16", "1x3x320x320"),
        ("resnet50", "1x3x256x192"),
        ("resnet50:0.5", "1x3x224x224"),
        ("DenseNet", "1x224x224x3"),
        ("", ""),
    ],
)
def test_what_is_not_exactly_known_stays_unknown(name: str, input_shape: str) -> None:
    assert architecture_of_cnn(name, input_shape) == ""


def _mapped() -> dict[str, float | None]:
    if not MEASUREMENTS.exists():
        pytest.skip("the published measurements are not beside this checkout")
    found: dict[str, float | None] = {}
    with MEASUREMENTS.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            if row["local_model"].endswith((".tflite", ".param")):
                continue
            if spec := architecture_of_cnn(row["model_name"], row["input_shape"]):
                hailo = row["id"].startswith("hailo-") and row["macs_reported"]
                found[spec] = float(row["macs_reported"]) if hailo else found.get(spec)
    return found


def test_every_mapped_name_builds_and_has_the_macs_that_its_publisher_gives() -> None:
    mapped = _mapped()
    assert len(mapped) > 100
    for spec, macs in mapped.items():
        graph = build_architecture(spec)
        assert graph.name == spec
        if macs:
            assert layer_table(graph).total_macs == pytest.approx(macs, rel=0.035)
