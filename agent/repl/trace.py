"""Tool calls as one line each."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...tools.core.sanitize import clean_text
from ...tools.core.units import show
from ..events import ToolFinished, ToolStarted
from ..plain_text import reason_in

_MOST_PARTS = 4
_LONGEST_ARGUMENT = 40
_LONGEST_LINE = 160


@dataclass(frozen=True)
class ToolTrace:
    """One tool call of a turn, ended. `outcome` is the error where `failed`."""

    id: str
    name: str
    arguments: Mapping[str, Any]
    seconds: float
    outcome: str
    failed: bool

    @property
    def line(self) -> str:
        outcome = f"failed: {self.outcome}" if self.failed else self.outcome
        return clean_text(
            f"{call_text(self.name, self.arguments)} · {_duration(self.seconds)} · {outcome}", 200
        )


@dataclass
class TraceLog:
    """The calls of one turn, in the order in which they ended."""

    ended: list[ToolTrace] = field(default_factory=list)
    _open: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def start(self, event: ToolStarted) -> str:
        self._open[event.id] = event.arguments
        return call_text(event.name, event.arguments)

    def finish(self, event: ToolFinished) -> ToolTrace:
        failed = event.result is None
        outcome = error_message(event.error or "") if event.result is None else headline(event.result)
        arguments = self._open.pop(event.id, {})
        call = ToolTrace(event.id, event.name, arguments, event.seconds, outcome, failed)
        self.ended.append(call)
        return call


def call_text(name: str, arguments: Mapping[str, Any]) -> str:
    shown = (f"{key}={clean_text(_value(value), _LONGEST_ARGUMENT)}" for key, value in arguments.items())
    return clean_text(f"{name}({', '.join(shown)})", _LONGEST_LINE)


def headline(result: Mapping[str, Any]) -> str:
    """What a tool's result says first: verdict, score, bound, figures, or how many there are."""
    parts = [text for key, write in _PARTS.items() if (text := _written(write, result.get(key)))]
    return " · ".join(parts[:_MOST_PARTS]) or "done"


def error_message(error: str) -> str:
    """Why a call failed, in a line."""
    return clean_text(reason_in(error), _LONGEST_LINE)


def _quantity(value: Any) -> str:
    if value["value"] is None:
        return ""
    return f"{show(value['value'], value['unit'])} ({value['basis']})"


def _bytes_of(what: str) -> Callable[[Any], str]:
    return lambda value: f"{what} {show(value, 'bytes')}"


def _count_of(what: str) -> Callable[[Any], str]:
    return lambda value: f"{len(value) if isinstance(value, list | tuple) else value:,} {what}"


_PARTS: dict[str, Callable[[Any], str]] = {
    "verdict": str,
    "score": lambda value: f"{value:.3g} of 100",
    "bound": lambda value: f"{value}-bound",
    "latency_ms": _quantity,
    "energy_uj": _quantity,
    "arena_bytes": _bytes_of("arena"),
    "flash_bytes": _bytes_of("flash"),
    "macs": _count_of("MACs"),
    "parameter_count": _count_of("parameters"),
    "op_count": _count_of("operators"),
    "dtype": str,
    "options": _count_of("changes"),
    "targets": _count_of("targets"),
    "id": str,
    "runtimes": _count_of("runtimes"),
}
"""Fields that results lead with → how they are written, the most telling first."""


def _written(write: Callable[[Any], str], value: Any) -> str:
    if value is None:
        return ""
    try:
        return write(value)
    except (TypeError, ValueError, KeyError):
        return ""


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _duration(seconds: float) -> str:
    return show(1e3 * seconds, "ms")
