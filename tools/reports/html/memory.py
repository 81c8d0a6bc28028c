"""Memory: how much, where, and over the run."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.quantity import Basis
from ...core.units import show
from ...memory_planner.plan import MemoryPlan, PlacementOption
from ..text.common import quantity
from ..timeline_drawing import drawing
from .blocks import Block, Code, Drawing, Paragraph, Table
from .figures import counted_row, figure_row, figure_table
from .region_drawing import region_drawing
from .results import Results

_DERIVED = Basis.DERIVED


def blocks(results: Results) -> tuple[Block, ...]:
    plan = results.memory
    fits = (
        "Whether it fits is not known."
        if plan.fits is None
        else "It fits."
        if plan.fits
        else "It does not fit."
    )
    found: list[Block] = [Paragraph(f"{fits} {plan.why_not}".strip()), _figures(results)]
    if drawn := region_drawing(plan):
        told = "Each bar is one region of the target, filled as far as it is used; lengths do not compare."
        found.append(Drawing(drawn, told, "chart"))
    found += [*_timeline(results), _peak(results)]
    if plan.placements:
        found.append(_placements(results))
    return (*found, *_linker(plan))


def _figures(results: Results) -> Table:
    plan = results.memory
    rows = [
        figure_row("Arena", plan.arena),
        counted_row(
            "of which activations and scratch", plan.arena_nonpersistent_bytes, "bytes", plan.arena_basis
        ),
        counted_row("of which the interpreter keeps", plan.arena_persistent_bytes, "bytes", plan.arena_basis),
        counted_row("most that must be held at once", plan.lower_bound_bytes, "bytes", _DERIVED),
    ]
    if plan.reserve_bytes:
        rows.append(counted_row("Reserved for the application", plan.reserve_bytes, "bytes", Basis.ASSUMED))
    rows += [
        figure_row("Flash", plan.flash),
        counted_row("of which the model", plan.model_bytes, "bytes", plan.flash.basis),
        counted_row("of which code", plan.code_bytes, "bytes", plan.flash.basis),
    ]
    if plan.spill_ms is not None:
        rows.append(figure_row("Cost of the arena outside internal RAM", plan.spill_ms))
    return figure_table(*rows)


def _timeline(results: Results) -> list[Block]:
    line = results.timeline
    if line.arena_bytes is None and line.peak is None:
        return [Paragraph("The arena over time is not known: the runtime's planner is not modelled.")]
    told = f"The arena over the run, as {line.planner} plans it."
    if line.peak is not None:
        peak = line.peak
        told += f" The peak is {show(peak.live_bytes, 'bytes')} at layer {peak.index} ({peak.op})."
    if line.arena_bytes is not None:
        told += f" The whole arena takes {show(line.arena_bytes, 'bytes')} ({line.arena_basis})."
    return [Drawing(drawing(line, time=False), told, "timeline", told)]


def _peak(results: Results) -> Block:
    rows = tuple(
        (t.name_untrusted or "scratch buffer", f"{t.bytes:,}", f"{t.first_op} to {t.last_op}")
        for t in results.memory.peak_tensors
    )
    if not rows:
        return Paragraph("What is alive at the peak is not known.")
    return Table(("Alive at the peak", "Bytes", "Layers"), rows, right=frozenset({1}))


def _placements(results: Results) -> Table:
    rows = tuple(
        (_arena(x), " + ".join(x.weights) or "nowhere", quantity(x.latency_ms),
         "the plan" if x.is_planned else quantity(x.added_ms), x.reason)
        for x in results.memory.placements
    )  # fmt: skip
    header = ("Arena in", "Weights in", "Latency", "Against the plan", "Note")
    return Table(header, rows, folded="Other places for arena and weights, fastest first")


def _arena(option: PlacementOption) -> str:
    return " + ".join((*option.arena, *(f"{name} (persistent)" for name in option.persistent)))


def _linker(plan: MemoryPlan) -> Iterator[Code]:
    for hint in plan.linker:
        if told := "\n".join(filter(None, (hint.declaration, hint.script))):
            yield Code(f"{hint.part} in {' + '.join(hint.regions)}, with {hint.toolchain}", told)
