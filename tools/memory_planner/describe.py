"""A memory plan in words and tables."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from ..core.document import (
    Block,
    Code,
    Document,
    Drawing,
    Ref,
    Section,
    Table,
    Text,
    described,
    figures,
    joined,
    notes,
    place,
    table_of,
    text,
)
from ..core.quantity import Quantity
from .memory_plan import MemoryPlan, PlacementOption
from .region_drawing import region_drawing


@described.register
def memory(plan: MemoryPlan) -> Document:
    title = joined("Memory on ", place(plan.deployment))
    return Document(plan, title, (Section("", tuple(blocks(plan))),), notes=notes(plan))


def blocks(plan: MemoryPlan) -> Iterator[Block]:
    yield head(plan)
    yield table_of(
        plan.regions, "regions", ("Region", "{region}"), ("Kind", "{kind}"), ("Size", "{size_bytes}"),
        ("Used", "{used_bytes}"), ("Holds", lambda use: ", ".join(use.holds)),
    )  # fmt: skip
    if plan.regions:
        caption = "Each bar is one region of the target, filled as far as it is used; lengths do not compare."
        yield Drawing(functools.partial(region_drawing, plan), caption, "chart")
    yield peak(plan)
    if plan.code_parts:
        largest = sorted(range(len(plan.code_parts)), key=lambda at: -plan.code_parts[at].bytes)
        yield Table(
            ("Code of, as fitted", "Bytes"),
            tuple(
                (Ref(f"code_parts[#{at}].what"), Ref(f"code_parts[#{at}].bytes", unit="")) for at in largest
            ),
        )
    if plan.placements:
        yield placements(plan)
    yield from linker(plan)


def head(plan: MemoryPlan) -> Table:
    """Whether it fits, and what arena and flash are made of."""
    at_peak = " at layer {peak_layer.index} ({peak_layer.op})" if plan.peak_layer else ""
    rows: list[tuple[Text, Text]] = [
        ("Fits", "no: {why_not}" if plan.fits is False else "{fits}"),
        ("Arena", "{arena~!}"),
        ("Arena in bytes", "{arena_bytes|}"),
        ("of which activations and scratch", "{arena_nonpersistent_bytes}"),
        ("of which the interpreter keeps", "{arena_persistent_bytes}"),
    ]
    if plan.reserve_bytes:
        rows.append(("Reserved for stack, heap, application", "{reserve_bytes}"))
    if plan.spill_ms is not None:
        rows.append(("Cost of the arena outside internal RAM", "{spill_ms~!}"))
    rows += [
        ("Lower bound", f"{{lower_bound_bytes}}{at_peak}"),
        ("Flash", "{flash~!}"),
        ("of which model", "{model_bytes}"),
        ("of which code", "{code_bytes}"),
    ]
    return figures("Memory", *rows)


def peak(plan: MemoryPlan) -> Table:
    """What is alive at the peak."""
    return table_of(
        plan.peak_tensors, "peak_tensors",
        ("Alive at the peak", lambda tensor: tensor.name_untrusted or "scratch buffer"),
        ("Bytes", "{bytes|}"), ("Layers", "{first_op} to {last_op}"),
    )  # fmt: skip


def placements(plan: MemoryPlan) -> Table:
    """Everywhere that arena and weights could lie, fastest first; what costs the same shares a row."""
    planned = next((x.weights for x in plan.placements if x.is_planned), None)
    alike: dict[tuple[bool, str, Quantity, Quantity, bool, str], list[int]] = {}
    for at, x in enumerate(plan.placements):
        moved = planned is not None and x.weights != planned
        same = _arena(x) if moved else _weights(x)
        alike.setdefault((moved, same, x.latency_ms, x.added_ms, x.is_planned, x.reason), []).append(at)
    rows = []
    for (moved, same, *_), places in alike.items():
        others = " or ".join((_weights if moved else _arena)(plan.placements[at]) for at in places)
        arena, weights = (same, others) if moved else (others, same)
        here = f"placements[#{places[0]}]"
        added = "the plan" if plan.placements[places[0]].is_planned else text("{+added_ms~}", here)
        rows.append((arena, weights, text("{latency_ms~!}", here), added, text("{reason}", here)))
    header = ("Arena in", "Weights in", "Latency", "Against the plan", "Note")
    return Table(header, tuple(rows), folded="Other places for arena and weights, fastest first")


def linker(plan: MemoryPlan) -> Iterator[Code]:
    """How to make the toolchain place them so."""
    for hint in plan.linker:
        if code := "\n".join(filter(None, (hint.declaration, hint.script))):
            yield Code(f"{hint.part} in {' + '.join(hint.regions)}, with {hint.toolchain}", code)


def _weights(option: PlacementOption) -> str:
    return " + ".join(option.weights) or "nowhere"


def _arena(option: PlacementOption) -> str:
    arena = " + ".join(option.arena)
    return f"{arena}, persistent part in {' + '.join(option.persistent)}" if option.persistent else arena
