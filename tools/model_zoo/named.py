"""From a name to a graph."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from ...hardware_db.errors import UsageError
from ...hardware_db.later import Later
from ..core.records import replace
from ..graph import DType, ModelGraph
from .architecture import Architecture
from .catalogue import ARCHITECTURES
from .shape import InputShape
from .spec import dtype_named, read_spec, spec_in

if TYPE_CHECKING:
    from ..graph import builder, requantize, serialize
    from . import bert
else:
    builder = Later("..graph.builder", __package__)
    requantize = Later("..graph.requantize", __package__)
    serialize = Later("..graph.serialize", __package__)
    bert = Later(".bert", __package__)

SMALLEST_SIDE, LARGEST_SIDE = 16, 8192
WIDEST = 8.0


def architecture_names() -> tuple[str, ...]:
    return tuple(ARCHITECTURES)


def architecture_aliases() -> Mapping[str, str]:
    """What else people call them, and which one is meant."""
    return MappingProxyType({alias: a.name for a in ARCHITECTURES.values() for alias in a.aliases})


def is_architecture(text: str) -> bool:
    """Whether an architecture goes by this name, whatever else is said about it."""
    try:
        return spec_in(text) is not None
    except UsageError:
        return True


def tokens_of(text: str) -> int | None:
    """How many tokens it takes at once, as named or usual; None where its input is none of tokens."""
    found = spec_in(text) if is_architecture(text) else None
    if found is None or found[0].name not in (*bert.BERTS, *bert.CLIP_TEXTS, *bert.SENTENCES):
        return None
    return found[1].side or found[0].side


def only_side_of(text: str) -> int | None:
    """Pixels of the one input that a network is known with; None where it takes others, or none at all."""
    found = spec_in(text) if is_architecture(text) else None
    return None if found is None or found[0].any_side else found[0].side


def side_of(text: str) -> int | None:
    """Pixels of the side of its square input, as named or usual; None where it takes none."""
    found = spec_in(text) if is_architecture(text) and tokens_of(text) is None else None
    return found[1].side or found[0].side if found else None


def type_of(text: str) -> str:
    """The number type that it is built in, as named or usual."""
    found = spec_in(text) if is_architecture(text) else None
    return (found[1].dtype or found[0].dtype).value if found else ""


def names_dtype(text: str) -> bool:
    """Whether the words say which type is wanted: `kws:int8` does, `kws` does not."""
    return read_spec(text)[1].dtype is not None


def build_architecture(
    spec: str,
    *,
    dtype: str | DType | None = None,
    width: float | None = None,
    input_size: int | None = None,
    batch: int = 1,
) -> ModelGraph:
    """The graph of a named network, without weights.

    Args:
        spec: a name, and fields after it as in `mobilenet_v2:0.35:96:int8`.
        dtype: float32, float16 or int8; goes before the spec's. The network's usual type where neither says.
        width: multiplier of the channel counts.
        input_size: height and width of the input image in pixels.
        batch: dimension 0 of every activation.

    Raises:
        UnknownNameError: no architecture goes by the name (with the nearest).
        UsageError: a type, width, side or batch that the network does not have.
    """
    architecture, said = read_spec(spec)
    kind = said.dtype if dtype is None else dtype_named(dtype)
    shape = InputShape(
        batch=_batch(batch),
        width=_width(architecture, said.width if width is None else width),
        side=_side(architecture, said.side if input_size is None else input_size),
    )
    return _built(architecture.name, kind, shape)


@lru_cache(maxsize=32)
def _built(name: str, named_dtype: DType | None, shape: InputShape) -> ModelGraph:
    architecture = ARCHITECTURES[name]
    dtype = named_dtype or architecture.dtype
    written = builder.GraphBuilder(name)
    made = architecture.build(written, shape)
    graph = written.build((made,) if isinstance(made, int) else made)
    if dtype is DType.INT8:
        graph = requantize.to_int8(graph)
    elif dtype is DType.FLOAT16:
        graph = requantize.to_float16(graph)
    graph = replace(graph, name=_in_words(architecture, named_dtype, shape), history=())
    return replace(graph, sha256=serialize.graph_sha256(graph))


def _in_words(architecture: Architecture, named_dtype: DType | None, shape: InputShape) -> str:
    """The shortest spec that builds the same; it names a type where one was asked for."""
    said = [architecture.name]
    if architecture.width not in (None, shape.width):
        said.append(str(shape.width))
    if architecture.side not in (None, shape.side):
        said.append(str(shape.side))
    if named_dtype is not None:
        said.append(named_dtype)
    return ":".join(said)


def _batch(batch: int) -> int:
    if batch < 1:
        raise UsageError(f"A batch of {batch} is no batch.", hint="Give 1 or more.")
    return batch


def _width(architecture: Architecture, width: float | None) -> float:
    usual = architecture.width
    if width is None or width == usual:
        return usual or 1.0
    if not architecture.any_width:
        raise UsageError(
            f"{architecture.name} has no width {width:g}.",
            hint="It has no width multiplier." if usual is None else f"Its width is {usual}.",
        )
    if not 0 < width <= WIDEST:
        raise UsageError(f"A width of {width:g} is outside 0 to {WIDEST:g}.", hint="Try 1.0 or 0.35.")
    return float(width)


def _side(architecture: Architecture, side: int | None) -> int:
    usual = architecture.side
    if side is None or side == usual:
        return usual or 0
    if not architecture.any_side:
        raise UsageError(
            f"{architecture.name} has no input of {side} pixels.",
            hint="Its input has one size." if usual is None else f"Its side is {usual} pixels.",
        )
    if not SMALLEST_SIDE <= side <= LARGEST_SIDE:
        raise UsageError(
            f"An input of {side} pixels is outside {SMALLEST_SIDE} to {LARGEST_SIDE}.", hint="Try 224 or 96."
        )
    return side
