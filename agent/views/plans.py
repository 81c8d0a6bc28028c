"""Which functions of the registry each view runs, and with which arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from ...hardware_db.errors import AmbiguousNameError, EdgewrightError, UnknownNameError, UsageError, nearest
from ...hardware_db.loader import target_ids
from ...hardware_db.resolver import resolve_target
from ...tools import deployment
from ...tools.core.units import Dimension, parse_measure
from ...tools.model_zoo.language_model import is_language_model
from ...tools.traces.linked.recognising import is_firmware
from ...tools.traces.runs.comparing import are_two_runs
from ..registry import tool_named
from ..workspace import Workspace
from . import arguments as a

MOST_COMBINATIONS = 24
_FULL_RANKING = 24
_COMPARED = 12
"""Most deployments that one comparison takes."""


class Call(NamedTuple):
    """One function with its arguments."""

    function: str
    arguments: dict[str, Any]


def inspect_model(args: a.InspectModel, workspace: Workspace) -> Iterator[Call]:
    models = args.models or (None,)
    for model in models:
        yield _call("parse_model", model=model)
    if len(models) == 2 and (args.target or workspace.target):
        yield _call("diff_models", before=models[0], after=models[1], target=args.target)


def evaluate(args: a.Evaluate, workspace: Workspace) -> Iterator[Call]:
    """Every combination of what is listed; of several places of one model also how they compare."""
    limits, shown = args.limits.fields(), args.show or ("fit", "time")
    clocks = [clock_mhz(text) for text in args.clocks]
    named = (args.models, args.targets, args.runtimes, args.dtypes, clocks, args.batches, args.threads)
    combinations = list(product(*(values or (None,) for values in named)))
    if len(combinations) > MOST_COMBINATIONS:
        raise UsageError(
            f"These are {len(combinations)} combinations, more than {MOST_COMBINATIONS} at once.",
            hint="Ask for fewer models, targets, runtimes, types, clocks or batches; recommend_hardware "
            "ranks all hardware.",
        )
    for model, target, runtime, dtype, clock, batch, threads in combinations:
        place = {
            "model": model, "dtype": dtype, "target": target, "runtime": runtime, "clock_mhz": clock,
            "batch": batch, "threads": threads,
        }  # fmt: skip
        for function in dict.fromkeys(_ANSWERS[what] for what in shown):
            yield _call(function, **place, **(limits if function == "check_constraints" else {}))
    if len(args.models) <= 1 and "time" in shown:
        bounds = {name: value for name, value in limits.items() if name != "only_dtype"}
        yield from _compared(args, clocks, workspace, bounds)


_ANSWERS = {
    "fit": "check_constraints",
    "time": "estimate_performance",
    "memory": "plan_memory",
    "bottleneck": "analyze_roofline",
    "operators": "score_compatibility",
    "layers": "estimate_performance",
    "timeline": "trace_timeline",
    "cache": "predict_cache",
}


def _compared(
    args: a.Evaluate, clocks: list[float], workspace: Workspace, bounds: dict[str, Any]
) -> Iterator[Call]:
    """Places that the model can run on, once for every type, clock, batch and count of threads."""
    named = list(product(args.targets, args.runtimes or (None,)))
    settings = (values or (None,) for values in (args.dtypes, clocks, args.batches, args.threads))
    for dtype, clock, batch, threads in product(*settings):
        given = {"clock_mhz": clock, "batch": batch, "threads": threads}
        places = [
            f"{target}/{runtime}" if runtime else target
            for target, runtime in named
            if _is_place(target, runtime, given, workspace)
        ]
        if 2 <= len(places) <= _COMPARED:
            model = _one(args.models)
            yield _call("compare_deployments", model=model, dtype=dtype, targets=places, **given, **bounds)


def _is_place(target: str, runtime: str | None, given: Mapping[str, Any], workspace: Workspace) -> bool:
    settings = {name: value for name, value in given.items() if value is not None}
    try:
        deployment(target, runtime, **settings, settings=workspace.settings)
    except EdgewrightError:
        return False
    return True


def improve(args: a.Improve, _workspace: Workspace) -> Iterator[Call]:
    place, limits = _place(args), args.limits.fields()
    yield _call("simulate_optimizations", **place, **limits, technique=args.change, goal=args.goal)
    if args.goal == "ram" and args.change is None:
        yield _call("best_memory_order", **place)


def recommend_hardware(args: a.RecommendHardware, _workspace: Workspace) -> Iterator[Call]:
    """Of classes of hardware without a model, what the guide says."""
    if args.goal == "class":
        yield _call("hardware_guide")
        return
    where = conditions(args.where, ("class", "runtime", "without"))
    without = where["without"].split(",") if "without" in where else None
    yield _call(
        "recommend_hardware", model=args.model, **args.limits.fields(), template=args.use, goal=args.goal,
        targets=list(args.targets) or None, target_class=where.get("class"), runtime=where.get("runtime"),
        without=without, top=_FULL_RANKING if args.detail == "full" else None,
    )  # fmt: skip


def recommend_model(args: a.RecommendModel, _workspace: Workspace) -> Iterator[Call]:
    limits = args.limits.fields()
    yield _call("recommend_model", task=args.task, target=args.target, runtime=args.runtime, **limits)


def find_limit(args: a.FindLimit, _workspace: Workspace) -> Iterator[Call]:
    """Of the clock also what each costs, and without a limit only that."""
    place, limits = _place(args), args.limits.fields()
    sleep = None if args.sleep_current is None else microamperes(args.sleep_current)
    if args.variable != "clock" or {"latency_ms", "rate_hz"} & limits.keys():
        yield _call(
            "find_limit", **place, **limits, variable=args.variable, battery=args.battery, sleep_ua=sleep
        )
    if args.variable == "clock":
        bounds = {name: limits[name] for name in ("latency_ms", "power_mw") if name in limits}
        yield _call("sweep_frequency", **place, **bounds)


def battery_life(args: a.Battery, _workspace: Workspace) -> Iterator[Call]:
    """Of a model, or of what the user measured."""
    if args.model and "=" in args.model:
        yield _call("add_up_loads", loads=args.model.split(), battery=args.battery)
        return
    how_often = {} if args.every is None else rate_or_period(args.every)
    drawn, named = args.sensor_current, {}
    if drawn is not None and not drawn.strip()[:1].isdigit():
        kind, _, on = drawn.partition("@")
        named = {"sensor": kind} | ({"sensor_on_s": parse_measure(on, Dimension.TIME_MS) / 1e3} if on else {})
        drawn = None
    sleep, sensor = (None if text is None else microamperes(text) for text in (args.sleep_current, drawn))
    clock = None if args.clock is None else clock_mhz(args.clock)
    for target in args.targets or (None,):
        yield _call(
            "estimate_energy_budget", model=args.model, target=target, runtime=args.runtime, clock_mhz=clock,
            **how_often, battery=args.battery, sleep_ua=sleep, sensor_ua=sensor, **named,
            regulator_efficiency=args.regulator_efficiency,
            self_discharge_per_month=args.self_discharge_per_month,
        )  # fmt: skip


def pipeline(args: a.Pipeline, _workspace: Workspace) -> Iterator[Call]:
    """Together on one core; of streams, jobs and prices each network by itself."""
    work: dict[str, Any] = _figures(args.work, "estimate_workload")
    for network in args.networks if work else ():
        model, at, rate = network.rpartition("@")
        how_often = parse_measure(rate, Dimension.RATE_HZ) if at else None
        yield _call(
            "estimate_workload", model=model or network, target=args.target, rate_hz=how_often, **work
        )
    if work:
        return
    yield _call("analyze_pipeline", plan=list(args.networks), target=args.target, battery=args.battery)


def evidence(args: a.EvidenceFor, _workspace: Workspace) -> Iterator[Call]:
    if args.model or args.target:
        yield _call("evidence", model=args.model, target=args.target, runtime=args.runtime)
    if not args.target or args.device_class:
        yield _call("validate", device_class=args.device_class, runtime=args.runtime)


def firmware_code(args: a.Firmware, _workspace: Workspace) -> Iterator[Call]:
    yield _call("firmware_code", **args.model_dump(include={"model", "target", "runtime", "project"}))


def import_profile(args: a.Imported, workspace: Workspace) -> Iterator[Call]:
    """Against the estimate where a model and a place are known; else what the files say by themselves."""
    clock = None if args.clock is None else clock_mhz(args.clock)
    if args.counters:
        yield _call("explain_counters", **_figures(args.counters, "explain_counters"))
        return
    if args.path is None:
        raise UsageError("No file was named.", hint="Give path, or counters such as ipc=0.4.")
    if is_firmware(workspace.file(args.path)):
        yield _call(
            "explain_firmware", path=args.path, model=args.model, target=args.target, runtime=args.runtime
        )
        return
    if len(args.beside) == 1 and are_two_runs(workspace.file(args.path), workspace.file(args.beside[0])):
        yield _call("compare_runs", before=args.path, after=args.beside[0], clock_mhz=clock)
        return
    if args.beside or not ((args.model or workspace.model) and (args.target or workspace.target)):
        yield _call("explain_trace", path=args.path, beside=list(args.beside) or None, clock_mhz=clock)
        return
    yield _call(
        "import_profile", path=args.path, model=args.model, target=args.target, runtime=args.runtime,
        clock_mhz=clock, unit=args.unit,
    )  # fmt: skip


def _figures(texts: Sequence[str], function: str) -> dict[str, float]:
    """{"ipc": 0.4, "cache_miss_rate": 0.12} of `ipc=0.4` and `cache_miss_rate=12%`, for a function.

    Raises:
        UsageError: what is no figure that it takes.
    """
    found = {}
    known = tool_named(function).arguments.model_fields
    for text in texts:
        name, _, figure = text.replace(" ", "").partition("=")
        try:
            found[name] = float(figure.removesuffix("%")) / (100 if figure.endswith("%") else 1)
        except ValueError:
            name = ""
        if name not in known:
            close = ", ".join(known)
            raise UsageError(f"{text!r} is no figure of that.", hint=f"Write NAME=VALUE of {close}.")
    return found


def calibrate_target(args: a.Calibrate, _workspace: Workspace) -> Iterator[Call]:
    clock = None if args.clock is None else clock_mhz(args.clock)
    time = None if args.latency_ms is None else _with_unit(args.latency_ms, "ms")
    yield _call(
        "calibrate_target", path=args.path, model=args.model, target=args.target, runtime=args.runtime,
        clock_mhz=clock, batch=args.batch, threads=args.threads,
        latency_ms=None if time is None else parse_measure(time, Dimension.TIME_MS),
    )  # fmt: skip


def generation(args: a.Generation, workspace: Workspace) -> Iterator[Call]:
    """Every model on every target; of models or of targets alone a ranking."""
    common = {"runtime": args.runtime, "weights": args.weights, "kv": args.kv, "context": args.context}
    common["batch"] = args.batch
    models = args.models or ((workspace.model,) if is_language_model(workspace.model or "") else ())
    targets = [_with_maker(name, workspace) for name in args.targets]
    if not models or not targets:
        price = (
            None if args.price is None else parse_measure(_with_unit(args.price, "USD"), Dimension.PRICE_USD)
        )
        bound = {"max_price_usd": price, "target_class": args.device_class}
        for model in models or (None,):
            for target in targets or (None,) if model is None else (None,):
                yield _call(
                    "rank_generation", model=model, target=target, min_tokens_per_s=_rate(args.min_rate),
                    **common, **(bound if model is not None else {}),
                )  # fmt: skip
        return
    for model, target in product(models, targets):
        yield _call(
            "estimate_generation", model=model, target=target, prompt_tokens=args.prompt,
            gpu_layers=args.gpu_layers, host=args.host, **common,
        )  # fmt: skip


def _with_maker(name: str, workspace: Workspace) -> str:
    """apple-m2 of m2, which alone may be a core as well: where language models are asked for, none is."""
    try:
        resolve_target(name, workspace.own_hardware)
    except AmbiguousNameError:
        return name
    except UnknownNameError:
        called = [
            known for known in target_ids(workspace.own_hardware) if known.partition("-")[2] == name.lower()
        ]
        return called[0] if len(called) == 1 else name
    return name


def _rate(text: str | None) -> float | None:
    """Of tokens a second: a bare number, or one with tokens/s."""
    if text is None:
        return None
    figure = re.match(r"[0-9]+(?:\.[0-9]+)?", text)
    if figure is None:
        raise UsageError(f"{text[:40]!r} is no rate.", hint="Write it like 30 tokens/s.")
    return float(figure[0])


def _call(function: str, **arguments: Any) -> Call:
    return Call(function, {name: value for name, value in arguments.items() if value is not None})


def _place(args: a.Improve | a.FindLimit) -> dict[str, Any]:
    return {
        "model": args.model, "target": args.target, "runtime": args.runtime,
        "clock_mhz": None if args.clock is None else clock_mhz(args.clock),
        "batch": args.batch, "threads": args.threads,
    }  # fmt: skip


def _one(models: tuple[str, ...]) -> str | None:
    return models[0] if models else None


def clock_mhz(text: str) -> float:
    """A bare number is in MHz. Raises LimitsError."""
    return parse_measure(_with_unit(text, "MHz"), Dimension.CLOCK_MHZ)


_CURRENT = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(nA|uA|µA|μA|mA)?", re.IGNORECASE)
_MICROAMPERES = {"na": 1e-3, "ua": 1.0, "µa": 1.0, "μa": 1.0, "ma": 1e3}


def microamperes(text: str) -> float:
    """A bare number is in µA. Raises UsageError."""
    match = _CURRENT.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"{text!r} is no current.", hint="Write it like 2uA.")
    return float(match[1]) * _MICROAMPERES[(match[2] or "uA").lower()]


def rate_or_period(text: str) -> dict[str, float]:
    """{"period_s": 10.0} from "10s", {"rate_hz": 5.0} from "5/s". Raises LimitsError."""
    text = _with_unit(text.strip().removeprefix("every ").replace(" per second", "/s"), "s")
    if "/" in text or text.lower().endswith(("fps", "hz")):
        return {"rate_hz": parse_measure(text, Dimension.RATE_HZ)}
    return {"period_s": parse_measure(text, Dimension.TIME_MS) / 1e3}


def _with_unit(text: str, unit: str) -> str:
    return f"{text}{unit}" if text.replace(".", "", 1).isdecimal() else text


_CONDITION = re.compile(r"([a-z_]+)\s*(>=|<=|=|:|>|<)\s*(\S+)")


def conditions(text: str | None, known: tuple[str, ...]) -> dict[str, str]:
    """{"class": "mcu", "ram": "1MB"} from "class=mcu ram>=1MB".

    Raises:
        UsageError: no condition, or one on something else than `known`.
    """
    if text is None:
        return {}
    found = {match[1]: match[3].rstrip(",;") for match in _CONDITION.finditer(text.lower())}
    unknown = [name for name in found if name not in known]
    if unknown or not found:
        wrong = unknown[0] if unknown else text[:60]
        close = nearest(wrong, known) or known
        raise UsageError(
            f"There is no condition {wrong!r}.",
            hint=f"There is {', '.join(close)}; write it like {known[0]}=…",
        )
    return found
