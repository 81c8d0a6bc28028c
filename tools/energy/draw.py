"""What a target draws awake and asleep, and what of it reaches a battery as charge."""

from __future__ import annotations

from dataclasses import field
from typing import TypedDict

from ...hardware_db import Target, load_target
from ...hardware_db.coefficients import DATASHEET_ALONE
from ...hardware_db.errors import UsageError
from ..core.deployment import Deployment
from ..core.intervals import product, rest_of, share_of, total
from ..core.own_figures import GIVEN
from ..core.quantity import Basis, Quantity
from ..core.records import dataclass, replace
from ..cost_model.power import Power
from .cell import Cell
from .sensor import NO_SENSOR, NamedSensor, named_sensor

HOURS = 24.0


@dataclass(frozen=True)
class Sleep:
    """What is drawn between inferences."""

    current_ua: Quantity
    note: str
    """What it stands on."""
    idle_mw: Quantity = field(default=Quantity.unknown("mW"))
    """Of a whole board that nothing runs on, where no sleep current is known."""


def sleep_of(deployment: Deployment, sleep_ua: float | None) -> Sleep:
    """The current asked for, else the database's, else what a board draws idle; unknown, never 0, without."""
    if sleep_ua is not None:
        return Sleep(
            Quantity.exact(sleep_ua, "uA", Basis.ASSUMED), f"sleep current as given: {sleep_ua:g} µA"
        )
    known = next((mode.sleep_ua for mode in deployment.target.power if mode.sleep_ua is not None), None)
    if known is None:
        return _idle(deployment.target)
    if known.source == GIVEN:
        return Sleep(Quantity.exact(known.value, "uA", Basis.MEASURED), "sleep current: as given")
    figure = Quantity.within_factor(known.value, DATASHEET_ALONE.interval_factor, "uA", Basis.DATASHEET)
    return Sleep(figure, f"sleep current: {deployment.target.stands_in(known)}")


def _idle(target: Target) -> Sleep:
    known = [m.board_idle_w for m in target.power if m.board_idle_w is not None]
    if not known:
        return Sleep(Quantity.unknown("uA"), "")
    most = max(known, key=lambda leaf: leaf.value)
    figure = Quantity.within_factor(most.value * 1000, DATASHEET_ALONE.interval_factor, "mW", Basis.DATASHEET)
    text = f"between inferences: {target.stands_in(most)}: the whole board while nothing runs"
    return Sleep(Quantity.unknown("uA"), text, figure)


@dataclass(frozen=True)
class Board:
    """What lies between the battery and the chip, and what draws beside it."""

    regulator_efficiency: float | None = None
    """Power that reaches the chip, of what the battery gives, 0 to 1."""
    sensor_ua: float | None = None
    """Drawn while in use, at the chip's supply."""
    sensor_mw: float | None = None
    """Drawn while in use, in place of a current."""
    named: NamedSensor = NO_SENSOR
    """A sensor that is known by its name or kind."""
    host: str = ""
    """Board that an accelerator is plugged into."""
    host_mw: Quantity = field(default=Quantity.exact(0.0, "mW", Basis.DATASHEET))
    """What that draws idle, all the time."""
    host_note: str = ""


CHIP_ALONE = Board()


def lifted(beside: Board, deployment: Deployment, cell: Cell | None) -> Board:
    """With an ideal converter where the battery gives less than the least that the chip runs at.

    Where no source tells the least, half of the supply that its figures hold at is too little.
    """
    target, given = deployment.target, cell.nominal_v.value if cell else None
    if given is None or beside.regulator_efficiency:
        return beside
    if target.supply_min_v is not None:
        enough = given >= target.supply_min_v.value
    else:
        enough = target.supply_v is None or given > target.supply_v.value / 2
    return beside if enough else replace(beside, regulator_efficiency=1.0)


class PowerPath(TypedDict, total=False):
    """What a battery loses on its way to the chip, as the user knows it; what is not known is left out."""

    regulator_efficiency: float | None
    """Power that reaches the chip, of what the battery gives, 0 to 1. Without it the interval spans a linear
    regulator and an ideal converter."""
    sensor_ua: float | None
    """Current that sensors draw while it is in use, at the chip's supply."""
    sensor_mw: float | None
    """Power that sensors draw while it is in use."""
    sensor: str | None
    """A sensor by name or kind, such as microphone or camera, that draws what its data sheet says."""
    sensor_on_s: float | None
    """How long it is on for each inference; without it all the time in use."""
    host: str | None
    """Board that an accelerator is plugged into: what it draws idle is drawn all the time."""
    self_discharge_per_month: float | None
    """Of the battery's charge, 0 to 1. Without it what is known of the battery."""


