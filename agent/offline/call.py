"""One tool call, and what of a question goes into its arguments."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ...tools.model_zoo.named import is_architecture
from .intent import Intent
from .reading import Reading, is_file

CHECKED = ("latency_ms", "rate_hz", "ram_bytes", "flash_bytes", "energy_uj", "power_mw")
WHOLE = frozenset(("ram_bytes", "flash_bytes"))


@dataclass(frozen=True)
class Call:
    tool: str
    arguments: Mapping[str, Any]


def each(tool: str, reading: Reading, more: Mapping[str, Any] | None = None) -> Iterable[Call]:
    """The call for every combination of what is named several times."""
    varied = itertools.product(
        reading.models,
        reading.targets,
        reading.runtimes or (None,),
        reading.demands.clocks_mhz or (None,),
        reading.settings.batches or (None,),
        reading.settings.threads or (None,),
        reading.settings.input_sizes or (None,),
    )
    for model, target, runtime, clock, batch, threads, side in varied:
        place = {
            "target": target,
            "runtime": runtime,
            "clock_mhz": clock,
            "batch": batch,
            "threads": threads,
        }
        given = {key: value for key, value in place.items() if value is not None}
        yield Call(tool, {**of_model(model, reading, side), **given, **(more or {})})


def of_model(model: str, reading: Reading, side: int | None = None) -> dict[str, Any]:
    """Of a named architecture, what the question chooses of it; a file is what it is."""
    told: dict[str, Any] = {"model": model}
    if is_file(model) or not is_architecture(model):
        return told
    settings = reading.settings
    changes_type = {Intent.WHATIF, Intent.OPTIMISE} & set(
        reading.intents
    ) and reading.technique == settings.dtype
    if settings.dtype and not changes_type:
        told["dtype"] = settings.dtype
    told |= {"width": settings.width} if settings.width else {}
    side = side or next(iter(settings.input_sizes), None)
    told |= {"input_size": side} if side else {}
    return told


def limits_of(reading: Reading) -> dict[str, Any]:
    limits = {name: reading.demands.limits[name] for name in CHECKED if name in reading.demands.limits}
    return {name: int(value) if name in WHOLE else value for name, value in limits.items()}
