"""Where the results of an answer state a figure that a question asks for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from edgewright.agent.answer import ToolCallRecord

_BOLD = re.compile(r"\*\*([^*\n]+)\*\*")
_NO_WORD = re.compile(r"[^\w.-]+")


def stated_values(name: str, calls: Sequence[ToolCallRecord], text: str) -> Iterator[Any]:
    """Every value that the figure has in the results; of a name, what the answer says it is."""
    if name == "best":
        yield from (word for told in _BOLD.findall(text) for word in _NO_WORD.split(told))
        yield from _NO_WORD.split(text)
        return
    if name == "worst_layer":
        yield from (int(digits) for digits in re.findall(r"\b[Ll]ayer (\d+)", text))
        return
    count = _COUNTS.get(name)
    for call in calls:
        result = call["result"] or {}
        ops = result.get("ops") or result.get("layers")
        if count is not None and isinstance(ops, list):
            yield sum(1 for op in ops if count(op))
        else:
            yield from _found(name, result)
    if name in ("input_size", "clock_mhz", "batch", "width"):
        yield from (
            call["result"].get("value") for call in calls if call["name"] == "find_limit" and call["result"]
        )


def _found(name: str, value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        for key, part in value.items():
            if key == name:
                yield part["value"] if isinstance(part, Mapping) and "value" in part else part
            else:
                yield from _found(name, part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _found(name, part)


def _accelerated(op: Mapping[str, Any]) -> bool:
    return str(op.get("runs", "")) == "accelerated"


def _on_cpu(op: Mapping[str, Any]) -> bool:
    return str(op.get("runs", "")).startswith("cpu")


_COUNTS: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "cpu_ops": _on_cpu,
    "npu_ops": _accelerated,
    "fully_connected": lambda op: op.get("op") == "FULLY_CONNECTED",
}