class Use(PowerPath, total=False):
    """What lies beside the chip, how long a day it is all in use, and how long it is to last."""

    hours_per_day: float | None
    """That it runs at its rate; asleep the others. Without it all 24."""
    life_days: float | None
    """Life wanted of the battery, which tells the average current that it allows. Without it half of the life
    that comes out."""


def board(path: PowerPath, rate_hz: float | None = None) -> Board:
    """
    Raises:
        UnknownNameError: no such sensor or host.
        UsageError: an efficiency outside 0 to 1, a current below zero, or a name that means nothing here.
    """
    unknown = path.keys() - PowerPath.__annotations__.keys()
    if unknown:
        raise UsageError(
            f"There is no {', '.join(sorted(unknown))}.",
            hint=f"Known: {', '.join(PowerPath.__annotations__)}.",
        )
    efficiency, sensor_ua = path.get("regulator_efficiency"), path.get("sensor_ua")
    sensor_mw = path.get("sensor_mw")
    if efficiency is not None and not 0 < efficiency <= 1:
        raise UsageError(
            f"regulator_efficiency {efficiency:g} must be above 0 and at most 1.", hint="Write 90 % as 0.9."
        )
    for name, value in (("sensor_ua", sensor_ua), ("sensor_mw", sensor_mw)):
        if value is not None and not 0 <= value < float("inf"):
            raise UsageError(f"{name} {value:g} cannot be below zero.")
    named = named_sensor(path.get("sensor"), path.get("sensor_on_s"), rate_hz)
    if path.get("host") is None:
        return Board(efficiency, sensor_ua, sensor_mw, named)
    host = load_target(path["host"] or "")
    idle = _idle(host)
    note = idle.note.replace("between inferences", host.id)
    return Board(efficiency, sensor_ua, sensor_mw, named, host.id, idle.idle_mw, note)


@dataclass(frozen=True)
class Draw:
    """Averages over time of a target that is awake for `active_share` of it."""

    compute_power_mw: Quantity
    """With what the host draws idle."""
    sleep_power_mw: Quantity
    """While asleep or idle, not averaged."""
    sensor_power_mw: Quantity
    """Of what draws beside the chip, averaged; 0 where nothing was named."""
    average_power_mw: Quantity
    sleep_share: Quantity
    compute_charge_mah: Quantity
    """A day."""
    charge_mah: Quantity
    resting_mah: Quantity = field(default=Quantity.unknown("mAh"))
    """What a day without any inference takes."""
    parts: tuple[tuple[str, Quantity, Quantity], ...] = ()
    """Each consumer with its average power and its charge a day."""


def draw(
    compute_mw: Quantity,
    active_share: Quantity,
    sleep: Sleep,
    supply_v: float | None,
    cell: Cell | None,
    beside: Board,
    in_use: float = 1.0,
) -> Draw:
    """Averages of a target whose inferences and wake-ups draw `compute_mw` on average, in use for a share."""
    resting = rest_of(active_share)
    sensor = _on_average(beside.sensor_ua, beside.named.current_ua, beside.named.share, in_use, "uA")
    asleep_mw, sensor_mw = (_power(each, supply_v) for each in (sleep.current_ua, sensor))
    own_mw = _on_average(beside.sensor_mw, beside.named.power_mw, beside.named.share, in_use, "mW")
    sensor_mw = total("mW", sensor_mw, own_mw) if sensor.value else own_mw
    asleep_mw = asleep_mw if asleep_mw.known else sleep.idle_mw
    parts = [("computing", compute_mw)]
    if beside.host_mw.value:
        parts.append((f"{beside.host} itself, idle", beside.host_mw))
        compute_mw = total("mW", compute_mw, beside.host_mw)
    rest_mw = product("mW", (resting, 1), (asleep_mw, 1))
    compute_mah = charge_of(compute_mw, supply_v, cell, beside)
    if beside.regulator_efficiency is None and sleep.current_ua.known:
        rest_mah = product("mAh", (resting, 1), (sleep.current_ua, 1), by=HOURS / 1e3)
        own_mah = charge_of(own_mw, supply_v, cell, beside)
        sensor_mah = total("mAh", sensor.scaled(HOURS / 1e3, "mAh"), own_mah)
    else:
        rest_mah, sensor_mah = (charge_of(mw, supply_v, cell, beside) for mw in (rest_mw, sensor_mw))
    with_sensor = bool(sensor.value or own_mw.value)
    charges = [(name, mw, charge_of(mw, supply_v, cell, beside)) for name, mw in parts]
    charges.append(("asleep" if sleep.current_ua.known else "idle", rest_mw, rest_mah))
    charges += [("beside the chip", sensor_mw, sensor_mah)] if with_sensor else []
    always = [charge for _, _, charge in charges[1 : -1 - with_sensor]]
    share = resting.value or 0.0
    whole_rest = rest_mah.scaled(1 / share, "mAh") if share else Quantity.unknown("mAh")
    return Draw(
        compute_power_mw=compute_mw,
        sleep_power_mw=asleep_mw,
        sensor_power_mw=sensor_mw,
        average_power_mw=total("mW", compute_mw, rest_mw, *([sensor_mw] if with_sensor else [])),
        sleep_share=share_of(rest_mw, total("mW", compute_mw, sensor_mw) if with_sensor else compute_mw),
        compute_charge_mah=compute_mah,
        charge_mah=total("mAh", compute_mah, rest_mah, *([sensor_mah] if with_sensor else [])),
        resting_mah=total("mAh", whole_rest, *always, *([sensor_mah] if with_sensor else [])),
        parts=tuple(charges),
    )


