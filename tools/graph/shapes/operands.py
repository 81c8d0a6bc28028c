"""An operator with the shapes and the integer contents that reach it; arithmetic on unknown dimensions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ...core.records import dataclass
from ..costs.work import extent
from ..model import Op

Shape = tuple[int, ...]
Content = npt.NDArray[np.int64]
"""What an integer tensor holds, where constants and shapes tell; -1 for an unknown dimension."""

UNKNOWN = -1


class ShapeError(Exception):
    """Why the shape of an operator's output cannot be recomputed."""


class UntoldError(ShapeError):
    """It depends on what is not known before the model runs."""


@dataclass(frozen=True)
class Operands:
    op: Op
    inputs: tuple[Shape | None, ...]
    """None for an optional input that is absent."""
    contents: tuple[Content | None, ...]
    """None where the content is not known."""
    recorded_inputs: tuple[Shape | None, ...]
    recorded_outputs: tuple[Shape, ...]
    constant: tuple[bool, ...]
    """Which inputs are constants of the file."""

    def has(self, position: int) -> bool:
        return position < len(self.inputs) and self.inputs[position] is not None

    def shape(self, position: int, rank: int | None = None) -> Shape:
        shape = self.inputs[position] if position < len(self.inputs) else None
        if shape is None:
            raise ShapeError(f"input {position} is missing")
        if rank is not None and len(shape) != rank:
            raise ShapeError(f"input {position} has {len(shape)} dimensions, not {rank}")
        return shape

    def recorded(self, position: int) -> Shape:
        """Shape of an input as the file has it."""
        self.shape(position)
        return self.recorded_inputs[position] or ()

    def recorded_output(self) -> Shape:
        if not self.recorded_outputs:
            raise ShapeError("it has no output")
        return self.recorded_outputs[0]

    def is_constant(self, *positions: int) -> bool:
        return all(p < len(self.constant) and self.constant[p] for p in positions)

    def present(self) -> list[Shape]:
        return [shape for shape in self.inputs if shape is not None]

    def integers(self, position: int) -> list[int]:
        """Content of an integer input, flattened."""
        self.shape(position)
        content = self.contents[position]
        if content is None:
            raise UntoldError(f"input {position}, which it takes sizes from, is computed at run time")
        return [int(value) for value in content.reshape(-1)]

    def integer(self, position: int) -> int:
        """Content of an integer input that holds one number."""
        values = self.integers(position)
        if len(values) != 1:
            raise ShapeError(f"input {position} holds {len(values)} numbers, not 1")
        return values[0]

    def check_bias(self, position: int, channels: int) -> None:
        """A bias, where there is one, has a number for each channel."""
        count = product(self.shape(position)) if self.has(position) else channels
        if known(count, channels) and count != channels:
            raise ShapeError(f"its bias has {count} numbers for {channels} channels")

    def tuple_option(self, name: str) -> tuple[int, ...]:
        value = self.op.options.get(name, ())
        return tuple(int(v) for v in value) if isinstance(value, tuple) else ()


Rule = Callable[[Operands], Sequence[Shape]]
"""The shapes of an operator's outputs; raises ShapeError."""
Rules = Mapping[str, Rule]


def known(*dimensions: int) -> bool:
    return all(d >= 0 for d in dimensions)


def product(shape: Sequence[int]) -> int:
    """Number of elements, or UNKNOWN."""
    result = 1
    for d in shape:
        if d < 0:
            return UNKNOWN
        result *= d
    return result


def total(dimensions: Sequence[int]) -> int:
    return sum(dimensions) if known(*dimensions) else UNKNOWN


def scaled(dimension: int, factor: int) -> int:
    return dimension * factor if known(dimension) else UNKNOWN


def divided(dimension: int, by: int, what: str) -> int:
    if not known(dimension):
        return UNKNOWN
    if by < 1 or dimension % by:
        raise ShapeError(f"{what} of {dimension} does not divide by {by}")
    return dimension // by


def axis_of(axis: int, rank: int) -> int:
    """A dimension's number, counted from the front."""
    if not -rank <= axis < rank:
        raise ShapeError(f"there is no dimension {axis} among {rank}")
    return axis % rank


def broadcast(shapes: Sequence[Shape]) -> Shape:
    rank = max((len(s) for s in shapes), default=0)
    padded = [(1,) * (rank - len(s)) + s for s in shapes]
    return tuple(_broadcast_dimension(d, shapes) for d in zip(*padded, strict=True))


def _broadcast_dimension(dimensions: Sequence[int], shapes: Sequence[Shape]) -> int:
    sizes = {d for d in dimensions if d != 1}
    exact = sizes - {UNKNOWN}
    if len(exact) > 1:
        raise ShapeError(f"{' and '.join(extent(s) for s in shapes)} do not broadcast")
    if exact:
        return exact.pop()
    return UNKNOWN if sizes else 1
