"""Sensors by name or kind: what each draws while it is on, from a source that was read."""

from __future__ import annotations

import functools
from pathlib import Path

from pydantic import model_validator

from ..cited import Closed, Leaf, Source
from ..errors import UnknownNameError, nearest
from ..kept import yaml_in
from ..names import folded

FILE = Path(__file__).parent / "sensors.yaml"


class Sensor(Closed):
    id: str
    name: str
    of: str
    """Its kind: microphone, camera, accelerometer or motion."""
    current_ua: Leaf[float] | None = None
    """While it is on; else the power is known."""
    power_mw: Leaf[float] | None = None

    @property
    def draws(self) -> Leaf[float]:
        leaf = self.current_ua or self.power_mw
        assert leaf is not None
        return leaf

    @model_validator(mode="after")
    def _draws_something(self) -> Sensor:
        if (self.current_ua is None) == (self.power_mw is None):
            raise ValueError(f"{self.id}: either a current or a power")
        return self


class Sensors(Closed):
    sources: dict[str, Source]
    kinds: dict[str, tuple[str, ...]]
    """Kind → the other words for it."""
    sensors: tuple[Sensor, ...]


@functools.cache
def load_sensors() -> Sensors:
    return Sensors.model_validate(yaml_in(FILE))


def resolve_sensors(name: str) -> tuple[Sensor, ...]:
    """The one of that name, or all of a kind, the usual one first.

    Raises:
        UnknownNameError: neither a sensor nor a kind whose current is known.
    """
    known, key = load_sensors(), folded(name)
    for sensor in known.sensors:
        if key in (folded(sensor.id), folded(sensor.name)):
            return (sensor,)
    for kind, words in known.kinds.items():
        if key in map(folded, (kind, *words)):
            return tuple(sensor for sensor in known.sensors if sensor.of == kind)
    names = [*known.kinds, *(sensor.id for sensor in known.sensors)]
    raise UnknownNameError(
        "sensor", name, nearest(key, names),
        hint=f"Known: {', '.join(names)}. Of any other give what it draws: --sensor-ua 200.",
    )  # fmt: skip
