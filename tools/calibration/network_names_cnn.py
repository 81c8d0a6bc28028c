"""What published measurements call a convolutional network → the spec of its architecture."""

from __future__ import annotations

import re
from itertools import pairwise

from ..model_zoo.catalogue import ARCHITECTURES

_VENDORS = re.compile(
    r"(?P<vendor>mlperf_inf|timm|nvidia|torchvision|hailo|rknn|qaihub|st|espdl)_(?:tf_)?(?P<rest>.+)"
)
_ASIDE = re.compile(r"\((?:\d+ classes|torchvision)\)|⭐")

_ONE_NETWORK = {
    "mlperf_inf_resnet": "resnet50",
    "nvidia_resnet50v1.5": "resnet50",
    "torchvision_efficientnet_b1": "efficientnet_b1:240",
    "qaihub_regnet": "regnetx_032",
    "qaihub_yamnet": "yamnet",
    "qaihub_shufflenet_v2": "shufflenet_v2_x0_5",
    "qaihub_wideresnet50": "wide_resnet50_2",
    "qaihub_resnext50": "resnext50_32x4d",
    "rknn_mobilenetv2_12": "mobilenet_v2",
    "rknn_resnet50_v2_7": "resnet_v2_50",
    "st_resnet50_v2_224_int8": "slim_resnet_v2_50",
    "st_resnet50_v2_224_fft_int8": "slim_resnet_v2_50",
    "hailo_efficientnet_s": "efficientnet_edgetpu_s",
    "hailo_efficientnet_m": "efficientnet_edgetpu_m",
    "hailo_efficientnet_l": "efficientnet_edgetpu_l",
    "hailo_resnet_v1_50": "slim_resnet_v1_50",
    "hailo_regnetx_800mf": "regnetx_008",
    "hailo_regnetx_1.6gf": "regnetx_016",
    "hailo_repghost_1_0x": "repghost",
    "hailo_repghost_2_0x": "repghost:2.0",
    "hailo_squeezenet_v1.1": "squeezenet_1_1:227",
    "hailo_mobilenet_v3": "",
    "resnet_50_v1": "slim_resnet_v1_50",
    "nasnet_mobile": "nasnet_mobile",
    "espdl_mobilenetv2_s8_v1_p4": "mobilenet_v2",
    "espdl_mobilenetv2_0_5_s8_v1_p4": "mobilenet_v2:0.5",
    "mbv2_w0.3_r64": "mobilenet_v2:0.3",
    "mobilenetv2:mobilenet_v2_quant_int8.tflite": "mobilenet_v2",
    "efficientnet_lite:efficientnet_lite0_int8.tflite": "efficientnet_lite0",
}
"""Names that mean one network with one publisher.

By their MACs, Hailo's EfficientNet S to L are those for the Edge TPU, its ResNet-50 is TF-Slim's, its
SqueezeNet has 227 pixels, its MobileNetV3 is none that is known, and torchvision's EfficientNet-B1 has 240.
"""

