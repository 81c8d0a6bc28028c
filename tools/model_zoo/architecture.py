"""What is known of a named network: how to build it, and what of it can be chosen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from ..core.records import dataclass
from ..graph import DType

if TYPE_CHECKING:
    from ..graph.builder import GraphBuilder
    from .shape import InputShape

Build: TypeAlias = "Callable[[GraphBuilder, InputShape], int | tuple[int, ...]]"
"""Writes a network and returns its output or outputs."""

LIST = Path(__file__).with_name("architectures.json")
"""A network a line: all of it but what writes it."""


@dataclass(frozen=True)
class Architecture:
    name: str
    build: Build
    dtype: DType
    """Type where none is asked for: int8 for the Tiny networks, as in their reference files."""
    side: int | None = None
    """Usual height and width of the input image; None for an input that is no square image."""
    width: float | None = None
    """Usual width multiplier; None for a network without one."""
    any_side: bool = False
    any_width: bool = False
    aliases: tuple[str, ...] = ()


def image_network(
    name: str,
    build: Build,
    *aliases: str,
    side: int = 224,
    any_side: bool = True,
    any_width: bool = False,
) -> Architecture:
    """A float32 network on square colour images of any side; of any width where it has a multiplier."""
    width = 1.0 if any_width else None
    spoken = name.replace("_", " ") if "_" in name else name.title()
    return Architecture(
        name,
        build,
        DType.FLOAT32,
        side,
        width,
        any_side=any_side,
        any_width=any_width,
        aliases=(spoken, *aliases),
    )