def _on_average(given: float | None, named: Quantity, share: float, in_use: float, unit: str) -> Quantity:
    """What is drawn beside the chip by the user's own figure and by a sensor that is named."""
    own = Quantity.exact((given or 0.0) * in_use, unit, Basis.ASSUMED)
    return total(unit, own, named.scaled(share * in_use, unit)) if named.known else own


def _power(current_ua: Quantity, supply_v: float | None) -> Quantity:
    return product("mW", (current_ua, 1), by=supply_v / 1e3) if supply_v else Quantity.unknown("mW")


def charge_of(
    power_mw: Quantity, supply_v: float | None, cell: Cell | None, beside: Board = CHIP_ALONE
) -> Quantity:
    """mAh a day. A linear regulator or none leaves the current as it is; an ideal converter keeps the power.

    The first is the figure, the second an end of the interval. Of a regulator whose efficiency is given, the
    battery gives the power over it, at its own voltage.
    """
    battery_v = cell.nominal_v.value if cell else None
    volts = supply_v or battery_v
    if volts is None:
        return Quantity.unknown("mAh")
    if beside.regulator_efficiency is not None:
        return product("mAh", (power_mw, 1), by=HOURS / ((battery_v or volts) * beside.regulator_efficiency))
    charge = product("mAh", (power_mw, 1), by=HOURS / volts)
    if battery_v is None or charge.low is None or charge.high is None:
        return charge
    ratio = volts / battery_v
    return charge.model_copy(
        update={"low": charge.low * min(1.0, ratio), "high": charge.high * max(1.0, ratio)}
    )


def deep_charge(
    target: Target,
    sleep: Sleep,
    active_share: Quantity,
    drawn: Draw,
    supply_v: float | None,
    cell: Cell | None,
    beside: Board,
) -> Quantity:
    """mAh a day in the lowest mode between inferences, which loses RAM; what each start takes is left out.

    Unknown where no source tells that mode, or the sleep current is the user's own.
    """
    known = next((mode.standby_ua for mode in target.power if mode.standby_ua is not None), None)
    if known is None or not sleep.current_ua.known or sleep.current_ua.basis is not Basis.DATASHEET:
        return Quantity.unknown("mAh")
    current = Quantity.within_factor(known.value, DATASHEET_ALONE.interval_factor, "uA", Basis.DATASHEET)
    resting = rest_of(active_share)
    asleep = product("mW", (resting, 1), (_power(current, supply_v), 1))
    others = [charge for name, _, charge in drawn.parts if name != "asleep"]
    return (
        total("mAh", charge_of(asleep, supply_v, cell, beside), *others)
        if others
        else Quantity.unknown("mAh")
    )


def leak_of(cell: Cell) -> Quantity:
    """mAh a day that the battery loses by itself."""
    return product("mAh", (cell.capacity_mah, 1), (cell.self_discharge_share, 1), by=1 / 365.25)


def days(cell: Cell, charge_mah: Quantity) -> Quantity:
    """How long the battery lasts at a charge a day, its self-discharge counted where it is known."""
    lost = leak_of(cell)
    drawn = charge_mah if lost.value is None else total("mAh", charge_mah, lost)
    if not drawn.value or not drawn.low:
        return Quantity.unknown("days")
    return product("days", (cell.capacity_mah, 1), (drawn, -1))


def supply_of(power: Power, deployment: Deployment, cell: Cell | None) -> float | None:
    """The voltage of a current: of the power's source, else the target's, else the battery's."""
    if power.supply_v:
        return power.supply_v
    if deployment.target.supply_v:
        return deployment.target.supply_v.value
    return cell.nominal_v.value if cell else None
