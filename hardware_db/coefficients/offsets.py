"""How far measurements of one thing differ, and what one measurement says about the next: generated."""

import functools
import json
from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict

from .. import figures
from ..restoring import restored


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Likeness(_Closed):
    """What the error of one measurement says about that of another that differs in one respect."""

    share: float
    """Of the logarithm of measured over estimated, what the other one has too."""
    interval_factor: float
    """By which 90 % of the second keep to what the first makes of them."""
    pairs: int
    decay: float = 0.0
    """How that fades with the distance of what differs: by its ratio to the power of minus this."""

    def kept(self, one: float, other: float) -> float:
        """Of the share, at two values of what differs."""
        return (max(one, other) / min(one, other)) ** -self.decay if self.decay else 1.0

    def of_several(self, kept: Iterable[float]) -> tuple[float, float]:
        """The share that the middle of several tells of, by how much each keeps, and the interval's factor.

        What several have in common stands out the more of them there are (Spearman and Brown, 1910).
        """
        count = sum(kept)
        share = count * self.share / (1 + (count - 1) * self.share)
        return share, self.interval_factor ** self.spread(share)

    def spread(self, share: float) -> float:
        """Of what is left once a share is told, in that of what one measurement leaves."""
        return float(((1 - share * self.share) / (1 - self.share**2)) ** 0.5) if self.share < 1 else 1.0


class OfBoards(_Closed):
    """Errors of estimates, as natural logarithms: of whole boards, and of the networks on one board."""

    board: float
    """Standard deviation between boards."""
    network: float
    """Standard deviation between networks on one board."""
    spreads: float
    """Standard deviations on either side that hold 90 % of what a measurement predicts of other networks."""
    other_type: float
    """Correlation of a board's errors between two types of arithmetic; of two libraries it is about none."""
    boards: int


class Offsets(_Closed):
    """By class of hardware: mcu, cpu, gpu and npu."""

    repeat: dict[str, float]
    """The 90 % interval of a single measurement of a case; `any` stands for classes with few repeats."""
    near: dict[str, dict[str, Likeness]]
    """Class → release, clock, threads, batch or board → what carries over where that differs."""
    new_boards: dict[str, OfBoards]
    """Of boards that nothing was fitted to."""
    known_boards: dict[str, OfBoards]
    """Of networks that nothing was fitted to, on boards that have measurements."""
    anchors: dict[str, tuple[str, ...]] = {}
    """Three public models that tell most about a new board, the best first."""


@functools.cache
def load_offsets() -> Offsets:
    """The spreads of the figures in use."""
    return restored(Offsets, json.loads(figures.read("coefficients/offsets.json")))
