"""Transformers, detectors and segmentation networks, beside the classifiers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .architecture import Architecture, Build, image_network
from .bert import BERTS, CLIP_TEXTS, WHISPERS
from .convnext import CONVNEXTS
from .levit import LEVITS
from .midas import midas_small
from .mobilevit import efficientformer_l1, mobilevit_s
from .pidnet import pidnet_s
from .swin import SWINS
from .vit import VITS
from .yolo_v5 import YOLOS_V5, YOLOX_TINY
from .yolo_v6 import YOLOS_V6
from .yolo_v7 import YOLOS_V7
from .yolo_v8 import YOLOS_V8

NETWORKS: tuple[tuple[Mapping[str, Build], int, bool], ...] = (
    (VITS, 224, True),
    (BERTS, 384, True),
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
    ({"midas_v2_small": midas_small, "mobilevit_s": mobilevit_s}, 256, True),
    ({"efficientformer_l1": efficientformer_l1}, 224, True),
    ({"pidnet_s": pidnet_s}, 1024, True),
)
"""(builders by name, usual side of the image or number of tokens, whether others can be had)."""

ALSO = {
    "vit_tiny_patch16": ("deit_tiny", "vit_tiny"),
    "vit_small_patch16": ("deit_small", "vit_small"),
    "vit_base_patch16": ("deit_base", "vit_base", "vit_b_16"),
    "vit_large_patch16": ("vit_large", "vit_l_16"),
    "vit_base_patch32": ("vit_b_32",),
    "beit_base_patch16": ("beit_base", "beit"),
    "swin_tiny_patch4_window7": ("swin_tiny", "swin_t"),
    "swin_small_patch4_window7": ("swin_small", "swin_s"),
    "swin_base_patch4_window7": ("swin_base", "swin_b"),
}
"""What else people say."""


def aliases(name: str) -> tuple[str, ...]:
    told = ALSO.get(name, ())
    return (*told, f"yolov{name[4:]}") if name.startswith("yolo11") else told


OTHERS: tuple[Architecture, ...] = tuple(
    replace(image_network(name, build, *aliases(name), side=side), any_side=any_side)
    for networks, side, any_side in NETWORKS
    for name, build in networks.items()
)
