"""Buffers placed so far, ordered by where they start."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .liveness import NEVER, Buffer, Ints


class Packing:
    """What is placed where and when; room for `capacity` buffers."""

    def __init__(self, capacity: int) -> None:
        self._rows = np.zeros((4, capacity), dtype=np.int64)
        """Start, end, first and last step."""
        self._count = 0

    def alive_between(self, first: int, last: int) -> tuple[Ints, Ints]:
        """Starts and ends of the buffers that are alive at some step from `first` to `last`."""
        starts, ends, begins, stops = self._rows[:, : self._count]
        together = (begins <= last) & (stops >= first)
        return starts[together], ends[together]

    def place(self, start: int, size: int, first: int, last: int) -> None:
        at = int(np.searchsorted(self._rows[0, : self._count], start, side="right"))
        self._rows[:, at + 1 : self._count + 1] = self._rows[:, at : self._count].copy()
        self._rows[:, at] = start, start + size, first, last
        self._count += 1


class Stack:
    """How high memory reaches at each step with buffers that do not overlap, and how much of it is filled."""

    def __init__(self, last: int) -> None:
        """Args: last: the last step; the first is NEVER."""
        self._tops = np.zeros(last - NEVER + 1, dtype=np.int64)
        self._filled = np.zeros_like(self._tops)

    def place(self, start: int, size: int, first: int, last: int) -> None:
        tops = self._tops[first - NEVER : last - NEVER + 1]
        np.maximum(tops, start + size, out=tops)
        self._filled[first - NEVER : last - NEVER + 1] += size

    def top_without_gaps(self, first: int, last: int) -> int | None:
        """Top of what is alive from `first` to `last`, if a step that reaches it leaves nothing free."""
        steps = slice(first - NEVER, last - NEVER + 1)
        top = int(self._tops[steps].max())
        return top if self._filled[steps].max() == top else None


def stack_for(spans: Sequence[tuple[int, int]], buffers: Sequence[Buffer]) -> Stack | None:
    """For buffers alive from one step to another; None where some are empty or end before they begin."""
    if not buffers or any(first > last for first, last in spans) or not all(b.bytes > 0 for b in buffers):
        return None
    return Stack(max(last for _, last in spans))


def gap_starts(ends: Ints) -> Ints:
    """Where the gap before each of the intervals begins, and last the end of all; by their start."""
    reached = np.maximum.accumulate(ends)
    return np.concatenate((np.zeros(1, dtype=np.int64), reached))


def lowest_gap(starts: Ints, ends: Ints, size: int) -> int:
    """Start of the first gap that holds `size` between intervals by their start, else the end of all."""
    gaps = gap_starts(ends)
    fitting = np.flatnonzero(starts - gaps[:-1] >= size)
    return int(gaps[fitting[0]] if len(fitting) else gaps[-1])
