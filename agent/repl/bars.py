"""Bars in a terminal: what each layer takes, and what each operator holds."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from ...tools.core.units import show

if TYPE_CHECKING:
    from ...tools.core.quantity import Result

ROWS_AT_MOST = 24
_WIDEST = 40
_EIGHTHS = " ▏▎▍▌▋▊▉█"


@dataclass(frozen=True)
class Bar:
    """`value` None is unknown."""

    index: int
    name: str
    value: float | None


def draws_blocks(stream: TextIO) -> bool:
    """Whether the stream can show block characters; asked for no colours or a plain terminal, none come."""
    plain = os.environ.get("TERM", "") in ("dumb", "") or "NO_COLOR" in os.environ
    encoding = (getattr(stream, "encoding", None) or "").casefold().replace("-", "")
    return not plain and encoding == "utf8"


def chart(title: str, bars: Sequence[Bar], unit: str, width: int, *, blocks: bool) -> str:
    """One bar a row, in the order of the model; of many, the heaviest, and how many are left out.

    Empty where nothing is known.
    """
    known = [bar for bar in bars if bar.value is not None]
    most = max((bar.value or 0.0 for bar in known), default=0.0)
    if most <= 0:
        return ""
    chosen = sorted(known, key=lambda bar: -(bar.value or 0.0))[:ROWS_AT_MOST]
    chosen.sort(key=lambda bar: bar.index)
    labels = [f"{bar.index:>5} {bar.name[:20]}" for bar in chosen]
    figures = [show(bar.value, unit) for bar in chosen]
    label, figure = max(map(len, labels)), max(map(len, figures))
    room = max(4, min(_WIDEST, width - label - figure - 4))
    lines = [
        f"{name:<{label}} {_bar((bar.value or 0.0) / most, room, blocks=blocks)} {text:>{figure}}"
        for name, bar, text in zip(labels, chosen, figures, strict=True)
    ]
    left = len(bars) - len(chosen)
    more = [f"      … and {left:,} more"] if left else []
    return "\n".join([title, *lines, *more])


def chart_of(result: Result, width: int, *, blocks: bool) -> str:
    """The chart that a result has; empty for one that has none."""
    from ...tools.cost_model.report import PerformanceEstimate
    from ...tools.timeline.report import Timeline

    match result:
        case PerformanceEstimate():
            layers = [Bar(layer.index, layer.op, layer.latency_ms) for layer in result.layers]
            return chart("Latency by layer", layers, "ms", width, blocks=blocks)
        case Timeline():
            ops = [Bar(op.index, op.op, op.live_bytes) for op in result.ops]
            return chart("Memory alive by operator", ops, "bytes", width, blocks=blocks)
    return ""


def _bar(share: float, room: int, *, blocks: bool) -> str:
    if not blocks:
        return ("#" * round(share * room)).ljust(room)
    eighths = round(share * room * 8)
    whole, rest = divmod(eighths, 8)
    return ("█" * whole + (_EIGHTHS[rest] if rest else "")).ljust(room)
