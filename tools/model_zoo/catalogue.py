"""Which networks there are, by which names people call them, and what of them can be chosen.

What writes them is sixty modules, which a question about a file needs none of: they are loaded with the first
network that is built.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ...hardware_db.later import Later
from ..graph import DType
from .architecture import LIST, Architecture

if TYPE_CHECKING:
    from ..graph.builder import GraphBuilder
    from . import builders
    from .architecture import Build
    from .shape import InputShape
else:
    builders = Later(".builders", __package__)


def _written_by(name: str) -> Build:
    def build(builder: GraphBuilder, shape: InputShape) -> int | tuple[int, ...]:
        return builders.BUILT[name].build(builder, shape)

    return build


ARCHITECTURES = {
    name: Architecture(
        name, _written_by(name), DType(dtype), side, width,
        any_side=any_side, any_width=any_width, aliases=tuple(aliases),
    )
    for name, dtype, side, width, any_side, any_width, aliases in json.loads(LIST.read_bytes())
}  # fmt: skip

SAID_IN_FULL: dict[tuple[str, float | None, int | None], str] = {("mobilenetv1", 0.25, 96): "vww"}
"""A family's name, width and side, by which a network of another name is known better."""


def squeezed(name: str) -> str:
    """A name as it is compared: without case, blanks and signs."""
    return "".join(filter(str.isalnum, name.casefold()))


NAMES = {
    squeezed(alias): architecture for architecture in ARCHITECTURES.values()
    for alias in (architecture.name, *architecture.aliases)
}  # fmt: skip
