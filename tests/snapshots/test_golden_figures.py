"""Key figures of the analyses against those of the day that they were last agreed upon.

Refresh after a look at the table: `pytest tests/snapshots/test_golden_figures.py --update-snapshots`. It changes
the entries that moved, and their dates, and leaves the others as they are.
"""

import datetime
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from edgewright import tools

from .runner import same_value

FILE = Path(__file__).parent / "golden_figures.json"
MODELS = ("kws:int8", "vww:int8", "ad:int8", "mobilenet_v2:int8", "resnet50:float32")
DEPLOYMENTS = (
    ("kws:int8", "stm32h743zi", "tflm-cmsis-nn"),
    ("kws:int8", "stm32l4r5zi", "x-cube-ai"),
    ("kws:int8", "nrf52840", "tflm-reference"),
    ("vww:int8", "esp32-s3", "tflm-esp-nn"),
    ("vww:int8", "ethos-u55-128", None),
    ("ad:int8", "rp2040", "tflm-cmsis-nn"),
    ("mobilenet_v2:int8", "coral-usb", "edgetpu"),
    ("mobilenet_v2:int8", "raspberry-pi-4b", "litert-xnnpack"),
    ("resnet50:float32", "jetson-orin-nano-8gb", "tensorrt"),
)
ALONE = tools.Settings(measured_first=False)
"""The cost model's own figures: what was measured is held by the measurements."""
LATENCY_LIMIT_MS = 50.0
Figure = dict[str, Any]


def _figures() -> Iterator[tuple[str, Figure]]:
    for model in MODELS:
        yield from _of_model(model)
    for model, target, runtime in DEPLOYMENTS:
        yield from _of_deployment(model, target, runtime)
    yield from _of_selection()


def _of_model(model: str) -> Iterator[tuple[str, Figure]]:
    summary = tools.summarize_model(tools.parse_model(model))
    yield f"{model} macs", _figure("multiply-accumulates of one inference", summary.macs)
    yield f"{model} parameter_bytes", _figure("weights and biases", summary.parameter_bytes, "B")
    yield f"{model} op_count", _figure("operators", summary.op_count)


def _of_deployment(model: str, target: str, runtime: str | None) -> Iterator[tuple[str, Figure]]:
    graph, on = tools.parse_model(model), tools.deployment(target, runtime, settings=ALONE)
    name = f"{model} on {target}/{runtime or 'usual runtime'}"
    memory, roofline = tools.plan_memory(graph, on), tools.analyze_roofline(graph, on)
    performance, compatibility = tools.estimate_performance(graph, on), tools.score_compatibility(graph, on)
    check = tools.check_constraints(graph, on, tools.Limits(latency_ms=LATENCY_LIMIT_MS), remedies=False)
    yield f"{name} arena", _quantity("RAM that the interpreter plans", memory.arena)
    yield f"{name} flash", _quantity("model and code", memory.flash)
    yield f"{name} latency", _quantity("one inference", performance.latency_ms)
    yield f"{name} energy", _quantity("of one inference", performance.energy_uj)
    yield f"{name} bound", _figure("what holds it back", str(roofline.bound))
    yield f"{name} intensity", _figure("work per byte moved", roofline.arithmetic_intensity, "FLOP/byte")
    yield f"{name} score", _figure("compatibility of 100", compatibility.score)
    yield (
        f"{name} verdict",
        _figure(f"latency of at most {LATENCY_LIMIT_MS} ms, and all memory", str(check.verdict)),
    )


def _of_selection() -> Iterator[tuple[str, Figure]]:
    kws = tools.parse_model("kws:int8")
    limits = tools.Limits(latency_ms=LATENCY_LIMIT_MS)
    ranking = tools.recommend_hardware(kws, limits, classes=("mcu",), settings=ALONE)
    best = [f"{row.target}/{row.runtime} {row.verdict}" for row in ranking.ranking[:5]]
    yield "kws:int8 ranking", _figure("head of the microcontrollers within 50 ms", best)
    yield "kws:int8 passing", _figure("deployments on microcontrollers that pass 50 ms", ranking.passing)
    compared = tools.compare_deployments(kws, [_on(name) for name in ("nrf52840", "stm32h743zi", "esp32-s3")])
    order = [row.target for row in compared.ranking]
    yield "kws:int8 comparison", _figure("order of three boards", order)
    answer = tools.find_limit(kws, _on("stm32h743zi"), None, "rate")
    yield "kws:int8 rate on stm32h743zi", _figure("highest rate", answer.value, answer.unit)
    budget = tools.estimate_energy_budget(kws, _on("stm32l4r5zi"), rate_hz=1.0, battery="CR2032")
    yield (
        "kws:int8 average power on stm32l4r5zi",
        _quantity("at one inference a second", budget.average_power_mw),
    )
    [pruned] = tools.simulate_optimizations(kws, _on("stm32h743zi"), technique=("prune-30",)).options
    assert pruned.after is not None
    yield "kws:int8 prune-30 on stm32h743zi", _quantity("latency after it", pruned.after.latency_ms)


def _on(target: str) -> tools.Deployment:
    return tools.deployment(target, settings=ALONE)


def _figure(what: str, value: object, unit: str = "") -> Figure:
    return {"what": what, "value": value, **({"unit": unit} if unit else {})}


def _quantity(what: str, quantity: tools.Quantity | None) -> Figure:
    if quantity is None:
        return _figure(what, None)
    numbers = {"value": quantity.value, "low": quantity.low, "high": quantity.high}
    return {"what": what, **numbers, "unit": quantity.unit, "basis": str(quantity.basis)}


@cache
def computed() -> dict[str, Figure]:
    return dict(_figures())


def _moved(was: Figure | None, now: Figure | None) -> bool:
    if was is None or now is None:
        return True
    keys = (was.keys() | now.keys()) - {"date"}
    return not all(same_value(was.get(key), now.get(key)) for key in keys)


def _shown(figure: Figure | None) -> str:
    if figure is None:
        return "–"
    value = figure["value"]
    text = f"{value:.6g}" if isinstance(value, float) else str(value)
    interval = f" [{figure['low']:.6g}–{figure['high']:.6g}]" if figure.get("low") is not None else ""
    return " ".join(filter(None, (text + interval, figure.get("unit"), figure.get("basis"))))


def test_the_key_figures_are_those_agreed_upon(update_snapshots: bool) -> None:
    stored: dict[str, Figure] = json.loads(FILE.read_text()) if FILE.exists() else {}
    now = computed()
    moved = [name for name in stored | now if _moved(stored.get(name), now.get(name))]
    if update_snapshots:
        today = {"date": datetime.date.today().isoformat()}
        fresh = {name: now[name] | today if name in moved else stored[name] for name in now}
        FILE.write_text(json.dumps(fresh, indent=1, ensure_ascii=False) + "\n")
        return
    rows = [("figure", "since", "stored", "now")]
    rows += [
        (name, stored.get(name, {}).get("date", "–"), _shown(stored.get(name)), _shown(now.get(name)))
        for name in moved
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    table = "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows
    )
    if moved:
        pytest.fail(f"{len(moved)} of {len(now)} figures moved\n{table}", pytrace=False)
