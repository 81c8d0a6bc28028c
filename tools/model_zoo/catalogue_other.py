"""Transformers, detectors and segmentation networks, beside the classifiers."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.records import replace
from ..graph import DType
from .architecture import Architecture, Build, image_network
from .bert import BERTS, CLIP_TEXTS, SENTENCES, WHISPERS
from .convnext import CONVNEXTS
from .darknet import DARKNETS
from .deeplab import deeplab_v3_plus_mobilenet_v2
from .efficientdet import NETWORKS as EFFICIENTDETS
from .efficientvit import efficientvit_b2
from .face_det_lite import face_det_lite
from .hello_edge import MEMBERS as HELLO_EDGE
from .levit import LEVITS
from .mediapipe_hand import mediapipe_hand_landmark, mediapipe_palm
from .midas import midas_small
from .mobilevit import MOBILEVITS, efficientformer_l1
from .pidnet import pidnet_s
from .posenet import posenet_mobilenet_v1
from .retinanet import retinanet_resnext50
from .segment_anything import SAM_ENCODERS
from .segmentation import MEMBERS as SEGMENTATION
from .segmentation import deeplab_v3_mobilenet_v2
from .ssd import ssd_mobilenet_v1, ssd_mobilenet_v2, ssd_resnet34, ssdlite_mobilenet_v2
from .swin import SWINS
from .vit import VITS
from .wav2letter import MEMBERS as WAV2LETTERS
from .whisper_decoder import WHISPER_DECODERS
from .yolo_v5 import YOLOS_V5, YOLOX_TINY
from .yolo_v6 import YOLOS_V6
from .yolo_v7 import YOLOS_V7
from .yolo_v8 import YOLOS_V8

NETWORKS: tuple[tuple[Mapping[str, Build], int, bool], ...] = (
    (VITS, 224, True),
    (BERTS, 384, True),
    (SENTENCES, 256, True),
    (CLIP_TEXTS, 77, True),
    (WHISPERS, 3000, True),
    (SWINS, 224, False),
    (CONVNEXTS, 224, True),
    (LEVITS, 224, False),
    (YOLOS_V5, 640, True),
    (YOLOX_TINY, 416, True),
    (YOLOS_V6, 640, True),
    (YOLOS_V7, 640, True),
    (YOLOS_V8, 640, True),
    ({"midas_v2_small": midas_small, **MOBILEVITS}, 256, True),
    ({"efficientformer_l1": efficientformer_l1, "efficientvit_b2": efficientvit_b2}, 224, True),
    ({"pidnet_s": pidnet_s}, 1024, True),
    ({"deeplab_v3_plus_mobilenet_v2": deeplab_v3_plus_mobilenet_v2}, 513, True),
    ({"deeplab_v3_mobilenet_v2": deeplab_v3_mobilenet_v2}, 513, True),
    (SEGMENTATION, 520, True),
    *EFFICIENTDETS,
    (SAM_ENCODERS, 1024, True),
    ({"ssd_mobilenet_v1": ssd_mobilenet_v1}, 300, True),
    ({"ssd_mobilenet_v2": ssd_mobilenet_v2}, 300, True),
    ({"ssdlite_mobilenet_v2": ssdlite_mobilenet_v2}, 300, True),
    (DARKNETS, 416, True),
    ({"ssd_resnet34": ssd_resnet34}, 1200, False),
    ({"retinanet_resnext50": retinanet_resnext50}, 800, True),
)
"""(builders by name, usual side of the image or number of tokens, whether others can be had)."""

ALSO: Mapping[str, tuple[str, ...]] = {
    "vit_tiny_patch16": ("deit_tiny", "vit_tiny"),
    "vit_small_patch16": ("deit_small", "vit_small"),
    "vit_base_patch16": ("deit_base", "vit_base", "vit_b_16"),
    "vit_large_patch16": ("vit_large", "vit_l_16"),
    "vit_base_patch32": ("vit_b_32",),
    "beit_base_patch16": ("beit_base", "beit"),
    "dinov2_small": ("dinov2", "dinov2_vits14", "dino_v2"),
    "dinov2_base": ("dinov2_vitb14",),
    "dinov2_large": ("dinov2_vitl14",),
    "distilbert_base": ("distilbert", "distilbert_base_uncased"),
    "minilm_l6": ("all_minilm_l6_v2", "all_minilm", "minilm"),
    "bge_small": ("bge_small_en",),
    "roberta_base": ("roberta",),
    "clip_vit_base_patch32_image": ("clip_vit_b_32",),
    "efficientvit_b2": ("efficientvit",),
    "pidnet_s": ("pidnet",),
    "swin_tiny_patch4_window7": ("swin_tiny", "swin_t"),
    "swin_small_patch4_window7": ("swin_small", "swin_s"),
    "swin_base_patch4_window7": ("swin_base", "swin_b"),
    "deeplab_v3_plus_mobilenet_v2": ("deeplab_v3_plus", "deeplab_v3_plus_mobilenet"),
    "deeplab_v3_mobilenet_v2": (
        "deeplab_v3",
        "deeplab_v3_mobilenet",
        "deeplab_v3_with_mobilenet_v2",
        "deeplab_v3_with_a_mobilenet_v2",
        "deeplab_mobilenet_v2",
        "deeplab_v3_with_a_mobilenet",
    ),
    "deeplab_v3_resnet50": (
        "deeplab_v3_resnet",
        "deeplab_resnet50",
        "deeplab_resnet",
        "deeplab_v3_with_resnet50",
        "deeplab_v3_with_a_resnet50",
    ),
    "deeplab_v3_resnet101": ("deeplab_resnet101",),
    "deeplab_v3_mobilenet_v3_large": ("deeplab_v3_mobilenet_v3", "deeplab_v3_with_mobilenet_v3"),
    "lraspp_mobilenet_v3_large": ("lraspp", "lr_aspp", "lraspp_mobilenet_v3"),
    "fcn_resnet50": ("fcn_with_resnet50",),
    "sam_vit_b_encoder": (
        "sam_vit_b",
        "segment_anything_vit_b",
        "sam_base",
        "sam_b",
        "segment_anything_base",
    ),
    "sam_vit_l_encoder": ("sam_vit_l", "segment_anything_vit_l", "sam_large", "segment_anything_large"),
    "sam_vit_h_encoder": (
        "sam_vit_h",
        "segment_anything_vit_h",
        "sam_huge",
        "segment_anything_huge",
        "segment_anything",
        "segment_anything_model",
    ),
    "ssd_mobilenet_v1": ("mobilenet_ssd", "mobilenet_v1_ssd"),
    "ssd_mobilenet_v2": ("mobilenet_v2_ssd", "mobilenet_ssd_v2"),
    "ssdlite_mobilenet_v2": ("ssdlite",),
    "yolo_v2_tiny": ("tiny_yolo_v2",),
    "yolo_v3_tiny": ("tiny_yolo_v3",),
    "yolo_v4_tiny": ("tiny_yolo_v4",),
}
"""What else people say."""


def aliases(name: str) -> tuple[str, ...]:
    also = tuple(
        spoken for one in ALSO.get(name, ()) for spoken in dict.fromkeys((one, one.replace("_", " ")))
    )
    return (*also, f"yolov{name[4:]}") if name.startswith("yolo11") else also


FIXED: Mapping[str, Build] = {
    "posenet_mobilenet_v1": posenet_mobilenet_v1,
    "face_det_lite": face_det_lite,
    "mediapipe_palm": mediapipe_palm,
    "mediapipe_hand_landmark": mediapipe_hand_landmark,
    **WHISPER_DECODERS,
}
"""Networks with one input size."""

OTHERS: tuple[Architecture, ...] = (
    *(
        replace(image_network(name, build, *aliases(name), side=side), any_side=any_side)
        for networks, side, any_side in NETWORKS
        for name, build in networks.items()
    ),
    *(
        Architecture(name, build, DType.FLOAT32, aliases=(name.replace("_", " "),))
        for name, build in FIXED.items()
    ),
    *HELLO_EDGE,
    *WAV2LETTERS,
)
