"""A memory plan as text."""

from __future__ import annotations

from ...memory_planner.plan import MemoryPlan
from ...units import show
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
        ((t.name_untrusted, t.bytes, f"{t.first_op} to {t.last_op}") for t in plan.peak_tensors),
    )
    return "\n\n".join((f"Memory on {where(plan.deployment)}", head, regions, peak_tensors)) + notes(
        plan.assumptions, plan.warnings
    )
