"""The tool calls that answer a question."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...tools.model_parser.architectures import is_architecture
from .intents import Intent
from .reading import Reading, is_file

_CHECKED = ("latency_ms", "rate_hz", "ram_bytes", "flash_bytes", "energy_uj", "power_mw")
_BUDGETED = ("rate_hz", "battery_mah", "sleep_ua")
_SWEPT = ("latency_ms", "power_mw")
_WHOLE = frozenset(("ram_bytes", "flash_bytes"))
_TECHNIQUES = frozenset(("int8", "float16", "prune-25", "prune-50", "input-75", "input-50", "clock-max"))
_CLASSES = {
    "mcu": re.compile(r"\b(?:mcus?|micro-?controllers?)\b", re.IGNORECASE),
    "gpu": re.compile(r"\b(?:data ?cent(?:er|re) )?gpus?\b", re.IGNORECASE),
}
"""Words that leave one class of targets."""
_TOOLS: dict[Intent, tuple[str, ...]] = {
    Intent.FIT: ("check_constraints",),
    Intent.LATENCY: ("estimate_performance",),
    Intent.ENERGY: ("estimate_performance",),
    Intent.MEMORY: ("plan_memory",),
    Intent.BOTTLENECK: ("analyze_roofline",),
    Intent.COMPATIBILITY: ("score_compatibility",),
    Intent.OPTIMISE: ("simulate_optimizations",),
}
"""What answers an intent about a model on a deployment, the tool that carries the verdict first."""


@dataclass(frozen=True)
class Call:
    tool: str
    arguments: Mapping[str, Any]


def calls_for(reading: Reading) -> list[Call]:
    """Each call once, in the order of the intents."""
    calls = [call for intent in reading.intents for call in _for_intent(intent, reading)]
    unique: list[Call] = []
    for call in calls:
        if call not in unique:
            unique.append(call)
    return unique


def _for_intent(intent: Intent, reading: Reading) -> Iterable[Call]:
    match intent:
        case Intent.HARDWARE:
            if len(reading.targets) == 2 and Intent.COMPARE in reading.scores:
                yield Call("diff_targets", {"one": reading.targets[0], "other": reading.targets[1]})
            else:
                yield from (Call("get_target", {"target": target}) for target in reading.targets)
        case Intent.MODEL:
            yield from (Call("parse_model", _model(model, reading)) for model in reading.models)
        case Intent.RUNTIME:
            yield from (Call("get_runtime", {"runtime": runtime}) for runtime in reading.runtimes)
        case Intent.LIST_TARGETS:
            yield Call("list_targets", _filters(reading))
        case Intent.LIST_RUNTIMES:
            yield Call("list_runtimes", {})
        case Intent.WHATIF:
            yield from _whatif(reading)
        case Intent.BATTERY:
            yield from _each("estimate_energy_budget", reading, _budget(reading))
            yield from _each("estimate_performance", reading)
        case Intent.RECOMMEND:
            more = _ranked(reading)
            yield from (Call("recommend_hardware", {**_model(m, reading), **more}) for m in reading.models)
        case Intent.CLOCK:
            limits = _limits(reading)
            yield from _each("sweep_frequency", reading, {k: v for k, v in limits.items() if k in _SWEPT})
        case _:
            yield from _on_deployments(intent, reading)


def _budget(reading: Reading) -> dict[str, Any]:
    """How often it runs, and on what."""
    limits = reading.demands.limits
    told: dict[str, Any] = {name: limits[name] for name in _BUDGETED if name in limits}
    return told | ({"battery": reading.battery} if reading.battery else {})


def _ranked(reading: Reading) -> dict[str, Any]:
    """Under which limits, and what decides."""
    more = _limits(reading) | ({"runtime": reading.runtimes[0]} if reading.runtimes else {})
    price = reading.demands.limits.get("price")
    more |= {"price_usd": price} if price else {}
    kind = next((kind for kind, words in _CLASSES.items() if words.search(reading.question)), None)
    more |= {"target_class": kind} if kind else {}
    return more | ({"goal": "energy"} if Intent.ENERGY in reading.scores and "energy_uj" not in more else {})


def _filters(reading: Reading) -> dict[str, Any]:
    """Which targets to list: those with at least that much memory, at most that power and price."""
    limits = reading.demands.limits
    found: dict[str, Any] = {f"min_{name}": int(limits[name]) for name in sorted(_WHOLE) if name in limits}
    found |= {"max_power_mw": limits["power_mw"]} if "power_mw" in limits else {}
    found |= {"max_price_usd": limits["price"]} if "price" in limits else {}
    return found | ({"runtime": reading.runtimes[0]} if reading.runtimes else {})


def _on_deployments(intent: Intent, reading: Reading) -> Iterable[Call]:
    limits = _limits(reading)
    tools = _TOOLS.get(intent, ())
    if limits and tools and "check_constraints" not in tools:
        first = intent in (Intent.LATENCY, Intent.ENERGY)
        tools = ("check_constraints", *tools) if first else (*tools, "check_constraints")
    for tool in tools:
        yield from _each(tool, reading, _more(tool, reading, limits))


def _more(tool: str, reading: Reading, limits: Mapping[str, Any]) -> dict[str, Any]:
    match tool:
        case "check_constraints":
            return dict(limits)
        case "simulate_optimizations":
            return {"goal": _goal(reading, limits)}
        case _:
            return {}


def _whatif(reading: Reading) -> Iterable[Call]:
    if reading.technique:
        technique = {"technique": reading.technique} if reading.technique in _TECHNIQUES else {}
        more = {**technique, "goal": _goal(reading, _limits(reading))}
        yield from _each("simulate_optimizations", reading, more)
        if reading.technique in ("int8", "float16"):
            yield from (Call("parse_model", _model(model, reading)) for model in reading.models)
        return
    tool = "analyze_roofline" if Intent.BOTTLENECK in reading.intents else "estimate_performance"
    yield from _each(tool, reading)


def _each(tool: str, reading: Reading, more: Mapping[str, Any] | None = None) -> Iterable[Call]:
    """The call for every combination of what is named several times."""
    varied = itertools.product(
        reading.models,
        reading.targets,
        reading.runtimes or (None,),
        reading.demands.clocks_mhz or (None,),
        reading.settings.batches or (None,),
        reading.settings.input_sizes or (None,),
    )
    for model, target, runtime, clock, batch, side in varied:
        place = {
            "target": target,
            "runtime": runtime,
            "clock_mhz": clock,
            "batch": batch,
            "threads": reading.settings.threads,
        }
        given = {key: value for key, value in place.items() if value is not None}
        yield Call(tool, {**_model(model, reading, side), **given, **(more or {})})


def _model(model: str, reading: Reading, side: int | None = None) -> dict[str, Any]:
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


def _limits(reading: Reading) -> dict[str, Any]:
    limits = {name: reading.demands.limits[name] for name in _CHECKED if name in reading.demands.limits}
    return {name: int(value) if name in _WHOLE else value for name, value in limits.items()}


def _goal(reading: Reading, limits: Mapping[str, Any]) -> str:
    """What is limited should come down, else what the question speaks of."""
    limited = (
        goal for goal in ("latency", "energy", "ram", "flash") if any(k.startswith(goal) for k in limits)
    )
    return next(limited, reading.goal)


def fitting(calls: Sequence[Call], schemas: Mapping[str, frozenset[str]]) -> tuple[Call, ...]:
    """The calls as far as the tools at hand take them; `schemas` is empty where they are not known."""
    if not schemas:
        return tuple(calls)
    known = [call for call in calls if call.tool in schemas]
    return tuple(
        Call(call.tool, {k: v for k, v in call.arguments.items() if k in schemas[call.tool]})
        for call in known
    )
