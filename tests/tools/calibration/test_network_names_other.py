import re

import pytest

from edgewright.tools.calibration.network_names import architecture_of
from edgewright.tools.calibration.network_names_other import KNOWN, architecture_of_other
from edgewright.tools.model_zoo.named import build_architecture

MEANT = (
    ("timm-convnext_base", "1024x3x288x288", "convnext_base:288"),
    ("timm-deit_tiny_patch16_224", "1x3x224x224", "vit_tiny_patch16"),
    ("timm-swin_base_patch4_window7_224", "512x3x224x224", "swin_base_patch4_window7"),
    ("torchvision-vit_b_32", "1x3x224x224", "vit_base_patch32"),
    ("torchvision-vit_l_16", "1x3x224x224", "vit_large_patch16"),
    ("hailo-deit_small", "1x224x224x3", "vit_small_patch16"),
    ("hailo-vit_base", "1x224x224x3", "vit_base_patch16"),
    ("hailo-swin_small", "1x224x224x3", "swin_small_patch4_window7"),
    ("hailo-levit192", "1x224x224x3", "levit_192"),
    ("hailo-clip_vit_b_32_image_encoder", "1x224x224x3", "clip_vit_base_patch32_image"),
    ("hailo-clip_vit_l_14_laion2B_image_encoder", "1x224x224x3", "clip_vit_large_patch14_image"),
    ("hailo-ssd_mobilenet_v2", "1x300x300x3", "ssdlite_mobilenet_v2"),
    ("hailo-yolov5m_6.1", "1x640x640x3", "yolov5m"),
    ("hailo-yolov8s_pose⭐", "1x640x640x3", "yolov8s_pose"),
    ("hailo-yolov8s_bbox_decoding_only", "1x640x640x3", "yolov8s"),
    ("hailo-yolov10x", "1x640x640x3", "yolov10x"),
    ("hailo-yolov11l", "1x640x640x3", "yolo11l"),
    ("hailo-yolox_l_leaky", "1x640x640x3", "yolox_l"),
    ("hailo-yolox_tiny", "1x416x416x3", "yolox_tiny"),
    ("rknn-yolov5n-seg", "1x3x640x640", "yolov5n_seg"),
    ("rknn-yolov6s", "1x3x640x640", "yolov6s"),
    ("rknn-yolov7", "1x3x640x640", "yolov7"),
    ("rknn-yolov7-tiny", "1x3x640x640", "yolov7_tiny"),
    ("rknn-yolov8n-obb", "1x3x640x640", "yolov8n_obb"),
    ("rknn-yolo11m", "1x3x640x640", "yolo11m"),
    ("rknn-yolox_s", "1x3x640x640", "yolox_s"),
    ("rknn-clip_text", "1x20", "clip_vit_base_text:20"),
    ("YOLO11x", "", "yolo11x"),
    ("YOLOv8n", "", "yolov8n"),
    ("espdl-yolo11n_320_s8_v1_p4", "1x320x320x3", "yolo11n:320"),
    ("espdl-yolo11n_pose_s8_v2_p4", "1x640x640x3", "yolo11n_pose"),
    ("mlperf-inf-bert-99", "", "bert_large:384"),
    ("mlperf-inf-retinanet", "1x800x800x3", "retinanet_resnext50"),
    ("mlperf-inf-ssd-small", "1x300x300x3", "ssd_mobilenet_v1"),
    ("mlperf-inf-ssd-resnet34", "1x1200x1200x3", "ssd_resnet34"),
    ("qaihub-Beit", "", "beit_base_patch16"),
    ("qaihub-LeViT", "", "levit_128s"),
    ("qaihub-VIT", "", "vit_base_patch16"),
    ("qaihub-Lightweight-Face-Detection", "", "face_det_lite"),
    ("qaihub-Midas-V2", "", "midas_v2_small"),
    ("qaihub-DeepLabV3-Plus-MobileNet", "", "deeplab_v3_plus_mobilenet_v2"),
    ("qaihub-Posenet-Mobilenet", "", "posenet_mobilenet_v1"),
    ("qaihub-YOLOv8-Detection", "", "yolov8n"),
    ("qaihub-YOLOv11-Detection", "", "yolo11n"),
    ("qaihub-Yolo-v6", "", "yolov6n"),
    ("qaihub-HfWhisperEncoder", "", "whisper_tiny_encoder"),
    ("qaihub-HfWhisperDecoder", "", "whisper_tiny_decoder"),
    ("qaihub-HandDetector", "", "mediapipe_palm"),
    ("qaihub-HandLandmarkDetector", "", "mediapipe_hand_landmark"),
    ("qaihub-EfficientViT-b2-cls", "", "efficientvit_b2"),
    ("hailo-yolov3_gluon", "1x608x608x3", "yolo_v3:608"),
    ("hailo-tiny_yolov3", "1x416x416x3", "yolo_v3_tiny"),
    ("EfficientFormer-l1 (3 classes)", "1x3x224x224", "efficientformer_l1"),
    ("MobileViT-s (3 classes)", "1x3x256x256", "mobilevit_s"),
    ("PIDNet-s (35 classes)", "1x3x512x512", "pidnet_s:512"),
    ("ViT-tiny (3 classes)", "1x3x224x224", "vit_tiny_patch16"),
    ("YOLOX-l (4 classes)", "1x3x640x640", "yolox_l"),
    ("MobileNet v1 SSD", "1x224x224x3", "ssd_mobilenet_v1:224"),
    ("ssdlite-mobilenetv2:ssdlite-mobilenetv2.tflite", "(300, 300, 3)", "ssdlite_mobilenet_v2"),
    ("yolov4tiny:yolov4-tiny_416_quant.tflite", "(416, 416, 3)", "yolo_v4_tiny"),
    ("st-tiny_yolo_v2_224_int8", "1x224x224x3", "yolo_v2_tiny:224"),
)


@pytest.mark.parametrize(("name", "input_shape", "spec"), MEANT)
def test_a_published_name_means_a_network_that_can_be_built(name: str, input_shape: str, spec: str) -> None:
    assert architecture_of_other(name, input_shape) == architecture_of(name, input_shape) == spec
    assert build_architecture(spec).name == spec.removesuffix(":384")


def test_every_pattern_is_tried_here() -> None:
    names = [name.removesuffix("⭐") for name, _, _ in MEANT]
    unused = [p for p, _ in KNOWN if not any(re.fullmatch(p, name, re.IGNORECASE) for name in names)]
    assert unused == []


@pytest.mark.parametrize(
    "name",
    [
        "hailo-yolov5s",
        "hailo-yolov5m_wo_spp",
        "hailo-vit_base_bn",
        "hailo-yolov5m6_6.1",
        "mlperf-inf-bert-99_obert-large",
        "mlperf-inf-3d-unet-99",
        "rknn-yolo_world_v2s",
        "SSD MobileNet v2 (COCO 300)",
        "yolo",
        "",
    ],
)
def test_what_is_another_release_or_variant_is_not_taken_for_ours(name: str) -> None:
    assert architecture_of_other(name, "1x3x640x640") == ""
