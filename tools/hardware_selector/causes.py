"""What makes the slower of deployments slower: factors of the ratio, with the figures behind them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ..core.units import digits
from ..cost_model.attribution import Step, attributed
from ..cost_model.attribution_sides import Side, Why
from ..cost_model.memory_levels import UNKNOWN_REGION, MemoryLevel
from ..verdicts.judge import FAIL
from .hardware_ranking import Cause, Factor
from .recommend import Field

ALIKE = 1.1
"""Ratios within this of 1 have no shares: those of factors that undo each other would have no end."""
HARDLY = 1.005
"""Factors within this of 1 are left out of a sentence."""
_UNEXPLAINED = frozenset({Why.BOARD, Why.MEASUREMENT})


def causes(field: Field) -> Iterator[Cause]:
    """Each deployment against the fastest that can run the model; against the fastest of all if none can."""
    times = [field.table.latency_ms[row].value for row in range(len(field.places))]
    known = [row for row, ms in enumerate(times) if ms]
    runs = [row for row in known if field.verdict[row] != FAIL] or known
    if not runs:
        return
    fastest = min(runs, key=lambda row: times[row] or math.inf)
    best = Side.of(field.table.models[fastest], field.places[fastest])
    for row in range(len(field.places)):
        if row == fastest:
            continue
        mine, least = times[row], times[fastest]
        if not mine or not least:
            yield Cause(deployment=row, against=fastest, slower_by=None, why="its latency is unknown")
            continue
        one = Side.of(field.table.models[row], field.places[row])
        yield _explained(field, row, fastest, mine / least, tuple(_factors(one, best, mine / least)))


def _explained(field: Field, row: int, fastest: int, ratio: float, factors: tuple[Factor, ...]) -> Cause:
    clock = field.places[fastest].clock_mhz / field.places[row].clock_mhz
    fails = field.verdict[row] == FAIL and field.verdict[fastest] != FAIL
    return Cause(
        deployment=row,
        against=fastest,
        slower_by=ratio,
        clock=clock,
        cycles=ratio / clock,
        factors=factors,
        why=(_in_words(factors) or "they hardly differ") + ("; it fails all the same" if fails else ""),
    )


def _factors(one: Side, best: Side, ratio: float) -> Iterator[Factor]:
    """The steps with their shares of the ratio's logarithm; what they leave counts as a measurement's."""
    steps = list(attributed(one, best))
    left = ratio / math.prod(step.factor for step in steps)
    if abs(math.log(left)) > 1e-9:
        steps.append(Step(Why.MEASUREMENT, left))
    shares: Sequence[int | None] = [None] * len(steps)
    if not 1 / ALIKE <= ratio <= ALIKE:
        shares = _percent([math.log(step.factor) / math.log(ratio) for step in steps])
    for step, share in zip(steps, shares, strict=True):
        names = [step.why, *(why for why in step.with_it if why not in (Why.BOARD, step.why))]
        yield Factor(
            cause=" and ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])} and {names[-1]}",
            factor=step.factor,
            share_percent=share,
            explained=step.why not in _UNEXPLAINED,
            what=_against(step, one, best),
        )


def _percent(shares: Sequence[float]) -> list[int]:
    """Whole per cents that sum to 100: the largest remainders are rounded up."""
    whole = [math.floor(100 * share) for share in shares]
    rest = sorted(range(len(shares)), key=lambda at: whole[at] - 100 * shares[at])
    for at in rest[: 100 - sum(whole)]:
        whole[at] += 1
    return whole


def _against(step: Step, one: Side, best: Side) -> str:
    pairs = (
        _sides(why, one, best) for why in (step.why, *step.with_it) if why is step.why or why is not Why.BOARD
    )
    differing = (f"{mine} against {other}" if other else mine for mine, other in pairs if mine != other)
    return "; ".join(dict.fromkeys(differing))


def _sides(why: Why, one: Side, best: Side) -> tuple[str, str]:
    mine, other = one.deployment, best.deployment
    match why:
        case Why.CLOCK:
            return f"{mine.clock_mhz:,g} MHz", f"{other.clock_mhz:,g}"
        case Why.THREADS:
            return f"{mine.threads} threads", f"{other.threads}"
        case Why.WIDTH:
            return f"{_width(one)} MACs a cycle", _width(best)
        case Why.CORE:
            return _processor(one), _processor(best)
        case Why.KERNELS:
            return mine.ref.runtime, other.ref.runtime
        case Why.NUMBERS:
            return one.main_dtype, best.main_dtype
        case Why.BATCH:
            return f"batch {mine.batch}", f"{other.batch}"
        case Why.MEMORY:
            return _memory(one), _memory(best)
        case Why.OVERHEAD:
            return _started(one), _started(best)
        case Why.PLACEMENT:
            return f"{one.placement:.3g} times as long for what falls back", f"{best.placement:.3g}"
        case Why.BOARD:
            return "beyond core and kernels, by the measurements of each", ""
        case Why.MEASUREMENT:
            return f"measured {one.measured:.3g} times the cost model", f"{best.measured:.3g}"


def _width(side: Side) -> str:
    width = side.width(side.main_dtype)
    return "an unknown number of" if width is None else digits(width)


def _processor(side: Side) -> str:
    accelerator = side.deployment.accelerator
    return accelerator.id if accelerator else side.deployment.core.isa.value


def _memory(side: Side) -> str:
    levels = side.study.levels
    return " and ".join(dict.fromkeys(_level(level) for level in (levels.activations, levels.weights)))


def _level(level: MemoryLevel) -> str:
    name = "unknown memory" if level.region == UNKNOWN_REGION else level.region
    if level.bytes_per_s is None:
        return name
    return f"{name} at {digits(level.bytes_per_s / 1e9)} GB/s{' (assumed)' if level.assumed else ''}"


def _started(side: Side) -> str:
    times = side.study.times
    return f"{digits(100 * float(times.overhead_s.sum() / times.total_s.sum()))} % of the time"


def _in_words(factors: Sequence[Factor]) -> str:
    """Each cause with its factor, share and figures; what hardly moves the ratio is left out."""
    return ", ".join(_named(each) for each in factors if not 1 / HARDLY <= each.factor <= HARDLY)


def _named(factor: Factor) -> str:
    share = "" if factor.share_percent is None else f" or {factor.share_percent} %"
    return f"{factor.cause} {digits(factor.factor)} x{share} ({factor.what})"
