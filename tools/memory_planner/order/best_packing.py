"""The lowest arena that buffers with given lives can be placed in, proven or with a bound.

Buffers are placed one after another, each as low as it goes; those that end too high are placed earlier
the next time (the squeaky wheel optimisation of Joslin and Clements, JAIR 10, 1999). Every packing that
cannot be pushed down comes from some such order. What this leaves open goes to a solver, where there is one.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ...core.records import dataclass, replace
from .packing_solver import solve_packing, solver_name

HEURISTIC = "built-in heuristic"
_SEED = 1
_HEURISTIC_SHARE = 0.3
_ROUNDS_AT_MOST = 3000
PAIRS_AT_MOST = 500_000
"""Buffers alive together, of which another packing is sought."""


@dataclass(frozen=True)
class PackingProblem:
    """Buffers by their aligned sizes and the first and last step at which they are alive."""

    sizes: tuple[int, ...]
    firsts: tuple[int, ...]
    lasts: tuple[int, ...]

    @cached_property
    def together(self) -> tuple[tuple[int, ...], ...]:
        """For each buffer, those that are alive at some step together with it."""
        by_first = sorted(range(len(self.sizes)), key=lambda i: self.firsts[i])
        found: list[list[int]] = [[] for _ in self.sizes]
        alive: list[int] = []
        for i in by_first:
            alive = [j for j in alive if self.lasts[j] >= self.firsts[i]]
            for j in alive:
                found[i].append(j)
                found[j].append(i)
            alive.append(i)
        return tuple(map(tuple, found))

    @property
    def pairs(self) -> int:
        """How many pairs of buffers are alive at some step together."""
        firsts, lasts = np.sort(self.firsts), np.sort(self.lasts)
        over = np.searchsorted(lasts, firsts, side="left")
        return int((np.arange(len(firsts)) - over).sum())

    @cached_property
    def floor(self) -> int:
        """The most bytes alive at once: no packing is lower."""
        changes = sorted(
            [(first, size) for first, size in zip(self.firsts, self.sizes, strict=True)]
            + [(last + 1, -size) for last, size in zip(self.lasts, self.sizes, strict=True)]
        )
        held = most = 0
        for _, change in changes:
            held += change
            most = max(most, held)
        return most

    def top(self, offsets: Sequence[int]) -> int:
        return max((o + s for o, s in zip(offsets, self.sizes, strict=True)), default=0)

    def is_valid(self, offsets: Sequence[int]) -> bool:
        """Whether no two buffers share memory at the same time."""
        return all(
            offsets[i] + self.sizes[i] <= offsets[j] or offsets[j] + self.sizes[j] <= offsets[i]
            for i, others in enumerate(self.together)
            for j in others
        )


@dataclass(frozen=True)
class FoundPacking:
    offsets: tuple[int, ...]
    top: int
    bound: int
    """No packing is lower."""
    found_by: str
    is_sought: bool = True
    """Whether others than the given one were tried, had they been needed."""

    @property
    def is_proven(self) -> bool:
        return self.top == self.bound


def find_packing(problem: PackingProblem, given: Sequence[int], time_limit_s: float) -> FoundPacking:
    """The lowest packing found in the time; `given` where nothing lower is found.

    An interrupt from the keyboard ends the search like the time limit.
    """
    begin = time.monotonic()
    best = FoundPacking(tuple(given), problem.top(given), problem.floor, "the planner itself")
    if best.is_proven:
        return best
    if problem.pairs > PAIRS_AT_MOST:
        return replace(best, is_sought=False)
    try:
        offsets = _squeaky_wheel(problem, begin + _HEURISTIC_SHARE * time_limit_s)
        if problem.top(offsets) < best.top:
            best = FoundPacking(offsets, problem.top(offsets), problem.floor, HEURISTIC)
        if best.is_proven or solver_name() is None:
            return best
        left = begin + time_limit_s - time.monotonic()
        solved = solve_packing(problem.sizes, problem.together, best.top, problem.floor, left)
    except KeyboardInterrupt:
        return best
    bound = max(best.bound, min(solved.bound, best.top))
    if solved.offsets is None:
        return FoundPacking(best.offsets, best.top, bound, best.found_by)
    return FoundPacking(solved.offsets, problem.top(solved.offsets), bound, solver_name() or HEURISTIC)


def _squeaky_wheel(problem: PackingProblem, until: float) -> tuple[int, ...]:
    """The best of many orders of placing; the first is by size."""
    draw = np.random.default_rng(_SEED)
    count = len(problem.sizes)
    blame = [float(size) for size in problem.sizes]
    step = max(problem.sizes) / 4
    best: list[int] = []
    for _ in range(_ROUNDS_AT_MOST):
        order = sorted(range(count), key=lambda i: -blame[i])
        offsets = _placed(problem, order)
        reached = problem.top(offsets)
        if not best or reached < problem.top(best):
            best = offsets
        if problem.top(best) == problem.floor or time.monotonic() > until:
            break
        luck = draw.random((2, count)).tolist()
        for i, (much, whether) in enumerate(zip(*luck, strict=True)):
            if offsets[i] + problem.sizes[i] > problem.floor:
                blame[i] += step * much
            elif whether < 2 / count:
                blame[i] += step * (much - 0.5)
    return tuple(best)


def _placed(problem: PackingProblem, order: Sequence[int]) -> list[int]:
    """Each as low as it goes, in the given order."""
    sizes = problem.sizes
    offsets = [-1] * len(sizes)
    for i in order:
        taken = sorted((offsets[j], offsets[j] + sizes[j]) for j in problem.together[i] if offsets[j] >= 0)
        low = 0
        for start, end in taken:
            if start - low >= sizes[i]:
                break
            low = max(low, end)
        offsets[i] = low
    return offsets
