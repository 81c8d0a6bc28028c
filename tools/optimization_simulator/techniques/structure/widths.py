"""Other numbers of channels: layer by layer, all by a factor, or as kernels like them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .....hardware_db.errors import UsageError
from ....core.records import replace
from ....graph import ModelGraph, Op
from ..channels import Channels, resized
from .edit import renewed
from .layers import chosen

WIDEST = 4.0
_DIVISOR = 8


def pruned_layers(graph: ModelGraph, ratios: Mapping[int, float], *, multiple: int = 4) -> ModelGraph:
    """Remove a share of the channels of named layers; what an addition ties to them goes with them.

    Args:
        graph: any model.
        ratios: index of a CONV_2D or FULLY_CONNECTED → share of its channels, between 0 and 1.
        multiple: numbers of channels that stay are rounded up to it.

    Raises:
        UsageError: a share outside 0 to 1, or a layer that is not there or whose channels have to stay.
    """
    for index, ratio in ratios.items():
        if not 0 < ratio < 1:
            raise UsageError(
                f"A pruning ratio of {ratio:g} for layer {index} is outside 0 to 1.", hint="Try 0.5."
            )
    channels = Channels(graph.main)
    free = channels.free()

    def why_not(op: Op) -> str | None:
        return _why_no_channel_goes(op, channels, free)

    sizes: dict[int, int] = {}
    for op in chosen(graph, tuple(ratios), why_not, "no layer has channels that can go"):
        group = _group(op, channels)
        kept = -(-round(free[group] * (1 - ratios[op.index])) // multiple) * multiple
        sizes[group] = min(sizes.get(group, free[group]), max(multiple, kept))
    return with_sizes(graph, channels, sizes)


def _why_no_channel_goes(op: Op, channels: Channels, free: Mapping[int, int]) -> str | None:
    if op.kind == "DEPTHWISE_CONV_2D":
        return "is depthwise: its channels are those of the layer before it"
    if op.kind not in {"CONV_2D", "FULLY_CONNECTED"}:
        return f"is a {op.label}: it has no channels of its own"
    if len(channels.segments.get(op.outputs[0], ())) != 1 or _group(op, channels) not in free:
        return "has channels that have to stay: an output or an operator that needs all of them reads them"
    return None


def _group(op: Op, channels: Channels) -> int:
    return channels.find(channels.segments[op.outputs[0]][0])


def widened(graph: ModelGraph, factor: float) -> ModelGraph:
    """All channels times `factor`, through additions and concatenations; inputs and outputs stay.

    Numbers are rounded to multiples of 8 as MobileNets' are (tensorflow/models, research/slim/nets/mobilenet/
    conv_blocks.py: the nearest, but never below 90 %).

    Raises:
        UsageError: a factor outside 0 to 4, or a graph in which no channel can change.
    """
    if not 0 < factor <= WIDEST:
        raise UsageError(f"A width of {factor:g} is outside 0 to {WIDEST:g}.", hint="Try 0.75 (width-75).")
    return _mapped(
        graph,
        lambda size: scaled_size(size, factor),
        "every layer's channels have to stay, or are at their fewest",
    )


def aligned(graph: ModelGraph, multiple: int) -> ModelGraph:
    """Channels rounded up to a multiple; new ones with weights of zero change nothing that is computed.

    Raises:
        UsageError: a multiple below 2, or nothing to align.
    """
    if multiple < 2:
        raise UsageError(
            f"A multiple of {multiple} aligns nothing.", hint="Try align-4, align-8 or align-16."
        )
    none = f"all channels that may change are multiples of {multiple} already"
    return _mapped(graph, lambda size: aligned_size(size, multiple), none)


def scaled_size(size: int, factor: float) -> int:
    made = _rounded(size * factor)
    return min(size, made) if factor < 1 else max(size, made)


def aligned_size(size: int, multiple: int) -> int:
    return -(-size // multiple) * multiple


def _mapped(graph: ModelGraph, size: Callable[[int], int], none: str) -> ModelGraph:
    channels = Channels(graph.main)
    before = channels.free()
    after = {group: size(old) for group, old in before.items()}
    if before == after:
        raise UsageError(f"{none}.")
    return with_sizes(graph, channels, after)


def with_sizes(graph: ModelGraph, channels: Channels, sizes: Mapping[int, int]) -> ModelGraph:
    """Groups of channels at other sizes, as a graph with an identity of its own."""
    made = resized(graph, channels, sizes)
    return renewed(made, replace(made.main))


def _rounded(size: float) -> int:
    made = max(_DIVISOR, int(size + _DIVISOR / 2) // _DIVISOR * _DIVISOR)
    return made + _DIVISOR if made < 0.9 * size else made
