"""Power while computing, in a static and a dynamic part: fitted where measured, the data sheet's elsewhere.

    P(clock) = static + dynamic × clock / reference       at one core voltage
    P(clock) = P(reference) × (clock / reference) ^ k     between clocks whose core voltages differ

Two measured clocks tell the two apart: power that grows faster than the clock needs a core voltage that grows
with it. Of one clock alone, the static share is an assumption and says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...hardware_db import Leaf, PowerMode, Target
from ...hardware_db.coefficients import ActivePower, PowerPoint, RunCurrent, load_coefficients
from ..core.deployment_table import Machine
from ..core.own_figures import described_mode, given_active_mw
from ..core.quantity import Basis, Quantity, weakest
from ..core.records import dataclass
from .hierarchy import processor_of

RATED_SHARE = 0.3
"""Least share of its rated board power that a busy card was taken to draw."""
STATIC_SHARE = 0.1
"""Share of the power that is taken not to scale with the clock, where one clock was measured."""
MOST_STATIC_SHARE = 0.3
"""Its upper end; the lower is 0."""


@dataclass(frozen=True)
class Power:
    milliwatts: Quantity
    evidence: str
    static_mw: Quantity
    """What is drawn however slow the clock; the rest of `milliwatts` is dynamic."""
    supply_v: float | None = None
    """The supply that the figures hold at."""
    split: str = ""
    """Where the split comes from."""
    scales: bool = True
    """Whether the power is known to follow the clock."""


UNKNOWN_POWER = Power(Quantity.unknown("mW"), "", Quantity.unknown("mW"), scales=False)


def active_power(where: Machine, *, supply_v: float | None = None) -> Power:
    """Power of the whole target while it runs an inference at the deployment's clock.

    `supply_v` asks for another supply than the one that the figures hold at.
    """
    own = given_active_mw(where.target)
    if own is not None:
        given = Quantity.exact(own, "mW", Basis.MEASURED)
        return Power(given, "power: as given", Quantity.unknown("mW"), scales=False)
    fitted = next((p for p in load_coefficients().power if _was_measured(p, where)), None)
    return power_by(fitted, where, supply_v=supply_v)


def _was_measured(fitted: ActivePower, where: Machine) -> bool:
    return fitted.target == where.target.measured_as and fitted.kind == processor_of(where)[0]


def power_by(
    fitted: ActivePower | None,
    where: Machine,
    *,
    supply_v: float | None = None,
    run_current: RunCurrent | None = None,
    load_current: RunCurrent | None = None,
) -> Power:
    """As `active_power`, by a given fit of the target; by its data sheet where there is none.

    `run_current` is what boards draw over their data sheets' figure of run mode at large, `load_current` over
    that of a stated load; None takes what was fitted.
    """
    if fitted is not None:
        return _measured(fitted, where, supply_v)
    mode = described_mode(where.target, (where.accelerator or where.core).id)
    if mode is None:
        return UNKNOWN_POWER
    by_kind = load_coefficients()
    loop, load = run_current or by_kind.run_current, load_current or by_kind.load_current
    return at_supply(_from_datasheet(where, mode, load if mode.of_a_load else loop), supply_v)


def at_supply(power: Power, supply_v: float | None) -> Power:
    """The figures at another supply: from constant, behind a switching regulator, to the voltage squared.

    Their middle is in proportion to it: behind a linear regulator the current stays, as measured on an
    STM32L4R5 at 1.8 V and 3 V.
    """
    if supply_v is None or not power.supply_v or supply_v == power.supply_v:
        return power
    ratio = supply_v / power.supply_v
    text = f"power: scaled from {power.supply_v:g} V to {supply_v:g} V as behind a linear regulator"
    return Power(
        _widened(power.milliwatts, ratio),
        f"{power.evidence}; {text}",
        _widened(power.static_mw, ratio),
        supply_v,
        power.split,
        power.scales,
    )


def _widened(mw: Quantity, ratio: float) -> Quantity:
    if mw.value is None or mw.low is None or mw.high is None:
        return mw
    return Quantity(
        value=mw.value * ratio,
        low=mw.low * min(1.0, ratio**2),
        high=mw.high * max(1.0, ratio**2),
        unit=mw.unit,
        basis=Basis.ASSUMED,
    )


def _measured(fitted: ActivePower, where: Machine, supply_v: float | None) -> Power:
    """From the points at the supply asked for where there are any, else from those at the usual one."""
    voltage = supply_v if any(p.supply_v == supply_v for p in fitted.points) else fitted.supply_v
    points = [p for p in fitted.points if p.supply_v == voltage] or [_only_point(fitted, where)]
    rows = sum(point.rows for point in points)
    clocks = " and ".join(f"{point.clock_mhz:g}" for point in points)
    text = f"power: {rows} energy measurements of {fitted.target} at {clocks} MHz"
    text += f" and {voltage:g} V" if voltage else ", supply not known"
    nearest = min(points, key=lambda p: abs(math.log(p.clock_mhz / where.clock_mhz)))
    law = _law(points, where.clock_mhz, nearest)
    power = law.power(where.clock_mhz, nearest.interval_factor, Basis.FITTED, text, voltage or None)
    return at_supply(power, supply_v)


def _only_point(fitted: ActivePower, where: Machine) -> PowerPoint:
    clock = _highest_clock(where)
    return PowerPoint(
        clock_mhz=clock, supply_v=fitted.supply_v, milliwatts=fitted.mw_per_mhz * clock,
        interval_factor=fitted.interval_factor, rows=fitted.rows,
    )  # fmt: skip


def _highest_clock(where: Machine) -> float:
    boosted = where.accelerator.clock_max_mhz if where.accelerator else None
    return (boosted or where.core.clock_max_mhz).value


@dataclass(frozen=True)
class _Law:
    """Power against the clock, through one point."""

    reference_mhz: float
    milliwatts: float
    shares: tuple[float, float, float] = (0.0, STATIC_SHARE, MOST_STATIC_SHARE)
    """Of it that does not scale: lowest, taken, highest."""
    exponent: float | None = None
    """Of power over clock where the core's voltage changes with the clock."""
    basis: Basis = Basis.ASSUMED
    """Of the static share."""

    def total(self, clock_mhz: float, share: float) -> float:
        ratio = clock_mhz / self.reference_mhz
        if self.exponent is not None:
            return self.milliwatts * float(ratio**self.exponent)
        return self.milliwatts * (share + (1 - share) * ratio)

    def power(
        self, clock_mhz: float, factor: float, basis: Basis, note: str, supply_v: float | None
    ) -> Power:
        least, share, most = self.shares
        shapes = [self.total(clock_mhz, s) for s in self.shares]
        low, high = min(shapes) / factor, max(shapes) * factor
        at = shapes[1] if self.exponent is not None else self.milliwatts
        static = Quantity(
            value=at * share, low=at * least / factor, high=min(at * most * factor, high),
            unit="mW", basis=weakest((self.basis, basis)),
        )  # fmt: skip
        moved = self.exponent is None and clock_mhz != self.reference_mhz
        return Power(
            Quantity(value=shapes[1], low=low, high=high, unit="mW", basis=basis),
            f"{note}; {self.split}" if moved else note,
            static,
            supply_v,
            self.split,
        )

    @property
    def split(self) -> str:
        least, share, most = (f"{100 * s:.0f}" for s in self.shares)
        if self.exponent is not None:
            return (
                f"static part assumed: {share} ({least} to {most}) % of the power; between measured clocks "
                f"power goes with the clock to the {self.exponent:.2f}, so the core's voltage rises with it"
            )
        if self.basis is Basis.FITTED:
            return f"static part fitted to two clocks: {share} % of the power at {self.reference_mhz:g} MHz"
        return (
            f"static part assumed: {share} ({least} to {most}) % of the power at {self.reference_mhz:g} MHz"
        )


