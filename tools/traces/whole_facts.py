"""What holds for a whole measurement against its estimate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...hardware_db.errors import EdgewrightError
from ..core.deployment import deployment
from ..core.quantity import Basis, Quantity
from ..core.units import digits, show
from ..cost_model.study import Study, study
from .layer_facts import kernels_check
from .level import Level
from .measured_profile import Hypothesis, LayerResidual, OtherRuntime

_NO_EVIDENCE = (Basis.ASSUMED, Basis.UNKNOWN)
_FAR = 3.0
"""A level this far from 1 asks whether the trace counts what it was taken to count."""


class Whole(NamedTuple):
    case: Study
    measured: Quantity
    estimated: Quantity
    level: Level | None
    residuals: Sequence[LayerResidual]
    counts_cycles: bool
    written_by: str
    was_run: bool

    @property
    def without_odd_ms(self) -> float | None:
        """What the total would be with the layers that stand out at the level of the others."""
        odd = sum(layer.excess_ms for layer in self.residuals if layer.stands_out)
        return None if self.measured.value is None else self.measured.value - odd

    @property
    def inside(self) -> bool | None:
        return _holds(self.estimated, self.measured.value)


def whole_facts(whole: Whole) -> tuple[str, ...]:
    return tuple(fact for rule in (_common_level, _without_the_worst, _as_if) for fact in rule(whole))


def whole_hypotheses(whole: Whole) -> tuple[Hypothesis, ...]:
    """Only where the level itself is off: single layers have their own."""
    if whole.level is None or whole.inside is not False or not whole.estimated.value or not whole.was_run:
        return ()
    value, low, high = whole.estimated.value, whole.estimated.low or 0.0, whole.estimated.high or 0.0
    if low <= value * whole.level.factor <= high:
        return ()
    found = [*_of_the_clock(whole, whole.level.factor), _of_the_kernels(whole)]
    return tuple(reversed(found) if would_fit(whole) else found)


def _of_the_clock(whole: Whole, factor: float) -> Iterator[Hypothesis]:
    where = whole.case.deployment
    if whole.counts_cycles and not 1 / _FAR <= factor <= _FAR:
        yield Hypothesis(
            cause="a tick of the trace is no cycle of the core",
            check="look at ticks_per_second() or the timer behind it, and say the rate as the trace's unit",
        )
    if not whole.counts_cycles:
        yield Hypothesis(
            cause=f"the core did not run at {where.clock_mhz:g} MHz",
            check="read the clock back while the model runs, and name it",
        )


def _of_the_kernels(whole: Whole) -> Hypothesis:
    return Hypothesis(
        cause=f"it did not run on the kernels of {whole.case.deployment.runtime.id}",
        check=kernels_check(whole.case),
    )


def _common_level(whole: Whole) -> Iterator[str]:
    if whole.level is not None:
        yield (
            f"the layers have in common that they take {digits(whole.level.factor)} times the estimate, and "
            f"are typically off from that by a factor of {digits(whole.level.spread)}"
        )


def _without_the_worst(whole: Whole) -> Iterator[str]:
    odd = [layer for layer in whole.residuals if layer.stands_out]
    rest, inside = whole.without_odd_ms, _holds(whole.estimated, whole.without_odd_ms)
    if not odd or whole.level is None or inside is None:
        return
    side = "inside" if inside else "outside"
    count = "the layer that stands out" if len(odd) == 1 else f"the {len(odd)} layers that stand out"
    yield f"with {count} at the common level the total would be {show(rest, 'ms')}, {side} the interval"


def _as_if(whole: Whole) -> Iterator[str]:
    for other in would_fit(whole):
        held = other.estimated_ms
        yield (
            f"with {other.runtime} the estimate would be {show(held.value, 'ms')} ({show(held.low, 'ms')} to "
            f"{show(held.high, 'ms')}), which holds the measurement"
        )


def would_fit(whole: Whole) -> tuple[OtherRuntime, ...]:
    """Runtimes that can have written the trace and whose estimate holds it, where the named one's misses."""
    where, rest = whole.case.deployment, whole.without_odd_ms
    if _holds(whole.estimated, rest) is not False or where.accelerator is not None or not whole.written_by:
        return ()
    names = (name for name in where.target.runtimes if name.startswith(whole.written_by))
    found = {name: _estimate(whole, name) for name in names if name != where.runtime.id}
    return tuple(
        OtherRuntime(runtime=name, estimated_ms=other)
        for name, other in found.items()
        if other is not None and other.basis not in _NO_EVIDENCE and _holds(other, rest)
    )


def _holds(figure: Quantity, value: float | None) -> bool | None:
    if value is None or figure.low is None or figure.high is None:
        return None
    return figure.low <= value <= figure.high


def _estimate(whole: Whole, runtime: str) -> Quantity | None:
    where = whole.case.deployment
    try:
        place = deployment(
            where.target, runtime, clock_mhz=where.clock_mhz, batch=where.batch, threads=where.threads,
            settings=where.settings,
        )  # fmt: skip
        return None if place.accelerator is not None else study(whole.case.graph, place).latency_ms
    except EdgewrightError:
        return None
