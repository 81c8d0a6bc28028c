"""How far one can go, as text."""

from __future__ import annotations

from ...core.units import show
from ...hardware_selector.inverse.report import LimitAnswer, LimitPoint
from ..table import pipe_table
from .common import notes, quantity, where
from .optimization import fit_text
from .relaxations import pair_text, relaxation_text


def limit_text(answer: LimitAnswer) -> str:
    parts = [f"{answer.statement[:1].upper()}{answer.statement[1:]}.", f"On {where(answer.deployment)}."]
    points = [point for point in (answer.at, answer.beyond) if point is not None]
    head = ("Value", "Limits", "Latency", "Arena", "Flash", "What fails")
    parts.append(pipe_table(head, [_row(point) for point in points]))
    if answer.relaxations:
        lines = map(relaxation_text, answer.relaxations)
        parts.append("One limit alone would have to give:\n" + "\n".join(lines))
    if answer.relaxed_pairs:
        lines = map(pair_text, answer.relaxed_pairs[:3])
        parts.append("Two limits would have to give together:\n" + "\n".join(lines))
    if answer.fit is not None:
        parts.append(fit_text(answer.fit))
    parts.append(f"{answer.tried} values tried ({answer.method})")
    return "\n\n".join(parts) + notes(answer.assumptions, answer.warnings)


def _row(point: LimitPoint) -> tuple[str, ...]:
    figures = point.figures
    if figures is None:
        return (point.told, point.verdict.value, "", "", "", "; ".join(point.reasons))
    return (
        point.told, point.verdict.value, quantity(figures.latency_ms),
        show(figures.arena_bytes, "bytes"), show(figures.flash_bytes, "bytes"), "; ".join(point.reasons),
    )  # fmt: skip