def _law(points: Sequence[PowerPoint], clock_mhz: float, nearest: PowerPoint) -> _Law:
    """The law of the two measured clocks around one, or of the nearest two.

    Below the lowest the core's voltage is at its lowest, so that the dynamic part falls with the clock alone.
    """
    if len(points) < 2:
        return _Law(nearest.clock_mhz, nearest.milliwatts)
    above = next((i for i, p in enumerate(points) if p.clock_mhz >= clock_mhz and i), len(points) - 1)
    low, high = points[above - 1], points[above]
    exponent = math.log(high.milliwatts / low.milliwatts) / math.log(high.clock_mhz / low.clock_mhz)
    if exponent < 1:
        slope = (high.milliwatts - low.milliwatts) / (high.clock_mhz - low.clock_mhz)
        share = min(1.0, max(0.0, 1 - slope * nearest.clock_mhz / nearest.milliwatts))
        return _Law(nearest.clock_mhz, nearest.milliwatts, (share, share, share), basis=Basis.FITTED)
    if clock_mhz < points[0].clock_mhz:
        return _Law(points[0].clock_mhz, points[0].milliwatts)
    return _Law(nearest.clock_mhz, nearest.milliwatts, exponent=exponent)


def _from_datasheet(where: Machine, mode: PowerMode, drawn: RunCurrent) -> Power:
    supply = where.target.supply_v.value if where.target.supply_v else None
    reference = mode.clock_mhz.value if mode.clock_mhz else _highest_clock(where)
    if mode.active_ua_per_mhz is not None and supply is not None:
        mw = mode.active_ua_per_mhz.value * reference * supply / 1000
        text = f"power: run current at {supply:g} V, {where.target.stands_in(mode.active_ua_per_mhz)}"
    elif mode.active_mw is not None:
        mw, text = mode.active_mw.value, f"power: {where.target.stands_in(mode.active_mw)}"
    elif mode.board_active_w is not None:
        return _of_board(where.target, mode, mode.board_active_w)
    elif mode.board_power_w is not None:
        return _rated(_rated_w(where, mode, mode.board_power_w.value) * 1000)
    else:
        return UNKNOWN_POWER
    text += f" ({mode.workload} at {reference:g} MHz)" if mode.of_a_load else ""
    if drawn.targets:
        drew = f"{drawn.targets} measured targets drew more than theirs"
        if drawn.targets == 1:
            drew = "one measured target drew more than its own"
        text += f"; times {drawn.factor:g}, as {drew}"
    law = _Law(reference, mw * drawn.factor)
    return law.power(where.clock_mhz, drawn.interval_factor, Basis.DATASHEET, text, supply)


