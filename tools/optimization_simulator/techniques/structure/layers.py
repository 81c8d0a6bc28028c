"""Layers as the user names them, and what is said where one does not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from .....hardware_db.errors import UsageError
from ....graph import ModelGraph, Op

Layers = tuple[int, ...]
"""Indices of operators; empty for all that a change suits."""
Reason = Callable[[Op], str | None]
"""Why a change does not suit an operator; None where it does."""


def chosen(graph: ModelGraph, layers: Layers, why_not: Reason, none_at_all: str) -> list[Op]:
    """The operators to change.

    Raises:
        UsageError: a layer that is not there or that the change does not suit, with the nearest that it
            does; or none was named and none suits.
    """
    suiting = [op for op in graph.main.ops if why_not(op) is None]
    if not suiting:
        first = next((op for op in graph.main.ops if op.index in layers), None)
        raise UsageError(
            f"{none_at_all}{'' if first is None else f': layer {first.index} {why_not(first)}'}."
        )
    if not layers:
        return suiting
    for index in layers:
        if not 0 <= index < len(graph.main.ops):
            raise UsageError(
                f"There is no layer {index}: they are 0 to {len(graph.main.ops) - 1}.",
                hint=f"It could be done to {said(near(index, suiting))}.",
            )
        reason = why_not(graph.main.ops[index])
        if reason is not None:
            raise UsageError(
                f"Layer {index} {reason}.", hint=f"It could be done to {said(near(index, suiting))}."
            )
    return [op for op in suiting if op.index in layers]


def near(index: int, ops: Sequence[Op], count: int = 3) -> list[Op]:
    return sorted(sorted(ops, key=lambda op: abs(op.index - index))[:count], key=lambda op: op.index)


def said(ops: Iterable[Op]) -> str:
    return "layer " + ", ".join(f"{op.index} ({op.label})" for op in ops)


def listed(ops: Iterable[Op]) -> str:
    """As it is written after an @."""
    return ",".join(str(op.index) for op in ops)
