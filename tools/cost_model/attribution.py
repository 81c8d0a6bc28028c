"""Why one deployment takes longer than another: the ratio of their latencies as a product of causes.

The cost model is a function of what a deployment consists of. Taking some of it from the one deployment and
the rest from the other gives a latency between the two, and turning the one into the other, cause by cause,
gives each cause a step. What a step does depends on those before it, so a cause's factor is the geometric
mean of its steps over all orders:

    log factor(i) = Σ over S without i of |S|! (n - |S| - 1)! / n! × log(T(S + i) / T(S))

the value of Shapley (A value for n-person games, 1953) of the logarithm of the latency, by which Shorrocks
(Journal of Economic Inequality 11, 2013) decomposes figures. The product of all causes is the ratio, exactly.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping

import numpy as np

from ..core.records import dataclass
from .attribution_sides import Side, Why
from .times import is_on_gpu, waited_for

Merges = Mapping[Why, Why]
_SWAPPED = [why for why in Why if why not in (Why.PLACEMENT, Why.MEASUREMENT)]
"""What the cost model swaps; the others multiply the whole, so that no order matters."""
_INTO_CORE = (Why.CLOCK, Why.WIDTH, Why.KERNELS, Why.NUMBERS, Why.BOARD)


@dataclass(frozen=True)
class Step:
    """A cause with its factor of the ratio."""

    why: Why
    factor: float
    with_it: tuple[Why, ...] = ()
    """Causes that cannot be told apart from it."""


def attributed(slow: Side, fast: Side) -> tuple[Step, ...]:
    """Factors whose product is the ratio of the two latencies, the largest first.

    None where the deployments are alike, or where the cost model does not know the latency of one.
    """
    compiled = {side: _compiled(side) for side in (slow, fast)}
    merges = _merges(slow, fast)
    steps = _shapley(slow, fast, merges, compiled)
    if steps is None:
        steps = _shapley(slow, fast, {**merges, **dict.fromkeys(_INTO_CORE, Why.CORE)}, compiled)
    if steps is None:
        return ()
    steps.append(Step(Why.PLACEMENT, slow.placement / fast.placement))
    steps.append(Step(Why.MEASUREMENT, slow.measured / fast.measured))
    moved = [step for step in steps if abs(math.log(step.factor)) > 1e-9]
    return tuple(sorted(moved, key=lambda step: -abs(math.log(step.factor))))


def _compiled(side: Side) -> float:
    """What an NPU's own compiler makes of the coefficients' time, if no layer fell back."""
    shared = side.study.shared
    return (
        1.0
        if shared is None
        else float(shared.accelerated.total_s.sum()) / between(dict.fromkeys(Why, side), {})
    )


def _merges(slow: Side, fast: Side) -> dict[Why, Why]:
    """Causes that count as another's, as nothing is known of the one without the other."""
    found = {}
    pair = slow.parts, fast.parts
    if any(parts[Why.WIDTH] is None for parts in pair):
        found[Why.WIDTH] = Why.CORE
    if any(parts[Why.CLOCK] is None for parts in pair):
        found[Why.CLOCK] = found.get(Why.WIDTH, Why.WIDTH)
    if not (slow.can_run(fast) and fast.can_run(slow)):
        found[Why.KERNELS] = Why.CORE
    if slow.group != fast.group:
        found[Why.BOARD] = Why.CORE
    return found


def _shapley(slow: Side, fast: Side, merges: Merges, compiled: Mapping[Side, float]) -> list[Step] | None:
    """None where a latency between the two is not known."""
    differ = [why for why in _SWAPPED if slow.parts[why] != fast.parts[why]]
    players = list(dict.fromkeys(merges.get(why, why) for why in differ))
    logs: dict[frozenset[Why], float] = {}
    for chosen in itertools.chain.from_iterable(
        itertools.combinations(players, size) for size in range(len(players) + 1)
    ):
        taken = {why: slow if merges.get(why, why) in chosen else fast for why in Why}
        seconds = between(taken, merges) * compiled[taken[Why.CORE]]
        if not 0 < seconds < math.inf:
            return None
        logs[frozenset(chosen)] = math.log(seconds)
    held = {p: tuple(why for why in differ if why is not p and merges.get(why) is p) for p in players}
    return [Step(why, math.exp(_value(why, len(players), logs)), held[why]) for why in players]


def _value(why: Why, count: int, logs: Mapping[frozenset[Why], float]) -> float:
    total = 0.0
    for others, log in logs.items():
        if why not in others:
            orders = math.factorial(len(others)) * math.factorial(count - len(others) - 1)
            total += orders / math.factorial(count) * (logs[others | {why}] - log)
    return total


def between(taken: Mapping[Why, Side], merges: Merges) -> float:
    """Seconds of a batch by the cost model on what is put together of two deployments; NaN where not known.

    What a processor reaches of its peak is its own: at another clock and width it takes as much less or more.
    """
    core, memory, start, model = (taken[w] for w in (Why.CORE, Why.MEMORY, Why.OVERHEAD, Why.NUMBERS))
    clock, wide, threads = taken[Why.CLOCK], taken[Why.WIDTH], taken[Why.THREADS]
    apart = Why.BOARD in merges
    batch = taken[Why.BATCH].deployment.batch
    total = 0.0
    for dtype in model.layers:
        compute = core.compute_s(
            model, dtype, batch, kernels=taken[Why.KERNELS], board=taken[Why.BOARD],
            waits=core if apart else memory, threads=core if apart else threads,
        )  # fmt: skip
        moved, started = memory.moved_s(model, dtype, batch), start.started_s(model, dtype, batch)
        if compute is None or moved is None or started is None:
            return math.nan
        own, other = core.width(dtype), wide.width(dtype)
        slower = core.clock_mhz / clock.clock_mhz * (own / other if own and other else 1.0)
        slower *= core.deployment.threads / threads.deployment.threads if apart else 1.0
        peak = (other or own or math.inf) * clock.clock_mhz * 1e6 * threads.deployment.threads
        floor = core.least_macs(model, dtype, batch) / peak if own else 0.0
        rest = compute * slower + moved * _ticks(memory, core, clock)
        launches = started * _ticks(start, core, clock)
        if is_on_gpu(core.deployment):
            of_rest, of_launches = waited_for(rest.sum(), launches.sum())
            rest, launches = rest * of_rest, launches * of_launches
        cost = rest + launches
        total += float(np.maximum(cost, np.maximum(floor, memory.roof_s(model, dtype, batch))).sum())
    return total


def _ticks(side: Side, core: Side, clock: Side) -> float:
    """How many times as long cycles take at another's clock; of what is no cycle of a core, once."""
    return side.clock_mhz / clock.clock_mhz if side.is_core and core.is_core else 1.0
