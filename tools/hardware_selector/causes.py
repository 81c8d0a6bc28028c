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
REST, _PLAINLY = "rest", 3
"""What is left of a ratio beside the causes that are told plainly, and how many of these there are."""
_ARITHMETIC = (Why.WIDTH, Why.CORE, Why.THREADS, Why.BATCH, Why.KERNELS, Why.NUMBERS)
"""What makes up how much is computed in a cycle: a wide unit that is hardly fed undoes itself."""


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
        yield _explained(field, row, fastest, Side.of(field.table.models[row], field.places[row]), best)


def _explained(field: Field, row: int, fastest: int, one: Side, best: Side) -> Cause:
    ratio = (field.table.latency_ms[row].value or 0.0) / (field.table.latency_ms[fastest].value or 1.0)
    steps = _steps(one, best, ratio)
    factors = tuple(_factors(steps, one, best, ratio))
    clock = field.places[fastest].clock_mhz / field.places[row].clock_mhz
    fails = field.verdict[row] == FAIL and field.verdict[fastest] != FAIL
    return Cause(
        deployment=row,
        against=fastest,
        slower_by=ratio,
        clock=clock,
        cycles=ratio / clock,
        factors=factors,
        plain=() if 1 / ALIKE <= ratio <= ALIKE else tuple(_plain(steps, one, best, ratio)),
        why=(_in_words(factors) or "they hardly differ") + ("; it fails all the same" if fails else ""),
    )


def _steps(one: Side, best: Side, ratio: float) -> Sequence[Step]:
    """The steps of the ratio; what they leave of it counts as a measurement's."""
    steps = list(attributed(one, best))
    left = ratio / math.prod(step.factor for step in steps)
    return [*steps, Step(Why.MEASUREMENT, left)] if abs(math.log(left)) > 1e-9 else steps


def _factors(steps: Sequence[Step], one: Side, best: Side, ratio: float) -> Iterator[Factor]:
    """The steps with their shares of the ratio's logarithm."""
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
            what=_against((step.why, *step.with_it), one, best),
        )


def _plain(steps: Sequence[Step], one: Side, best: Side, ratio: float) -> Iterator[Factor]:
    """Steps that belong together as one, those that hardly count as the rest."""
    groups: dict[str, list[Step]] = {}
    for step in steps:
        groups.setdefault(_group(step), []).append(step)
    sizes = {name: math.prod(step.factor for step in of) for name, of in groups.items() if name != REST}
    told = sorted(sizes, key=lambda name: -abs(math.log(sizes[name])))[:_PLAINLY]
    told = [name for name in told if not 1 / ALIKE <= sizes[name] <= ALIKE]
    sizes = {name: sizes[name] for name in told}
    sizes[REST] = ratio / math.prod(sizes.values())
    shares = _percent([math.log(size) / math.log(ratio) for size in sizes.values()])
    for (name, size), share in zip(sizes.items(), shares, strict=True):
        whys = {why for step in groups.get(name, ()) for why in (step.why, *step.with_it)}
        whys |= {*_ARITHMETIC} if name == Why.WIDTH else set()
        known: list[Why] = [why for why in Why if why in whys and why is not Why.CORE]
        if name == Why.WIDTH and not all(_sides(Why.WIDTH, one, best)):
            known.insert(0, Why.CORE)
        what = "" if name == REST else _against(known, one, best)
        yield Factor(cause=name, factor=size, share_percent=share, explained=name != REST, what=what)


def _group(step: Step) -> str:
    """Under which name a person counts it."""
    if {step.why, *step.with_it} & {*_ARITHMETIC}:
        return Why.WIDTH
    return REST if step.why in _UNEXPLAINED else step.why


def _percent(shares: Sequence[float]) -> list[int]:
    """Whole per cents that sum to 100: the largest remainders are rounded up."""
    whole = [math.floor(100 * share) for share in shares]
    rest = sorted(range(len(shares)), key=lambda at: whole[at] - 100 * shares[at])
    for at in rest[: 100 - sum(whole)]:
        whole[at] += 1
    return whole


def _against(whys: Sequence[Why], one: Side, best: Side) -> str:
    pairs = (_sides(why, one, best) for at, why in enumerate(whys) if not at or why is not Why.BOARD)
    differing = (
        f"{mine} against {other}" if other else mine
        for mine, other in pairs
        if mine != other and other not in mine.split()
    )
    return "; ".join(dict.fromkeys(differing))


def _sides(why: Why, one: Side, best: Side) -> tuple[str, str]:
    mine, other = one.deployment, best.deployment
    match why:
        case Why.CLOCK:
            return f"{mine.clock_mhz:,g} MHz", f"{other.clock_mhz:,g}"
        case Why.THREADS:
            return f"{mine.threads} threads", f"{other.threads}"
        case Why.WIDTH:
            widths = [side.width(side.main_dtype) for side in (one, best)]
            if None in widths:
                return "", ""
            wide, least = (digits(width) for width in widths if width is not None)
            return f"{wide} MACs a cycle", least
        case Why.CORE:
            return _processor(one), _processor(best)
        case Why.KERNELS:
            return mine.ref.runtime, other.ref.runtime
        case Why.NUMBERS:
            return one.main_dtype, best.main_dtype
        case Why.BATCH:
            return f"batch {mine.batch}", f"{other.batch}"
        case Why.MEMORY:
            known = UNKNOWN_REGION not in {level.region for side in (one, best) for level in _levels(side)}
            return (_memory(one), _memory(best)) if known else ("", "")
        case Why.OVERHEAD:
            return _started(one), _started(best)
        case Why.PLACEMENT:
            return f"{one.placement:.3g} times as long for what falls back", f"{best.placement:.3g}"
        case Why.BOARD:
            return "beyond core and kernels, by the measurements of each", ""
        case Why.MEASUREMENT:
            return f"measured {one.measured:.3g} times the cost model", f"{best.measured:.3g}"


def _processor(side: Side) -> str:
    accelerator = side.deployment.accelerator
    return accelerator.id if accelerator else side.deployment.core.isa.value


def _memory(side: Side) -> str:
    return " and ".join(dict.fromkeys(_level(level) for level in _levels(side)))


def _levels(side: Side) -> Sequence[MemoryLevel]:
    return side.study.levels.activations, side.study.levels.weights


def _level(level: MemoryLevel) -> str:
    if level.bytes_per_s is None:
        return level.region
    return f"{level.region} at {digits(level.bytes_per_s / 1e9)} GB/s{' (assumed)' if level.assumed else ''}"


def _started(side: Side) -> str:
    times = side.study.times
    return f"{digits(100 * float(times.overhead_s.sum() / times.total_s.sum()))} % of the time"


def _in_words(factors: Sequence[Factor]) -> str:
    """Each cause with its factor, share and figures; what hardly moves the ratio is left out."""
    return ", ".join(_named(each) for each in factors if not 1 / HARDLY <= each.factor <= HARDLY)


def _named(factor: Factor) -> str:
    share = "" if factor.share_percent is None else f" or {factor.share_percent} %"
    return f"{factor.cause} {digits(factor.factor)} x{share} ({factor.what})"
