"""Demands that recur, as a start: limits and weights to be changed, not facts about hardware."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from ...hardware_db import TargetClass
from ...hardware_db.errors import UsageError, nearest
from ..core.records import dataclass
from ..verdicts.limits import Limits


@dataclass(frozen=True)
class Template:
    about: str
    """What the limits stand for, as the user reads it."""
    limits: Limits
    weights: Mapping[str, float] = field(default_factory=dict)
    classes: tuple[TargetClass, ...] = ()
    """None named: all."""


TEMPLATES: Mapping[str, Template] = {
    "keyword-spotting": Template(
        "always listening: ten inferences a second, at most 100 mW while computing; energy decides",
        Limits(rate_hz=10, power_mw=100),
        {"energy": 3, "power": 1, "ram": 0.5},
    ),
    "battery-camera": Template(
        "a picture a second from a battery: at most 1 W while computing; energy decides",
        Limits(rate_hz=1, power_mw=1e3),
        {"energy": 3, "latency": 1},
    ),
    "drone": Template(
        "thirty pictures a second in flight, at most 15 W; latency decides, then power",
        Limits(rate_hz=30, power_mw=15e3),
        {"latency": 2, "power": 1, "energy": 1},
    ),
    "wearable": Template(
        "an answer within 200 ms at no more than 50 mW; energy and memory decide",
        Limits(latency_ms=200, power_mw=50),
        {"energy": 2, "power": 1, "ram": 1},
    ),
    "gateway": Template(
        "mains-powered, ten inferences a second within 25 W; latency decides",
        Limits(rate_hz=10, power_mw=25e3),
        {"latency": 2, "energy": 1},
    ),
}


def template_named(name: str) -> Template:
    """Raises UsageError where there is none of that name."""
    if name not in TEMPLATES:
        close = ", ".join(nearest(name, TEMPLATES)) or ", ".join(TEMPLATES)
        raise UsageError(f"There is no template {name!r}.", hint=f"Known: {close}.")
    return TEMPLATES[name]


def with_template(limits: Limits, template: Template) -> Limits:
    """The template's limits where the user set none of the kind."""
    given = {name: getattr(limits, name) for name in limits.model_fields_set}
    return template.limits.model_copy(update={n: v for n, v in given.items() if v is not None})
