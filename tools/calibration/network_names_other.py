"""What published measurements call transformers, detectors and segmentation networks."""

from __future__ import annotations

import re
from itertools import pairwise

from ..model_zoo.catalogue import ARCHITECTURES

SMALLEST = 16

KNOWN: tuple[tuple[str, str], ...] = (
    (r"(?:.*-)?convnext_(tiny|small|base)", r"convnext_\1"),
    (r"timm-(?:vit|deit)_(tiny|small|base|large)_patch(16|32)_\d+", r"vit_\1_patch\2"),
    (r"timm-swin_(tiny|small|base)_patch4_window7_224", r"swin_\1_patch4_window7"),
    (r"torchvision-vit_b_(16|32)", r"vit_base_patch\1"),
    (r"torchvision-vit_l_16", "vit_large_patch16"),
    (r"hailo-deit_(tiny|small|base)", r"vit_\1_patch16"),
    (r"hailo-vit_(tiny|small|base)", r"vit_\1_patch16"),
    (r"hailo-swin_(tiny|small|base)", r"swin_\1_patch4_window7"),
    (r"hailo-levit(128|192|256|384)", r"levit_\1"),
    (r"hailo-clip_vit_b_(16|32)_image_encoder", r"clip_vit_base_patch\1_image"),
    (r"hailo-clip_vit_l_14_(?:336|laion2B)_image_encoder", "clip_vit_large_patch14_image"),
    (r"hailo-ssd_mobilenet_v2", "ssdlite_mobilenet_v2"),
    (r"hailo-yolov5m_6\.1", "yolov5m"),
    (r"hailo-yolov(6n|7|7_tiny|8[nsmlx](?:_pose|_seg)?|10[nsx])", r"yolov\1"),
    (r"hailo-yolov11([nsmlx])", r"yolo11\1"),
    (r"hailo-yolov(8[nsmlx])_bbox_decoding_only", r"yolov\1"),
    (r"hailo-yolox_(l)_leaky", r"yolox_\1"),
    (r"hailo-yolox_tiny", "yolox_tiny"),
    (r"rknn-yolov([56])([nsm])", r"yolov\1\2"),
    (r"rknn-yolov([58])([nsmlx])-(seg|pose|obb)", r"yolov\1\2_\3"),
    (r"rknn-yolov(7|8[nsmlx]|10[nsx])", r"yolov\1"),
    (r"rknn-yolov7-tiny", "yolov7_tiny"),
    (r"rknn-yolo11([nsmlx])", r"yolo11\1"),
    (r"rknn-yolox_([smlx])", r"yolox_\1"),
    (r"rknn-clip_text", "clip_vit_base_text:20"),
    (r"(?:ultralytics-)?yolo(?:v?11)([nsmlx])", r"yolo11\1"),
    (r"(?:ultralytics-)?yolov8([nsmlx])", r"yolov8\1"),
    (r"espdl-yolo11n(?:_320)?_s8_v\d_p4", "yolo11n"),
    (r"espdl-yolo11n_(pose|seg)_s8_v\d_p4", r"yolo11n_\1"),
    (r"mlperf-inf-bert-99(?:\.9)?", "bert_large:384"),
    (r"mlperf-inf-retinanet", "retinanet_resnext50"),
    (r"mlperf-inf-ssd-(?:mobilenet|small)", "ssd_mobilenet_v1"),
    (r"mlperf-inf-ssd-(?:resnet34|large)", "ssd_resnet34"),
    (r"qaihub-Beit", "beit_base_patch16"),
    (r"qaihub-LeViT", "levit_128s"),
    (r"qaihub-VIT", "vit_base_patch16"),
    (r"qaihub-Lightweight-Face-Detection", "face_det_lite"),
    (r"qaihub-Midas-V2", "midas_v2_small"),
    (r"qaihub-DeepLabV3-Plus-MobileNet", "deeplab_v3_plus_mobilenet_v2"),
    (r"qaihub-Posenet-Mobilenet", "posenet_mobilenet_v1"),
    (r"qaihub-YOLOv8-Detection", "yolov8n"),
    (r"qaihub-YOLOv11-Detection", "yolo11n"),
    (r"qaihub-Yolo-v6", "yolov6n"),
    (r"qaihub-HfWhisper(Encoder|Decoder)", r"whisper_tiny_\1"),
    (r"qaihub-HandDetector", "mediapipe_palm"),
    (r"qaihub-HandLandmarkDetector", "mediapipe_hand_landmark"),
    (r"qaihub-EfficientViT-b2-cls", "efficientvit_b2"),
    (r"hailo-yolov3_gluon", "yolo_v3"),
    (r"hailo-tiny_yolov3", "yolo_v3_tiny"),
    (r"EfficientFormer-l1 \(\d+ classes\)", "efficientformer_l1"),
    (r"MobileViT-s \(\d+ classes\)", "mobilevit_s"),
    (r"PIDNet-s \(\d+ classes\)", "pidnet_s"),
    (r"ViT-tiny \(\d+ classes\)", "vit_tiny_patch16"),
    (r"YOLOX-([sml]) \(\d+ classes\)", r"yolox_\1"),
    (r"MobileNet v1 SSD", "ssd_mobilenet_v1"),
    (r"ssdlite-mobilenetv2:.*", "ssdlite_mobilenet_v2"),
    (r"yolov4tiny:.*", "yolo_v4_tiny"),
    (r"st-tiny_yolo_v2_\d+_int8", "yolo_v2_tiny"),
)
"""Whole names; the class count of a last layer may differ, older releases of a network have no entry."""

_PATTERNS = tuple((re.compile(pattern, re.IGNORECASE), spec) for pattern, spec in KNOWN)


def architecture_of_other(name: str, input_shape: str) -> str:
    """The spec of the architecture that a published name means; empty where we cannot build it.

    Args:
        name: as the measurement calls the network, with the prefix of its collection.
        input_shape: such as 1x3x224x224 or (224, 224, 3); where it holds no square, the usual side stands.
    """
    plain = name.strip().removesuffix("⭐")
    for pattern, template in _PATTERNS:
        found = pattern.fullmatch(plain)
        if found:
            spec = found.expand(template).lower()
            return spec if ":" in spec else _with_side(spec, input_shape)
    return ""


def _with_side(name: str, input_shape: str) -> str:
    sizes = [int(size) for size in re.findall(r"\d+", input_shape)]
    squares = [a for a, b in pairwise(sizes) if a == b and a >= SMALLEST]
    known = ARCHITECTURES.get(name)
    if known is None:
        return ""
    return f"{name}:{squares[0]}" if squares and known.any_side and squares[0] != known.side else name