_FAMILIES = tuple(
    (re.compile(pattern + r"(?=_|$)"), spec)
    for pattern, spec in (
        (r"mobilenet_?v([12])", r"mobilenet_v\1"),
        (r"mobilenet_?v3_(large|small)_minimal(?:istic)?", r"mobilenet_v3_\1_minimalistic"),
        (r"mobilenet_?v3_(large|small)", r"mobilenet_v3_\1"),
        (r"mobilenet_?v4_conv_(small|medium)", r"mobilenet_v4_conv_\1"),
        (r"mnasnet", "mnasnet"),
        (r"efficientnet_?(b[0-7]|lite[0-4])", r"efficientnet_\1"),
        (r"efficientnet_edgetpu_([sml])", r"efficientnet_edgetpu_\1"),
        (r"efficientnet_?v2_?(b[0-3]|s|rw_t)", r"efficientnet_v2_\1"),
        (r"(mixnet_[sm]|tinynet_e|lcnet|hardnet68|alexnet)", r"\1"),
        (r"resnet_?(?:v1_)?(18|34)", r"resnet\1"),
        (r"resnet_(50|101|152)_v2", r"slim_resnet_v2_\1"),
        (r"resnet_?(50|101|152)", r"resnet\1"),
        (r"resnet_v2_(50|101|152)", r"slim_resnet_v2_\1"),
        (r"resnetv2_(50|101|152)", r"resnet_v2_\1"),
        (r"wide_resnet50_2", "wide_resnet50_2"),
        (r"resnext(26|50|101)_32x4d", r"resnext\1_32x4d"),
        (r"vgg(11|13|16|19)(?:_bn)?", r"vgg\1"),
        (r"squeezenet_?v?1[._]([01])", r"squeezenet_1_\1"),
        (r"shufflenet_v2_x([01])[._]([05])", r"shufflenet_v2_x\1_\2"),
        (r"googlenet", "inception_v1"),
        (r"inception_v([1-4])", r"inception_v\1"),
        (r"inception_resnet_v2", "inception_resnet_v2"),
        (r"densenet_?121", "densenet121"),
        (r"regnet([xy])_(004|008|016|032)", r"regnet\1_\2"),
        (r"repghostnet", "repghost"),
    )
)
_TIMM_WIDTHS = re.compile(r"(?<=_)(\d)(\d\d)$")
_WITH_WIDTH = re.compile(r"mobilenet_?v[123]|mnasnet|lcnet|repghostnet")
_WIDTH, _SIDE = re.compile(r"\d\.\d+"), re.compile(r"\d{2,4}")
_SAYS_NO_MORE = frozenset(
    {"quant", "quantized", "non", "float", "uint8", "int8", "qdq", "fft", "tfs", "tl", "per", "tensor", "ptq"}
)


def architecture_of_cnn(name: str, input_shape: str) -> str:
    """The spec of the network with its width and side; empty where a part of the name is not understood."""
    text = re.sub(r"[\s_-]+", "_", _ASIDE.sub("", name).strip().lower()).strip("_")
    known, words = (_ONE_NETWORK[text], list[str]()) if text in _ONE_NETWORK else _family(text)
    widths = [float(word) for word in words if _WIDTH.fullmatch(word)]
    sides = [int(word) for word in words if _SIDE.fullmatch(word)]
    rest = [w for w in words if not (_WIDTH.fullmatch(w) or _SIDE.fullmatch(w) or w in _SAYS_NO_MORE)]
    if not known or rest or max(len(widths), len(sides)) > 1:
        return ""
    known, *stated = known.split(":")
    widths += [float(word) for word in stated if _WIDTH.fullmatch(word)]
    sides = [int(word) for word in stated if _SIDE.fullmatch(word)] or sides
    measured = _side(input_shape)
    if measured is None:
        return ""
    side = sides[0] if stated and sides else measured or (sides[0] if sides else 0)
    return _spec(known, widths[0] if widths else None, side)


def _family(text: str) -> tuple[str, list[str]]:
    """The family's spec, and the words that follow its name."""
    vendor = _VENDORS.fullmatch(text)
    if vendor:
        text = vendor["rest"]
        if vendor["vendor"] == "timm" and _WITH_WIDTH.match(text):
            text = _TIMM_WIDTHS.sub(r"\1.\2", text)
    for pattern, spec in _FAMILIES:
        if match := pattern.match(text):
            return match.expand(spec), [word for word in text[match.end() :].split("_") if word]
    return "", []


def _side(input_shape: str) -> int | None:
    """Of a square colour image; 0 where nothing is said, None for any other input."""
    sizes = [int(size) for size in re.findall(r"\d+", input_shape)]
    if not sizes:
        return 0
    squares = [a for a, b in pairwise(sizes) if a == b and a >= 16]
    return squares[0] if squares and 3 in sizes else None


def _spec(name: str, width: float | None, side: int) -> str:
    """The shortest; empty where the zoo lacks the network, or has it in another width or side."""
    known = ARCHITECTURES.get(name)
    if known is None:
        return ""
    said = [name]
    if width not in (None, known.width):
        if not known.any_width:
            return ""
        said.append(str(width))
    if side not in (0, known.side):
        if not known.any_side:
            return ""
        said.append(str(side))
    return ":".join(said)
