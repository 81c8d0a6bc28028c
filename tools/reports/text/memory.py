"""A memory plan as text."""

from __future__ import annotations

from ...core.quantity import Quantity
from ...core.units import show
from ...memory_planner.plan import MemoryPlan, PlacementOption
from ..table import pipe_table
from .common import notes, quantity, where


def memory_text(plan: MemoryPlan) -> str:
    peak = f" at layer {plan.peak_layer.index} ({plan.peak_layer.op})" if plan.peak_layer else ""
    head = pipe_table(
        ("Memory", "Value"),
        (
            ("Fits", "unknown" if plan.fits is None else "yes" if plan.fits else f"no: {plan.why_not}"),
            ("Arena", quantity(plan.arena)),
            ("of which activations and scratch", show(plan.arena_nonpersistent_bytes, "bytes")),
            ("of which the interpreter keeps", show(plan.arena_persistent_bytes, "bytes")),
            *(
                (("Reserved for stack, heap, application", show(plan.reserve_bytes, "bytes")),)
                if plan.reserve_bytes
                else ()
            ),
            *(
                (("Cost of the arena outside internal RAM", quantity(plan.spill_ms)),)
                if plan.spill_ms is not None
                else ()
            ),
            ("Lower bound", f"{show(plan.lower_bound_bytes, 'bytes')}{peak}"),
            ("Flash", quantity(plan.flash)),
            ("of which model", show(plan.model_bytes, "bytes")),
            ("of which code", show(plan.code_bytes, "bytes")),
        ),
    )
    regions = pipe_table(
        ("Region", "Kind", "Size", "Used", "Holds"),
        ((r.region, r.kind, show(r.size_bytes, "bytes"), show(r.used_bytes, "bytes"), ", ".join(r.holds))
         for r in plan.regions),
    )  # fmt: skip
    peak_tensors = pipe_table(
        ("Alive at the peak", "Bytes", "Layers"),
        ((t.name_untrusted or "scratch buffer", t.bytes, f"{t.first_op} to {t.last_op}")
         for t in plan.peak_tensors),
    )  # fmt: skip
    blocks = [f"Memory on {where(plan.deployment)}", head, regions, peak_tensors]
    blocks += [block for block in (code_text(plan), placements_text(plan), linker_text(plan)) if block]
    return "\n\n".join(blocks) + notes(plan.assumptions, plan.warnings)


def code_text(plan: MemoryPlan) -> str:
    """What the code is made of, the largest first."""
    parts = sorted(plan.code_parts, key=lambda part: -part.bytes)
    rows = ((part.what, part.bytes) for part in parts)
    return pipe_table(("Code of, as fitted", "Bytes"), rows) if parts else ""


def placements_text(plan: MemoryPlan) -> str:
    """Everywhere that arena and weights could lie, fastest first; what costs the same shares a row."""
    rows: dict[tuple[str, ...], list[str]] = {}
    for x in plan.placements:
        told = (quantity(x.latency_ms), "the plan" if x.is_planned else _added(x.added_ms), x.reason)
        weights = " + ".join(x.weights) or "nowhere"
        moved = x.weights != next((p.weights for p in plan.placements if p.is_planned), x.weights)
        key = (_arena(x), "", *told) if moved else ("", weights, *told)
        rows.setdefault(key, []).append(weights if moved else _arena(x))
    if not rows:
        return ""
    return pipe_table(
        ("Arena in", "Weights in", "Latency", "Against the plan", "Note"),
        ((arena or " or ".join(names), weights or " or ".join(names), *told)
         for (arena, weights, *told), names in rows.items()),
    )  # fmt: skip


def linker_text(plan: MemoryPlan) -> str:
    lines = []
    for hint in plan.linker:
        lines.append(f"{hint.part} in {' + '.join(hint.regions)}, with {hint.toolchain}:")
        lines += [f"    {part}" for part in (hint.declaration, hint.script) if part]
    return "\n".join(lines)


def _arena(option: PlacementOption) -> str:
    arena = " + ".join(option.arena)
    return f"{arena}, persistent part in {' + '.join(option.persistent)}" if option.persistent else arena


def _added(added: Quantity) -> str:
    if added.value is None or added.low is None or added.high is None:
        return "unknown"
    value, low, high = map(_signed, (added.value, added.low, added.high))
    return value if low == high else f"{value} ({low} to {high})"


def _signed(ms: float) -> str:
    return f"{'+' if ms > 0 else ''}{show(ms, 'ms')}" if ms else "0"
