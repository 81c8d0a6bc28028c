"""The order of operators with the lowest peak of live bytes, proven or with a bound.

Best first over the sets of operators that have run, by the peak so far: the first complete order is
optimal, and until then no order is below the lowest peak still open. An operator that leaves no more
memory held than before, within the peak so far, can only help: it runs at once, and nothing else is tried.
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from .problem import OrderProblem

Progress = Callable[[str], None]
_BEAMS = (1, 8, 64)
_BEAM_SHARE = 0.5
_TELL_EVERY_S = 2.0
_SETS_AT_MOST = 100_000
_BYTES_AT_MOST = 200_000_000
_FOLLOWING_AT_MOST = 4096
_NEAR_AT_MOST = 1000
OPS_AT_MOST = 25_000
"""Operators of which an order is sought: sets of more take too much memory."""
_NO_PEAK = 1 << 62


@dataclass(frozen=True)
class FoundOrder:
    order: tuple[int, ...]
    peak: int
    bound: int
    """No order has a lower peak."""

    @property
    def is_proven(self) -> bool:
        return self.peak == self.bound


@dataclass(frozen=True, slots=True)
class _State:
    """After some operators have run."""

    done: int
    """Bit per operator."""
    held: int
    peak: int
    count: int
    ready: tuple[int, ...]
    last: int
    before: _State | None

    def order(self) -> tuple[int, ...]:
        found, state = [], self
        while state.before is not None:
            found.append(state.last)
            state = state.before
        return tuple(reversed(found))


class _Steps:
    """What running an operator does to a state."""

    def __init__(self, problem: OrderProblem, until: float = math.inf) -> None:
        self._problem = problem
        self._until = until
        ops = len(problem.before)
        self._needs = [sum(1 << o for o in before) for before in problem.before]
        self._after: list[list[int]] = [[] for _ in range(ops)]
        for op, before in enumerate(problem.before):
            for first in before:
                self._after[first].append(op)
        self._readers = [0] * len(problem.sizes)
        for op, reads in enumerate(problem.reads):
            for b in reads:
                self._readers[b] |= 1 << op
        self._brings = [sum(problem.sizes[b] for b in writes) for writes in problem.writes]
        self._all = (1 << ops) - 1
        self._users: list[list[int]] = [[] for _ in problem.sizes]
        for op, buffers in enumerate(zip(problem.reads, problem.writes, strict=True)):
            for b in dict.fromkeys((*buffers[0], *buffers[1])):
                self._users[b].append(op)

    def _near(self, op: int) -> tuple[int, ...]:
        """Operators that one makes ready, or that share a buffer with it; of very many the first."""
        near = [self._after[op], *(self._users[b] for b in self._problem.reads[op])]
        return tuple(sorted({o for some in near for o in some[:_NEAR_AT_MOST]} - {op}))

    def start(self) -> _State:
        problem = self._problem
        ready = tuple(op for op, needs in enumerate(self._needs) if not needs)
        return _State(0, problem.at_start, problem.floor, 0, ready, -1, None)

    def is_complete(self, state: _State) -> bool:
        return state.done == self._all

    def peak_of(self, state: _State, op: int) -> int:
        return max(state.peak, state.held + self._brings[op] + self._problem.extra[op])

    def held_after(self, state: _State, op: int) -> int:
        problem, done = self._problem, state.done | 1 << op
        gone = {
            b
            for b in (*problem.reads[op], *problem.writes[op])
            if not self._readers[b] & ~done and b not in problem.kept
        }
        return state.held + self._brings[op] - sum(problem.sizes[b] for b in gone)

    def run(self, state: _State, op: int) -> _State:
        done = state.done | 1 << op
        freed = [o for o in self._after[op] if not self._needs[o] & ~done]
        ready = tuple(sorted({*state.ready, *freed} - {op}))
        return _State(
            done, self.held_after(state, op), self.peak_of(state, op), state.count + 1, ready, op, state
        )

    def free_runs(self, state: _State, among: tuple[int, ...] | None = None) -> _State:
        """As far as operators cost nothing and time is left; only those `among` and what they bring about."""
        near = state.ready if among is None else among
        while time.monotonic() < self._until:
            free = next((op for op in near if self._is_free(state, op)), None)
            if free is None:
                return state
            state = self.run(state, free)
            near = state.ready if among is None else tuple(dict.fromkeys((*near, *self._near(free))))
        return state

    def near_runs(self, state: _State, op: int) -> _State:
        """Runs an operator and then what it lets run for nothing."""
        after = self.run(state, op)
        return self.free_runs(after, None if after.peak > state.peak else self._near(op))

    def _is_free(self, state: _State, op: int) -> bool:
        return (
            not state.done >> op & 1
            and not self._needs[op] & ~state.done
            and self.peak_of(state, op) == state.peak
            and self.held_after(state, op) <= state.held
        )


def find_order(problem: OrderProblem, time_limit_s: float, progress: Progress | None = None) -> FoundOrder:
    """The best order found in the time; the one that is there already if none is better.

    An interrupt from the keyboard ends the search like the time limit.
    """
    as_is = tuple(range(len(problem.before)))
    begin = time.monotonic()
    best = FoundOrder(as_is, problem.peak(as_is), problem.floor)
    late = as_late_as_possible(problem)
    if problem.peak(late) < best.peak:
        best = FoundOrder(late, problem.peak(late), best.bound)
    if best.is_proven or len(as_is) > OPS_AT_MOST:
        return best
    steps = _Steps(problem, begin + time_limit_s)
    search = _BestFirst(steps, begin + time_limit_s, progress)
    try:
        for width in _BEAMS:
            best = _better(best, _beam(steps, width, begin + _BEAM_SHARE * time_limit_s))
        best = _better(best, search.run(best.peak))
    except KeyboardInterrupt:
        pass
    return FoundOrder(best.order, best.peak, min(best.peak, search.bound))


def as_late_as_possible(problem: OrderProblem) -> tuple[int, ...]:
    """Each operator just before the first that needs it; those that nothing needs in their present order."""
    needed = {op for before in problem.before for op in before}
    order: dict[int, None] = {}
    ahead = [iter(before) for before in problem.before]
    for last in range(len(problem.before)):
        if last in needed:
            continue
        stack = [last]
        while stack:
            missing = next((op for op in ahead[stack[-1]] if op not in order), None)
            if missing is not None:
                stack.append(missing)
            else:
                order.setdefault(stack.pop())
    return tuple(order)


def _better(best: FoundOrder, found: _State | None) -> FoundOrder:
    if found is None or found.peak >= best.peak:
        return best
    return FoundOrder(found.order(), found.peak, best.bound)


class _BestFirst:
    def __init__(self, steps: _Steps, until: float, progress: Progress | None) -> None:
        self._steps = steps
        self._until = until
        self._progress = progress
        start = steps.free_runs(steps.start())
        self._open = [(start.peak, -start.count, 0, start)]
        self._at_hand = start.peak
        """Peak of the state whose followers are being looked at."""
        self._seen = {start.done: start.peak}
        self._pushed = 0
        self._bytes = 0
        self._reported_at = time.monotonic()

    @property
    def bound(self) -> int:
        """The lowest peak that is not ruled out yet."""
        return min(self._at_hand, self._open[0][0] if self._open else _NO_PEAK)

    def run(self, below: int) -> _State | None:
        """The best complete order of a peak less than `below`; None where there is none or time is up."""
        while self._open and self._open[0][0] < below:
            if self._is_time_up(below):
                return None
            self._at_hand = self._open[0][0]
            state = heapq.heappop(self._open)[3]
            if self._steps.is_complete(state):
                return state
            for op in state.ready:
                if self._is_time_up(below):
                    return None
                self._push(self._steps.near_runs(state, op), below)
            self._at_hand = _NO_PEAK
        self._at_hand = _NO_PEAK
        return None

    def _push(self, state: _State, below: int) -> None:
        if state.peak < min(below, self._seen.get(state.done, below)):
            self._seen[state.done] = state.peak
            self._pushed += 1
            self._bytes += len(state.ready) * 8 + state.done.bit_length() // 8
            heapq.heappush(self._open, (state.peak, -state.count, self._pushed, state))

    def _is_time_up(self, below: int) -> bool:
        now = time.monotonic()
        if self._progress and now - self._reported_at > _TELL_EVERY_S:
            self._reported_at = now
            self._progress(
                f"order: {len(self._seen):,} sets of operators seen, "
                f"peak between {self.bound:,} and {below:,} bytes"
            )
        return now > self._until or len(self._seen) > _SETS_AT_MOST or self._bytes > _BYTES_AT_MOST


def _beam(steps: _Steps, width: int, until: float) -> _State | None:
    """A complete order, by keeping the sets with the lowest peak and the least memory held."""
    states = [steps.free_runs(steps.start())]
    best: _State | None = None
    while states:
        for state in filter(steps.is_complete, states):
            best = state if best is None or state.peak < best.peak else best
        following: dict[int, _State] = {}
        for state in states:
            if time.monotonic() > until:
                return best
            for op in state.ready:
                after = steps.near_runs(state, op)
                following[after.done] = min(following.get(after.done, after), after, key=_by_peak_then_held)
                if len(following) > _FOLLOWING_AT_MOST:
                    kept = heapq.nsmallest(width, following.values(), key=_by_peak_then_held)
                    following = {each.done: each for each in kept}
                if time.monotonic() > until:
                    break
        states = heapq.nsmallest(width, following.values(), key=_by_peak_then_held)
    return best


def _by_peak_then_held(state: _State) -> tuple[int, int, int]:
    return state.peak, state.held, -state.count
