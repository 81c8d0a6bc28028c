"""Memory over time, and the order of operators that needs least of it."""

from __future__ import annotations

from ....tools.core.units import show
from ....tools.memory_planner.order.report import OrderReport
from ....tools.optimization_simulator.report import Option
from ....tools.timeline.report import Timeline, TimelineOp
from ..reading import Reading
from ..turns import Outcome
from .figures import bullets, count, layer, listed, size
from .subject import model_of, place_of

_TENSORS = 3
_SAVINGS = 4
_LONGEST = 40
"""Operators of a table; of a longer run, those that hold most."""


def phrase_timeline(outcome: Outcome, _asked: Reading) -> list[str]:
    run = Timeline.model_validate(outcome.result)
    where = f"{model_of(outcome)} on {place_of(run.deployment)}"
    told = [f"{where}: {_peak(run)}"]
    rows = [op for op in run.ops if op.live_bytes is not None]
    if rows:
        cut = len(rows) > _LONGEST
        shown = sorted(rows, key=lambda op: -(op.live_bytes or 0))[:_LONGEST] if cut else rows
        named = "Of its operators, those that hold most" if cut else "Alive, operator by operator"
        told.append(f"{named}:\n" + bullets([_row(op) for op in shown]))
    if run.savings:
        told.append(
            "What would lower it, simulated:\n" + bullets([_saving(o) for o in run.savings[:_SAVINGS]])
        )
    elif run.peak is not None:
        told.append("None of the changes that I simulate lowers it.")
    return told


def phrase_order(outcome: Outcome, _asked: Reading) -> list[str]:
    report = OrderReport.model_validate(outcome.result)
    where = f"{model_of(outcome)} on {place_of(report.deployment)}"
    if report.before is None or report.after is None:
        return [f"The best order for {where} is unknown."]
    lead = f"{where}: {report.advice.rstrip('.')}."
    now = f"as it is: peak {size(report.before.peak_bytes)}, arena {size(report.before.arena_bytes)}"
    best = f"in the best order: peak {size(report.after.peak_bytes)}, arena {size(report.after.arena_bytes)}"
    proof = "no order has a lower peak: that is proven"
    return [
        lead,
        bullets(
            [
                now,
                f"{best}, {count(report.moved_ops)} operators moved",
                proof if report.order_is_proven else "whether another order is better still is not known",
            ]
        ),
    ]


def _peak(run: Timeline) -> str:
    if run.peak is None:
        return f"when it holds how much is unknown{': ' + run.why_not if run.why_not else ''}."
    alive = [
        f"{'scratch' if buffer.tensor is None else f'tensor {buffer.tensor}'} of {size(buffer.bytes)}"
        for buffer in run.peak.buffers[:_TENSORS]
    ]
    told = f"the peak is at {layer(run.peak.index, run.peak.op)} with {size(run.peak.live_bytes)} alive"
    arena = f"; the arena is {size(run.arena_bytes)} ({run.arena_basis})"
    return f"{told}: {listed(alive)}{arena}."


def _row(op: TimelineOp) -> str:
    time = "" if op.latency_ms is None else f", {show(op.latency_ms, 'ms')}"
    return f"{layer(op.index, op.op)}: {show(op.live_bytes, 'bytes')}{time}"


def _saving(option: Option) -> str:
    if option.after is None:
        return f"{option.technique}: {option.reason}"
    before, after = size(option.before.arena_bytes), size(option.after.arena_bytes)
    return f"{option.technique} ({option.effort}): arena {before} → {after}"
