"""A smaller network of the same family, to be trained on what the larger one says."""

from __future__ import annotations

from .....hardware_db.errors import UsageError
from ....graph import DType, ModelGraph
from ....model_zoo.named import build_architecture
from ....model_zoo.spec import read_spec
from .inputs import image_size

FAMILIES: tuple[tuple[str, ...], ...] = (
    ("mobilenet_v1", "mobilenet_v1:0.75", "mobilenet_v1:0.5", "mobilenet_v1:0.25"),
    (
        "mobilenet_v2:1.4", "mobilenet_v2:1.3", "mobilenet_v2", "mobilenet_v2:0.75", "mobilenet_v2:0.5",
        "mobilenet_v2:0.35",
    ),
    ("mobilenet_v3_large", "mobilenet_v3_small"),
    ("mobilenet_v3_large_minimalistic", "mobilenet_v3_small_minimalistic"),
    ("mobilenet_v4_conv_medium", "mobilenet_v4_conv_small"),
    tuple(f"efficientnet_b{n}" for n in range(7, -1, -1)),
    tuple(f"efficientnet_lite{n}" for n in range(4, -1, -1)),
    ("efficientnet_edgetpu_l", "efficientnet_edgetpu_m", "efficientnet_edgetpu_s"),
    tuple(f"efficientnet_v2_b{n}" for n in range(3, -1, -1)),
    ("resnet152", "resnet101", "resnet50", "resnet34", "resnet18"),
    ("resnet_v2_152", "resnet_v2_101", "resnet_v2_50"),
    ("slim_resnet_v2_152", "slim_resnet_v2_101", "slim_resnet_v2_50"),
    ("regnetx_032", "regnetx_016", "regnetx_008", "regnetx_004"),
    ("regnety_032", "regnety_016", "regnety_008", "regnety_004"),
    ("shufflenet_v2_x1_0", "shufflenet_v2_x0_5"),
    ("vgg19", "vgg16", "vgg13", "vgg11"),
    ("vit_large_patch16", "vit_base_patch16", "vit_small_patch16", "vit_tiny_patch16"),
    ("swin_base_patch4_window7", "swin_small_patch4_window7", "swin_tiny_patch4_window7"),
    ("convnext_base", "convnext_small", "convnext_tiny"),
    ("levit_384", "levit_256", "levit_192", "levit_128", "levit_128s"),
    ("bert_large", "bert_base"),
    *(tuple(f"yolov5{s}{kind}" for s in "xlmsn") for kind in ("", "_seg")),
    *(tuple(f"yolov8{s}{kind}" for s in "xlmsn") for kind in ("", "_seg", "_pose")),
    *(tuple(f"yolo11{s}{kind}" for s in "xlmsn") for kind in ("", "_seg", "_pose")),
    ("yolox_x", "yolox_l", "yolox_m", "yolox_s"),
)  # fmt: skip
"""Largest first; each is trained for the same task as the one before it."""


def smaller(graph: ModelGraph) -> str:
    """The next smaller network of the family.

    Raises:
        UsageError: the model is of no known family, or the smallest of its own.
    """
    if graph.format != "architecture":
        raise UsageError(
            "the model comes from a file, which does not tell its family",
            hint="Name the smaller network yourself, such as student-mobilenet_v2:0.35.",
        )
    architecture, spec = read_spec(graph.name)
    width = spec.width if spec.width is not None else architecture.width
    for family in FAMILIES:
        for at, member in enumerate(family):
            name, said = read_spec(member)
            if name is not architecture:
                continue
            own = said.width if said.width is not None else name.width
            if width == own and at + 1 < len(family):
                return family[at + 1]
            if width == own:
                raise UsageError(f"{graph.name} is the smallest of its family")
            if width is not None and own is not None and own < width:
                return member
    raise UsageError(f"no smaller network of the family of {graph.name} is known by name")


def student(graph: ModelGraph, name: str = "") -> ModelGraph:
    """A named network with the model's input size and type; empty takes the next smaller of the family.

    Raises:
        UsageError: no network of that name takes this input, or it is no smaller.
        UnknownNameError: no network of that name.
    """
    spec = name or smaller(graph)
    dtype = graph.dtype if graph.dtype in (DType.INT8, DType.FLOAT16, DType.FLOAT32) else DType.FLOAT32
    try:
        height, width = image_size(graph)
    except UsageError:
        height = width = 0
    _, known = read_spec(spec)
    side = height if height == width and height and known.side is None else None
    try:
        made = build_architecture(spec, dtype=dtype, input_size=side)
    except UsageError as error:
        raise UsageError(f"{spec} cannot stand for it: {error.message}", hint=error.hint) from error
    ours, theirs = ([t.shape for t in g.inputs] for g in (graph, made))
    if ours != theirs:
        raise UsageError(
            f"{spec} reads {_shapes(theirs)}, the model {_shapes(ours)}: it is no stand-in for it",
            hint="Name one that reads the same.",
        )
    if made.parameter_bytes >= graph.parameter_bytes:
        raise UsageError(f"{spec} is no smaller than the model")
    return made


def _shapes(shapes: list[tuple[int, ...]]) -> str:
    return " and ".join("x".join(map(str, shape)) for shape in shapes) or "nothing"
