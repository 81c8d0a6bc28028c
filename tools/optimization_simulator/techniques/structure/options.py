"""Structural changes as techniques: what each is called, asks for and risks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ....core.deployment import Deployment
from ....cost_model.study import study
from ....graph import ModelGraph
from ..technique import Technique
from . import published
from .activations import rectified
from .balanced import pruned_by_cost
from .depth import ended_early, exits, without_blocks, without_layers
from .factors import factorised, grouped, separated
from .fusing import fused
from .inputs import scaled_image, with_image
from .layers import Layers
from .students import student
from .widths import aligned, pruned_layers, widened

MINUTES, RETRAINING, REDESIGN = "minutes", "retraining", "redesign"


def at(name: str, layers: Layers) -> str:
    return f"{name}@{','.join(map(str, layers))}" if layers else name


def _of_layers(layers: Layers) -> str:
    return f" (layer {', '.join(map(str, layers))})" if layers else ""


def structural(
    name: str, about: str, effort: str, risk: str, family: str, change: Callable[[ModelGraph], ModelGraph]
) -> Technique:
    """A technique that leaves the deployment as it is."""

    def apply(graph: ModelGraph, deployment: Deployment) -> tuple[ModelGraph, Deployment]:
        return change(graph), deployment

    return Technique(name, about, effort, risk, family, apply)


def prune_layers(percent: float, layers: Layers) -> Technique:
    ratio = percent / 100
    return structural(
        at(f"prune-{percent:g}", layers),
        f"{percent:g} % of the channels removed{_of_layers(layers)}, and of what additions tie to them",
        RETRAINING, published.lost_by_pruning(ratio), "pruning",
        lambda graph: pruned_layers(graph, dict.fromkeys(layers, ratio)),
    )  # fmt: skip


def prune_by_cost(percent: float) -> Technique:
    """Ratios layer by layer, from the times estimated on the deployment."""

    def apply(graph: ModelGraph, deployment: Deployment) -> tuple[ModelGraph, Deployment]:
        times = study(graph, deployment).times.total_s
        return pruned_by_cost(graph, percent / 100, np.nan_to_num(times).tolist()), deployment

    about = f"the time of {percent:g} % of the channels saved with fewer, taken where they cost the most here"
    risk = published.lost_by_pruning(percent / 100)
    return Technique(f"prune-{percent:g}@auto", about, RETRAINING, risk, "pruning", apply)


def width(percent: float) -> Technique:
    return structural(
        f"width-{percent:g}", f"every layer with {percent:g} % of its channels, outputs kept",
        RETRAINING, published.lost_by_width(percent / 100), "pruning",
        lambda graph: widened(graph, percent / 100),
    )  # fmt: skip


def align(multiple: int) -> Technique:
    return structural(
        f"align-{multiple}",
        f"channels filled up with zeros to multiples of {multiple}, which kernels like",
        MINUTES, published.EXACT, "alignment",
        lambda graph: aligned(graph, multiple),
    )  # fmt: skip


def fuse(*parts: str) -> Technique:
    fields = {
        "bn": "batch normalisation folded into the layer before it",
        "activations": "RELU and RELU6 done by the operator before them",
        "pad": "PAD as the SAME padding of the convolution after it",
        "reshapes": "RESHAPEs that follow each other as one",
        "transposes": "TRANSPOSEs that undo each other left out",
    }
    about = "; ".join(fields[part] for part in parts or fields)
    name = f"fuse-{parts[0]}" if parts else "fuse"
    return structural(name, about, MINUTES, published.EXACT, name, lambda graph: fused(graph, *parts))


def rectify(kind: str, layers: Layers) -> Technique:
    return structural(
        at(kind.lower(), layers),
        f"HARD_SWISH, GELU, ELU, LEAKY_RELU, PRELU and swish as {kind}{_of_layers(layers)}",
        RETRAINING, published.lost_by_rectifier(), "activation",
        lambda graph: rectified(graph, kind, layers),
    )  # fmt: skip


def separate(layers: Layers) -> Technique:
    return structural(
        at("separable", layers),
        f"convolutions as a depthwise and a pointwise one{_of_layers(layers)}",
        REDESIGN, published.UNREAD, "factors", lambda graph: separated(graph, layers),
    )  # fmt: skip


def factorise(percent: float, layers: Layers) -> Technique:
    return structural(
        at(f"low-rank-{percent:g}", layers),
        f"dense and pointwise layers as two of {percent:g} % of their rank{_of_layers(layers)}",
        RETRAINING, published.lost_by_factors(), "factors",
        lambda graph: factorised(graph, percent / 100, layers),
    )  # fmt: skip


def group(groups: int, layers: Layers) -> Technique:
    return structural(
        at(f"groups-{groups}", layers), f"convolutions in {groups} groups of channels{_of_layers(layers)}",
        REDESIGN, published.UNREAD, "factors", lambda graph: grouped(graph, groups, layers),
    )  # fmt: skip


def scale_input(percent: float) -> Technique:
    return structural(
        f"input-{percent:g}", f"input images at {percent:g} % of their height and width",
        RETRAINING, published.lost_by_resolution(percent / 100), "resolution",
        lambda graph: scaled_image(graph, percent / 100),
    )  # fmt: skip


def resize_input(height: int, width: int) -> Technique:
    return structural(
        f"input-{height}x{width}", f"input images of {height}x{width}", RETRAINING,
        "depends on what is seen at that size: train and measure it",
        "resolution", lambda graph: with_image(graph, height, width),
    )  # fmt: skip


def drop_blocks(layers: Layers) -> Technique:
    which = _of_layers(layers) or " with the most MACs"
    return structural(
        at("drop-block", layers), f"the residual block{which} left out", RETRAINING, published.UNREAD,
        "depth", lambda graph: without_blocks(graph, layers),
    )  # fmt: skip


def drop_layers(layers: Layers) -> Technique:
    which = _of_layers(layers) or " with the most MACs of those shaped alike at both ends"
    return structural(
        at("drop-layer", layers), f"the layer{which} left out", RETRAINING, published.UNREAD, "depth",
        lambda graph: without_layers(graph, layers),
    )  # fmt: skip


def leave_early(layer: int) -> Technique:
    return structural(
        f"exit-{layer}", f"ends after layer {layer} with a new head for the same classes",
        RETRAINING, published.UNREAD, "depth", lambda graph: ended_early(graph, layer),
    )  # fmt: skip


def leave_halfway() -> Technique:
    """The exit after about half of the blocks, whatever the model."""

    def change(graph: ModelGraph) -> ModelGraph:
        ends = exits(graph)
        if not ends:
            return ended_early(graph, 0)
        return ended_early(graph, ends[len(ends) // 2].index)

    about = "ends after half of its blocks with a new head for the same classes"
    return structural("exit", about, RETRAINING, published.UNREAD, "depth", change)


def distil(name: str = "") -> Technique:
    about = f"{name or 'the next smaller network of the family'} instead, which has to be trained"
    risk = published.reached_by(name) if name else "that of the smaller network: name it to see what is known"
    return structural(
        f"student-{name}" if name else "student", about, RETRAINING, risk, "pruning",
        lambda graph: student(graph, name),
    )  # fmt: skip


def worth_trying() -> Iterator[Technique]:
    """Structural changes that suit many models, in the order in which they are put together."""
    yield distil()
    yield drop_blocks(())
    yield leave_halfway()
    yield separate(())
    yield factorise(50, ())
    yield rectify("RELU6", ())
    yield fuse()
