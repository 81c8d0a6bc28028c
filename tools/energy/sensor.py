"""What a sensor that is named draws, and for which share of the time it is on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from ...hardware_db.errors import UsageError
from ...hardware_db.sensors import Sensor, load_sensors, resolve_sensors
from ..core.quantity import Basis, Quantity
from ..core.records import dataclass
from ..core.units import show


@dataclass(frozen=True)
class NamedSensor:
    """One that is known, or the usual one of a kind, whose interval reaches over all that are known."""

    words: str = ""
    """What it is and how long it is on; empty for none."""
    current_ua: Quantity = field(default=Quantity.unknown("uA"))
    """While it is on; unknown where the power is known."""
    power_mw: Quantity = field(default=Quantity.unknown("mW"))
    share: float = 1.0
    """Of the time in use that it is on."""
    notes: tuple[str, ...] = ()
    """Where that was read, of each that the interval reaches over."""

    @property
    def draws(self) -> Quantity:
        return self.current_ua if self.current_ua.known else self.power_mw


NO_SENSOR = NamedSensor()


_VOWELS = "aeiou"


def named_sensor(name: str | None, on_s: float | None, rate_hz: float | None) -> NamedSensor:
    """What is named, on for `on_s` of each inference at a rate; without a time or rate always.

    Raises:
        UnknownNameError: no such sensor or kind.
        UsageError: a time that is not above zero, or of no sensor.
    """
    if on_s is not None and not 0 < on_s < float("inf"):
        raise UsageError(f"sensor_on_s {on_s:g} must be above zero.")
    if name is None:
        if on_s is not None:
            raise UsageError(
                "A sensor is to be on for a while, and none is named.", hint="Name it, such as microphone."
            )
        return NO_SENSOR
    found = resolve_sensors(name.strip())
    first = found[0]
    share = min(1.0, on_s * rate_hz) if on_s and rate_hz else 1.0
    on = "all the time" if share == 1 or on_s is None else f"for {show(on_s * 1e3, 'ms')} of each inference"
    return NamedSensor(
        words=f"{'an' if first.of[0] in _VOWELS else 'a'} {first.of} ({_said(found)}) on {on}",
        current_ua=_quantity([one for one in found if one.current_ua], "uA"),
        power_mw=_quantity([one for one in found if one.power_mw], "mW"),
        share=share,
        notes=tuple(map(_source_of, found)),
    )


def _source_of(sensor: Sensor) -> str:
    source = load_sensors().sources[sensor.draws.source]
    return f"{sensor.of} {sensor.name}: {source.title} ({source.where}): {sensor.draws.locator}"


def _quantity(found: Sequence[Sensor], unit: str) -> Quantity:
    if not found:
        return Quantity.unknown(unit)
    values = [claim.value for one in found for claim in (one.draws, *one.draws.others)]
    first = found[0].draws.value
    return Quantity(value=first, low=min(values), high=max(values), unit=unit, basis=Basis.PUBLISHED)


def _said(found: Sequence[Sensor]) -> str:
    return f"such as {found[0].name}" if len(found) > 1 else found[0].name