def _of_board(target: Target, mode: PowerMode, load: Leaf[float]) -> Power:
    """The whole board under another full load: an inference lies between idle and the heaviest."""
    heaviest = max(m.board_active_w.value for m in target.power if m.board_active_w is not None)
    least = mode.board_idle_w.value if mode.board_idle_w is not None else RATED_SHARE * load.value
    return Power(
        Quantity(
            value=load.value * 1000, low=min(least, load.value) * 1000, high=heaviest * 1000,
            unit="mW", basis=Basis.ASSUMED,
        ),
        f"power: {target.stands_in(load)}: the whole board while it runs {mode.workload or 'another load'}",
        Quantity.unknown("mW"),
        scales=False,
    )  # fmt: skip


def _rated_w(where: Machine, usual: PowerMode, watts: float) -> float:
    """Of the lowest power mode that allows this clock, where modes limit it: a module in it draws no more."""
    rated = (
        mode.board_power_w.value
        for mode in where.target.power
        if mode.board_power_w and mode.clock_mhz and mode.clock_mhz.value >= where.clock_mhz
    )
    return min(rated, default=watts) if usual.clock_mhz else watts


def _rated(mw: float) -> Power:
    return Power(
        Quantity(value=mw, low=mw * RATED_SHARE, high=mw, unit="mW", basis=Basis.ASSUMED),
        "power: rated power of the whole board, which is an upper bound",
        Quantity.unknown("mW"),
        scales=False,
    )
