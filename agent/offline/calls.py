"""The tool calls that answer a question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from . import choices
from .call import Call, each, limits_of, of_model
from .intent import Intent
from .inverse import furthest
from .reading import Reading, is_file
from .traces import runtimes_of_trace, traces_named

_BUDGETED = ("rate_hz", "battery_mah", "sleep_ua")
_INPUT_STEPS = {"input-75": 0.75, "input-50": 0.5}
_ESTIMATED = {"latency_ms", "rate_hz", "energy_uj", "power_mw"}
_SWEPT = ("latency_ms", "power_mw")
_TECHNIQUES = frozenset(("int8", "float16", "prune-25", "prune-50", "input-75", "input-50", "clock-max"))
_TOOLS: dict[Intent, tuple[str, ...]] = {
    Intent.FIT: ("check_constraints",),
    Intent.LATENCY: ("estimate_performance",),
    Intent.ENERGY: ("estimate_performance",),
    Intent.MEMORY: ("plan_memory",),
    Intent.BOTTLENECK: ("analyze_roofline",),
    Intent.COMPATIBILITY: ("score_compatibility",),
    Intent.OPTIMISE: ("simulate_optimizations",),
    Intent.TIMELINE: ("trace_timeline",),
    Intent.ORDER: ("best_memory_order",),
    Intent.CODE: ("firmware_code",),
    Intent.EVIDENCE: ("evidence",),
}
"""What answers an intent about a model on a deployment, the tool that carries the verdict first."""
_JUDGED = _TOOLS.keys() - {Intent.FIT, Intent.TIMELINE, Intent.ORDER, Intent.CODE, Intent.EVIDENCE}
"""Beside these, limits are checked."""


def calls_for(reading: Reading) -> list[Call]:
    """Each call once, in the order of the intents."""
    calls = [call for intent in reading.intents for call in _for_intent(intent, reading)]
    unique: list[Call] = []
    for call in calls:
        if call not in unique:
            unique.append(call)
    return unique


def _for_intent(intent: Intent, reading: Reading) -> Iterable[Call]:
    plan = _PLANS.get(intent)
    return _on_deployments(intent, reading) if plan is None else plan(reading)


def _hardware(reading: Reading) -> Iterable[Call]:
    if len(reading.targets) == 2 and Intent.COMPARE in (*reading.scores, *reading.by_rule):
        return [Call("diff_targets", {"one": reading.targets[0], "other": reading.targets[1]})]
    return [Call("get_target", {"target": target}) for target in reading.targets]


def _battery(reading: Reading) -> Iterable[Call]:
    """How often it runs, and on what."""
    limits = reading.demands.limits
    told: dict[str, Any] = {name: limits[name] for name in _BUDGETED if name in limits}
    told |= {"battery": reading.battery} if reading.battery else {}
    return [*each("estimate_energy_budget", reading, told), *each("estimate_performance", reading)]


def _swept(reading: Reading) -> Iterable[Call]:
    limits = limits_of(reading)
    if {"latency_ms", "rate_hz"} & limits.keys():
        return furthest(reading)
    return each("sweep_frequency", reading, {k: v for k, v in limits.items() if k in _SWEPT})


def _imported(reading: Reading) -> Iterable[Call]:
    run = replace(reading, runtimes=runtimes_of_trace(reading.question, reading.runtimes))
    for path in traces_named(reading.question):
        yield from each("import_profile", run, {"path": path})


def _on_deployments(intent: Intent, reading: Reading) -> Iterable[Call]:
    limits = limits_of(reading)
    tools = _TOOLS.get(intent, ())
    if intent is Intent.FIT and limits.keys() & _ESTIMATED:
        tools = (*tools, "estimate_performance")
    if limits and intent in _JUDGED:
        first = intent in (Intent.LATENCY, Intent.ENERGY)
        tools = ("check_constraints", *tools) if first else (*tools, "check_constraints")
    for tool in tools:
        yield from each(tool, reading, _more(tool, reading, limits))


def _more(tool: str, reading: Reading, limits: Mapping[str, Any]) -> dict[str, Any]:
    match tool:
        case "check_constraints":
            return dict(limits)
        case "simulate_optimizations":
            return {"goal": _goal(reading, limits)}
        case _:
            return {}


def _whatif(reading: Reading) -> Iterable[Call]:
    if step := _smaller_input(reading):
        reading = replace(reading, technique=step, settings=replace(reading.settings, input_sizes=()))
    if reading.technique:
        named = {"technique": reading.technique} if reading.technique in _TECHNIQUES else {}
        more = {**named, "goal": _goal(reading, limits_of(reading))}
        yield from each("simulate_optimizations", reading, more)
        if reading.technique in ("int8", "float16"):
            yield from (Call("parse_model", of_model(model, reading)) for model in reading.models)
        return
    tool = "analyze_roofline" if Intent.BOTTLENECK in reading.intents else "estimate_performance"
    for one in (*_unchanged(reading), reading):
        yield from each(tool, one)


def _smaller_input(reading: Reading) -> str:
    """A file is given another input by a change of the model: the step nearest to what is asked."""
    sizes = reading.settings.input_sizes
    if len(sizes) != 2 or not any(map(is_file, reading.models)):
        return ""
    share = min(sizes) / max(sizes)
    return min(_INPUT_STEPS, key=lambda step: abs(_INPUT_STEPS[step] - share))


def _unchanged(reading: Reading) -> Iterable[Reading]:
    """As it is now, where one value alone is named that it would have."""
    settings = reading.settings
    named = (reading.demands.clocks_mhz, settings.batches, settings.threads, settings.input_sizes)
    if max(map(len, named)) == 1:
        plain = replace(settings, batches=(), threads=(), input_sizes=())
        yield replace(reading, settings=plain, demands=replace(reading.demands, clocks_mhz=[]))


def _goal(reading: Reading, limits: Mapping[str, Any]) -> str:
    """What is limited should come down, else what the question speaks of."""
    limited = (
        goal for goal in ("latency", "energy", "ram", "flash") if any(k.startswith(goal) for k in limits)
    )
    return next(limited, reading.goal)


_PLANS: dict[Intent, Callable[[Reading], Iterable[Call]]] = {
    Intent.HARDWARE: _hardware,
    Intent.MODEL: lambda reading: [Call("parse_model", of_model(model, reading)) for model in reading.models],
    Intent.RUNTIME: lambda reading: [Call("get_runtime", {"runtime": name}) for name in reading.runtimes],
    Intent.LIST_TARGETS: choices.listed_targets,
    Intent.LIST_RUNTIMES: lambda _reading: [Call("list_runtimes", {})],
    Intent.WHATIF: _whatif,
    Intent.BATTERY: _battery,
    Intent.RECOMMEND: choices.recommended,
    Intent.COMPARE: choices.compared,
    Intent.DIFF: choices.versions,
    Intent.VALIDATE: choices.validated,
    Intent.CLOCK: _swept,
    Intent.IMPORT: _imported,
    Intent.INVERSE: furthest,
}


def fitting(calls: Sequence[Call], schemas: Mapping[str, frozenset[str]]) -> tuple[Call, ...]:
    """The calls as far as the tools at hand take them; `schemas` is empty where they are not known."""
    if not schemas:
        return tuple(calls)
    known = [call for call in calls if call.tool in schemas]
    return tuple(
        Call(call.tool, {k: v for k, v in call.arguments.items() if k in schemas[call.tool]})
        for call in known
    )


__all__ = ["Call", "calls_for", "fitting"]
