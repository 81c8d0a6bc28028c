"""Milliseconds of what a trace counts in."""

from __future__ import annotations

import math
from typing import NamedTuple

from ...hardware_db.errors import LimitsError, UsageError
from ..core.deployment import Deployment
from ..core.sanitize import clean_text
from ..core.units import Dimension, parse_measure
from .trace import MS_PER, Trace, Unit

_CLOSE = 1.1
_ROUND_PER_MS = (1e3, 1e6, 1e4, 1e5)
"""Ticks of timers that count microseconds, nanoseconds, or tenths and hundredths of them."""
_NO_CLOCK = "no clock named"
"""How a deployment says that it took one itself."""


class Scale(NamedTuple):
    ms: float
    """Milliseconds of one count."""
    counts_cycles: bool
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def scale_of(trace: Trace, deployment: Deployment, unit: str | None) -> Scale:
    """`unit` is what the user says that the trace counts in: a unit of time, cycles, or a timer's rate.

    Raises:
        UsageError: a unit that is none of these.
    """
    if unit is not None:
        return _as_stated(unit, deployment)
    if trace.unit is Unit.UNSTATED:
        raise UsageError(
            "The trace does not say what its times count in.",
            hint="Say it: --unit ms (unit='ms'), or us, ns, s, cycles; or call the column time_ms.",
        )
    if trace.unit in MS_PER:
        return Scale(MS_PER[trace.unit], counts_cycles=False)
    if trace.per_ms is not None:
        return _by_own_times(trace.per_ms, deployment)
    return _cycles(deployment, assumed=trace.unit is Unit.TICKS)


def _as_stated(unit: str, deployment: Deployment) -> Scale:
    name = unit.strip().casefold().replace("µ", "u")
    notes = (f"the trace counts in {clean_text(unit, 20)}, as was said",)
    if name in {known.value for known in MS_PER}:
        return Scale(MS_PER[Unit(name)], counts_cycles=False, assumptions=notes)
    if name in ("cycle", "cycles"):
        return _cycles(deployment, assumed=False)
    try:
        return Scale(1e-3 / parse_measure(unit, Dimension.CLOCK_MHZ), counts_cycles=False, assumptions=notes)
    except LimitsError as error:
        raise UsageError(
            f"{clean_text(unit, 20)!r} is nothing that a trace counts in.",
            hint="Say cycles, s, ms, us, ns, or the rate of the timer such as 1MHz.",
        ) from error


def _cycles(deployment: Deployment, *, assumed: bool) -> Scale:
    clock = deployment.clock_mhz
    notes = [f"a tick of the trace is taken for a cycle of the core, at {clock:g} MHz"] if assumed else []
    unnamed = any(line.startswith(_NO_CLOCK) for line in deployment.assumptions)
    warnings = (
        (f"the clock of the trace is not known: the times hold for {clock:g} MHz, name the real one",)
        if unnamed
        else ()
    )
    return Scale(1e-3 / clock, counts_cycles=True, assumptions=tuple(notes), warnings=warnings)


def _by_own_times(per_ms: tuple[float, float], deployment: Deployment) -> Scale:
    """The trace's own milliseconds, which are cut to whole ones, tell between which rates the timer ran."""
    least, most = per_ms
    if least <= deployment.clock_mhz * 1e3 <= most:
        text = (
            f"the milliseconds in the trace agree with a tick for each cycle at {deployment.clock_mhz:g} MHz"
        )
        return Scale(1e-3 / deployment.clock_mhz, counts_cycles=True, assumptions=(text,))
    round_rate = next((rate for rate in _ROUND_PER_MS if least <= rate <= most), None)
    mean = round_rate or math.sqrt(least * most)
    text = f"its own milliseconds tell of {least:,.0f} to {most:,.0f} ticks each: took {mean:,.0f}"
    cycles = f"the timer of the trace does not count cycles at {deployment.clock_mhz:g} MHz"
    loose = (f"{cycles}, and its rate is known to a factor of {most / least:.2g} only",)
    known = round_rate is not None or most <= _CLOSE * least
    return Scale(1 / mean, False, (text,), (cycles,) if known else loose)
