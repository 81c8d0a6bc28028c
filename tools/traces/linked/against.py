"""What was linked beside what was planned for the model, and which kernels it does not use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from ...core.quantity import Basis, Quantity
from ...core.units import show
from ...graph import ModelGraph
from ...memory_planner.memory_plan import MemoryPlan
from .firmware_report import FirmwareReport, PlannedPart
from .image import Symbol
from .roles import Role, kernel_kinds


def against(
    report: FirmwareReport, roles: Sequence[tuple[Symbol, Role]], graph: ModelGraph, plan: MemoryPlan
) -> dict[str, object]:
    sizes = {part.role: part for part in report.parts}
    unused = _unused(roles, {op.kind for op in graph.ops})
    spare = sum(unused.values())
    weights = sizes.get(Role.WEIGHTS)
    arena = sizes.get(Role.ARENA)
    code = [sizes[role] for role in (Role.KERNELS, Role.RUNTIME, Role.LIBRARY) if role in sizes]
    known = Quantity.exact(plan.model_bytes, "B", Basis.DERIVED)
    code_bytes = sum(part.flash_bytes for part in code) if code else None
    rows = [
        _row("model", None if weights is None else weights.flash_bytes, known, _of_weights),
        _row("arena", None if arena is None else arena.ram_bytes, plan.arena, _of_arena),
        _row("code", code_bytes, _code(plan), lambda *_: _of_code(unused, spare)),
    ]
    linked = None if weights is None or code_bytes is None else weights.flash_bytes + code_bytes
    rest = report.flash_bytes - (linked or 0)
    rows.append(_row("model and code", linked, plan.flash, lambda *_: _of_rest(rest)))
    return {
        "against": tuple(rows),
        "unused_kernel_bytes": spare,
        "unused_kernels": tuple(sorted(unused, key=lambda kind: -unused[kind])),
        "assumptions": tuple(dict.fromkeys((*report.assumptions, *plan.assumptions))),
        "warnings": tuple(dict.fromkeys((*report.warnings, *plan.warnings))),
    }


def _code(plan: MemoryPlan) -> Quantity:
    """The plan's flash without the model, whose size is exact."""
    if plan.flash.value is None or plan.flash.low is None or plan.flash.high is None:
        return Quantity.unknown("B")
    low, value, high = (
        max(0.0, end - plan.model_bytes) for end in (plan.flash.low, plan.flash.value, plan.flash.high)
    )
    return Quantity(value=value, low=low, high=high, unit=plan.flash.unit, basis=plan.flash.basis)


def _row(
    part: str, linked: int | None, planned: Quantity, why: Callable[[int, Quantity], str]
) -> PlannedPart:
    known = linked is not None and planned.value is not None
    inside = None
    if linked is not None and planned.low is not None and planned.high is not None:
        inside = planned.low <= linked <= planned.high
    return PlannedPart(
        part=part,
        linked_bytes=linked,
        planned=planned,
        ratio=(linked or 0) / planned.value if known and planned.value else None,
        inside=inside,
        why="no symbol was found for it" if linked is None else why(linked, planned) if known else "",
    )


def _of_weights(linked: int, planned: Quantity) -> str:
    more = linked - round(planned.value or 0)
    if abs(more) <= 16:
        return "the same, up to alignment"
    side = "more" if more > 0 else "less"
    size = show(abs(more), "bytes")
    return f"{size} {side} than the model's file: another version of it, or another file beside it"


def _of_arena(linked: int, planned: Quantity) -> str:
    high = planned.high or planned.value or 0.0
    if linked < (planned.low or 0.0):
        return "smaller than the model needs: set-up will fail"
    if linked > 1.05 * high:
        return f"{show(linked - high, 'bytes')} could be given back"
    return "as large as the model needs"


def _of_code(unused: Mapping[str, int], spare: int) -> str:
    if not spare:
        return "no kernel was found that the model does not use"
    names = ", ".join(sorted(unused, key=lambda kind: -unused[kind])[:4])
    return f"{show(spare, 'bytes')} of kernels that the model does not use: {names}"


def _of_rest(rest: int) -> str:
    return f"{show(rest, 'bytes')} beside it: the application, drivers, stack and constants of their own"


def _unused(roles: Sequence[tuple[Symbol, Role]], kinds: set[str]) -> dict[str, int]:
    """Bytes in flash by operator, of kernels that no operator of the model takes."""
    found: dict[str, int] = defaultdict(int)
    for symbol, role in roles:
        meant = kernel_kinds(symbol) if role is Role.KERNELS and symbol.in_flash else ()
        if meant and not kinds & set(meant):
            found[meant[0]] += symbol.size
    return dict(found)
