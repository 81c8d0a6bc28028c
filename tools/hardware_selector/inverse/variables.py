"""What can be asked for, and the model and deployment at each value of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....hardware_db.errors import UsageError
from ...core.deployment import Deployment
from ...core.records import dataclass
from ...graph import ModelGraph
from ...graph.shapes.change import with_input_shapes
from ...optimization_simulator.techniques.structure.depth import ended_early, exits
from ...optimization_simulator.techniques.structure.inputs import image_size
from ...optimization_simulator.techniques.structure.widths import widened

Setting = tuple[ModelGraph, Deployment]

MOST_PIXELS = 4096
MOST_BATCH = 1024
MOST_PERCENT = 400
_STRIDES = (1, 2, 4, 8, 16, 32, 64)
"""Steps by which the sides of images may have to go."""


@dataclass(frozen=True)
class Variable:
    """Values are numbered: `value` tells the figure of a number, `setting` makes what it stands for.

    Larger numbers are what is sought: the lowest clock has the largest.
    """

    name: str
    question: str
    unit: str
    low: int
    high: int
    anchor: int
    """The number that stands for the model and the deployment as they are."""
    value: Callable[[int], float]
    setting: Callable[[int], Setting]
    """Raises an EdgewrightError where there is none."""
    shown: Callable[[int], str]


def input_size(graph: ModelGraph, deployment: Deployment) -> Variable:
    """Height of the first image input; its width goes with it.

    Raises:
        UsageError: no input is an image.
    """
    height, width = image_size(graph)
    tensors = [t for t in graph.inputs if len(t.shape) == 4 and t.shape[1:3] == (height, width)]

    def sized(tall: int) -> ModelGraph:
        wide = max(1, round(tall * width / height))
        return with_input_shapes(graph, {t.index: (t.shape[0], tall, wide, t.shape[3]) for t in tensors})

    stride = _step(lambda step: sized(height + step))
    known = stride is not None
    stride = stride or 1

    def size(number: int) -> tuple[int, int]:
        tall = height + number * stride
        return tall, max(1, round(tall * width / height))

    low, high = (-((height - 1) // stride), (MOST_PIXELS - height) // stride) if known else (0, 0)
    return Variable(
        "input", "the largest input", "pixels of height", low, max(0, high), 0,
        lambda number: size(number)[0], lambda number: (sized(size(number)[0]), deployment),
        lambda number: f"{size(number)[0]}x{size(number)[1]} pixels",
    )  # fmt: skip


def _step(sized: Callable[[int], ModelGraph]) -> int | None:
    """The least step up that the network takes; None where its input has one size."""
    for step in _STRIDES:
        try:
            sized(step)
        except UsageError:
            continue
        return step
    return None


def width(graph: ModelGraph, deployment: Deployment) -> Variable:
    """
    Raises:
        UsageError: the model has no channels that may change.
    """
    widened(graph, 2.0)

    def setting(number: int) -> Setting:
        try:
            return widened(graph, number / 100), deployment
        except UsageError:  # rounded to what it has
            return graph, deployment

    return Variable(
        "width", "the largest width", "%", 1, MOST_PERCENT, 100, float, setting,
        lambda number: f"{number} % of the channels",
    )  # fmt: skip


def clock(graph: ModelGraph, deployment: Deployment) -> Variable:
    """In whole MHz, the lowest last."""
    highest = int(deployment.clock_mhz)

    def setting(number: int) -> Setting:
        return graph, deployment.at(clock_mhz=float(-number)) if -number < highest else deployment

    return Variable(
        "clock", "the lowest clock", "MHz", -max(1, highest), -1, -max(1, highest),
        lambda number: deployment.clock_mhz if -number >= highest else float(-number), setting,
        lambda number: f"{-number} MHz",
    )  # fmt: skip


def batch(graph: ModelGraph, deployment: Deployment) -> Variable:
    return Variable(
        "batch", "the largest batch", "inferences at once",
        1, MOST_BATCH, min(deployment.batch, MOST_BATCH), float,
        lambda number: (graph, deployment.at(batch=number)),
        lambda number: f"a batch of {number}",
    )  # fmt: skip


def depth(graph: ModelGraph, deployment: Deployment) -> Variable:
    """Operators of the model before an early exit with a new head; all of them is the model as it is.

    Raises:
        UsageError: the model has no place for an exit.
    """
    ends: Sequence[int] = [op.index for op in exits(graph)]
    ends = [end for end in ends if end < len(graph.ops) - 1]
    if not ends:
        raise UsageError(
            "The model has no layer that an early exit could be put on.", hint="Ask for its width or input."
        )

    def setting(number: int) -> Setting:
        return (graph if number == len(ends) else ended_early(graph, ends[number])), deployment

    def value(number: int) -> float:
        return float(len(graph.ops) if number == len(ends) else ends[number] + 1)

    return Variable(
        "depth", "the greatest depth", "operators", 0, len(ends), len(ends), value, setting,
        lambda number: f"{value(number):g} of {len(graph.ops)} operators",
    )  # fmt: skip


SEARCHED: dict[str, Callable[[ModelGraph, Deployment], Variable]] = {
    "input": input_size,
    "width": width,
    "clock": clock,
    "batch": batch,
    "depth": depth,
}
