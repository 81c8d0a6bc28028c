"""What `trtexec --exportProfile` writes, which TREx reads as well: a time for each layer of an engine.

JSON rows `name, timeMs, averageMs, percentage`, newer ones with `medianMs`, and `count`, the runs: see
github.com/NVIDIA/TensorRT tools/experimental/trt-engine-explorer/tests/inputs/
mobilenet.qat.onnx.engine.profile.json (commit 26210e9).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ....hardware_db.errors import InputError
from ...core.sanitize import clean_text
from ..recording import Doing, Recording, Span
from ..trace import Event, Trace, Unit
from ..trace_file import number

_MOST_BYTES = 32 << 20
_MOVES = ("Reformatting CopyNode", "Reformatter", "copied_squeeze")
_KIND = re.compile(
    r"(?:^|[/ ])(Conv(?:Transpose)?|Gemm|MatMul|MaxPool|AveragePool|GlobalAveragePool|Softmax|Resize|Concat|"
    r"Add|Mul|QuantizeLinear|Slice|Reshape|Transpose|Relu|Sigmoid|Clip|ReduceMean)(?=$|[_ /\d])"
)
_HEAVY = ("Conv", "ConvTranspose", "Gemm", "MatMul")


def read(lines: Sequence[str]) -> Recording | None:
    head = "\n".join(lines[:4])[:4000]
    if not head.lstrip().startswith("[") or ('"count"' not in head and '"averageMs"' not in head):
        return None
    rows = _rows(lines)
    layers = [row for row in rows if "averageMs" in row and "name" in row]
    if not layers:
        return None
    runs = next((row["count"] for row in rows if isinstance(row.get("count"), int)), 1)
    names = [clean_text(str(row["name"]), 120) for row in layers]
    times = [number(str(row["averageMs"]), at) for at, row in enumerate(layers, 1)]
    spans, at = [], 0.0
    for name, time in zip(names, times, strict=True):
        moves = name.startswith(_MOVES) or name.endswith(" copy")
        lane, doing = ("copies", Doing.TRANSFER) if moves else ("GPU", Doing.COMPUTE)
        spans.append(Span(name, at, at + time, lane, doing))
        at += time
    events = tuple(Event(_kind(name), time) for name, time in zip(names, times, strict=True) if time > 0)
    trace = Trace(
        "layers of a TensorRT engine", Unit.MILLISECONDS, (events,), fuses=True, in_order=False, splits=True,
        written_by="tensorrt", averaged_runs=max(1, runs),
    )  # fmt: skip
    return Recording(
        trace.format, Unit.MILLISECONDS, tuple(spans), trace=trace, written_by="tensorrt", lines=len(layers),
        notes=(f"each time is the mean of {runs:,} runs",) if runs > 1 else (),
    )  # fmt: skip


def _rows(lines: Sequence[str]) -> list[Mapping[str, Any]]:
    text = "\n".join(lines)
    if len(text) > _MOST_BYTES:
        raise InputError("The JSON is too large for an engine's profile.", hint="Give one engine's.")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 0)
        raise InputError(
            f"Line {line}: the JSON ends there or is broken.",
            hint="Take the file as trtexec wrote it; nothing of it was imported.",
        ) from error
    return [row for row in document if isinstance(row, dict)]


def _kind(name: str) -> str:
    """The operator that does most of a fused layer's work; the name where it says none."""
    found: list[str] = _KIND.findall(name)
    return next((kind for kind in found if kind in _HEAVY), found[-1] if found else name)
