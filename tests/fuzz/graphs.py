"""What is asked of every graph, and what is wrong with an answer."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from typing import Any

from pydantic import BaseModel

from edgewright import tools
from edgewright.tools import Deployment, EdgewrightError, deployment
from edgewright.tools.core.document import describe
from edgewright.tools.core.render.markdown import markdown
from edgewright.tools.graph import ModelGraph
from tests.stubs.odd_graphs import nonsense

PLACES = (
    "stm32h743zi/tflm-cmsis-nn", "stm32h743zi/x-cube-ai", "esp32s3/", "rpi4/", "ethos-u55-128/",
    "stm32n6/", "jetson-orin-nano/", "a100-sxm4-40gb/", "coral-dev-board/", "host-x86-64/",
)  # fmt: skip
_HARD = {"latency_ms": 1, "ram_bytes": 10, "flash_bytes": 10, "energy_uj": 1}
_LOOSE = {"latency_ms": 1e6, "rate_hz": 0.01}
Call = Callable[[ModelGraph, Deployment], object]
CALLS: dict[str, Call] = {
    "summary": lambda graph, _: tools.summarize_model(graph),
    "memory": tools.plan_memory,
    "performance": tools.estimate_performance,
    "roofline": tools.analyze_roofline,
    "compatibility": tools.score_compatibility,
    "check": lambda graph, board: tools.check_constraints(graph, board, _HARD),
    "loose check": lambda graph, board: tools.check_constraints(graph, board, _LOOSE),
    "optimize": lambda graph, board: tools.simulate_optimizations(
        graph, board, sensitivity=True, limits=_HARD
    ),
    "clock": lambda graph, board: tools.find_limit(graph, board, {"latency_ms": 50}, "clock"),
    "batch": lambda graph, board: tools.find_limit(graph, board, {"ram_bytes": 300_000}, "batch"),
    "input": lambda graph, board: tools.find_limit(graph, board, {"latency_ms": 50}, "input"),
    "timeline": lambda graph, board: tools.trace_timeline(graph, board, order_time_limit_s=0.1),
    "order": lambda graph, board: tools.best_memory_order(graph, board, time_limit_s=0.2),
    "workload": lambda graph, board: tools.estimate_workload(graph, board, rate_hz=1.0, streams=2),
    "frequency": tools.sweep_frequency,
    "energy": lambda graph, board: tools.estimate_energy_budget(graph, board, rate_hz=1.0),
    "analysis": tools.analyze_model,
    "code": tools.firmware_code,
    "audit": tools.audit,
    "evidence": tools.evidence,
    "diff": lambda graph, board: tools.diff_models(graph, graph, board),
}
RARE: dict[str, Call] = {
    "recommend": lambda graph, _: tools.recommend_hardware(graph, {"latency_ms": 50}),
    "compare": lambda graph, board: tools.compare_deployments(graph, [board, *map(board_of, (0, 3))]),
}
"""Asked of every sixteenth graph: they look at all the hardware there is."""


def board_of(number: int) -> Deployment:
    target, _, runtime = PLACES[number % len(PLACES)].partition("/")
    return deployment(target, runtime or None)


def findings(graph: ModelGraph, board: Deployment, call: Call) -> Iterator[str]:
    """What is wrong with the answer about a graph."""
    return wrong_with(lambda: call(graph, board))


def wrong_with(answer: Callable[[], object]) -> Iterator[str]:
    """An error that is not the package's own, or a figure that cannot be."""
    try:
        result: Any = answer()
        if isinstance(result, BaseModel):
            result.model_dump_json()
            yield from nonsense(result)
            _rendered(result)
        elif isinstance(result, tuple):
            yield from (f"{each.rule}: {each.told}" for each in result if isinstance(each, tools.Violation))
    except EdgewrightError:
        return
    except Exception as error:
        yield f"{type(error).__name__}{_where(error)}: {error}"


def _where(error: Exception) -> str:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "tests" not in f.filename]
    own = [f for f in frames if "site-packages" not in f.filename and "/lib/python" not in f.filename]
    return f" at {own[-1].filename.rpartition('/edgewright/')[2]}:{own[-1].lineno}" if own else ""


def _rendered(result: BaseModel) -> None:
    try:
        document = describe(result)
    except TypeError as error:
        if "has no document" in str(error):
            return
        raise
    markdown(document)
